//! What follows a failed attempt: how long to wait, or that there is no next one.

use serde::{Deserialize, Serialize};

use crate::new_job::LONGEST_SPAN;
use crate::read::words;
use crate::time::Span;

/// What is told of a length over [`LONGEST_SPAN`].
pub(crate) const TOO_LONG: &str = "must be at most 2592000 seconds (30 days)";

/// How the delay grows from one failed attempt to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Growth {
    /// `base × factor^(n−1)`.
    Exponential,
    /// `base × n`.
    Linear,
    /// `base`.
    Fixed,
}

words!(Growth: "exponential" => Exponential, "linear" => Linear, "fixed" => Fixed);

/// The rule for the delay after failed attempt n, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Backoff {
    /// How the delay grows.
    pub kind: Growth,
    /// The delay after the first failure, in seconds.
    #[cfg_attr(feature = "openapi", schema(value_type = f64))]
    pub base_s: Span,
    /// What an exponential delay is multiplied by each time; 1 to 100.
    pub factor: f64,
    /// The longest delay before jitter, in seconds.
    #[cfg_attr(feature = "openapi", schema(value_type = f64))]
    pub max_s: Span,
    /// The delay is multiplied by a random number in [1 − jitter, 1 + jitter]; 0 to 1.
    pub jitter: f64,
}

impl Default for Backoff {
    fn default() -> Self {
        Backoff {
            kind: Growth::Exponential,
            base_s: Span::from_secs(2),
            factor: 2.0,
            max_s: Span::from_secs(3600),
            jitter: 0.25,
        }
    }
}

impl Backoff {
    /// The fields that hold a value outside their range, each with what is allowed.
    pub fn faults(&self) -> Vec<(&'static str, &'static str)> {
        let mut faults = Vec::new();
        if !(1.0..=100.0).contains(&self.factor) {
            faults.push(("factor", "must be a number from 1 to 100"));
        }
        if !(0.0..=1.0).contains(&self.jitter) {
            faults.push(("jitter", "must be a number from 0 to 1"));
        }
        for (name, span) in [("base_s", self.base_s), ("max_s", self.max_s)] {
            if span > LONGEST_SPAN {
                faults.push((name, TOO_LONG));
            }
        }
        faults
    }

    /// The delay after failed attempt `attempt` (from 1). `random` is a number in [0, 1) that picks
    /// the place within the jitter. The result is never negative and never above
    /// `max_s × (1 + jitter)`, whatever the attempt.
    pub fn delay(&self, attempt: u32, random: f64) -> Span {
        let base = self.base_s.secs_f64();
        let attempt = attempt.max(1);
        let grown = match self.kind {
            // Kept finite, since zero times infinity is no delay at all but not a number.
            Growth::Exponential => base * self.factor.powf(f64::from(attempt - 1)).min(1e15),
            Growth::Linear => base * f64::from(attempt),
            Growth::Fixed => base,
        };
        let capped = grown.min(self.max_s.secs_f64());
        let spread = 1.0 + self.jitter * (2.0 * random.clamp(0.0, 1.0) - 1.0);
        Span::from_secs_f64((capped * spread).max(0.0)).unwrap_or(self.max_s)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_delay_doubles_up_to_the_cap() {
        let backoff = Backoff {
            base_s: Span::from_secs(1),
            jitter: 0.5,
            ..Backoff::default()
        };
        for (attempt, secs) in [(1, 1), (2, 2), (12, 2048)] {
            assert_eq!(
                backoff.delay(attempt, 0.5),
                Span::from_secs(secs),
                "attempt {attempt}"
            );
        }
        for attempt in [
            13,
            31,
            32,
            54,
            63,
            64,
            65,
            1024,
            1025,
            2_147_483_647,
            u32::MAX,
        ] {
            assert_eq!(
                backoff.delay(attempt, 0.5),
                Span::from_secs(3600),
                "attempt {attempt}"
            );
            assert_eq!(
                backoff.delay(attempt, 0.0),
                Span::from_secs(1800),
                "attempt {attempt}"
            );
        }
    }

    #[test]
    fn linear_and_fixed_grow_as_they_say() {
        let linear = Backoff {
            kind: Growth::Linear,
            jitter: 0.0,
            ..Backoff::default()
        };
        assert_eq!(linear.delay(5, 0.9), Span::from_secs(10));
        let fixed = Backoff {
            kind: Growth::Fixed,
            jitter: 0.0,
            ..Backoff::default()
        };
        assert_eq!(fixed.delay(5, 0.9), Span::from_secs(2));
    }

    proptest! {
        #[test]
        fn the_delay_stays_within_its_bounds(
            attempt in any::<u32>(), random in 0.0..1.0f64, base in 0i64..100_000,
            factor in 1.0..100.0f64, max in 0i64..2_592_000, jitter in 0.0..1.0f64,
        ) {
            let backoff = Backoff {
                kind: Growth::Exponential, base_s: Span::from_secs(base), factor,
                max_s: Span::from_secs(max), jitter,
            };
            let delay = backoff.delay(attempt, random).secs_f64();
            let most = backoff.max_s.secs_f64() * (1.0 + jitter);
            prop_assert!(delay >= 0.0 && delay <= most + 1e-6);
        }
    }
}
