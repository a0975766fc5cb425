//! History: what happened in each step of ten seconds, a minute or a quarter of an hour, and the sums
//! of all time.

use std::sync::LazyLock;

use conveyor_model::job::Outcome;
use conveyor_model::stats::{BUCKETS, Histogram};
use conveyor_model::time::{MICROS, Span, Timestamp};
use rusqlite::{Connection, params_from_iter};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::effects::STEP_SECS;
use super::sql::Sql;
use crate::store::StoreResult;

/// Buckets of a histogram, with the one without bound.
const BUCKET_COUNT: usize = BUCKETS.len() + 1;
const FIRST_WAIT: usize = 13;
const FIRST_RUN: usize = FIRST_WAIT + BUCKET_COUNT;
const METRICS: usize = FIRST_RUN + BUCKET_COUNT;

/// One thing that is counted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Metric {
    /// Jobs stored.
    Enqueued,
    /// Attempts ended in one way.
    Ended(Outcome),
    /// Failed attempts that another follows.
    Retried,
    /// Jobs that died.
    Died,
    /// The sum of waits, in microseconds.
    Wait,
    /// The sum of runs, in microseconds.
    Run,
    /// Waits that fell into one bucket.
    WaitBucket(usize),
    /// Runs that fell into one bucket.
    RunBucket(usize),
}

impl Metric {
    /// Its place among the columns.
    const fn place(self) -> usize {
        match self {
            Metric::Enqueued => 0,
            Metric::Ended(Outcome::Succeeded) => 1,
            Metric::Ended(Outcome::Failed) => 2,
            Metric::Ended(Outcome::Timeout) => 3,
            Metric::Ended(Outcome::Snoozed) => 4,
            Metric::Ended(Outcome::Cancelled) => 5,
            Metric::Ended(Outcome::Dead) => 6,
            Metric::Ended(Outcome::Interrupted) => 7,
            Metric::Ended(Outcome::LeaseLost) => 8,
            Metric::Retried => 9,
            Metric::Died => 10,
            Metric::Wait => 11,
            Metric::Run => 12,
            Metric::WaitBucket(n) => FIRST_WAIT + n,
            Metric::RunBucket(n) => FIRST_RUN + n,
        }
    }
}

/// The columns in the order of [`Metric::place`].
static COLUMNS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let named = [
        "enqueued",
        "succeeded",
        "failed",
        "timeout",
        "snoozed",
        "cancelled",
        "dead",
        "interrupted",
        "lease_lost",
        "retried",
        "died",
        "wait",
        "run",
    ];
    let buckets = |letter: char| (0..BUCKET_COUNT).map(move |n| format!("{letter}{n}"));
    named
        .into_iter()
        .map(str::to_owned)
        .chain(buckets('w'))
        .chain(buckets('r'))
        .collect()
});

/// The columns as sums, for a `SELECT` over several steps.
pub(super) static SUMS: LazyLock<String> = LazyLock::new(|| {
    let sums: Vec<String> = COLUMNS.iter().map(|name| format!("sum({name})")).collect();
    sums.join(", ")
});

/// The columns, for `INSERT … SELECT`.
pub(super) static NAMES: LazyLock<String> = LazyLock::new(|| COLUMNS.join(", "));

/// What `ON CONFLICT` does: adds.
static ADD: LazyLock<String> = LazyLock::new(|| {
    let adds: Vec<String> = COLUMNS
        .iter()
        .map(|name| format!("{name} = {name} + excluded.{name}"))
        .collect();
    format!(
        "ON CONFLICT (width, start, series) DO UPDATE SET {}",
        adds.join(", ")
    )
});

/// Adds one step, to its step of history and to the sums of all time.
static STATEMENT: LazyLock<String> = LazyLock::new(|| {
    // Numbered parameters, because each number is used in two rows.
    let metrics: Vec<String> = (0..METRICS).map(|m| format!("?{}", m + 3)).collect();
    let metrics = metrics.join(", ");
    format!(
        "INSERT INTO rollup (width, start, series, {}) VALUES ({STEP_SECS}, ?1, ?2, {metrics}), (0, 0, ?2, {metrics}) {}",
        *NAMES, *ADD
    )
});

