//! Chance that comes out the same each time: the demo is to look alive, not different at each start.

use conveyor_model::time::Span;

/// How a length of time differs from the usual one, in percent: most are near, a few far above.
const SPREAD: [i64; 12] = [55, 65, 75, 80, 90, 95, 100, 110, 125, 160, 230, 420];

/// A source of numbers (`SplitMix64`).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`, both within.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        let count = high.abs_diff(low) + 1;
        low.saturating_add_unsigned(self.next() % count)
    }

    /// True once in `n` times.
    pub(crate) fn one_in(&mut self, n: i64) -> bool {
        self.between(1, n) == 1
    }

    /// One of `all`, which is not empty.
    pub(crate) fn pick<T: Copy, const N: usize>(&mut self, all: [T; N]) -> T {
        let last = i64::try_from(N).unwrap_or(1) - 1;
        let n = usize::try_from(self.between(0, last)).unwrap_or(0);
        all[n]
    }

    /// A length of time around `millis`.
    pub(crate) fn about(&mut self, millis: i64) -> Span {
        let percent = self.pick(SPREAD);
        let jitter = self.between(0, 999);
        Span::from_micros(millis * 10 * percent + jitter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_range_and_come_again() {
        let (mut one, mut two) = (Dice::new(7), Dice::new(7));
        for _ in 0..1000 {
            let n = one.between(-3, 3);
            assert!((-3..=3).contains(&n));
            assert_eq!(n, two.between(-3, 3));
        }
        let mut spans = (0..1000).map(|_| one.about(100));
        assert!(spans.all(|span| span < Span::from_millis(425)));
        assert!((0..1000).filter(|_| two.one_in(4)).count() > 150);
    }
}
