//! Arithmetic of measurements: counts as fractions, rates, medians and percentiles.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// When a load ends: after so many, or after so long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) count: usize,
    pub(super) time: Duration,
}

impl Bounds {
    /// By time alone.
    pub(super) fn time(time: Duration) -> Self {
        let count = usize::MAX;
        Bounds { count, time }
    }

    /// Begins now.
    pub(super) fn begin(self) -> Turns {
        Turns {
            bounds: self,
            began: Instant::now(),
            taken: Arc::default(),
        }
    }
}

/// Turns that several tasks take from one supply. Clones are the same supply.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    bounds: Bounds,
    began: Instant,
    taken: Arc<AtomicUsize>,
}

impl Turns {
    /// The number of the next turn, unless there is none any more.
    pub(super) fn take(&self) -> Option<usize> {
        if self.began.elapsed() >= self.bounds.time {
            return None;
        }
        let turn = self.taken.fetch_add(1, Ordering::Relaxed);
        (turn < self.bounds.count).then_some(turn)
    }

    /// So many turns as a rate since the begin.
    pub(super) fn rate(&self, turns: usize) -> f64 {
        rate(turns, self.began.elapsed())
    }
}

/// A count as a fraction; counts of measurements are far below what a fraction holds exactly.
pub(super) fn float(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

/// How many in a second.
pub(super) fn rate(count: usize, took: Duration) -> f64 {
    float(count) / took.as_secs_f64()
}

/// Milliseconds.
pub(super) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The whole part of a number that is not negative.
pub(super) fn whole(value: f64) -> usize {
    // The only way from a fraction to a count that cannot go wrong unseen.
    format!("{:.0}", value.max(0.0).floor())
        .parse()
        .unwrap_or(usize::MAX)
}

/// The value below which that part of the values lies; zero of none.
pub(super) fn percentile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = whole((float(sorted.len()) * part).ceil()).clamp(1, sorted.len().max(1));
    sorted.get(place - 1).copied().unwrap_or(0.0)
}

/// The middle value, or the mean of the two; zero of none.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |place: usize| sorted.get(place).copied().unwrap_or(0.0);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        at(middle)
    } else {
        f64::midpoint(at(middle.saturating_sub(1)), at(middle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_end_by_count_or_by_time() {
        let few = Bounds {
            count: 2,
            time: Duration::from_hours(1),
        };
        let turns = few.begin();
        let other = turns.clone();
        assert_eq!((turns.take(), other.take()), (Some(0), Some(1)));
        assert_eq!((turns.take(), other.take()), (None, None));
        assert_eq!(Bounds::time(Duration::ZERO).begin().take(), None);
    }

    #[test]
    fn the_middle_and_the_tail() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
        assert!((median(&[4.0, 1.0]) - 2.5).abs() < 1e-9);
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        assert!((percentile(&hundred, 0.99) - 99.0).abs() < 1e-9);
        assert!((percentile(&hundred, 0.5) - 50.0).abs() < 1e-9);
        assert!((percentile(&[7.0], 0.99) - 7.0).abs() < 1e-9);
        assert!(percentile(&[], 0.5).abs() < 1e-9);
    }
}
