//! How long attempts took, by how they ended: sums of all time.

use std::collections::{BTreeMap, HashMap};

use conveyor_model::job::Outcome;
use conveyor_model::stats::bucket;
use conveyor_model::time::Span;
use rusqlite::{Connection, params};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::row;
use super::sql::Sql;
use crate::store::{RunTotals, StoreResult};

/// Attempts that ended in one batch: by series, outcome and bucket their number, and their time in all in
/// microseconds.
#[derive(Debug, Default)]
pub(super) struct Runs(HashMap<(i64, Outcome, usize), (i64, i64)>);

impl Runs {
    /// An attempt ended after `run`.
    pub(super) fn ended(&mut self, series: i64, outcome: Outcome, run: Span) {
        self.add((series, outcome, bucket(run)), (1, run.micros()));
    }

    /// Adds what another part of the batch did.
    pub(super) fn merge(&mut self, other: Runs) {
        for (key, runs) in other.0 {
            self.add(key, runs);
        }
    }

    fn add(&mut self, key: (i64, Outcome, usize), (n, run): (i64, i64)) {
        let mine = self.0.entry(key).or_default();
        mine.0 += n;
        mine.1 = mine.1.saturating_add(run);
    }

    /// Adds them to the sums.
    pub(super) fn write(&mut self, conn: &Connection) -> StoreResult<()> {
        for ((series, outcome, bucket), (n, run)) in self.0.drain() {
            let bucket = i64::try_from(bucket).unwrap_or(i64::MAX);
            conn.run(
                "INSERT INTO run_total (series, outcome, bucket, n, run) VALUES (?, ?, ?, ?, ?)
                 ON CONFLICT (series, outcome, bucket) DO UPDATE SET n = n + excluded.n, run = run + excluded.run",
                params![series, outcome.as_str(), bucket, n, run],
            )?;
        }
        Ok(())
    }
}

/// The sums of every series.
pub(super) async fn totals(
    conn: &mut SqliteConnection,
) -> StoreResult<HashMap<i64, BTreeMap<Outcome, RunTotals>>> {
    let rows = sqlx::query("SELECT series, outcome, bucket, n, run FROM run_total")
        .fetch_all(conn)
        .await?;
    let read = |row: &SqliteRow| {
        let series: i64 = row.try_get(0)?;
        let (outcome, bucket): (Outcome, i64) = (row::named(row, 1)?, row.try_get(2)?);
        let run: i64 = row.try_get(4)?;
        Ok((series, outcome, bucket, row::big_count(row, 3)?, run))
    };
    let mut all: HashMap<i64, BTreeMap<Outcome, RunTotals>> = HashMap::new();
    for (series, outcome, bucket, n, run) in row::sound("the time of attempts", &rows, read) {
        let totals = all.entry(series).or_default().entry(outcome).or_default();
        let place = usize::try_from(bucket).ok();
        if let Some(count) = place.and_then(|place| totals.times.0.get_mut(place)) {
            *count = n;
            totals.sum = Span::from_micros(totals.sum.micros().saturating_add(run));
        }
    }
    Ok(all)
}
