//! How long a job takes from the call that enqueues it to the start of its handler.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use super::number::{millis, whole};
use super::payload;
use super::queue::{self, PROBE, SLOTS, Subject};

/// The time between two jobs that are timed.
const PACE: Duration = Duration::from_millis(20);
/// The time between two batches of the load beside them.
const LOAD_PACE: Duration = Duration::from_millis(10);
/// How long the last jobs may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Milliseconds from the call to the start of the handler, of so many jobs; with `load` jobs a second
/// beside them.
pub(super) async fn measure(parent: &Path, times: usize, load: f64) -> anyhow::Result<Vec<f64>> {
    let subject = Subject::open(parent, SLOTS, times).await?;
    subject.queue.start()?;
    let mut beside = JoinSet::new();
    if load > 0.0 {
        let queue = Arc::clone(&subject.queue);
        beside.spawn(async move { press(queue, load).await });
    }
    // The queue has settled before the first is timed.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let called = call(&subject, times).await?;
    let latencies = wait_for(&subject, &called).await;
    beside.shutdown().await;
    subject.close().await;
    latencies
}

/// Enqueues the jobs, each at its time whether or not the one before is stored; answers when each was.
async fn call(subject: &Subject, times: usize) -> anyhow::Result<Vec<Instant>> {
    let mut pace = interval(PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut called = Vec::with_capacity(times);
    let mut calls = JoinSet::new();
    for n in 0..times {
        pace.tick().await;
        let queue = Arc::clone(&subject.queue);
        called.push(Instant::now());
        calls.spawn(async move { queue.enqueue(PROBE, &payload::order(n)).await });
    }
    while let Some(stored) = calls.join_next().await {
        stored??;
    }
    Ok(called)
}

async fn wait_for(subject: &Subject, called: &[Instant]) -> anyhow::Result<Vec<f64>> {
    let mut latencies = Vec::with_capacity(called.len());
    let since = Instant::now();
    for (called, begun) in called.iter().zip(subject.begun.iter()) {
        let begun = loop {
            if let Some(begun) = begun.get() {
                break *begun;
            }
            anyhow::ensure!(since.elapsed() < PATIENCE, "a job that was timed never ran");
            tokio::time::sleep(Duration::from_millis(1)).await;
        };
        latencies.push(millis(begun.saturating_duration_since(*called)));
    }
    Ok(latencies)
}

/// Enqueues so many jobs a second in small batches, until it is dropped.
async fn press(queue: Arc<crate::Conveyor>, rate: f64) -> anyhow::Result<()> {
    let began = Instant::now();
    let mut pace = interval(LOAD_PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut sent = 0;
    let mut calls = JoinSet::new();
    loop {
        pace.tick().await;
        // By the clock and not by the tick, so that a late tick does not lessen the load. At most a
        // quarter of a second is made up for.
        let due = whole(rate * began.elapsed().as_secs_f64());
        let most = whole(rate / 4.0).max(1);
        let count = due.saturating_sub(sent).min(most);
        sent = due.max(sent);
        if count > 0 {
            let queue = Arc::clone(&queue);
            calls.spawn(async move { queue::enqueue(&queue, 0, count).await });
        }
        while let Some(done) = calls.try_join_next() {
            done??;
        }
    }
}
