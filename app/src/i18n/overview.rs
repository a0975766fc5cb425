//! The texts of the overview.

use conveyor_model::lang::Lang;
use conveyor_model::schedule::SlotReason;
use conveyor_model::stats::Range;

texts! {
    moving: "Everything is moving", "Всё движется";
    quiet: "All is quiet: nothing waits and nothing runs", "Всё спокойно: ничто не ждёт и не выполняется";
    nothing_runs: "Nothing runs", "Ничто не выполняется";
    no_worker: "No worker is running", "Ни один воркер не запущен";
    no_worker_waits(jobs): "No worker is running; {jobs}", "Ни один воркер не запущен; {jobs}";
    waits_long(queue, age): "Jobs wait too long: in {queue} for {age}", "Задачи ждут слишком долго: в {queue} уже {age}";
    kind_fails(kind): "{kind} is failing more than usual", "{kind} падает чаще обычного";
    failing_more: "more attempts fail than usual", "попытки падают чаще обычного";
    queue_paused(queue): "the queue {queue} is paused", "очередь {queue} на паузе";
    queues_paused[n]: ("{n} queue is paused", "{n} queues are paused"),
        ("{n} очередь на паузе", "{n} очереди на паузе", "{n} очередей на паузе");
    nobody_takes(kind): "nobody takes {kind}", "никто не берёт {kind}";
    nobody_takes_from(kind, queue): "nobody takes {kind} from {queue}", "никто не берёт {kind} из {queue}";
    schedule_stopped(schedule): "the schedule {schedule} stands still", "расписание {schedule} остановлено";
    worker_lost: "a worker is lost", "воркер потерян";

    range: "Range", "Период";
    oldest: "Oldest ready job", "Старейшая готовая";
    nothing_waits: "nothing waits", "никто не ждёт";
    held_back: "only in paused queues", "только в очередях на паузе";
    in_queue(queue): "in {queue}", "в {queue}";
    in_out: "In / out", "Вход / выход";
    last_minute: "over the last minute", "за последнюю минуту";
    failing: "Failing, 5 min", "Ошибки, 5 мин";
    no_attempts: "no attempts ended", "попыток не было";
    as_before: "as in the hour before", "как за час до этого";
    up_from(percent): "up from {percent} %", "было {percent} %";
    down_from(percent): "down from {percent} %", "было {percent} %";
    busy: "Busy slots", "Занято слотов";
    no_workers: "no worker is alive", "нет живых воркеров";
    quiet_too(workers, quiet): "{workers}, {quiet} quiet", "{workers}, тихих: {quiet}";
    dead: "Dead letter", "Dead-letter";
    died[n]: ("{n} in the last hour", "{n} in the last hour"),
        ("{n} за последний час", "{n} за последний час", "{n} за последний час");
    none_died: "none in the last hour", "за последний час ни одной";

    finished: "Finished per second", "Завершено в секунду";
    by_outcome: "by outcome", "по исходу";
    succeeded: "succeeded", "успех";
    will_retry: "will retry", "повтор";
    died_word: "dead", "dead-letter";
    wait: "Wait before start", "Ожидание до запуска";
    wait_note: "from due to claimed", "от срока до взятия";
    run: "Run time", "Время выполнения";
    run_note: "from claimed to ended", "от взятия до конца";

    attention: "Needs attention", "Требует внимания";
    all_well: "Nothing needs attention", "Ничто не требует внимания";
    all_well_text: "Dead jobs, paused queues, skipped slots, schedules that stand still and lost workers appear here.",
        "Здесь появляются мёртвые задачи, очереди на паузе, пропущенные слоты, вставшие расписания и потерянные воркеры.";
    one_cause(jobs): "{jobs}, one cause", "{jobs}, одна причина";
    since: "since", "с";
    try_again[n]: ("Try {n} again", "Try {n} again"), ("Повторить {n}", "Повторить {n}", "Повторить {n}");
    paused_by(who): "Queue paused by {who}", "Очередь на паузе ({who})";
    paused_note(who, note): "Queue paused by {who}: “{note}”", "Очередь на паузе ({who}): «{note}»";
    resume: "Resume", "Продолжить";
    resumes: "resumes", "продолжится";
    slot: "Slot", "Слот";
    lost: "Worker not heard of", "Воркер молчит";
    nobody: "No live worker takes this kind", "Ни один живой воркер не берёт этот вид";
    nobody_here: "No live worker takes this kind from this queue", "Ни один живой воркер не берёт этот вид из этой очереди";
    stopped: "This schedule cannot be carried out and fires no more", "Расписание нельзя выполнить, и оно больше не срабатывает";

    first_title: "Nothing was ever enqueued here", "Здесь ещё ничего не ставили в очередь";
    first_text: "Three steps to the first job.", "Три шага до первой задачи.";
    step_token: "Take the token the server was started with.", "Возьмите токен, с которым запущен сервер.";
    step_curl: "Enqueue a job: this one writes a mail into the outbox.",
        "Поставьте задачу: эта напишет письмо в папку исходящих.";
    step_form: "Or use the form, and watch the job run.", "Или заполните форму и смотрите, как задача выполняется.";
    copy_command: "Copy the command", "Скопировать команду";
}

/// What the range switch says.
pub(crate) const fn range_name(lang: Lang, range: Range) -> &'static str {
    match (lang, range) {
        (Lang::En, Range::FiveMinutes) => "5 min",
        (Lang::En, Range::Hour) => "1 h",
        (Lang::En, Range::Day) => "24 h",
        (Lang::Ru, Range::FiveMinutes) => "5 мин",
        (Lang::Ru, Range::Hour) => "1 ч",
        (Lang::Ru, Range::Day) => "24 ч",
    }
}

/// What became of a slot, after its time.
pub(crate) const fn slot_reason(lang: Lang, reason: SlotReason) -> &'static str {
    match (lang, reason) {
        (Lang::En, SlotReason::Overlap) => "was skipped: the run before was still going",
        (Lang::En, SlotReason::Missed) => "was missed: no server ran",
        (Lang::En, SlotReason::CatchUpCap) => "was skipped: too many were missed",
        (Lang::En, SlotReason::CaughtUp) => "was made up for",
        (Lang::En, SlotReason::Paused) => "was skipped: the schedule was paused",
        (Lang::Ru, SlotReason::Overlap) => "пропущен: прошлый запуск ещё шёл",
        (Lang::Ru, SlotReason::Missed) => "упущен: сервер не работал",
        (Lang::Ru, SlotReason::CatchUpCap) => "пропущен: упущено слишком много",
        (Lang::Ru, SlotReason::CaughtUp) => "наверстан",
        (Lang::Ru, SlotReason::Paused) => "пропущен: расписание было на паузе",
    }
}
