//! The queue inside one process: whole lives, a backlog, and many tasks that each wait for their own
//! durable answer.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio::time::timeout;

use super::number::{Bounds, rate};
use super::payload::{self, KIND};
use super::queue::{self, SLOTS, Subject};

/// Tasks that enqueue in batches while jobs run: one prepares its batch while the other's is stored.
const PRODUCERS: usize = 2;

/// Jobs a second from their enqueue, in batches, to their end, both going on at once.
pub(super) async fn life(parent: &Path, jobs: usize) -> anyhow::Result<f64> {
    let subject = Subject::open(parent, SLOTS, 0).await?;
    subject.queue.start()?;
    let began = Instant::now();
    let mut producers = JoinSet::new();
    let share = jobs.div_ceil(PRODUCERS);
    for first in (0..jobs).step_by(share) {
        let queue = Arc::clone(&subject.queue);
        let count = share.min(jobs - first);
        producers.spawn(async move { queue::enqueue(&queue, first, count).await });
    }
    while let Some(done) = producers.join_next().await {
        done??;
    }
    subject.succeeded(jobs).await?;
    let lives = rate(jobs, began.elapsed());
    subject.close().await;
    Ok(lives)
}

/// Jobs a second out of a backlog that is stored before the start: of all of it, or of what has run
/// when `limit` is over.
pub(super) async fn drain(parent: &Path, jobs: usize, limit: Duration) -> anyhow::Result<f64> {
    let subject = Subject::open(parent, SLOTS, 0).await?;
    subject.fill(jobs).await?;
    let began = Instant::now();
    subject.queue.start()?;
    let ended = match timeout(limit, subject.succeeded(jobs)).await {
        Ok(all) => all.map(|()| jobs)?,
        Err(_) => subject.ran(),
    };
    let ends = rate(ended, began.elapsed());
    subject.close().await;
    Ok(ends)
}

/// Jobs a second that one task stores in batches.
pub(super) async fn bulk(parent: &Path, jobs: usize) -> anyhow::Result<f64> {
    let subject = Subject::open(parent, 0, 0).await?;
    let began = Instant::now();
    subject.fill(jobs).await?;
    let stored = rate(jobs, began.elapsed());
    subject.close().await;
    Ok(stored)
}

/// Jobs a second that `tasks` store one by one, each waiting for its own answer.
pub(super) async fn enqueue(parent: &Path, tasks: usize, bounds: Bounds) -> anyhow::Result<f64> {
    let subject = Subject::open(parent, 0, 0).await?;
    let mut stored = JoinSet::new();
    let turns = bounds.begin();
    for _ in 0..tasks {
        let (queue, turns) = (Arc::clone(&subject.queue), turns.clone());
        stored.spawn(async move {
            let mut count = 0;
            while let Some(n) = turns.take() {
                queue.enqueue(KIND, &payload::order(n)).await?;
                count += 1;
            }
            anyhow::Ok(count)
        });
    }
    let mut total = 0;
    while let Some(count) = stored.join_next().await {
        total += count??;
    }
    let enqueues = turns.rate(total);
    subject.close().await;
    Ok(enqueues)
}
