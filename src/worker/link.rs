//! A pool's connection to the queue: straight to the store, or over HTTP.

use std::time::Instant;

use async_trait::async_trait;
use conveyor_model::job::{Claimed, Progress};
use conveyor_model::worker::{Finish, FinishStatus, HeartbeatAnswer, Lease, NewLogLine};
use tokio_util::sync::CancellationToken;

/// What a link answers.
pub type LinkResult<T> = Result<T, LinkError>;

/// Why a link did not do what it was asked; trying again later may help.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LinkError(pub String);

/// Jobs that a pool has taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    /// The jobs, first to run first; none when there was nothing.
    pub jobs: Vec<Claimed>,
    /// Their leases have lasted since then at the longest.
    pub since: Instant,
}

impl Taken {
    /// No jobs.
    pub fn nothing() -> Self {
        Taken {
            jobs: Vec::new(),
            since: Instant::now(),
        }
    }
}

/// What a pool asks of the queue.
#[async_trait]
pub trait Link: Send + Sync + 'static {
    /// Takes up to `max` jobs; waits a bounded while for the first. Ends early, with what it has,
    /// when `stop` fires. The future is never dropped before it is done.
    async fn claim(&self, max: usize, stop: &CancellationToken) -> LinkResult<Taken>;
    /// Says that the pool lives and renews leases, each to its full length; answers in their order.
    async fn heartbeat(&self, leases: Vec<Lease>) -> LinkResult<HeartbeatAnswer>;
    /// Ends attempts, at most [`conveyor_model::worker::MAX_BATCH`]; answers in their order. An error may mean
    /// that some of them are ended.
    async fn finish(&self, reports: Vec<Finish>) -> LinkResult<Vec<FinishStatus>>;
    /// Gives jobs back at once without spending their attempts.
    async fn hand_back(&self, leases: Vec<Lease>) -> LinkResult<()>;
    /// Appends log lines; false when the lease is not held.
    async fn log(&self, lease: Lease, lines: Vec<NewLogLine>) -> LinkResult<bool>;
    /// Notes progress; false when the lease is not held.
    async fn progress(&self, lease: Lease, progress: Progress) -> LinkResult<bool>;
    /// Says that the pool has stopped in good order.
    async fn gone(&self) -> LinkResult<()>;
    /// Waits until it would help to send a heartbeat at once: somebody asked to cancel a job.
    async fn nudged(&self);
}
