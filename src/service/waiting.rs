//! Why a job is not running: the first cause that applies, in the order of [`Cause`].

use conveyor_model::job::Job;
use conveyor_model::operator::Answer;
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;
use conveyor_model::waiting::{Cause, WaitingReason};
use conveyor_model::worker::{Worker, WorkerHealth, WorkerState};

use super::Service;

impl Service {
    /// The cause that holds `job`; none when it does not wait.
    pub(super) async fn waiting_reason(&self, job: &Job) -> Answer<Option<WaitingReason>> {
        if !job.row.state.is_waiting() {
            return Ok(None);
        }
        let now = self.now();
        if let Some(cause) = held_by_time(job, now) {
            return Ok(Some(cause.into()));
        }
        let cause = match self.held_by_queue(job, now).await? {
            Some(cause) => cause,
            None => self.held_by_workers(job, now).await?,
        };
        Ok(Some(cause.into()))
    }

    async fn held_by_queue(&self, job: &Job, now: Timestamp) -> Answer<Option<Cause>> {
        let queues = self.store.queues(now).await?;
        let pause = queues
            .into_iter()
            .find(|queue| queue.name == job.row.queue)
            .and_then(|queue| queue.paused)
            .filter(|pause| pause.until.is_none_or(|until| until > now));
        Ok(pause.map(|pause| Cause::QueuePaused {
            queue: job.row.queue.clone(),
            by: pause.by,
            note: pause.note,
        }))
    }

    async fn held_by_workers(&self, job: &Job, now: Timestamp) -> Answer<Cause> {
        let workers = self.store.workers(now).await?;
        if let Some(cause) = without_worker(job, &workers) {
            return Ok(cause);
        }
        let takers: Vec<&Worker> = workers
            .iter()
            .filter(|worker| would_take(worker, job) && worker.state == WorkerState::Run)
            .collect();
        let ahead = self.store.ahead_of(job.row.id, &takers, now).await?;
        if ahead > 0 {
            return Ok(Cause::BehindOthers { ahead });
        }
        if let Some(slots) = full(&takers) {
            return Ok(Cause::SlotsBusy { slots });
        }
        Ok(match job.row.state {
            State::Blocked => Cause::Blocked,
            State::Scheduled
            | State::Ready
            | State::Running
            | State::Retrying
            | State::Succeeded
            | State::Dead
            | State::Cancelled => Cause::StartingNow,
        })
    }
}

/// A job due later. One whose time has just come is held by what comes after.
pub(super) fn held_by_time(job: &Job, now: Timestamp) -> Option<Cause> {
    let at = job.row.run_at;
    match job.row.state {
        State::Scheduled if at > now => Some(Cause::Scheduled { at }),
        State::Retrying if at > now => Some(Cause::Backoff {
            at,
            failed: job
                .last_error
                .as_ref()
                .map_or(job.row.attempt, |e| e.attempt),
            error: job
                .last_error
                .as_ref()
                .map_or_else(String::new, |error| error.class.clone()),
        }),
        State::Scheduled
        | State::Ready
        | State::Running
        | State::Retrying
        | State::Succeeded
        | State::Dead
        | State::Cancelled
        | State::Blocked => None,
    }
}

/// Whether `worker` was heard of lately and can run jobs at all.
pub(super) fn is_live(worker: &Worker) -> bool {
    worker.health != WorkerHealth::Lost && worker.slots != Some(0)
}

/// Whether `worker` takes jobs like this one when it is told to run.
fn would_take(worker: &Worker, job: &Job) -> bool {
    is_live(worker) && worker.serves(&job.row.queue, &job.row.kind)
}

fn without_worker(job: &Job, workers: &[Worker]) -> Option<Cause> {
    if !workers.iter().any(is_live) {
        return Some(Cause::NoWorker);
    }
    let mut able = workers
        .iter()
        .filter(|worker| would_take(worker, job))
        .peekable();
    if able.peek().is_none() {
        return Some(Cause::NoWorkerForKind {
            kind: job.row.kind.clone(),
            queue: job.row.queue.clone(),
        });
    }
    if able.all(|worker| worker.state != WorkerState::Run) {
        return Some(Cause::WorkersQuiet);
    }
    None
}

/// How many slots there are for a job that `takers` could take, if every one of them is taken. A worker
/// that does not say how many it has may have a free one.
fn full(takers: &[&Worker]) -> Option<u64> {
    let mut slots = 0;
    for worker in takers {
        let most = worker.slots?;
        if worker.busy < most {
            return None;
        }
        slots += u64::from(most);
    }
    Some(slots).filter(|slots| *slots > 0)
}
