//! How many jobs a pool takes beyond its free slots.
//!
//! A pool whose handlers are done in next to no time would spend it waiting for the next claim. So it takes
//! as many more as it is likely to begin within [`HORIZON`]; with handlers that take longer than that it takes
//! none. What it has taken ahead waits in memory under a lease. It goes back when the pool stops, and when it
//! has to wait much longer than expected, so that another worker may have it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use conveyor_model::job::Claimed;

/// How long a job that is taken ahead is likely to wait.
const HORIZON: Duration = Duration::from_millis(10);
/// The most that are taken ahead.
const MOST: usize = 1024;
/// How long nothing is taken ahead after a job turned up whose worker crashed: it may do so again, and each
/// crash counts for all jobs that were taken.
const WARY: Duration = Duration::from_secs(30);
/// How much the latest handler counts in the mean: one part in so many.
const MEMORY: u64 = 16;

/// How long handlers take, in the mean of the latest ones.
#[derive(Debug, Default)]
pub(super) struct Pace(AtomicU64);

impl Pace {
    /// A handler took so long, from when its job was begun.
    pub(super) fn took(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1);
        // A lost update is one of very many.
        let mean = match self.0.load(Ordering::Relaxed) {
            0 => nanos,
            mean => mean - mean / MEMORY + nanos / MEMORY,
        };
        self.0.store(mean.max(1), Ordering::Relaxed);
    }

    /// Handlers at work take longer than those that ended: nothing is taken ahead until several have ended
    /// quickly again.
    pub(super) fn slowed(&self) {
        let horizon = u64::try_from(HORIZON.as_nanos()).unwrap_or(u64::MAX);
        self.0.store(horizon, Ordering::Relaxed);
    }

    /// How many jobs `slots` are likely to begin within the horizon beyond those they hold; none before a
    /// handler has ended.
    pub(super) fn ahead(&self, slots: usize) -> usize {
        let mean = u128::from(self.0.load(Ordering::Relaxed));
        let horizon = HORIZON.as_nanos();
        if mean == 0 || mean >= horizon {
            return 0;
        }
        let rounds = usize::try_from(horizon / mean).unwrap_or(MOST);
        slots.saturating_mul(rounds).min(MOST)
    }
}

/// Decides how many to take.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    wary_since: Option<Instant>,
}

impl Ahead {
    /// Looks at jobs that were taken.
    pub(super) fn saw(&mut self, jobs: &[Claimed]) {
        if jobs.iter().any(|job| job.crash_count > 0) {
            self.wary_since = Some(Instant::now());
        }
    }

    /// How many to ask for, if so many may be ahead, with so many free slots and so many jobs in line.
    pub(super) fn wanted(&self, ahead: usize, free: usize, waiting: usize) -> usize {
        let wary = self.wary_since.is_some_and(|since| since.elapsed() < WARY);
        let ahead = if wary { 0 } else { ahead };
        let wanted = (free + ahead).saturating_sub(waiting);
        // A claim for a few that will wait anyhow is not worth its commit.
        if waiting > free && wanted < ahead / 2 {
            0
        } else {
            wanted
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(millis: u64) -> Pace {
        let pace = Pace::default();
        pace.took(Duration::from_millis(millis));
        pace
    }

    #[test]
    fn only_quick_handlers_have_jobs_taken_ahead() {
        assert_eq!(Pace::default().ahead(4), 0, "nothing is known");
        assert_eq!(pace(10).ahead(4), 0);
        assert_eq!(pace(1).ahead(4), 40);
        assert_eq!(pace(1).ahead(1000), MOST);
    }

    #[test]
    fn the_line_is_filled_when_it_is_half_empty() {
        let ahead = Ahead::default();
        assert_eq!(ahead.wanted(0, 3, 0), 3);
        assert_eq!(ahead.wanted(40, 0, 0), 40);
        assert_eq!(ahead.wanted(40, 1, 41), 0);
        assert_eq!(ahead.wanted(40, 0, 30), 0);
        assert_eq!(ahead.wanted(40, 0, 15), 25);
    }

    #[test]
    fn a_slow_handler_is_noticed_soon() {
        let pace = pace(1);
        for _ in 0..4 {
            pace.took(Duration::from_millis(100));
        }
        assert_eq!(pace.ahead(4), 0);
    }

    #[test]
    fn nothing_is_taken_ahead_of_handlers_that_turned_slow_until_some_are_quick_again() {
        let pace = pace(1);
        pace.slowed();
        assert_eq!(pace.ahead(4), 0);
        for _ in 0..16 {
            pace.took(Duration::from_millis(1));
        }
        assert!(pace.ahead(4) > 0);
    }
}
