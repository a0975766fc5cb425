//! The texts of the job page.

use conveyor_model::lang::Lang;
use conveyor_model::state::{Action, State};

texts! {
    enqueued: "enqueued", "поставлена";
    attempt_of(attempt, most): "attempt {attempt} of {most}", "попытка {attempt} из {most}";
    by_schedule(name): "by the schedule {name}", "по расписанию {name}";
    not_found: "No such job", "Нет такой задачи";
    malformed(id): "“{id}” is no job id: an id is a whole number.", "«{id}» — не номер задачи: номер — это целое число.";
    gone(id): "There is no job #{id}. It may have been removed after its retention time, or deleted.",
        "Задачи №{id} нет. Возможно, её удалили по сроку хранения или вручную.";
    to_jobs: "To the jobs", "К задачам";

    why_waiting: "Why is it not running?", "Почему она не выполняется?";
    why_dead: "Why did it die?", "Почему она в dead-letter?";
    runs_now: "It is running", "Она выполняется";
    asked_to_stop: "It was asked to stop", "Её попросили остановиться";
    asked_to_stop_text: "The worker has been told; the job ends when it answers or its lease runs out.",
        "Воркер уведомлён; задача закончится, когда он ответит или истечёт аренда (lease).";
    on_worker: "on", "на";
    lease_until: "lease until", "аренда (lease) до";
    starts: "It starts", "Начнётся";
    look: "See what holds it", "Посмотреть, что мешает";
    see_workers: "See the workers", "Посмотреть воркеров";
    others[n]: ("{n} other job died of this cause", "{n} other jobs died of this cause"),
        ("ещё {n} задача с той же причиной", "ещё {n} задачи с той же причиной", "ещё {n} задач с той же причиной");
    see_group: "See the group", "Открыть группу";
    no_reason: "No attempt left an error.", "Ни одна попытка не оставила ошибки.";
    progress: "Progress", "Ход выполнения";

    not_now: "Not possible now", "Сейчас недоступно";
    delete_question(id): "Delete job #{id}?", "Удалить задачу №{id}?";
    delete_text: "Payload, attempts and logs go with it. This cannot be undone.",
        "Вместе с ней исчезнут данные, попытки и журналы. Отменить это нельзя.";
    discard_question(id): "Discard job #{id}?", "Отбросить задачу №{id}?";
    discard_text: "It goes to the dead letter without another attempt. It can be retried there.",
        "Она уйдёт в dead-letter без новой попытки. Оттуда её можно повторить.";
    again_question(id): "Run job #{id} once more?", "Выполнить задачу №{id} ещё раз?";
    again_text: "It has succeeded already; its work is done a second time.",
        "Она уже выполнена; работа будет сделана второй раз.";

    timeline: "Timeline", "Ход событий";
    timeline_list: "As a list", "Списком";
    waited: "Waited", "Ожидание";
    backoff: "Waited for the next attempt", "Ожидание следующей попытки";
    due: "Due", "Срок";
    running: "running", "выполняется";

    attempts: "Attempts", "Попытки";
    newest_first: "newest first", "сначала новые";
    no_attempts: "No attempt has begun.", "Попыток ещё не было.";
    attempt_n(n): "Attempt {n}", "Попытка {n}";
    backtrace: "Backtrace", "Стек вызовов";
    logs[n]: ("{n} log line", "{n} log lines"), ("{n} строка журнала", "{n} строки журнала", "{n} строк журнала");

    payload: "Payload", "Данные";
    result: "Result", "Результат";
    exact: "As stored", "Как хранится";
    as_curl: "As curl", "Как curl";
    curl_text: "The same job, enqueued from a shell:", "Та же задача из командной строки:";
    bytes[n]: ("{n} byte", "{n} bytes"), ("{n} байт", "{n} байта", "{n} байт");
    copy_payload: "Copy the payload", "Копировать данные";
    copy_result: "Copy the result", "Копировать результат";
    copy_curl: "Copy the curl command", "Копировать команду curl";
    copy_id: "Copy the id", "Копировать номер";

    details: "Details", "Сведения";
    queue: "Queue", "Очередь";
    priority: "Priority", "Приоритет";
    due_at: "Due", "Срок";
    started: "Started", "Начата";
    finished: "Finished", "Завершена";
    timeout: "Timeout", "Предел времени";
    no_limit: "no limit", "без ограничения";
    delays: "Delay between attempts", "Задержка между попытками";
    key: "Idempotency key", "Ключ идемпотентности";
    key_of_form: "made by the form", "создан формой";
    schedule: "Schedule", "Расписание";
    tags: "Tags", "Метки";
    crashes: "Crashes", "Аварии";
    version: "Version", "Версия";

    runs(kind): "Last runs of {kind}", "Последние запуски {kind}";
    no_runs: "None has ended yet.", "Ни один ещё не завершился.";
    run_numbers(p50, p95, percent): "p50 {p50} · p95 {p95} · {percent} % succeeded",
        "p50 {p50} · p95 {p95} · успешно {percent} %";
    run_dot(id, how, length): "Job {id}: {how}, {length}", "Задача {id}: {how}, {length}";
    succeeded: "succeeded", "успех";
    failed: "failed", "ошибка";

    edit: "Edit the job", "Изменить задачу";
    edit_note: "Only what you change is stored; the job must still be as you see it.",
        "Сохранится только то, что вы измените; задача должна быть такой же, как сейчас.";
    save: "Save", "Сохранить";
    cannot_edit: "This job cannot be changed now", "Эту задачу сейчас нельзя изменить";
}

