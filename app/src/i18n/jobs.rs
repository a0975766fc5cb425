//! The texts of the jobs list.

use conveyor_model::lang::Lang;
use conveyor_model::state::State;

use super::word;

texts! {
    all: "All", "Все";
    states: "States", "Состояния";
    matching[n]: ("{n} job matches", "{n} jobs match"),
        ("Подходит {n} задача", "Подходят {n} задачи", "Подходит {n} задач");
    matching_many(n): "more than {n} jobs match", "Подходит больше {n} задач";
    one_cause: "one cause", "одна причина";
    died_of: "They all died of one cause. The first says:", "Причина у всех одна. Первая сообщает:";
    to_causes: "Retry or delete all of them in the dead letter", "Повторить или удалить их все — в dead-letter";
    in_all[n]: ("{n} job in all", "{n} jobs in all"), ("Всего {n} задача", "Всего {n} задачи", "Всего {n} задач");
    newest: "newest first", "сначала новые";
    oldest: "oldest first", "сначала старые";

    filters: "Filters", "Фильтры";
    text: "Text", "Текст";
    text_hint: "in payload, error or key", "в данных, ошибке или ключе";
    kind: "Kind", "Вид";
    queue: "Queue", "Очередь";
    tag: "Tag", "Метка";
    order: "Order", "Порядок";
    apply: "Filter", "Найти";
    clear: "Clear all", "Сбросить всё";
    remove(what): "Remove the filter {what}", "Убрать фильтр {what}";
    active: "Active filters", "Действующие фильтры";

    caption: "Jobs", "Задачи";
    state: "State", "Состояние";
    job: "Job", "Задача";
    priority: "Priority", "Приоритет";
    attempt: "Attempt", "Попытка";
    in_state: "In state", "В состоянии";
    select_job(id): "Select job {id}", "Выбрать задачу {id}";
    select_page: "Select all on this page", "Выбрать все на странице";
    newer: "Newer", "Новее";
    older: "Older", "Старее";
    earlier: "Back", "Назад";
    later: "On", "Дальше";
    pages: "Pages of the list", "Страницы списка";
    shown(shown, total): "{shown} of {total}", "{shown} из {total}";

    selected[n]: ("{n} selected", "{n} selected"), ("Выбрана {n}", "Выбраны {n}", "Выбрано {n}");
    selection: "Selected jobs", "Выбранные задачи";
    unselect: "Clear the selection", "Снять выделение";
    with_selected: "With the selected jobs", "С выбранными задачами";
    choose: "choose …", "выберите …";
    sure: "Yes, discard or delete them", "Да, отбросить или удалить их";
    do_it: "Apply", "Применить";
    delete_question[n]: ("Delete {n} job?", "Delete {n} jobs?"),
        ("Удалить {n} задачу?", "Удалить {n} задачи?", "Удалить {n} задач?");
    delete_text: "Payload, attempts and logs go with them. This cannot be undone.",
        "Вместе с ними исчезнут данные, попытки и журналы. Отменить это нельзя.";
    discard_question[n]: ("Discard {n} job?", "Discard {n} jobs?"),
        ("Отбросить {n} задачу?", "Отбросить {n} задачи?", "Отбросить {n} задач?");
    discard_text: "They go to the dead letter without another attempt. They can be retried there.",
        "Они уйдут в dead-letter без новой попытки. Оттуда их можно повторить.";

    nothing_ever: "No jobs here yet", "Здесь ещё нет задач";
    nothing_ever_text: "Enqueue the first one by the form, by REST or by the command line.",
        "Поставьте первую через форму, REST или командную строку.";
    none_match: "No job matches", "Ничего не найдено";
    none_match_text(filters): "Nothing was found for {filters}.", "По запросу {filters} ничего нет.";
    clear_filters: "Clear the filters", "Сбросить фильтры";
    stopped: "Nothing found so far", "Пока ничего не найдено";
    stopped_text: "A text search looks at a bounded number of jobs at once. It goes on where it stopped.",
        "За один раз поиск по тексту просматривает ограниченное число задач. Его можно продолжить с этого места.";
    stopped_note: "The text search stopped here; there may be more further on.",
        "Поиск по тексту остановился здесь; дальше может найтись ещё.";
    search_on: "Search on", "Искать дальше";
}

