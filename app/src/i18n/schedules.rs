//! The texts of the schedules: the list, one of them, and the form.

use conveyor_model::cron::{Gap, Overlap};
use conveyor_model::lang::Lang;
use conveyor_model::schedule::{CatchUp, OverlapPolicy, SlotReason, SlotStatus};

texts! {
    title: "Schedules", "Расписания";
    lead_all[n]: ("{n} schedule", "{n} schedules"),
        ("{n} расписание", "{n} расписания", "{n} расписаний");
    lead_paused[n]: ("{n} paused", "{n} paused"),
        ("{n} на паузе", "{n} на паузе", "{n} на паузе");
    next_of_all: "next", "ближайшее";
    caption: "Schedules with their next fire", "Расписания и их ближайшие срабатывания";
    new: "New schedule", "Новое расписание";

    schedule: "Schedule", "Расписание";
    when: "When", "Когда";
    next: "Next fire", "Ближайшее";
    last: "Last slot", "Последний слот";
    actions: "Actions", "Действия";

    on: "On", "Включено";
    paused: "Paused", "На паузе";
    paused_by(who): "by {who}", "({who})";
    never: "never again", "больше никогда";
    waits_for_last: "waits for the previous job: slot", "ждёт прошлую задачу: слот";
    stands_still: "stands still", "остановлено";
    fault_title: "This schedule stands still", "Расписание остановлено";
    fault_text: "It could not be read or carried out. Change it, and it fires again.",
        "Его нельзя прочитать или выполнить. Измените его, и оно снова будет срабатывать.";
    not_yet: "not yet", "ещё не было";
    unreadable: "this expression can no longer be read", "это выражение больше не читается";

    run_now: "Run now", "Запустить сейчас";
    pause: "Pause", "Пауза";
    resume: "Resume", "Возобновить";
    edit: "Edit", "Изменить";
    delete: "Delete", "Удалить";
    delete_title(name): "Delete {name}?", "Удалить {name}?";
    delete_text: "It fires no more, and the record of its slots goes. The jobs it enqueued stay.",
        "Оно больше не сработает, и журнал его слотов исчезнет. Поставленные им задачи останутся.";

    slots: "Slots", "Слоты";
    slots_caption: "What became of each slot", "Что стало с каждым слотом";
    slot: "Slot", "Слот";
    outcome: "Outcome", "Итог";
    job: "Job", "Задача";
    slots_empty_title: "No slot has come yet", "Ни одного слота ещё не было";
    slots_empty_text: "Each slot is kept here: fired, late, or skipped with the reason.",
        "Здесь останется каждый слот: сработал, опоздал или пропущен и почему.";
    together[n]: ("{n} slot", "{n} slots together"),
        ("{n} слот", "{n} слота вместе", "{n} слотов вместе");

    details: "Details", "Сведения";
    fires: "Next fires", "Ближайшие срабатывания";
    fires_paused: "It is paused: it would fire at", "На паузе; сработало бы";
    payload: "Payload", "Данные";
    kind: "Kind", "Вид";
    queue: "Queue", "Очередь";
    priority: "Priority", "Приоритет";
    attempts: "Attempts", "Попытки";
    timeout: "Timeout", "Предел времени";
    no_limit: "no limit", "без ограничения";
    jitter: "Jitter", "Разброс";
    starts: "Starts", "Начало";
    ends: "Ends", "Конец";
    catch_up: "Missed slots", "Пропущенные слоты";
    overlap: "Previous job unfinished", "Прошлая задача не завершена";
    gap: "Time that does not exist", "Время, которого нет";
    twice: "Time that comes twice", "Время, которое наступает дважды";
    created: "Made", "Создано";
    updated: "Changed", "Изменено";
    its_jobs: "Its jobs", "Его задачи";

    empty_title: "No schedules yet", "Расписаний пока нет";
    empty_text: "A schedule enqueues a job at each slot of a cron expression, such as “every weekday at 9:00”.",
        "Расписание ставит задачу в каждый слот выражения cron, например «по будням в 9:00».";
    empty_example: "Start from this example", "Начать с этого примера";
}

/// The words of an expression, in which no line ends within an ordinal such as «31-е».
pub(crate) fn unbroken(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        let ordinal = c == '-' && out.ends_with(|before: char| before.is_ascii_digit());
        out.push(if ordinal { '\u{2011}' } else { c });
    }
    out
}

