//! The texts of the forms that enqueue and edit a job and write a schedule, and what can be wrong
//! with a field.

use conveyor_model::error::FieldError;
use conveyor_model::lang::Lang;

use super::refusal;

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

    at_character(n): "at character {n}", "на символе {n}";
    try_this(hint): "Try: {hint}", "Попробуйте: {hint}";
}

/// What is wrong with a field, in the reader's language, with what to write instead.
pub(crate) fn fault(lang: Lang, error: &FieldError) -> String {
    let mut out = match error.pointer.as_str() {
        "/payload" => bad_json(lang, &error.detail),
        _ => sentence(&refusal::detail(lang, &error.detail)),
    };
    if let Some(position) = error.position {
        out = format!("{out} ({})", at_character(lang, &position));
    }
    match error.hint.as_deref() {
        Some(hint) if refusal::is_expression(hint) => {
            out = format!("{out}. {}", try_this(lang, &hint));
        }
        Some(hint) => out = format!("{out}. {}", sentence(&refusal::hint(lang, hint))),
        None => {}
    }
    out
}

/// Why a payload cannot be read.
pub(crate) fn bad_json(lang: Lang, why: &str) -> String {
    json_fault(lang, &refusal::detail(lang, why))
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

    fn error(pointer: &str, detail: &str, hint: &str) -> FieldError {
        FieldError {
            pointer: pointer.to_owned(),
            detail: detail.to_owned(),
            position: Some(3),
            hint: Some(hint.to_owned()),
        }
    }

    #[test]
    fn a_fault_says_where_and_what_instead() {
        let whole = error("/cron", "hour must be 0 to 23, not 24", "0 9 * * *");
        assert_eq!(
            fault(Lang::En, &whole),
            "Hour must be 0 to 23, not 24 (at character 3). Try: 0 9 * * *"
        );
        assert_eq!(
            fault(Lang::Ru, &whole),
            "Час: допустимо от 0 до 23, а не 24 (на символе 3). Попробуйте: 0 9 * * *"
        );
    }

    #[test]
    fn advice_is_a_sentence_of_its_own() {
        let advised = error("/cron", "hour must be 0 to 23, not 24", "midnight is 0");
        assert!(fault(Lang::En, &advised).ends_with(". Midnight is 0"));
        assert!(fault(Lang::Ru, &advised).ends_with(". Полночь — это 0"));
    }

    #[test]
    fn a_fault_of_a_payload_says_that_it_is_no_json() {
        let bad = error(
            "/payload",
            "a comma before a closing bracket is not allowed (line 1, column 4)",
            "[1]",
        );
        assert!(
            fault(Lang::Ru, &bad)
                .starts_with("Это не JSON: перед закрывающей скобкой запятая не нужна (строка 1"),
        );
    }
}
