//! One attempt: the handler runs, is watched, and its end is reported.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

use conveyor_model::job::{Claimed, Failure};
use conveyor_model::worker::{Finish, FinishOutcome, Lease};
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::JobContext;
use super::ahead::Pace;
use super::blocking::Blocking;
use super::handler::Outcome;
use super::journal::Journal;
use super::leases::{Held, Leases, Stop};
use super::line::Line;
use super::link::Link;
use super::panic::{Caught, Guarded};
use super::registry::Registry;
use super::reports::Reports;
use crate::clock::Clock;

/// How long a handler may go on after its lease was lost.
const LOST_GRACE: Duration = Duration::from_secs(1);

/// What all attempts of a pool share.
pub(super) struct Crew {
    pub(super) link: Arc<dyn Link>,
    pub(super) registry: Registry,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) leases: Arc<Leases>,
    pub(super) line: Line,
    pub(super) reports: Reports,
    /// Where handlers run.
    pub(super) runtime: Handle,
    pub(super) blocking: Blocking,
    /// Fires when the pool begins to stop.
    pub(super) stopping: CancellationToken,
    /// How long a handler has to end after it was asked to cancel.
    pub(super) cancel_grace: Duration,
    /// How long a handler that is to be dropped may go on before it counts as stuck.
    pub(super) stuck_after: Duration,
    pub(super) max_result: usize,
    /// How long a job may wait in line for a slot.
    pub(super) ahead_for: Duration,
    /// How long handlers take.
    pub(super) pace: Pace,
    /// Handlers that go on although their attempt is over.
    pub(super) stuck: AtomicUsize,
}

/// How the handler's run ended.
pub(super) enum Ending {
    /// With an outcome of its own.
    Own(Outcome),
    /// Cut off at the job's timeout.
    TimedOut(Duration),
    /// Cut off for another reason.
    Cut(Stop),
}

/// What ended the wait for a handler.
enum Turn {
    Ended(Result<Outcome, Caught>),
    Asked,
    TimeUp(Duration),
}

impl Crew {
    /// Begins to hold the lease of a claimed job, which lasts since then.
    pub(super) fn hold(&self, job: &Claimed, since: Instant) -> Arc<Held> {
        let journal = Arc::new(Journal::new(Arc::clone(&self.clock)));
        self.leases.hold(Lease::of(job), journal, since)
    }

    /// Runs the handler of a claimed job until it ends or is dropped.
    pub(super) async fn run(&self, job: Claimed, held: &Held) -> Ending {
        if let Some(why) = held.why() {
            // Stopped while it waited for its slot.
            return Ending::Cut(why);
        }
        let limit = Some(job.timeout_s.to_std()).filter(|limit| !limit.is_zero());
        held.begin(limit);
        let began = Instant::now();
        let mut handler = Guarded::new(self.handler(job, held));
        let turn = tokio::select! {
            biased;
            ended = &mut handler => Turn::Ended(ended),
            () = held.cancel.cancelled() => Turn::Asked,
            limit = time_up(limit) => Turn::TimeUp(limit),
        };
        self.pace.took(began.elapsed());
        match turn {
            Turn::Ended(ended) => {
                let late = limit.filter(|limit| began.elapsed() >= *limit);
                ended_by_itself(own(ended), held.why(), late)
            }
            Turn::TimeUp(limit) => {
                held.cancel.cancel();
                Ending::TimedOut(limit)
            }
            Turn::Asked => {
                let why = held.why().unwrap_or(Stop::Interrupted);
                let grace = self.grace(why);
                let ended = if grace.is_zero() {
                    None
                } else {
                    timeout(grace, &mut handler).await.ok()
                };
                ended.map_or(Ending::Cut(why), |ended| {
                    ended_by_itself(own(ended), Some(why), None)
                })
            }
        }
    }

    /// The handler's work on a job.
    fn handler(&self, job: Claimed, held: &Held) -> impl Future<Output = Outcome> + use<> {
        let handler = self.registry.find(&job.kind);
        let context = JobContext::new(
            Arc::new(job),
            Arc::clone(&held.journal),
            held.cancel.clone(),
            self.stopping.clone(),
            self.blocking.clone(),
        );
        async move {
            match handler {
                Some(handler) => handler.run(context).await,
                None => Outcome::retry("NoHandler", "this worker has no handler for the kind"),
            }
        }
    }

    /// How long a handler may go on after it was asked to end.
    fn grace(&self, why: Stop) -> Duration {
        match why {
            Stop::Cancelled => self.cancel_grace,
            Stop::Lost => LOST_GRACE,
            Stop::Interrupted => Duration::ZERO,
        }
    }

    /// How an attempt ends whose handler should have been dropped long ago but has not let go, which is
    /// so when it keeps its thread without ever waiting.
    pub(super) fn overdue(&self, held: &Held, now: Instant) -> Option<Ending> {
        let (began, limit) = held.begun()?;
        if held.is_over() {
            return None;
        }
        let ends =
            limit.and_then(|limit| Some((began.checked_add(limit)?, Ending::TimedOut(limit))));
        let cut = held
            .stopped()
            .map(|(why, at)| (at.max(began) + self.grace(why), Ending::Cut(why)));
        let (at, ending) = match (ends, cut) {
            (Some(ends), Some(cut)) if ends.0 < cut.0 => ends,
            (_, Some(cut)) => cut,
            (Some(ends), None) => ends,
            (None, None) => return None,
        };
        (now >= at + self.stuck_after).then_some(ending)
    }

    /// Sends what an attempt still has to tell, and its report. Without one its lease is let go.
    pub(super) async fn conclude(&self, held: &Arc<Held>, ending: Ending) {
        self.send_journal(held).await;
        match self.report(held.lease, ending) {
            Some(report) => self.reports.send(held, report).await,
            None => self.leases.release(&held.lease),
        }
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

/// Waits until the time is up, if there is a limit; answers it.
async fn time_up(limit: Option<Duration>) -> Duration {
    match limit {
        Some(limit) => {
            sleep(limit).await;
            limit
        }
        None => std::future::pending().await,
    }
}

/// The ending of a handler that ended by itself. It may have heard of its stop before we did, or have kept its
/// thread beyond its time; then only a success counts, for a failure is likely to come of that.
fn ended_by_itself(own: Ending, why: Option<Stop>, late: Option<Duration>) -> Ending {
    let done = matches!(own, Ending::Own(Outcome::Done(_)));
    match (why, late) {
        _ if done => own,
        (Some(why @ (Stop::Lost | Stop::Interrupted)), _) => Ending::Cut(why),
        (Some(Stop::Cancelled), _) | (None, None) => own,
        (None, Some(limit)) => Ending::TimedOut(limit),
    }
}

/// What the handler ended with.
fn own(ended: Result<Outcome, Caught>) -> Ending {
    let failed = |Caught(error)| Outcome::Retry { error, after: None };
    Ending::Own(ended.unwrap_or_else(failed))
}