/// What became of a slot, in a word.
pub(crate) const fn status(lang: Lang, status: SlotStatus) -> &'static str {
    match (lang, status) {
        (Lang::En, SlotStatus::Fired) => "Fired",
        (Lang::En, SlotStatus::Late) => "Late",
        (Lang::En, SlotStatus::Skipped) => "Skipped",
        (Lang::Ru, SlotStatus::Fired) => "Сработал",
        (Lang::Ru, SlotStatus::Late) => "С опозданием",
        (Lang::Ru, SlotStatus::Skipped) => "Пропущен",
    }
}

/// Why a slot was skipped or late.
pub(crate) const fn reason(lang: Lang, reason: SlotReason) -> &'static str {
    match (lang, reason) {
        (Lang::En, SlotReason::Overlap) => "the previous job was not finished",
        (Lang::En, SlotReason::Missed) => "the server did not run, and missed slots are let go",
        (Lang::En, SlotReason::CatchUpCap) => "too many slots were missed to make up for all",
        (Lang::En, SlotReason::CaughtUp) => "made up for after the server was back",
        (Lang::En, SlotReason::Paused) => "the schedule was paused",
        (Lang::Ru, SlotReason::Overlap) => "прошлая задача не завершилась",
        (Lang::Ru, SlotReason::Missed) => "сервер не работал, а пропущенное не навёрстывается",
        (Lang::Ru, SlotReason::CatchUpCap) => "пропущено слишком много, чтобы наверстать всё",
        (Lang::Ru, SlotReason::CaughtUp) => "навёрстан после возвращения сервера",
        (Lang::Ru, SlotReason::Paused) => "расписание было на паузе",
    }
}

/// What happens to missed slots.
pub(crate) const fn catch_up_choice(lang: Lang, choice: CatchUp) -> &'static str {
    match (lang, choice) {
        (Lang::En, CatchUp::Skip) => "let them go",
        (Lang::En, CatchUp::Latest) => "one job for the latest",
        (Lang::En, CatchUp::All) => "a job for each, up to 100",
        (Lang::Ru, CatchUp::Skip) => "не навёрстывать",
        (Lang::Ru, CatchUp::Latest) => "одна задача за последний",
        (Lang::Ru, CatchUp::All) => "по задаче за каждый, до 100",
    }
}

/// What happens when the last job is not finished.
pub(crate) const fn overlap_choice(lang: Lang, choice: OverlapPolicy) -> &'static str {
    match (lang, choice) {
        (Lang::En, OverlapPolicy::Allow) => "enqueue all the same",
        (Lang::En, OverlapPolicy::Skip) => "skip the slot",
        (Lang::En, OverlapPolicy::QueueOne) => "let one wait, skip further ones",
        (Lang::En, OverlapPolicy::CancelRunning) => "cancel the previous job",
        (Lang::Ru, OverlapPolicy::Allow) => "всё равно поставить",
        (Lang::Ru, OverlapPolicy::Skip) => "пропустить слот",
        (Lang::Ru, OverlapPolicy::QueueOne) => "одна ждёт, остальные пропустить",
        (Lang::Ru, OverlapPolicy::CancelRunning) => "отменить прошлую задачу",
    }
}

/// What happens to a time that the clock jumps over.
pub(crate) const fn gap_choice(lang: Lang, choice: Gap) -> &'static str {
    match (lang, choice) {
        (Lang::En, Gap::After) => "fire right after the jump",
        (Lang::En, Gap::Skip) => "do not fire",
        (Lang::Ru, Gap::After) => "сработать сразу после перевода",
        (Lang::Ru, Gap::Skip) => "не срабатывать",
    }
}

/// What happens to a time that the clock shows twice.
pub(crate) const fn twice_choice(lang: Lang, choice: Overlap) -> &'static str {
    match (lang, choice) {
        (Lang::En, Overlap::First) => "fire the first time",
        (Lang::En, Overlap::Last) => "fire the second time",
        (Lang::En, Overlap::Both) => "fire both times",
        (Lang::Ru, Overlap::First) => "сработать в первый раз",
        (Lang::Ru, Overlap::Last) => "сработать во второй раз",
        (Lang::Ru, Overlap::Both) => "сработать оба раза",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinal_stays_in_one_line() {
        assert_eq!(
            unbroken("с 29-го по 31-е число, по-русски"),
            "с 29\u{2011}го по 31\u{2011}е число, по-русски"
        );
    }
}
