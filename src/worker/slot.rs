//! A slot: a task on the pool's own threads that runs one job after another; and the watch over slots whose
//! handler does not come back.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::attempt::Crew;
use super::leases::Over;
use super::line::Waiting;

/// How often slots are looked at, at the least and at the most.
const LOOK: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(250)];

/// Runs jobs until there are no more, or until it was replaced.
pub(super) async fn slot(crew: Arc<Crew>) {
    while let Some(Waiting { job, held, .. }) = crew.line.next().await {
        let ending = crew.run(job, &held).await;
        match held.over(Over::ByItself) {
            Ok(()) => crew.conclude(&held, ending).await,
            // It was reported long ago, whatever it ended with.
            Err(over) => {
                crew.stuck.fetch_sub(1, Ordering::Relaxed);
                if over == (Over::Stuck { replaced: true }) {
                    return;
                }
            }
        }
        crew.line.freed();
        // So that jobs that never wait leave the thread to others now and then.
        tokio::task::consume_budget().await;
    }
}

/// Ends attempts whose handler does not let go, until the pool ends. Their slots go to others, unless too
/// many are stuck.
pub(super) async fn watch(crew: Arc<Crew>, end: CancellationToken) {
    let mut tick = interval((crew.stuck_after / 4).clamp(LOOK[0], LOOK[1]));
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = end.cancelled() => return,
            _ = tick.tick() => {}
        }
        let now = Instant::now();
        for held in crew.leases.all() {
            let Some(ending) = crew.overdue(&held, now) else {
                continue;
            };
            let replaced = crew.stuck.load(Ordering::Relaxed) < crew.line.slots();
            if held.over(Over::Stuck { replaced }).is_err() {
                continue;
            }
            let stuck = crew.stuck.fetch_add(1, Ordering::Relaxed) + 1;
            tracing::error!(stuck, "a handler goes on although its attempt is over");
            if replaced {
                crew.line.freed();
                crew.runtime.spawn(slot(Arc::clone(&crew)));
            }
            let crew = Arc::clone(&crew);
            tokio::spawn(async move { crew.conclude(&held, ending).await });
        }
    }
}
