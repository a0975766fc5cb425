//! What the story writes into the store: jobs, log lines and ends of attempts, each at its own time,
//! many at once.

use conveyor_model::job::Claimed;
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::{Finish, FinishOutcome, Lease, NewLogLine};
use futures_util::future::try_join_all;

use super::life::{Act, End};
use crate::store::{Insert, Store, StoreResult};

/// An attempt under way.
pub(super) struct Under {
    pub(super) took: Span,
    pub(super) end: Timestamp,
    lines: Vec<NewLogLine>,
    report: Finish,
}

impl Under {
    /// The attempt of a job that was claimed at `at`, which goes as `act` says.
    pub(super) fn new(job: &Claimed, at: Timestamp, act: Act) -> Self {
        let lease = Lease::of(job);
        let count = i64::try_from(act.log.len()).unwrap_or(0) + 1;
        let lines = (1..).zip(act.log).map(|(n, (level, message))| NewLogLine {
            at: Some(at.plus(Span::from_micros(act.took.micros() * n / count))),
            level,
            message,
        });
        Under {
            took: act.took,
            end: at.plus(act.took),
            lines: lines.collect(),
            report: report(lease, act.end),
        }
    }
}

fn report(lease: Lease, end: End) -> Finish {
    match end {
        End::Done(result) => Finish::succeeded(lease, Some(result)),
        End::Failed(error, retry_in) => Finish {
            retry_in,
            ..Finish::failed(lease, &error)
        },
        End::Dead(error) => Finish {
            outcome: FinishOutcome::Dead,
            ..Finish::failed(lease, &error)
        },
    }
}

/// Stores jobs, each at its own time; answers their ids in the order given.
pub(super) async fn store(
    store: &dyn Store,
    jobs: Vec<(NewJob, Timestamp)>,
) -> StoreResult<Vec<JobId>> {
    let inserts = jobs.into_iter().map(|(job, at)| {
        let insert = Insert {
            jobs: vec![job],
            atomic: false,
        };
        store.insert(insert, at)
    });
    let stored = try_join_all(inserts).await?.into_iter().flatten();
    let ids: Result<Vec<JobId>, _> = stored.map(|job| job.map(|job| job.id)).collect();
    Ok(ids?)
}

/// Writes what attempts log, no later than `now`.
pub(super) async fn log(store: &dyn Store, under: &[Under], now: Timestamp) -> StoreResult<()> {
    let logs = under
        .iter()
        .filter(|under| !under.lines.is_empty())
        .map(|under| {
            let lease = Lease {
                id: under.report.id,
                lease_token: under.report.lease_token,
            };
            store.log(lease, under.lines.clone(), under.end.min(now))
        });
    try_join_all(logs).await.map(drop)
}

/// Ends attempts, each at its own time, no later than `now`.
pub(super) async fn end(store: &dyn Store, over: Vec<Under>, now: Timestamp) -> StoreResult<()> {
    let ends = over
        .into_iter()
        .map(|under| store.finish(vec![under.report], under.end.min(now)));
    try_join_all(ends).await.map(drop)
}
