//! What an action did, and why one was refused, in words.

use conveyor_model::error::{ConflictCode, Invalid, OperatorError, Thing};
use conveyor_model::lang::Lang;
use conveyor_model::state::Action;
use conveyor_model::worker::WorkerState;

use super::{refusal, word};
use crate::rpc::{Outcome, RpcError};

texts! {
    enqueued(id): "Job #{id} is enqueued.", "Задача №{id} поставлена.";
    existing(id): "This key has job #{id} already; nothing was enqueued.",
        "У этого ключа уже есть задача №{id}; ничего не поставлено.";
    run(id): "Job #{id} is due now.", "Задача №{id} ждёт запуска.";
    retried(id): "Job #{id} gets another attempt.", "Задача №{id} получит ещё одну попытку.";
    cancelled(id): "Job #{id} is called off.", "Задача №{id} отменяется.";
    discarded(id): "Job #{id} is in the dead letter.", "Задача №{id} отправлена в dead-letter.";
    copied(id): "The copy is job #{id}.", "Копия — задача №{id}.";
    deleted(id): "Job #{id} is deleted.", "Задача №{id} удалена.";
    edited(id): "Job #{id} is changed.", "Задача №{id} изменена.";
    nothing_done: "Nothing was done.", "Ничего не сделано.";
    all_run[n]: ("{n} job is due now.", "{n} jobs are due now."),
        ("{n} задача ждёт запуска.", "{n} задачи ждут запуска.", "{n} задач ждут запуска.");
    all_cancelled[n]: ("{n} job is called off.", "{n} jobs are called off."),
        ("Отменяется {n} задача.", "Отменяются {n} задачи.", "Отменяется {n} задач.");
    all_discarded[n]: ("{n} job is in the dead letter.", "{n} jobs are in the dead letter."),
        ("В dead-letter отправлена {n} задача.", "В dead-letter отправлены {n} задачи.", "В dead-letter отправлено {n} задач.");
    all_changed[n]: ("{n} job is changed.", "{n} jobs are changed."),
        ("Изменена {n} задача.", "Изменены {n} задачи.", "Изменено {n} задач.");
    all_copied[n]: ("{n} job is copied.", "{n} jobs are copied."),
        ("Скопирована {n} задача.", "Скопированы {n} задачи.", "Скопировано {n} задач.");
    refused_by(refused): "{refused} refused it", "отказано {refused}";
    paused(queue): "The queue {queue} is paused.", "Очередь {queue} на паузе.";
    resumed(queue): "The queue {queue} gives out jobs again.", "Очередь {queue} снова выдаёт задачи.";
    purged(queue, jobs): "The queue {queue} is purged: {jobs} deleted.", "Очередь {queue} очищена: удалено {jobs}.";
    schedule_saved(name): "The schedule {name} is saved.", "Расписание {name} сохранено.";
    schedule_deleted(name): "The schedule {name} is deleted; its jobs stay.",
        "Расписание {name} удалено; его задачи остались.";
    schedule_run(name, id): "The schedule {name} has enqueued job #{id}.", "Расписание {name} поставило задачу №{id}.";
    schedule_paused(name): "The schedule {name} is paused.", "Расписание {name} на паузе.";
    schedule_resumed(name): "The schedule {name} fires again.", "Расписание {name} снова действует.";
    group_retried[n]: ("{n} job gets another attempt.", "{n} jobs get another attempt."),
        ("{n} задача получит ещё одну попытку.", "{n} задачи получат ещё одну попытку.", "{n} задач получат ещё одну попытку.");
    group_deleted[n]: ("{n} job is deleted.", "{n} jobs are deleted."),
        ("Удалена {n} задача.", "Удалены {n} задачи.", "Удалено {n} задач.");
    worker_runs(name): "The worker {name} takes jobs.", "Воркер {name} берёт задачи.";
    worker_quiet(name): "The worker {name} is told to take no new jobs.", "Воркеру {name} велено не брать новых задач.";
    worker_stops(name): "The worker {name} ends after its jobs.", "Воркер {name} завершится после своих задач.";

    signed_out: "Your session has ended. Log in again.", "Сеанс завершён. Войдите снова.";
    not_through: "The server could not be reached. Nothing is known to have changed.",
        "Сервер недоступен. Неизвестно, изменилось ли что-нибудь.";
    no_job(name): "There is no job {name}.", "Задачи {name} нет.";
    no_queue(name): "There is no queue {name}.", "Очереди {name} нет.";
    no_schedule(name): "There is no schedule {name}.", "Расписания {name} нет.";
    no_worker(name): "There is no worker {name}.", "Воркера {name} нет.";
    no_group(name): "There is no group {name} any more.", "Группы {name} больше нет.";
    no_kind(name): "There is no kind {name}.", "Вида {name} нет.";
    bad_fields(fields): "Cannot be taken: {fields}", "Нельзя принять: {fields}";
    state_forbids(why): "Its state does not allow this: {why}.", "Состояние этого не допускает: {why}.";
    conflict(why): "Not possible now: {why}.", "Сейчас невозможно: {why}.";
    exists(why): "It exists already: {why}.", "Не создано: {why}.";
    key_reused(id, fields): "This key belongs to job #{id}, which differs in {fields}.",
        "Этот ключ принадлежит задаче №{id}; отличаются: {fields}.";
    changed: "Somebody changed it meanwhile. Load it again, then decide.",
        "Кто-то уже внёс изменения. Обновите страницу и решите заново.";
    too_large(what, most): "{what} is too large: at most {most} bytes are allowed.",
        "Слишком большой объём ({what}): допустимо не более {most} байт.";
    disk_full: "The disk is full; nothing was stored.", "Диск заполнен; ничего не сохранено.";
    unavailable(why): "The queue cannot answer now: {why}.", "Очередь сейчас не отвечает: {why}.";
    internal: "The server met a fault of its own; its log says more.",
        "Внутренняя ошибка сервера; подробности в его журнале.";
}

