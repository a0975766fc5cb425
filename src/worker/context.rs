//! What a handler is given: its job, and ways to tell how it goes.

use std::sync::Arc;

use conveyor_model::job::{Claimed, LogLevel};
use conveyor_model::json::JsonText;
use conveyor_model::name::{JobId, Kind};
use tokio_util::sync::CancellationToken;

use super::blocking::Blocking;
use super::journal::Journal;

/// One attempt as its handler sees it. Cheap to clone.
#[derive(Clone)]
pub struct JobContext {
    job: Arc<Claimed>,
    journal: Arc<Journal>,
    cancel: CancellationToken,
    stopping: CancellationToken,
    blocking: Blocking,
}

impl JobContext {
    pub(super) fn new(
        job: Arc<Claimed>,
        journal: Arc<Journal>,
        cancel: CancellationToken,
        stopping: CancellationToken,
        blocking: Blocking,
    ) -> Self {
        JobContext {
            job,
            journal,
            cancel,
            stopping,
            blocking,
        }
    }

    /// The job as it was claimed.
    pub fn job(&self) -> &Claimed {
        &self.job
    }

    /// The job's id: with it a handler makes what it does outside harmless to repeat.
    pub fn id(&self) -> JobId {
        self.job.id
    }

    /// The job's kind.
    pub fn kind(&self) -> &Kind {
        &self.job.kind
    }

    /// The number of this attempt, from 1.
    pub fn attempt(&self) -> u32 {
        self.job.attempt
    }

    /// The payload, byte for byte.
    pub fn payload(&self) -> &JsonText {
        &self.job.payload
    }

    /// Adds a line to the job's log. Lines go out in batches; of very many the oldest are dropped.
    pub fn log(&self, level: LogLevel, message: impl Into<String>) {
        self.journal.log(level, message.into());
    }

    /// Says how far the attempt is, 0 to 100, and on what. Only the latest word is kept; no percent, or
    /// an empty message, leaves what was said before.
    pub fn progress(&self, percent: impl Into<Option<f64>>, message: impl Into<String>) {
        self.journal.progress(percent.into(), message.into());
    }

    /// Fires when the attempt is to end soon: a person cancelled it, its lease is lost, its time is
    /// up, or the process ends.
    pub fn cancelled(&self) -> CancellationToken {
        self.cancel.clone()
    }

    /// Fires when the process has begun to stop, some time before the attempt is cut off. A long one
    /// may note where it is and answer [`super::Outcome::Snooze`].
    pub fn stopping(&self) -> CancellationToken {
        self.stopping.clone()
    }

    /// Runs work that blocks or computes for long on threads kept for that, and answers what it
    /// answers. Their number is bounded, so this may wait for one. A panic in it is the attempt's.
    pub async fn blocking<T, F>(&self, work: F) -> T
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        self.blocking.run(work).await
    }
}
