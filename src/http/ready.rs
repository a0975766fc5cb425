//! Whether this process does its upkeep, for `/readyz`.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use conveyor_model::time::{Span, Timestamp};

/// When each duty last went well.
#[derive(Debug, Default)]
pub struct Readiness {
    scheduler: AtomicI64,
    reaper: AtomicI64,
    draining: AtomicBool,
}

impl Readiness {
    const STALE: Span = Span::from_secs(30);

    /// Whether the process is stopping and takes no new work.
    pub fn draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// Whether schedules were looked at lately.
    pub fn scheduler_fresh(&self, now: Timestamp) -> bool {
        now.since(Timestamp::from_micros(self.scheduler.load(Ordering::Relaxed))) <= Self::STALE
    }

    /// Whether leases were looked at lately.
    pub fn reaper_fresh(&self, now: Timestamp) -> bool {
        now.since(Timestamp::from_micros(self.reaper.load(Ordering::Relaxed))) <= Self::STALE
    }

    /// Notes that schedules were looked at.
    pub fn scheduler_ran(&self, now: Timestamp) {
        self.scheduler.store(now.micros(), Ordering::Relaxed);
    }

    /// Notes that leases were looked at.
    pub fn reaper_ran(&self, now: Timestamp) {
        self.reaper.store(now.micros(), Ordering::Relaxed);
    }

    /// Notes that the process is stopping.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }
}
