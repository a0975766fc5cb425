//! The texts of the workers page.

use conveyor_model::lang::Lang;
use conveyor_model::worker::{WorkerHealth, WorkerState};

texts! {
    title: "Workers", "Воркеры";
    lead_workers[n]: ("{n} worker at work", "{n} workers at work"),
        ("{n} воркер на связи", "{n} воркера на связи", "{n} воркеров на связи");
    lead_slots(busy, slots): "{busy} of {slots} slots busy", "занято слотов: {busy} из {slots}";
    lead_quiet(n): "{n} quiet", "тихих: {n}";
    lead_lost[n]: ("{n} lost", "{n} lost"), ("{n} потерян", "{n} потеряны", "{n} потеряно");
    caption: "Workers seen in the last day", "Воркеры за последние сутки";

    worker: "Worker", "Воркер";
    heartbeat: "Heartbeat", "Сигнал";
    slots: "Slots", "Слоты";
    serves: "Serves", "Обслуживает";
    runs_now: "Runs now", "Выполняет сейчас";
    actions: "Actions", "Действия";

    in_process: "inside this server", "внутри этого сервера";
    remote: "its own process", "внешний процесс";
    started: "started", "запущен";
    version(v): "version {v}", "версия {v}";
    slots_of(busy, slots): "{busy} of {slots} slots busy", "занято {busy} из {slots} слотов";
    slots_unknown: "number of slots unknown", "число слотов неизвестно";
    any_queue: "any queue", "любые очереди";
    any_kind: "any kind", "любые виды";
    more_kinds(n): "and {n} more", "и ещё {n}";
    idle: "idle", "свободен";
    only_some(n): "the first {n} are shown", "показаны первые {n}";

    quiet: "Quiet", "Не брать новые";
    resume: "Resume", "Возобновить";
    stop: "Stop…", "Остановить…";
    stop_title(worker): "Stop {worker}?", "Остановить {worker}?";
    stop_text: "It takes no new jobs and ends once those at hand are done. Nothing of the dashboard starts it again.",
        "Он не возьмёт новых задач и завершится, закончив начатые. Запустить его снова отсюда нельзя.";
    stop_busy[n]: ("It runs {n} job now.", "It runs {n} jobs now."),
        ("Сейчас он выполняет {n} задачу.", "Сейчас он выполняет {n} задачи.", "Сейчас он выполняет {n} задач.");
    stop_do: "Stop it", "Остановить";

    empty_title: "No worker has been seen in the last day", "За последние сутки воркеров не было";
    empty_text: "Jobs wait until one comes. Start one that runs a program for each job of a kind:",
        "Задачи ждут, пока он не появится. Так запускается воркер, выполняющий программу для каждой задачи вида:";
    empty_pool: "The pool inside this server is off when it was started with WORKERS=0.",
        "Встроенный пул выключен, если сервер запущен с WORKERS=0.";
}

/// How lately a worker was heard of, in a word.
pub(crate) const fn health(lang: Lang, health: WorkerHealth) -> &'static str {
    match (lang, health) {
        (Lang::En, WorkerHealth::Fresh) => "Fresh",
        (Lang::En, WorkerHealth::Late) => "Late",
        (Lang::En, WorkerHealth::Lost) => "Lost",
        (Lang::Ru, WorkerHealth::Fresh) => "На связи",
        (Lang::Ru, WorkerHealth::Late) => "Опаздывает",
        (Lang::Ru, WorkerHealth::Lost) => "Потерян",
    }
}

/// What a worker was told, where that is not simply to run.
pub(crate) const fn told(lang: Lang, state: WorkerState) -> &'static str {
    match (lang, state) {
        (_, WorkerState::Run) => "",
        (Lang::En, WorkerState::Quiet) => "told to take no new jobs",
        (Lang::En, WorkerState::Stop) => "told to stop",
        (Lang::Ru, WorkerState::Quiet) => "велено не брать новых задач",
        (Lang::Ru, WorkerState::Stop) => "останавливается",
    }
}
