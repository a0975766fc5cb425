//! Queues to measure, inside this process, through the face that other programs use.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use conveyor_model::new_job::NewJob;
use conveyor_model::state::State;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::disk::Folder;
use super::payload::{self, KIND};
use crate::clock::{Clock as _, SystemClock};
use crate::conveyor::{Builder, Conveyor};
use crate::worker::JobContext;

/// Jobs that run at once.
pub(super) const SLOTS: usize = 64;
/// Jobs of one bulk enqueue.
pub(super) const BATCH: usize = 1000;
/// The kind of the jobs whose start is timed.
pub(super) const PROBE: &str = "bench.probe";
/// How long nothing may happen before a measurement is given up.
const PATIENCE: Duration = Duration::from_mins(2);

/// When the handlers of timed jobs began, by the number in the payload.
pub(super) type Begun = Arc<Vec<OnceLock<Instant>>>;

/// The payload of a timed job.
#[derive(Deserialize)]
struct Timed {
    order: usize,
}

/// A queue in a database of its own.
pub(super) struct Subject {
    pub(super) queue: Arc<Conveyor>,
    /// How many handlers have run.
    ran: Arc<AtomicUsize>,
    pub(super) begun: Begun,
    folder: Folder,
}

impl Subject {
    /// Opens a new queue whose handlers do nothing. It does not run before its start.
    pub(super) async fn open(parent: &Path, slots: usize, timed: usize) -> anyhow::Result<Subject> {
        let folder = Folder::new(parent)?;
        let ran = Arc::new(AtomicUsize::new(0));
        let begun: Begun = Arc::new((0..timed).map(|_| OnceLock::new()).collect());
        let builder = Conveyor::builder().database(folder.database()).slots(slots);
        let queue = with_handlers(builder, Arc::clone(&ran), Arc::clone(&begun))
            .build()
            .await?;
        Ok(Subject {
            queue: Arc::new(queue),
            ran,
            begun,
            folder,
        })
    }

    /// Stores jobs that do nothing, in batches, one after the other.
    pub(super) async fn fill(&self, jobs: usize) -> anyhow::Result<()> {
        enqueue(&self.queue, 0, jobs).await
    }

    /// Waits until so many jobs of [`KIND`] have succeeded, and that is on disk.
    pub(super) async fn succeeded(&self, jobs: usize) -> anyhow::Result<()> {
        let mut latest = (self.ran(), Instant::now());
        while latest.0 < jobs {
            tokio::time::sleep(Duration::from_millis(1)).await;
            let ran = self.ran();
            if ran > latest.0 {
                latest = (ran, Instant::now());
            }
            anyhow::ensure!(
                latest.1.elapsed() < PATIENCE,
                "the queue stopped at {ran} of {jobs} jobs"
            );
        }
        let began = Instant::now();
        let wanted = u64::try_from(jobs)?;
        loop {
            let counts = self.queue.store().counts(SystemClock.now()).await?;
            if counts.of(State::Succeeded) >= wanted {
                return Ok(());
            }
            anyhow::ensure!(
                began.elapsed() < PATIENCE,
                "of {jobs} jobs only {} have ended well",
                counts.of(State::Succeeded)
            );
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    /// How many jobs of [`KIND`] have run.
    pub(super) fn ran(&self) -> usize {
        self.ran.load(Ordering::Relaxed)
    }

    /// Stops the queue and deletes its database.
    pub(super) async fn close(self) {
        self.queue.stop().await;
        drop(self.folder);
    }
}

/// Gives a queue the handlers of what is measured: they do nothing but count themselves in `ran`, or
/// note when they began in `begun`.
pub(super) fn with_handlers(builder: Builder, ran: Arc<AtomicUsize>, begun: Begun) -> Builder {
    builder
        .handle(KIND, move |_: JobContext, _: IgnoredAny| {
            let ran = Arc::clone(&ran);
            async move {
                ran.fetch_add(1, Ordering::Relaxed);
            }
        })
        .handle(PROBE, move |_: JobContext, timed: Timed| {
            let begun = Arc::clone(&begun);
            async move {
                if let Some(cell) = begun.get(payload::number(timed.order)) {
                    // An attempt that is repeated began first when it first began.
                    let _ = cell.set(Instant::now());
                }
            }
        })
}

/// The jobs from the `first` on.
pub(super) fn jobs(first: usize, count: usize) -> anyhow::Result<Vec<NewJob>> {
    let job = |n| crate::conveyor::job(KIND, &payload::order(n));
    let jobs: Result<Vec<_>, _> = (first..first + count).map(job).collect();
    Ok(jobs?)
}

/// Stores jobs in batches; each waits for the one before.
pub(super) async fn enqueue(queue: &Conveyor, first: usize, count: usize) -> anyhow::Result<()> {
    for at in (first..first + count).step_by(BATCH) {
        let batch = jobs(at, BATCH.min(first + count - at))?;
        for answer in queue.enqueue_many(batch).await? {
            answer.context("a job was refused")?;
        }
    }
    Ok(())
}
