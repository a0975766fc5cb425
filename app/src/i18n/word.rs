//! Words that many pages share: states, actions, outcomes, and the nouns of the queue.

use conveyor_model::job::Outcome;
use conveyor_model::lang::Lang;
use conveyor_model::state::{Action, State};

texts! {
    close: "Close", "Закрыть";
    cancel: "Cancel", "Отмена";
    copy: "Copy", "Копировать";
    copied: "Copied", "Скопировано";
    open: "Open", "Открыть";
    refresh: "Refresh", "Обновить";
    loading: "Loading…", "Загрузка…";
    try_again: "Try again", "Попробовать снова";
    none: "none", "нет";
    per_second: "/s", "/с";
    jobs[n]: ("{n} job", "{n} jobs"), ("{n} задача", "{n} задачи", "{n} задач");
    jobs_wait[n]: ("{n} job waits", "{n} jobs wait"), ("ждёт {n} задача", "ждут {n} задачи", "ждёт {n} задач");
    workers[n]: ("{n} worker", "{n} workers"), ("{n} воркер", "{n} воркера", "{n} воркеров");
}

/// The state of one job.
pub(crate) const fn state(lang: Lang, state: State) -> &'static str {
    match (lang, state) {
        (Lang::En, State::Scheduled) => "Scheduled",
        (Lang::En, State::Ready) => "Ready",
        (Lang::En, State::Running) => "Running",
        (Lang::En, State::Retrying) => "Retrying",
        (Lang::En, State::Succeeded) => "Succeeded",
        (Lang::En, State::Dead) => "Dead",
        (Lang::En, State::Cancelled) => "Cancelled",
        (Lang::En, State::Blocked) => "Blocked",
        (Lang::Ru, State::Scheduled) => "Запланирована",
        (Lang::Ru, State::Ready) => "Готова",
        (Lang::Ru, State::Running) => "Выполняется",
        (Lang::Ru, State::Retrying) => "Ждёт повтора",
        (Lang::Ru, State::Succeeded) => "Выполнена",
        (Lang::Ru, State::Dead) => "В dead-letter",
        (Lang::Ru, State::Cancelled) => "Отменена",
        (Lang::Ru, State::Blocked) => "Ждёт других",
    }
}

/// The state of several jobs, as the word before their count.
pub(crate) const fn states(lang: Lang, of: State) -> &'static str {
    match (lang, of) {
        (Lang::En, _) => state(lang, of),
        (Lang::Ru, State::Scheduled) => "Запланированы",
        (Lang::Ru, State::Ready) => "Готовы",
        (Lang::Ru, State::Running) => "Выполняются",
        (Lang::Ru, State::Retrying) => "Ждут повтора",
        (Lang::Ru, State::Succeeded) => "Выполнены",
        (Lang::Ru, State::Dead) => "Dead-letter",
        (Lang::Ru, State::Cancelled) => "Отменены",
        (Lang::Ru, State::Blocked) => "Ждут других",
    }
}

/// What the button says.
pub(crate) const fn action(lang: Lang, action: Action) -> &'static str {
    match (lang, action) {
        (Lang::En, Action::Run) => "Run now",
        (Lang::En, Action::Retry) => "Retry",
        (Lang::En, Action::Cancel) => "Cancel",
        (Lang::En, Action::Discard) => "Discard",
        (Lang::En, Action::Edit) => "Edit",
        (Lang::En, Action::Duplicate) => "Duplicate",
        (Lang::En, Action::Delete) => "Delete",
        (Lang::Ru, Action::Run) => "Запустить сейчас",
        (Lang::Ru, Action::Retry) => "Повторить",
        (Lang::Ru, Action::Cancel) => "Отменить",
        (Lang::Ru, Action::Discard) => "Отбросить",
        (Lang::Ru, Action::Edit) => "Изменить",
        (Lang::Ru, Action::Duplicate) => "Дублировать",
        (Lang::Ru, Action::Delete) => "Удалить",
    }
}

/// How an attempt ended.
pub(crate) const fn outcome(lang: Lang, outcome: Outcome) -> &'static str {
    match (lang, outcome) {
        (Lang::En, Outcome::Succeeded) => "Succeeded",
        (Lang::En, Outcome::Failed) => "Failed",
        (Lang::En, Outcome::Timeout) => "Timed out",
        (Lang::En, Outcome::Snoozed) => "Snoozed",
        (Lang::En, Outcome::Cancelled) => "Cancelled",
        (Lang::En, Outcome::Dead) => "Gave up",
        (Lang::En, Outcome::Interrupted) => "Interrupted",
        (Lang::En, Outcome::LeaseLost) => "Lease lost",
        (Lang::Ru, Outcome::Succeeded) => "Успех",
        (Lang::Ru, Outcome::Failed) => "Ошибка",
        (Lang::Ru, Outcome::Timeout) => "Не уложилась в срок",
        (Lang::Ru, Outcome::Snoozed) => "Отложена",
        (Lang::Ru, Outcome::Cancelled) => "Отменена",
        (Lang::Ru, Outcome::Dead) => "Без повторов",
        (Lang::Ru, Outcome::Interrupted) => "Прервана",
        (Lang::Ru, Outcome::LeaseLost) => "Аренда (lease) потеряна",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_followed_by_the_right_form() {
        let ru = |n| jobs(Lang::Ru, n);
        assert_eq!(ru(1), "1 задача");
        assert_eq!(ru(2), "2 задачи");
        assert_eq!(ru(5), "5 задач");
        assert_eq!(ru(11), "11 задач");
        assert_eq!(ru(21), "21 задача");
        assert_eq!(ru(1204), "1\u{202f}204 задачи");
        assert_eq!(jobs(Lang::En, 1), "1 job");
        assert_eq!(jobs(Lang::En, 21), "21 jobs");
    }
}
