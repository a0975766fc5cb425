//! What a store measures of itself. It begins anew with the process.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus::core::Collector;
use prometheus::proto::MetricFamily;
use prometheus::{Error, Histogram, HistogramOpts, HistogramVec};

use super::families::names::{MOST, OTHER};

/// Upper bounds for what a database does, in seconds.
const QUERY_BUCKETS: [f64; 12] = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0,
];
const BATCH_BUCKETS: [f64; 9] = [0.0, 1.0, 2.0, 5.0, 10.0, 50.0, 100.0, 500.0, 1000.0];
const ATTEMPT_BUCKETS: [f64; 7] = [1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 25.0];

/// Histograms of one store.
#[derive(Debug)]
pub struct Meters {
    claims: Histogram,
    batches: Histogram,
    queries: HistogramVec,
    attempts: HistogramVec,
    /// Kinds with a series of their own.
    kinds: Mutex<BTreeSet<String>>,
}

fn options(name: &str, help: &str, buckets: &[f64]) -> HistogramOpts {
    HistogramOpts::new(name, help).buckets(buckets.to_vec())
}

impl Meters {
    /// Nothing measured yet. Fails only for a name that Prometheus does not take.
    pub fn new() -> Result<Self, Error> {
        Ok(Meters {
            claims: Histogram::with_opts(options(
                "conveyor_claim_duration_seconds",
                "Time from asking for jobs to having them, the wait for the commit included.",
                &QUERY_BUCKETS,
            ))?,
            batches: Histogram::with_opts(options(
                "conveyor_claim_batch_size",
                "Jobs of one claim.",
                &BATCH_BUCKETS,
            ))?,
            queries: HistogramVec::new(
                options(
                    "conveyor_db_query_duration_seconds",
                    "Time of the database's work, by what it is for; the sync is in commit.",
                    &QUERY_BUCKETS,
                ),
                &["op"],
            )?,
            attempts: HistogramVec::new(
                options(
                    "conveyor_job_attempts",
                    "Attempts that jobs took until they succeeded or died.",
                    &ATTEMPT_BUCKETS,
                ),
                &["kind"],
            )?,
            kinds: Mutex::default(),
        })
    }

    /// A claim got `jobs` jobs after `took`.
    pub fn claimed(&self, took: Duration, jobs: usize) {
        self.claims.observe(took.as_secs_f64());
        self.batches
            .observe(f64::from(u32::try_from(jobs).unwrap_or(u32::MAX)));
    }

    /// The database worked for `took`; `op` is one of few words.
    pub fn queried(&self, op: &'static str, took: Duration) {
        self.queries
            .with_label_values(&[op])
            .observe(took.as_secs_f64());
    }

    /// `jobs` jobs of a kind came to their end with attempt number `attempts`.
    pub fn ended(&self, kind: &str, attempts: u32, jobs: u64) {
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kinds.contains(kind) || (kinds.len() < MOST && kinds.insert(kind.to_owned()));
        drop(kinds);
        let series = self
            .attempts
            .with_label_values(&[if known { kind } else { OTHER }]);
        for _ in 0..jobs {
            series.observe(f64::from(attempts));
        }
    }

    /// Everything measured so far.
    pub fn families(&self) -> Vec<MetricFamily> {
        let collectors: [&dyn Collector; 4] =
            [&self.claims, &self.batches, &self.queries, &self.attempts];
        collectors
            .into_iter()
            .flat_map(Collector::collect)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_beyond_the_first_two_hundred_share_a_series() {
        let meters = Meters::new().unwrap();
        for n in 0..MOST + 50 {
            meters.ended(&format!("kind.{n}"), 1, 1);
        }
        let families = meters.families();
        let attempts = families
            .iter()
            .find(|family| family.name() == "conveyor_job_attempts")
            .unwrap();
        assert_eq!(attempts.get_metric().len(), MOST + 1);
    }
}
