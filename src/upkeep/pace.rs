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
/// still: workers get time to renew before a lease is taken from them.
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
#[derive(Debug, Default)]
pub(super) struct Pace {
    last: Option<Timestamp>,
    /// Since when the clock has gone its way.
    since: Timestamp,
    rescued: Option<Timestamp>,
    swept: Option<Timestamp>,
}

impl Pace {
    /// Begins a round at `now`.
    pub(super) fn begin(&mut self, now: Timestamp) -> Todo {
        let back = self.last.is_some_and(|last| last.since(now) > BACK);
        let leapt = self.last.is_none_or(|last| now.since(last) > JUMP);
        if back {
            (self.rescued, self.swept) = (None, None);
        }
        if back || leapt {
            self.since = now;
        }
        let todo = Todo {
            realign: back || self.last.is_none(),
            rescue: is_due(self.rescued, RESCUE, now),
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

    /// There is more to sweep, in the next round.
    pub(super) fn sweep_again(&mut self) {
        self.swept = None;
    }

    /// Since when workers could renew their leases as the clock goes now.
    pub(super) fn since(&self) -> Timestamp {
        self.since
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

    fn at(secs: i64) -> Timestamp {
        Timestamp::from_secs(1_000_000 + secs)
    }

    #[test]
    fn a_leap_of_the_clock_is_told_from_its_usual_pace() {
        let mut pace = Pace::default();
        assert!(pace.begin(at(0)).rescue);
        assert!(!pace.begin(at(1)).rescue);
        assert!(pace.begin(at(2)).rescue);
        pace.begin(at(10));
        assert_eq!(pace.since(), at(0));
        pace.begin(at(7200));
        assert_eq!(pace.since(), at(7200));
        pace.begin(at(7201));
        assert_eq!(pace.since(), at(7200));
        pace.begin(at(60));
        assert_eq!(pace.since(), at(60));
    }

    #[test]
    fn what_a_sweep_left_is_swept_in_the_next_round() {
        let mut pace = Pace::default();
        assert!(pace.begin(at(0)).sweep && !pace.begin(at(1)).sweep);
        pace.sweep_again();
        assert!(pace.begin(at(2)).sweep && !pace.begin(at(3)).sweep);
    }

    #[test]
    fn a_clock_that_goes_back_stops_nothing() {
        let mut pace = Pace::default();
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
