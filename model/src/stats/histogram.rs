//! How long things take: counts by length, and what can be told from them.

use serde::{Deserialize, Serialize};

use crate::time::{MICROS, Span};

/// Upper bounds of the wait and run-time histograms, in microseconds; a last bucket has no bound.
pub const BUCKETS: [i64; 15] = [
    MICROS / 1000,
    MICROS / 200,
    MICROS / 40,
    MICROS / 10,
    MICROS / 4,
    MICROS / 2,
    MICROS,
    MICROS * 5 / 2,
    5 * MICROS,
    10 * MICROS,
    30 * MICROS,
    60 * MICROS,
    300 * MICROS,
    900 * MICROS,
    3600 * MICROS,
];

/// The bucket of [`BUCKETS`] a length falls into; `BUCKETS.len()` for the one without bound.
pub fn bucket(span: Span) -> usize {
    BUCKETS.partition_point(|bound| *bound < span.micros())
}

/// How many lengths fell into each bucket of [`BUCKETS`] and the one above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram(pub [u64; BUCKETS.len() + 1]);

impl Histogram {
    /// How many in all.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds another histogram's counts.
    pub fn merge(&mut self, other: &Histogram) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }

    /// The quantile `q` (0 to 1) by nearest rank, an estimate; none when the histogram is empty.
    ///
    /// The lengths of a bucket are taken as spread over it evenly by their logarithm, each in the
    /// middle of its share, so that a lone one is off by the same factor either way at most. The
    /// bounds of [`BUCKETS`] grow by factors, for which Prometheus interpolates so as well
    /// (`histogram_quantile`, exponential interpolation of native histograms); and as there, what is
    /// beyond the last bound is told as that bound, since no more is known of it.
    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate for a chart; counts stay far below 2^53"
    )]
    pub fn quantile(&self, q: f64) -> Option<Span> {
        let count = self.count();
        if count == 0 {
            return None;
        }
        let rank = ((q.clamp(0.0, 1.0) * count as f64).ceil() as u64).max(1);
        let mut below = 0;
        for (n, in_bucket) in self.0.iter().enumerate() {
            if below + in_bucket >= rank {
                let share = ((rank - below) as f64 - 0.5) / *in_bucket as f64;
                return Some(Span::from_micros(within(n, share) as i64));
            }
            below += in_bucket;
        }
        None
    }

    /// The quantiles a chart shows.
    pub fn quantiles(&self) -> Option<Quantiles> {
        Some(Quantiles {
            p50_s: self.quantile(0.5)?,
            p95_s: self.quantile(0.95)?,
            p99_s: self.quantile(0.99)?,
        })
    }
}

/// The length at a share (0 to 1) of a bucket, in microseconds. Zero has no logarithm, so the first
/// bucket is even in itself.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "the bounds are far below 2^53"
)]
fn within(bucket: usize, share: f64) -> f64 {
    let bound = |n: usize| BUCKETS.get(n).map(|bound| *bound as f64);
    let low = bucket.checked_sub(1).and_then(bound);
    match (low, bound(bucket)) {
        (Some(low), Some(high)) => low * (high / low).powf(share),
        (None, Some(high)) => high * share,
        (low, None) => low.unwrap_or_default(),
    }
}

/// Three quantiles of a set of lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Quantiles {
    /// Half are at most this long.
    #[cfg_attr(feature = "openapi", schema(value_type = f64))]
    pub p50_s: Span,
    /// 95 of 100 are.
    #[cfg_attr(feature = "openapi", schema(value_type = f64))]
    pub p95_s: Span,
    /// 99 of 100 are.
    #[cfg_attr(feature = "openapi", schema(value_type = f64))]
    pub p99_s: Span,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_falls_into_the_first_bucket_that_holds_it() {
        assert_eq!(bucket(Span::ZERO), 0);
        assert_eq!(bucket(Span::from_millis(1)), 0);
        assert_eq!(bucket(Span::from_micros(1001)), 1);
        assert_eq!(bucket(Span::from_secs(3600)), 14);
        assert_eq!(bucket(Span::from_secs(3601)), 15);
    }

    #[test]
    fn quantiles_lie_in_their_bucket() {
        let mut histogram = Histogram::default();
        assert_eq!(histogram.quantiles(), None);
        histogram.0[6] = 99;
        histogram.0[9] = 1;
        let quantiles = histogram.quantiles().unwrap();
        assert!(quantiles.p50_s > Span::from_millis(500) && quantiles.p50_s < Span::from_secs(1));
        assert!(quantiles.p99_s <= Span::from_secs(1));
        assert!(histogram.quantile(1.0).unwrap() > Span::from_secs(5));
    }

    #[test]
    fn a_quantile_is_as_likely_too_low_as_too_high() {
        let mut histogram = Histogram::default();
        let of = |histogram: &Histogram, q| histogram.quantile(q).unwrap().secs_f64();
        histogram.0[bucket(Span::from_secs(340))] = 1;
        let lone = of(&histogram, 0.99);
        assert!((lone / 300.0 - 900.0 / lone).abs() < 1e-6, "{lone}");
        histogram.0[bucket(Span::from_secs(340))] = 4;
        let four = [0.25, 0.5, 0.75, 1.0].map(|q| of(&histogram, q));
        assert!(
            four.is_sorted() && four[0] > 300.0 && four[3] < 900.0,
            "{four:?}"
        );
        let mut short = Histogram::default();
        short.0[0] = 1;
        assert!((of(&short, 0.5) - 0.0005).abs() < 1e-9);
    }

    #[test]
    fn no_quantile_lies_beyond_the_last_bound() {
        let mut histogram = Histogram::default();
        histogram.0[BUCKETS.len()] = 3;
        assert_eq!(histogram.quantile(0.99), Some(Span::from_secs(3600)));
    }
}