/// Why an action is not possible in a state.
pub(crate) const fn why_not(lang: Lang, action: Action, state: State) -> &'static str {
    match (lang, action, state) {
        (Lang::En, Action::Run, State::Ready) => "it is due already",
        (Lang::En, Action::Run, _) => "only a job that is due later can be run now",
        (Lang::En, Action::Retry, _) => "only a job that failed or ended can be retried",
        (Lang::En, Action::Edit, State::Running) => "a running job cannot be changed",
        (Lang::En, Action::Edit, _) => "its life is over; duplicate it instead",
        (Lang::En, Action::Cancel, _) => "it has ended",
        (Lang::En, Action::Discard, State::Running) => "it is running; cancel it first",
        (Lang::En, Action::Discard, _) => "it has ended",
        (Lang::En, Action::Delete, State::Running) => "it is running; cancel it first",
        (Lang::En, Action::Delete, _) => "other jobs depend on it",
        (Lang::En, Action::Duplicate, _) => "",
        (Lang::Ru, Action::Run, State::Ready) => "её срок уже настал",
        (Lang::Ru, Action::Run, _) => "запустить сейчас можно только задачу, чей срок впереди",
        (Lang::Ru, Action::Retry, _) => "повторить можно только неудачную или завершённую задачу",
        (Lang::Ru, Action::Edit, State::Running) => "выполняемую задачу изменить нельзя",
        (Lang::Ru, Action::Edit, _) => "она завершена; вместо этого её можно дублировать",
        (Lang::Ru, Action::Cancel, _) => "она уже завершена",
        (Lang::Ru, Action::Discard, State::Running) => "она выполняется; сначала отмените",
        (Lang::Ru, Action::Discard, _) => "она уже завершена",
        (Lang::Ru, Action::Delete, State::Running) => "она выполняется; сначала отмените",
        (Lang::Ru, Action::Delete, _) => "от неё зависят другие задачи",
        (Lang::Ru, Action::Duplicate, _) => "",
    }
}

/// Why a job died.
pub(crate) fn dead_reason(lang: Lang, reason: &str) -> Option<&'static str> {
    match (lang, reason) {
        (Lang::En, "crash_loop") => Some("Its worker died three times while it ran."),
        (Lang::En, "attempts_used_up") => Some("It has used up its attempts."),
        (Lang::En, "given_up") => Some("Its worker said that no further attempt makes sense."),
        (Lang::En, "discarded") => Some("A person discarded it."),
        (Lang::Ru, "crash_loop") => Some("Воркер трижды падал, пока она выполнялась."),
        (Lang::Ru, "attempts_used_up") => Some("Её попытки исчерпаны."),
        (Lang::Ru, "given_up") => Some("Воркер сообщил, что пробовать дальше нет смысла."),
        (Lang::Ru, "discarded") => Some("Её отбросил человек."),
        _ => None,
    }
}
