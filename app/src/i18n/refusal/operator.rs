//! Refusals of an action: what is gone, in the wrong state, taken, too large, or away.

use super::Template;

pub(super) const REFUSALS: &[Template] = &[
    ("no {gone} {}", "нет {} {}"),
    (
        "a {state} job cannot be {done}",
        "задачу в состоянии «{}» нельзя {}",
    ),
    (
        "a {state} job cannot be {done}; {instead}",
        "задачу в состоянии «{}» нельзя {}; {}",
    ),
    (
        "an edit needs the new values; use PATCH",
        "для изменения нужны новые значения; их шлют методом PATCH",
    ),
    (
        "not stored, because another job of the same request was refused",
        "не сохранено, потому что отклонена другая задача того же запроса",
    ),
    (
        "this idempotency key belongs to job {n}, whose request differs in {}",
        "ключ идемпотентности принадлежит задаче №{}; её запрос отличается в {}",
    ),
    (
        "it was changed meanwhile: the version is {n} now",
        "за это время её изменили: версия теперь {}",
    ),
    (
        "a schedule named {} exists already",
        "расписание с именем {} уже есть",
    ),
    (
        "the lease is not held any more; stop this attempt",
        "аренда (lease) уже потеряна; попытку нужно прекратить",
    ),
    (
        "{field} has {n} bytes, at most {n} are allowed",
        "{}: {} байт, допустимо не больше {}",
    ),
    (
        "the disk is full; nothing was stored",
        "диск заполнен, ничего не сохранено",
    ),
    (
        "the database is away; try again later",
        "база данных недоступна, повторите позже",
    ),
    (
        "the server is stopping; ask again later",
        "сервер останавливается, повторите позже",
    ),
    (
        "the server met a fault of its own; its log says more",
        "внутренняя ошибка сервера, подробности в его журнале",
    ),
];

pub(super) const GONE: &[Template] = &[
    ("job", "задачи"),
    ("queue", "очереди"),
    ("schedule", "расписания"),
    ("worker", "воркера"),
    ("group of dead jobs", "группы dead-letter"),
    ("kind", "вида"),
];

pub(super) const DONE: &[Template] = &[
    ("run now", "запустить сейчас"),
    ("retried", "повторить"),
    ("cancelled", "отменить"),
    ("discarded", "отбросить"),
    ("edited", "изменить"),
    ("duplicated", "дублировать"),
    ("deleted", "удалить"),
];

pub(super) const INSTEAD: &[Template] = &[
    ("give the fields to change", "укажите, какие поля изменить"),
    (
        "cancel it first, or wait until its attempt ends",
        "сначала отмените её или дождитесь конца попытки",
    ),
    ("cancel it first", "сначала отмените её"),
    (
        "it starts as soon as a worker is free",
        "она начнётся, как только освободится воркер",
    ),
    ("it runs already", "она уже выполняется"),
    ("retry it instead", "вместо этого её можно повторить"),
    (
        "run it now instead",
        "вместо этого её можно запустить сейчас",
    ),
    ("duplicate it instead", "вместо этого её можно дублировать"),
];

/// The fields of the forms and of the filter.
pub(super) const FIELDS: &[Template] = &[
    ("kind", "вид"),
    ("payload", "данные"),
    ("queue", "очередь"),
    ("priority", "приоритет"),
    ("delay_s", "задержка"),
    ("run_at", "время"),
    ("max_attempts", "попытки"),
    ("timeout_s", "предел времени"),
    ("backoff", "паузы перед повторами"),
    ("idempotency_key", "ключ идемпотентности"),
    ("tags", "метки"),
    ("tag", "метка"),
    ("meta", "метаданные"),
    ("name", "имя"),
    ("cron", "выражение cron"),
    ("timezone", "часовой пояс"),
    ("catch_up", "пропущенные слоты"),
    ("overlap", "наложение"),
    ("dst", "перевод часов"),
    ("jitter_s", "разброс"),
    ("starts_at", "начало"),
    ("ends_at", "конец"),
    ("state", "состояние"),
    ("action", "действие"),
    ("worker", "воркер"),
    ("schedule", "расписание"),
    ("id", "номер задачи"),
    ("ids", "выбор"),
    ("from", "начало"),
    ("to", "конец"),
    ("q", "поиск"),
    ("sort", "порядок"),
    ("after", "страница"),
    ("note", "заметка"),
    ("until", "конец паузы"),
    ("typed", "подтверждение"),
    ("sure", "подтверждение"),
];
