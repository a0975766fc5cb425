//! What has to happen by itself: due jobs become ready, lost leases are rescued, schedules fire,
//! pauses end, old rows go. Each duty is a function of the store and the time; [`Upkeep`] calls them.

mod decision;
mod pace;
mod readiness;
mod schedules;
mod sweep;
mod window;

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::events::Events;
use crate::shutdown::Shutdown;
use crate::store::{Retention, Store, StoreError, StoreResult};
use pace::Pace;

pub use readiness::Readiness;
pub use schedules::{Fired, Watch, fire, note_left, realign};
use sweep::MOST as MOST_PRUNED;
pub use sweep::{end_pauses, promote, prune, rescue};

/// A duty that takes longer is given up for this round, so that one that hangs stops no other.
const LONGEST: Duration = Duration::from_secs(30);

/// What upkeep needs.
pub struct Upkeep {
    /// The queue.
    pub store: Arc<dyn Store>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Hears of running jobs that a schedule cancels.
    pub events: Events,
    /// Told when each duty last went well.
    pub readiness: Arc<Readiness>,
    /// How long finished jobs are kept.
    pub retention: Retention,
    /// Hears when the database cannot be trusted any more.
    pub shutdown: Shutdown,
}

impl Upkeep {
    /// Does every duty when it is due, until `stop` fires. Several servers may do so on one
    /// database.
    pub async fn run(self, stop: CancellationToken) {
        let mut pace = Pace::default();
        let mut watch = Watch::default();
        loop {
            let pause = tokio::select! {
                () = stop.cancelled() => return,
                pause = self.round(&mut pace, &mut watch) => pause,
            };
            tokio::select! {
                () = stop.cancelled() => return,
                () = sleep(pause) => {}
            }
        }
    }

    /// One round; answers how long to wait for the next.
    async fn round(&self, pace: &mut Pace, watch: &mut Watch) -> Duration {
        let now = self.clock.now();
        let todo = pace.begin(now);
        if todo.realign {
            self.duty("clock", self.store.clock_set_back(now)).await;
            self.duty("realign", realign(&*self.store, now)).await;
        }
        let promoted = self.duty("promote", promote(&*self.store, now)).await;
        let fired = self.duty("schedules", fire(&*self.store, now, watch)).await;
        if let Some(fired) = fired {
            self.readiness.scheduler_ran(now);
            if fired.cancelled {
                self.events.cancel_asked();
            }
        }
        self.duty("pauses", end_pauses(&*self.store, now)).await;
        if todo.rescue {
            let rescued = self.duty("rescue", rescue(&*self.store, now, pace.since()));
            if rescued.await.is_some() {
                self.readiness.reaper_ran(now);
            }
        }
        if todo.sweep {
            let prune = prune(&*self.store, self.retention, now);
            if self.duty("prune", prune).await == Some(MOST_PRUNED) {
                pace.sweep_again();
            }
            self.duty("roll up", self.store.roll_up(now)).await;
        }
        let moved = promoted.unwrap_or(0) + fired.map_or(0, |fired| fired.jobs);
        let due = self.duty("next due", self.store.next_due()).await.flatten();
        Pace::pause(due, self.clock.now(), moved > 0)
    }

    /// Does one duty. A fault is logged and none of the others' business.
    async fn duty<T>(&self, name: &str, duty: impl Future<Output = StoreResult<T>>) -> Option<T> {
        match timeout(LONGEST, duty).await {
            Ok(Ok(done)) => Some(done),
            Ok(Err(error)) => {
                if let StoreError::Fatal(why) = &error {
                    self.shutdown.fail(why);
                }
                tracing::warn!(duty = name, %error, "upkeep");
                None
            }
            Err(_) => {
                tracing::error!(duty = name, "upkeep took too long and was given up");
                None
            }
        }
    }
}
