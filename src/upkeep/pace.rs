//! When upkeep does what, and what a jump of the clock changes about it.
//!
//! Rounds follow each other by elapsed time, never by the time of day, and at most a second apart, so
//! that a clock that jumps back delays nothing for long.

use std::time::Duration;

use conveyor_model::time::{Span, Timestamp};

/// The longest pause between two rounds.
const LONGEST: Duration = Duration::from_secs(1);
/// The shortest.
const SHORTEST: Duration = Duration::from_millis(2);
/// The pause when something is due but cannot be done now.
const STUCK: Duration = Duration::from_millis(250);
/// How often leases are looked at.
const RESCUE: Span = Span::from_secs(2);
/// How often old rows are looked for.
const SWEEP: Span = Span::from_secs(60);
/// A longer step of the clock between two rounds means that it was set, or that the process stood
/// still: workers get time to renew before anything is rescued.
const JUMP: Span = Span::from_secs(15);
/// How far the clock may go back before schedules are looked at anew.
const BACK: Span = Span::from_secs(1);

/// What is due in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Todo {
    pub(super) realign: bool,
    pub(super) rescue: bool,
    pub(super) sweep: bool,
}

/// When the duties were last done.
#[derive(Debug)]
pub(super) struct Pace {
    hold: Span,
    last: Option<Timestamp>,
    /// No rescue before this.
    held_until: Timestamp,
    rescued: Option<Timestamp>,
    swept: Option<Timestamp>,
}

impl Pace {
    /// The pace of a process whose leases last `lease`.
    pub(super) fn new(lease: Span) -> Self {
        Pace {
            hold: Span::from_micros(lease.micros() / 3),
            last: None,
            held_until: Timestamp::MIN,
            rescued: None,
            swept: None,
        }
    }

    /// Begins a round at `now`.
    pub(super) fn begin(&mut self, now: Timestamp) -> Todo {
        let back = self.last.is_some_and(|last| last.since(now) > BACK);
        let leapt = self.last.is_none_or(|last| now.since(last) > JUMP);
        if back {
            (self.rescued, self.swept) = (None, None);
            self.held_until = Timestamp::MIN;
        }
        if leapt {
            // A heartbeat comes each third of a lease, so by then every live worker has renewed.
            self.held_until = now.plus(self.hold);
        }
        let todo = Todo {
            realign: back || self.last.is_none(),
            rescue: now >= self.held_until && is_due(self.rescued, RESCUE, now),
            sweep: is_due(self.swept, SWEEP, now),
        };
        if todo.rescue {
            self.rescued = Some(now);
        }
        if todo.sweep {
            self.swept = Some(now);
        }
        self.last = Some(now);
        todo
    }

    /// Whether rescue waits for workers to renew.
    pub(super) fn is_holding(&self) -> bool {
        self.last.is_some_and(|last| last < self.held_until)
    }

    /// How long to wait when the next thing is due at `due`. `moved` says whether the round did
    /// anything: if not, what is due already cannot be done yet.
    pub(super) fn pause(due: Option<Timestamp>, now: Timestamp, moved: bool) -> Duration {
        match due {
            Some(due) if due <= now && !moved => STUCK,
            Some(due) => due.since(now).to_std().clamp(SHORTEST, LONGEST),
            None => LONGEST,
        }
    }
}

fn is_due(last: Option<Timestamp>, every: Span, now: Timestamp) -> bool {
    last.is_none_or(|last| now.since(last) >= every)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Span = Span::from_secs(30);

    fn at(secs: i64) -> Timestamp {
        Timestamp::from_secs(1_000_000 + secs)
    }

    #[test]
    fn after_a_leap_of_the_clock_workers_may_renew_before_they_are_rescued() {
        let mut pace = Pace::new(LEASE);
        assert!(!pace.begin(at(0)).rescue);
        assert!(pace.begin(at(10)).rescue);
        assert!(!pace.begin(at(11)).rescue);
        assert!(pace.begin(at(12)).rescue);
        assert!(!pace.begin(at(7200)).rescue);
        assert!(pace.is_holding());
        assert!(!pace.begin(at(7209)).rescue);
        assert!(pace.begin(at(7210)).rescue);
    }

    #[test]
    fn a_clock_that_goes_back_stops_nothing() {
        let mut pace = Pace::new(LEASE);
        for secs in 7200..7300 {
            pace.begin(at(secs));
        }
        let todo = pace.begin(at(0));
        assert_eq!(
            todo,
            Todo {
                realign: true,
                rescue: true,
                sweep: true
            }
        );
        assert!(!pace.begin(at(1)).realign);
    }

    #[test]
    fn a_pause_is_never_longer_than_a_second() {
        assert_eq!(Pace::pause(None, at(0), false), LONGEST);
        assert_eq!(Pace::pause(Some(at(100)), at(0), false), LONGEST);
        let soon = at(0).plus(Span::from_millis(300));
        assert_eq!(
            Pace::pause(Some(soon), at(0), false),
            Duration::from_millis(300)
        );
        assert_eq!(Pace::pause(Some(at(0)), at(0), true), SHORTEST);
        assert_eq!(Pace::pause(Some(at(0)), at(1), false), STUCK);
    }
}
