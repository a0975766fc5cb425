//! One attempt: the handler runs, is watched, and its end is reported.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use conveyor_model::job::{Claimed, Failure};
use conveyor_model::worker::{Finish, FinishOutcome, FinishStatus, Lease};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::JobContext;
use super::blocking::Blocking;
use super::handler::Outcome;
use super::journal::Journal;
use super::leases::{Held, Leases, Stop};
use super::link::{Link, LinkResult};
use super::panic::{Caught, Guarded};
use super::registry::Registry;
use crate::clock::Clock;

/// How long a handler may go on after its lease was lost.
const LOST_GRACE: Duration = Duration::from_secs(1);
/// The longest pause between two tries to report.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// What all attempts of a pool share.
pub(super) struct Crew {
    pub(super) link: Arc<dyn Link>,
    pub(super) registry: Registry,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) leases: Arc<Leases>,
    /// Where handlers run.
    pub(super) runtime: Handle,
    pub(super) blocking: Blocking,
    /// Fires when the pool begins to stop.
    pub(super) stopping: CancellationToken,
    /// How long a handler has to end after it was asked to cancel.
    pub(super) cancel_grace: Duration,
    /// How long a handler that was dropped may go on before it counts as stuck.
    pub(super) stuck_after: Duration,
    pub(super) max_result: usize,
    /// Bounds the reports on their way: a slot is free before its report is acknowledged.
    pub(super) reports: Arc<Semaphore>,
    /// Handlers that go on although their attempt is over.
    pub(super) stuck: AtomicUsize,
    /// With more than this many stuck, their slots stay taken.
    pub(super) most_stuck: usize,
}

type Task = JoinHandle<Result<Outcome, Caught>>;

/// How the handler's run ended.
enum Ending {
    /// With an outcome of its own.
    Own(Outcome),
    /// Cut off at the job's timeout.
    TimedOut(Duration),
    /// Cut off for another reason.
    Cut(Stop),
}

/// Runs a claimed job, whose lease lasts since then, in `slot`, from its handler to its report.
pub(super) async fn attempt(
    crew: Arc<Crew>,
    job: Claimed,
    since: Instant,
    slot: OwnedSemaphorePermit,
) {
    let lease = Lease {
        id: job.id,
        lease_token: job.lease_token,
    };
    let journal = Arc::new(Journal::new(Arc::clone(&crew.clock)));
    let held = crew.leases.hold(lease, Arc::clone(&journal), since);
    let limit = Some(job.timeout_s.to_std()).filter(|limit| !limit.is_zero());
    let mut task = crew.start(job, journal, &held);
    let ending = crew.watch(&mut task, &held, limit).await;
    let slot = crew.free_or_stuck(task, slot);
    crew.send_journal(&held).await;
    if let Some(report) = crew.report(lease, ending) {
        crew.deliver(&held, report, slot).await;
    }
    crew.leases.release(&lease);
}

impl Crew {
    fn start(&self, job: Claimed, journal: Arc<Journal>, held: &Held) -> Task {
        let handler = self.registry.find(&job.kind);
        let context = JobContext::new(
            Arc::new(job),
            journal,
            held.cancel.clone(),
            self.stopping.clone(),
            self.blocking.clone(),
        );
        self.runtime.spawn(Guarded::new(async move {
            match handler {
                Some(handler) => handler.run(context).await,
                None => Outcome::retry("NoHandler", "this worker has no handler for the kind"),
            }
        }))
    }