/// What the list says when a state holds no jobs, and why that is.
pub(crate) const fn empty(lang: Lang, state: State) -> (&'static str, &'static str) {
    match (lang, state) {
        (Lang::En, State::Scheduled) => (
            "Nothing is scheduled",
            "Jobs with a delay or a time wait here until they are due.",
        ),
        (Lang::En, State::Ready) => (
            "Nothing waits",
            "Every job that is due has been taken by a worker.",
        ),
        (Lang::En, State::Running) => (
            "Nothing runs at the moment",
            "Jobs show here while a worker has them.",
        ),
        (Lang::En, State::Retrying) => (
            "Nothing waits for another attempt",
            "All attempts have succeeded so far.",
        ),
        (Lang::En, State::Succeeded) => (
            "No finished jobs are kept",
            "Succeeded jobs are removed after a while, seven days unless set otherwise.",
        ),
        (Lang::En, State::Dead) => ("Nothing has died", "No job has run out of attempts. Good."),
        (Lang::En, State::Cancelled) => (
            "No cancelled jobs are kept",
            "Cancelled jobs are removed after a while, seven days unless set otherwise.",
        ),
        (Lang::En, State::Blocked) => ("Nothing is blocked", "No job waits for another."),
        (Lang::Ru, State::Scheduled) => (
            "Ничего не запланировано",
            "Здесь ждут своего срока задачи с задержкой или временем запуска.",
        ),
        (Lang::Ru, State::Ready) => (
            "Никто не ждёт",
            "Все задачи, чей срок настал, уже взяты воркерами.",
        ),
        (Lang::Ru, State::Running) => (
            "Сейчас ничего не выполняется",
            "Здесь видны задачи, пока ими занят воркер.",
        ),
        (Lang::Ru, State::Retrying) => ("Никто не ждёт повтора", "Пока все попытки успешны."),
        (Lang::Ru, State::Succeeded) => (
            "Завершённых задач нет",
            "Выполненные задачи удаляются со временем: через семь дней, если не задано иное.",
        ),
        (Lang::Ru, State::Dead) => (
            "Здесь пусто — и это хорошо",
            "Ни одна задача не исчерпала попытки.",
        ),
        (Lang::Ru, State::Cancelled) => (
            "Отменённых задач нет",
            "Отменённые задачи удаляются со временем: через семь дней, если не задано иное.",
        ),
        (Lang::Ru, State::Blocked) => ("Никто не заблокирован", "Ни одна задача не ждёт другую."),
    }
}

/// How many jobs are in a state: `84 dead jobs`, `Dead-letter: 84 задачи`.
pub(crate) fn in_state_all(lang: Lang, state: State, n: u64) -> String {
    let jobs = word::jobs(lang, n);
    match (lang, jobs.split_once(' ')) {
        (Lang::En, Some((n, jobs))) => {
            format!("{n} {} {jobs}", word::state(lang, state).to_lowercase())
        }
        _ => format!("{}: {jobs}", word::states(lang, state)),
    }
}

/// The name of a part of the filter, before its value.
pub(crate) fn part(lang: Lang, name: &str) -> &'static str {
    match (lang, name) {
        (Lang::En, "kind") => "kind",
        (Lang::En, "queue") => "queue",
        (Lang::En, "tag") => "tag",
        (Lang::En, "priority") => "priority",
        (Lang::En, "worker") => "worker",
        (Lang::En, "schedule") => "schedule",
        (Lang::En, "id") => "id",
        (Lang::En, "from") => "from",
        (Lang::En, "to") => "before",
        (Lang::En, "state") => "state",
        (Lang::En, _) => "text",
        (Lang::Ru, "kind") => "вид",
        (Lang::Ru, "queue") => "очередь",
        (Lang::Ru, "tag") => "метка",
        (Lang::Ru, "priority") => "приоритет",
        (Lang::Ru, "worker") => "воркер",
        (Lang::Ru, "schedule") => "расписание",
        (Lang::Ru, "id") => "№",
        (Lang::Ru, "from") => "с",
        (Lang::Ru, "to") => "до",
        (Lang::Ru, "state") => "состояние",
        (Lang::Ru, _) => "текст",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_of_a_state_are_called_by_it() {
        let said = |lang, n| in_state_all(lang, State::Dead, n);
        assert_eq!(said(Lang::En, 1), "1 dead job");
        assert_eq!(said(Lang::En, 1204), "1\u{202f}204 dead jobs");
        assert_eq!(said(Lang::Ru, 84), "Dead-letter: 84 задачи");
    }
}