/// What was done.
pub(crate) fn done(lang: Lang, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Enqueued {
            id,
            existing: false,
        } => enqueued(lang, id),
        Outcome::Enqueued { id, existing: true } => existing(lang, id),
        Outcome::Acted { id, action, result } => match action {
            Action::Run => run(lang, id),
            Action::Retry => retried(lang, id),
            Action::Cancel => cancelled(lang, id),
            Action::Discard => discarded(lang, id),
            Action::Edit => edited(lang, id),
            Action::Duplicate => copied(lang, result),
            Action::Delete => deleted(lang, id),
        },
        Outcome::ActedOn {
            action,
            done,
            refused,
            why,
        } => several(lang, *action, *done, *refused, why.as_deref()),
        Outcome::Edited { id } => edited(lang, id),
        Outcome::Paused { queue } => paused(lang, queue),
        Outcome::Resumed { queue } => resumed(lang, queue),
        Outcome::Purged { queue, jobs } => purged(lang, queue, &word::jobs(lang, *jobs)),
        Outcome::ScheduleSaved { schedule } => schedule_saved(lang, schedule),
        Outcome::ScheduleDeleted { schedule } => schedule_deleted(lang, schedule),
        Outcome::ScheduleRun { schedule, id } => schedule_run(lang, schedule, id),
        Outcome::SchedulePaused {
            schedule,
            paused: true,
        } => schedule_paused(lang, schedule),
        Outcome::SchedulePaused {
            schedule,
            paused: false,
        } => schedule_resumed(lang, schedule),
        Outcome::GroupRetried { jobs } => group_retried(lang, *jobs),
        Outcome::GroupDeleted { jobs } => group_deleted(lang, *jobs),
        Outcome::WorkerTold { worker, state } => match state {
            WorkerState::Run => worker_runs(lang, worker),
            WorkerState::Quiet => worker_quiet(lang, worker),
            WorkerState::Stop => worker_stops(lang, worker),
        },
    }
}

fn several(lang: Lang, action: Action, done: u64, refused: u64, why: Option<&str>) -> String {
    let mut text = match action {
        _ if done == 0 => nothing_done(lang).to_owned(),
        Action::Run => all_run(lang, done),
        Action::Retry => group_retried(lang, done),
        Action::Cancel => all_cancelled(lang, done),
        Action::Discard => all_discarded(lang, done),
        Action::Edit => all_changed(lang, done),
        Action::Duplicate => all_copied(lang, done),
        Action::Delete => group_deleted(lang, done),
    };
    if refused > 0 {
        text.push(' ');
        text.push_str(&refused_by(lang, &word::jobs(lang, refused)));
        match why {
            Some(why) => text.push_str(&format!(": {}.", refusal::detail(lang, why))),
            None => text.push('.'),
        }
    }
    text
}