    /// Waits until the handler ends or has to; then sees that it does.
    async fn watch(&self, task: &mut Task, held: &Held, limit: Option<Duration>) -> Ending {
        let time_up = async {
            match limit {
                Some(limit) => sleep(limit).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            ended = &mut *task => return ended_by_itself(ended, held.why()),
            () = held.cancel.cancelled() => {}
            () = time_up => {
                held.cancel.cancel();
                let own = self.cut(task, Duration::ZERO).await;
                return done(own).unwrap_or(Ending::TimedOut(limit.unwrap_or_default()));
            }
        }
        let why = held.why().unwrap_or(Stop::Interrupted);
        let own = match why {
            Stop::Cancelled => self.cut(task, self.cancel_grace).await,
            Stop::Lost => done(self.cut(task, LOST_GRACE).await),
            Stop::Interrupted => done(self.cut(task, Duration::ZERO).await),
        };
        own.unwrap_or(Ending::Cut(why))
    }

    /// Gives the handler `grace` to end, then drops it and waits a little for that.
    async fn cut(&self, task: &mut Task, grace: Duration) -> Option<Ending> {
        if !grace.is_zero()
            && let Ok(ended) = timeout(grace, &mut *task).await
        {
            return own(ended);
        }
        task.abort();
        let ended = timeout(self.stuck_after, &mut *task).await;
        ended.ok().and_then(own)
    }

    /// The slot, to be freed; none when the handler is stuck and too many are: then it stays taken
    /// until the handler ends.
    fn free_or_stuck(
        self: &Arc<Self>,
        task: Task,
        slot: OwnedSemaphorePermit,
    ) -> Option<OwnedSemaphorePermit> {
        if task.is_finished() {
            return Some(slot);
        }
        let stuck = self.stuck.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::error!(stuck, "a handler goes on although its attempt is over");
        let (keep, free) = if stuck > self.most_stuck {
            (Some(slot), None)
        } else {
            (None, Some(slot))
        };
        let crew = Arc::clone(self);
        tokio::spawn(async move {
            // Whatever it ends with, its attempt was reported long ago.
            let _ = task.await;
            crew.stuck.fetch_sub(1, Ordering::Relaxed);
            drop(keep);
        });
        free
    }

    fn report(&self, lease: Lease, ending: Ending) -> Option<Finish> {
        let outcome = match ending {
            Ending::Own(outcome) => outcome,
            Ending::TimedOut(limit) => {
                let took = format!("it took longer than its {} s", limit.as_secs_f64());
                return Some(Finish {
                    outcome: FinishOutcome::Timeout,
                    ..Finish::failed(lease, &Failure::new("Timeout", took))
                });
            }
            Ending::Cut(Stop::Cancelled) => Outcome::Cancel,
            Ending::Cut(Stop::Lost | Stop::Interrupted) => return None,
        };
        Some(self.finish(lease, outcome))
    }

    fn finish(&self, lease: Lease, outcome: Outcome) -> Finish {
        match outcome {
            Outcome::Done(Some(result)) if result.as_str().len() > self.max_result => {
                let (bytes, most) = (result.as_str().len(), self.max_result);
                let fault = format!("the result has {bytes} bytes, at most {most} are kept");
                Finish::failed(lease, &Failure::new("ResultTooLarge", fault))
            }
            Outcome::Done(result) => Finish::succeeded(lease, result),
            Outcome::Retry { error, after } => Finish {
                retry_in: after,
                ..Finish::failed(lease, &error)
            },
            Outcome::Snooze(span) => Finish {
                snooze: Some(span),
                ..Finish::of(lease, FinishOutcome::Snooze)
            },
            Outcome::Cancel => Finish::of(lease, FinishOutcome::Cancelled),
            Outcome::Dead(error) => Finish {
                outcome: FinishOutcome::Dead,
                ..Finish::failed(lease, &error)
            },
        }
    }

    /// Reports until it is acknowledged or the lease is lost. The slot is free as soon as the report
    /// is on its way, so that the next claim can share its commit.
    async fn deliver(&self, held: &Held, report: Finish, slot: Option<OwnedSemaphorePermit>) {
        let _on_its_way = self.reports.acquire().await;
        let mut pause = Duration::from_millis(50);
        let mut answer = self.send(&report, slot).await;
        while let Err(error) = answer {
            if held.why() == Some(Stop::Lost) {
                tracing::warn!(job = %report.id, %error, "a report could not be delivered before its lease was lost");
                return;
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
            answer = self.send(&report, None).await;
        }
        match answer {
            Ok(FinishStatus::Ok) | Err(_) => {}
            Ok(FinishStatus::Stale | FinishStatus::NotFound) => {
                tracing::info!(job = %report.id, "a late report was refused; another attempt holds the job");
            }
        }
    }

    async fn send(
        &self,
        report: &Finish,
        slot: Option<OwnedSemaphorePermit>,
    ) -> LinkResult<FinishStatus> {
        let mut finish = self.link.finish(report.clone());
        // Polled once, so that the report stands before the next claim in the store's line.
        let first = poll_fn(|context| Poll::Ready(finish.as_mut().poll(context))).await;
        drop(slot);
        match first {
            Poll::Ready(answer) => answer,
            Poll::Pending => finish.await,
        }
    }

    /// Sends what the attempt has told since the last time.
    pub(super) async fn send_journal(&self, held: &Held) {
        let _alone = held.sending.lock().await;
        let Some(pending) = held.journal.take() else {
            return;
        };
        if !pending.lines.is_empty() {
            let lines = pending.lines.into_iter().collect();
            if let Err(error) = self.link.log(held.lease, lines).await {
                tracing::warn!(job = %held.lease.id, %error, "some log lines were lost");
            }
        }
        if let Some(progress) = pending.progress
            && let Err(error) = self.link.progress(held.lease, progress).await
        {
            tracing::debug!(job = %held.lease.id, %error, "progress was lost");
        }
    }
}

/// The ending of a handler that was not waited for. It may have heard of its stop before we did.
fn ended_by_itself(ended: Result<Result<Outcome, Caught>, JoinError>, why: Option<Stop>) -> Ending {
    let own = own(ended);
    match why {
        Some(why @ (Stop::Lost | Stop::Interrupted)) => done(own).unwrap_or(Ending::Cut(why)),
        Some(why @ Stop::Cancelled) => own.unwrap_or(Ending::Cut(why)),
        None => own.unwrap_or(Ending::Cut(Stop::Interrupted)),
    }
}

/// An ending by success only. A handler that is cut off may say that it was cancelled, or fail for
/// having been; what counts then is why it was cut off.
fn done(ending: Option<Ending>) -> Option<Ending> {
    ending.filter(|ending| matches!(ending, Ending::Own(Outcome::Done(_))))
}

/// What the handler ended with by itself; none when it was cut off before.
fn own(ended: Result<Result<Outcome, Caught>, JoinError>) -> Option<Ending> {
    let failure = match ended {
        Ok(Ok(outcome)) => return Some(Ending::Own(outcome)),
        Ok(Err(Caught(failure))) => failure,
        Err(error) if error.is_cancelled() => return None,
        Err(error) => Failure::new("Panic", error.to_string()),
    };
    Some(Ending::Own(Outcome::Retry {
        error: failure,
        after: None,
    }))
}