/// Folds steps into larger ones: their length, the same in microseconds, the length of those that are
/// folded, and the instant before which they must lie.
static COARSEN: LazyLock<String> = LazyLock::new(|| {
    format!(
        "INSERT INTO rollup (width, start, series, {}) SELECT ?1, start / ?2 * ?2, series, {}
         FROM rollup WHERE width = ?3 AND start < ?4 GROUP BY 2, series {}",
        *NAMES, *SUMS, *ADD
    )
});

/// Counts of one step.
#[derive(Clone, Debug)]
pub(super) struct Step([i64; METRICS]);

impl Default for Step {
    fn default() -> Self {
        Step([0; METRICS])
    }
}

impl Step {
    /// Adds to one metric.
    pub(super) fn add(&mut self, metric: Metric, n: i64) {
        if let Some(value) = self.0.get_mut(metric.place()) {
            *value = value.saturating_add(n);
        }
    }

    /// Adds all of another step.
    pub(super) fn merge(&mut self, other: &Step) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine = mine.saturating_add(theirs);
        }
    }

    /// Reads the columns of [`SUMS`] or [`NAMES`] that begin at `first`.
    pub(super) fn read(row: &SqliteRow, first: usize) -> StoreResult<Step> {
        let mut step = Step::default();
        for (n, value) in step.0.iter_mut().enumerate() {
            *value = row.try_get::<Option<i64>, _>(first + n)?.unwrap_or(0);
        }
        Ok(step)
    }

    /// One metric.
    pub(super) fn get(&self, metric: Metric) -> u64 {
        let value = self.0.get(metric.place()).copied().unwrap_or(0);
        u64::try_from(value).unwrap_or(0)
    }

    /// One metric as a length of time.
    pub(super) fn span(&self, metric: Metric) -> Span {
        Span::from_micros(i64::try_from(self.get(metric)).unwrap_or(i64::MAX))
    }

    /// Attempts ended in any way that counts as an end.
    pub(super) fn ended(&self) -> u64 {
        Outcome::ALL
            .into_iter()
            .map(|outcome| self.get(Metric::Ended(outcome)))
            .sum()
    }

    /// The histogram of waits.
    pub(super) fn waits(&self) -> Histogram {
        self.histogram(Metric::WaitBucket)
    }

    /// The histogram of runs.
    pub(super) fn runs(&self) -> Histogram {
        self.histogram(Metric::RunBucket)
    }

    fn histogram(&self, bucket: fn(usize) -> Metric) -> Histogram {
        let mut histogram = Histogram::default();
        for (n, count) in histogram.0.iter_mut().enumerate() {
            *count = self.get(bucket(n));
        }
        histogram
    }
}

/// Adds steps, keyed by start and series.
pub(super) fn add(conn: &Connection, steps: &[((i64, i64), Step)]) -> StoreResult<()> {
    for ((start, series), step) in steps {
        let values = [start, series].into_iter().chain(&step.0);
        conn.run(&STATEMENT, params_from_iter(values))?;
    }
    Ok(())
}

/// Folds steps of one width that lie before `before` into steps of a larger one. Only whole large
/// steps are folded.
pub(super) fn coarsen(conn: &Connection, from: i64, to: i64, before: Timestamp) -> StoreResult<()> {
    let length = to * MICROS;
    let before = before.micros().div_euclid(length) * length;
    let some = conn.first(
        "SELECT 1 FROM rollup WHERE width = ? AND start < ? LIMIT 1",
        [from, before],
        |_| Ok(()),
    )?;
    if some.is_none() {
        return Ok(());
    }
    conn.run(&COARSEN, [to, length, from, before])?;
    conn.run(
        "DELETE FROM rollup WHERE width = ? AND start < ?",
        [from, before],
    )?;
    Ok(())
}
