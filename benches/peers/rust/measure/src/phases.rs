//! The phases: each on an empty store, except that `drain` finds the backlog that `bulk` left.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::{Failure, Order, Peer, Watch};

/// Jobs in one bulk call.
const BULK: u32 = 1000;
/// Latency: jobs so far apart, after so many that are not counted.
const GAP: Duration = Duration::from_millis(20);
const WARM: u32 = 25;
/// How long the stragglers of a latency run may take.
const STRAGGLERS: Duration = Duration::from_secs(10);

fn done_in(jobs: u32, took: Duration) -> Value {
    json!({ "jobs": jobs, "seconds": took.as_secs_f64() })
}

/// `lanes` tasks at once, each waiting for its own answer.
pub(crate) async fn enqueue<P: Peer>(
    peer: &P,
    jobs: u32,
    limit: Duration,
    lanes: u32,
) -> Result<Value, Failure> {
    for number in 0..100 {
        peer.enqueue(Order::new(number)).await?;
    }
    let next = Arc::new(AtomicU32::new(0));
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for _ in 0..lanes {
        let (peer, next) = (peer.clone(), Arc::clone(&next));
        tasks.spawn(async move {
            let mut done = 0;
            while start.elapsed() < limit {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= jobs {
                    break;
                }
                peer.enqueue(Order::new(number)).await?;
                done += 1;
            }
            Ok::<u32, Failure>(done)
        });
    }
    let mut done = 0;
    while let Some(lane) = tasks.join_next().await {
        done += lane??;
    }
    Ok(done_in(done, start.elapsed()))
}

/// One caller, `BULK` jobs a call.
pub(crate) async fn bulk<P: Peer>(peer: &P, jobs: u32, limit: Duration) -> Result<Value, Failure> {
    let mut done = 0;
    let start = Instant::now();
    while done < jobs && start.elapsed() < limit {
        let until = jobs.min(done + BULK);
        peer.bulk((done..until).map(Order::new).collect()).await?;
        done = until;
    }
    Ok(done_in(done, start.elapsed()))
}

/// One worker over a backlog: from the first handler to the moment when the store has no
/// unfinished job. Past the limit, over what has run by then.
pub(crate) async fn drain<P: Peer>(peer: &P, jobs: u32, limit: Duration) -> Result<Value, Failure> {
    let watch = Watch::new(jobs, false);
    peer.work(watch.clone()).await?;
    if timeout(limit, watch.ended()).await.is_ok() {
        while !peer.empty().await? {
            sleep(Duration::from_millis(1)).await;
        }
    }
    let took = watch.first().map_or(limit, |first| first.elapsed());
    Ok(done_in(watch.done(), took))
}

/// Milliseconds from the enqueue call to the start of the handler, on an idle system.
pub(crate) async fn latency<P: Peer>(peer: &P, jobs: u32) -> Result<Value, Failure> {
    let watch = Watch::new(WARM + jobs, true);
    peer.work(watch.clone()).await?;
    sleep(Duration::from_secs(1)).await;
    let mut called = Vec::new();
    let start = Instant::now();
    for number in 0..WARM + jobs {
        sleep((GAP * number).saturating_sub(start.elapsed())).await;
        called.push(Instant::now());
        peer.enqueue(Order::new(number)).await?;
    }
    timeout(STRAGGLERS, watch.ended())
        .await
        .map_err(|_| format!("only {} of {} jobs started", watch.done(), WARM + jobs))?;
    let mut waits: Vec<Duration> = watch
        .starts()
        .into_iter()
        .filter(|(number, _)| *number >= WARM)
        .filter_map(|(number, at)| Some(at - *called.get(usize::try_from(number).ok()?)?))
        .collect();
    waits.sort_unstable();
    let at = |hundredth: usize| {
        let index = (waits.len() * hundredth).div_ceil(100).saturating_sub(1);
        waits.get(index).map(|wait| wait.as_secs_f64() * 1000.0)
    };
    Ok(json!({ "p50": at(50), "p95": at(95), "p99": at(99) }))
}
