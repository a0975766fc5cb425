//! The texts of the forms that enqueue and edit a job and write a schedule, and what can be wrong
//! with a field.

use conveyor_model::error::FieldError;
use conveyor_model::lang::Lang;

texts! {
    kind: "Kind", "Вид";
    kind_hint: "Which handler runs it, such as email.send.", "Какой обработчик её выполнит, например email.send.";
    payload: "Payload", "Данные";
    payload_hint: "JSON, kept exactly as you write it.", "JSON, хранится ровно так, как введён.";
    payload_good: "valid JSON", "верный JSON";
    set_out: "Set out in lines", "Разбить на строки";
    queue: "Queue", "Очередь";
    priority: "Priority", "Приоритет";
    priority_hint: "0 to 9, 9 goes first", "от 0 до 9, 9 идёт первым";
    when: "When", "Когда";
    at_once: "At once", "Сразу";
    after_delay: "After a delay", "С задержкой";
    at_time: "At a time", "В заданное время";
    delay: "Delay", "Задержка";
    unit: "Unit", "Единица";
    seconds: "seconds", "секунд";
    minutes: "minutes", "минут";
    hours: "hours", "часов";
    days: "days", "дней";
    time_utc: "Time (UTC)", "Время (UTC)";
    due_utc: "Due (UTC)", "Срок (UTC)";
    attempts: "Attempts", "Попытки";
    attempts_hint: "1 to 100, then the dead letter", "от 1 до 100, затем dead-letter";
    timeout: "Timeout, seconds", "Предел времени, секунд";
    timeout_hint: "for one attempt; 0 means without limit", "на одну попытку; 0 — без предела";
    key: "Idempotency key", "Ключ идемпотентности";
    key_hint: "A second job with the same key is not stored.", "Вторая задача с тем же ключом не сохранится.";
    tags: "Tags", "Метки";
    tags_hint: "separated by commas", "через запятую";
    options: "Options", "Параметры";
    faults: "Some fields cannot be taken. Nothing was stored.",
        "Некоторые поля заполнены неверно. Ничего не сохранено.";
    json_fault(why): "This is not valid JSON: {why}", "Это не JSON: {why}";
    no_worker: "No live worker takes this kind; the job would wait.",
        "Ни один живой воркер не берёт этот вид; задача будет ждать.";

    must_kind: "A kind has 1 to 128 of the characters A–Z a–z 0–9 . _ : -",
        "Вид — от 1 до 128 символов A–Z a–z 0–9 . _ : -";
    must_name: "1 to 128 characters without control characters, no blank at either end",
        "От 1 до 128 символов без управляющих, без пробелов по краям";
    must_priority: "A whole number from 0 to 9", "Целое число от 0 до 9";
    must_attempts: "A whole number from 1 to 100", "Целое число от 1 до 100";
    must_seconds: "A number of seconds, 0 or more, within the limit", "Число секунд, не меньше 0 и в пределах допустимого";
    must_delay: "A number, 0 or more, at most ten years", "Число не меньше 0, не больше десяти лет";
    must_time: "A date and a time of the years 1970 to 9999", "Дата и время от 1970 до 9999 года";
    must_key: "1 to 255 bytes without control characters", "От 1 до 255 байт без управляющих символов";
    must_tags: "At most 20 tags of 1 to 64 characters", "Не более 20 меток по 1–64 символа";
    must_zone: "A zone of the list, such as Europe/Berlin", "Пояс из списка, например Europe/Berlin";
    must_end: "It must be after the start", "Должно быть позже начала";
    at_character(n): "at character {n}", "на символе {n}";
    try_this(hint): "Try: {hint}", "Попробуйте: {hint}";
}

/// What is wrong with a field, in the reader's language where what is allowed can be said in it.
pub(crate) fn fault(lang: Lang, error: &FieldError) -> String {
    let field = error.pointer.trim_start_matches('/');
    let mut out = match (lang, field) {
        (_, "payload") => json_fault(lang, &error.detail),
        (Lang::En, _) => sentence(&error.detail),
        (Lang::Ru, "kind") => must_kind(lang).to_owned(),
        (Lang::Ru, "queue" | "name") => must_name(lang).to_owned(),
        (Lang::Ru, "priority") => must_priority(lang).to_owned(),
        (Lang::Ru, "max_attempts") => must_attempts(lang).to_owned(),
        (Lang::Ru, "timeout_s" | "jitter_s") => must_seconds(lang).to_owned(),
        (Lang::Ru, "delay_s") => must_delay(lang).to_owned(),
        (Lang::Ru, "run_at" | "starts_at") => must_time(lang).to_owned(),
        (Lang::Ru, "ends_at") => must_end(lang).to_owned(),
        (Lang::Ru, "idempotency_key") => must_key(lang).to_owned(),
        (Lang::Ru, "tags") => must_tags(lang).to_owned(),
        (Lang::Ru, "timezone") => must_zone(lang).to_owned(),
        (Lang::Ru, _) => sentence(&error.detail),
    };
    if let Some(position) = error.position {
        out = format!("{out} ({})", at_character(lang, &position));
    }
    if let Some(hint) = &error.hint {
        out = format!("{out}. {}", try_this(lang, hint));
    }
    out
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(char::to_uppercase);
    first
        .map(|first| first.chain(chars).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(pointer: &str) -> FieldError {
        FieldError {
            pointer: pointer.to_owned(),
            detail: "must be less".to_owned(),
            position: Some(3),
            hint: Some("0 9 * * *".to_owned()),
        }
    }

    #[test]
    fn a_fault_says_where_and_what_instead() {
        assert_eq!(
            fault(Lang::En, &error("/cron")),
            "Must be less (at character 3). Try: 0 9 * * *"
        );
        let ru = fault(Lang::Ru, &error("/priority"));
        assert!(
            ru.starts_with("Целое число от 0 до 9 (на символе 3)"),
            "{ru}"
        );
    }
}