/// Why it was not done.
pub(crate) fn refused(lang: Lang, error: &RpcError) -> String {
    match error {
        RpcError::Operator(error) => refused_by_queue(lang, error),
        RpcError::SignedOut => signed_out(lang).to_owned(),
        RpcError::Transport(_) => not_through(lang).to_owned(),
    }
}

fn refused_by_queue(lang: Lang, error: &OperatorError) -> String {
    match error {
        OperatorError::NotFound { what, name } => match what {
            Thing::Job => no_job(lang, name),
            Thing::Queue => no_queue(lang, name),
            Thing::Schedule => no_schedule(lang, name),
            Thing::Worker => no_worker(lang, name),
            Thing::DeadGroup => no_group(lang, name),
            Thing::Kind => no_kind(lang, name),
        },
        OperatorError::Invalid(invalid) => bad_fields(lang, &fields(lang, invalid)),
        OperatorError::Conflict { code, detail } => {
            let why = refusal::detail(lang, detail);
            match code {
                ConflictCode::NotAllowedInState => state_forbids(lang, &why),
                ConflictCode::Exists => exists(lang, &why),
                ConflictCode::StaleLease | ConflictCode::NotEmpty | ConflictCode::KeyReused => {
                    conflict(lang, &why)
                }
            }
        }
        OperatorError::KeyReused { job, differs } => {
            let named: Vec<&str> = differs
                .iter()
                .map(|name| refusal::field(lang, name))
                .collect();
            key_reused(lang, job, &named.join(", "))
        }
        OperatorError::VersionChanged { .. } => changed(lang).to_owned(),
        OperatorError::TooLarge { what, most, .. } => {
            too_large(lang, &refusal::field(lang, what), most)
        }
        OperatorError::DiskFull => disk_full(lang).to_owned(),
        OperatorError::Unavailable(why) => unavailable(lang, &refusal::detail(lang, why)),
        OperatorError::Internal => internal(lang).to_owned(),
    }
}

fn fields(lang: Lang, invalid: &Invalid) -> String {
    let faults = invalid.errors.iter().take(4).map(|error| {
        // A part of a field is told by the field, whose fault says which part.
        let pointer = error.pointer.trim_start_matches('/');
        let field = pointer.split('/').next().unwrap_or_default();
        let detail = refusal::detail(lang, &error.detail);
        if field.is_empty() {
            return detail.into_owned();
        }
        format!("{}: {detail}", refusal::field(lang, field))
    });
    faults.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use conveyor_model::name::JobId;

    use super::*;

    #[test]
    fn an_outcome_agrees_with_its_number() {
        let deleted = |jobs| done(Lang::Ru, &Outcome::GroupDeleted { jobs });
        assert_eq!(deleted(1), "Удалена 1 задача.");
        assert_eq!(deleted(23), "Удалены 23 задачи.");
        assert_eq!(deleted(11), "Удалено 11 задач.");
    }

    #[test]
    fn a_partial_success_says_both() {
        let outcome = Outcome::ActedOn {
            action: Action::Retry,
            done: 1,
            refused: 2,
            why: Some("job 7 is running".to_owned()),
        };
        assert_eq!(
            done(Lang::En, &outcome),
            "1 job gets another attempt. 2 jobs refused it: job 7 is running."
        );
    }

    #[test]
    fn a_refusal_is_told_in_one_language() {
        let bad = Invalid::one("/priority", "must be a whole number from 0 to 9");
        let error = RpcError::Operator(bad.into());
        assert_eq!(
            refused(Lang::Ru, &error),
            "Нельзя принять: приоритет: нужно целое число от 0 до 9"
        );
        let detail = "a dead job cannot be run now; retry it instead";
        let error = OperatorError::conflict(ConflictCode::NotAllowedInState, detail);
        assert_eq!(
            refused(Lang::Ru, &RpcError::Operator(error)),
            "Состояние этого не допускает: задачу в состоянии «в dead-letter» нельзя запустить \
             сейчас; вместо этого её можно повторить."
        );
    }

    #[test]
    fn a_refusal_names_the_thing() {
        let id = JobId::try_from(7).unwrap();
        let error = RpcError::Operator(OperatorError::not_found(Thing::Job, id));
        assert_eq!(refused(Lang::Ru, &error), "Задачи 7 нет.");
    }
}
