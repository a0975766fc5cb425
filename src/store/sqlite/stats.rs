//! Counts, charts and totals.

use std::collections::BTreeMap;

use conveyor_model::job::Outcome;
use conveyor_model::name::{Kind, QueueName};
use conveyor_model::state::State;
use conveyor_model::stats::{Counts, Histogram, Point, Range, Series, SeriesFilter};
use conveyor_model::time::{Span, Timestamp};
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row, SqlitePool};

use super::insert::json;
use super::queues::OLDEST_READY;
use super::rollup::{Metric, NAMES, SUMS, Step};
use super::row;
use super::runs;
use super::schedules::read_slot;
use super::workers::Heard;
use crate::store::{LaneTotals, Recent, StoreResult, Totals};

/// A worker silent for longer does not count.
const LOST: Span = Span::from_secs(90);

/// Jobs in each state, and how many other things there are.
pub(super) async fn counts(
    pool: &SqlitePool,
    heard: &Heard,
    now: Timestamp,
) -> StoreResult<Counts> {
    let mut conn = pool.acquire().await?;
    let rows = sqlx::query("SELECT state, sum(n) FROM job_count WHERE n > 0 GROUP BY state")
        .fetch_all(&mut *conn)
        .await?;
    let mut jobs = BTreeMap::new();
    for row in &rows {
        jobs.insert(row::state(row, 0)?, row::big_count(row, 1)?);
    }
    let row = sqlx::query(
        "SELECT (SELECT count(*) FROM queue), (SELECT count(*) FROM schedule),
                (SELECT count(*) FROM worker
                 WHERE seen_at > ? OR name IN (SELECT value FROM json_each(?)))",
    )
    .bind(now.minus(LOST).micros())
    .bind(json(&heard.since(now.minus(LOST)))?)
    .fetch_one(&mut *conn)
    .await?;
    Ok(Counts {
        at: now,
        jobs,
        queues: row::big_count(&row, 0)?,
        schedules: row::big_count(&row, 1)?,
        workers: row::big_count(&row, 2)?,
    })
}

/// Jobs of each kind in each state.
pub(super) async fn kind_counts(
    pool: &SqlitePool,
) -> StoreResult<BTreeMap<Kind, BTreeMap<State, u64>>> {
    let rows = sqlx::query(
        "SELECT l.kind, c.state, sum(c.n) FROM lane l LEFT JOIN job_count c ON c.lane = l.id AND c.n > 0
         GROUP BY l.kind, c.state",
    )
    .fetch_all(pool)
    .await?;
    let mut kinds: BTreeMap<Kind, BTreeMap<State, u64>> = BTreeMap::new();
    let read = |row: &SqliteRow| {
        Ok((
            row::named(row, 0)?,
            row::parsed(row, 1)?,
            row::big_count(row, 2)?,
        ))
    };
    for (kind, state, n) in row::sound("a kind", &rows, read) {
        let states = kinds.entry(kind).or_default();
        states.extend(state.map(|state| (state, n)));
    }
    Ok(kinds)
}

/// Points of a chart up to `now`, without gaps; the last one is the step that goes on.
pub(super) async fn series(
    pool: &SqlitePool,
    range: Range,
    filter: &SeriesFilter,
    now: Timestamp,
) -> StoreResult<Series> {
    let step = range.step().micros();
    let last = now.micros().div_euclid(step) * step;
    let points = range.length().micros() / step;
    let first = last - (points - 1) * step;
    let sql = format!(
        "SELECT r.start / ?1 * ?1, {} FROM rollup r
         WHERE r.width IN (10, 60, 900) AND r.start >= ?2 AND r.start < ?3
           AND (?4 IS NULL AND ?5 IS NULL OR r.series IN
                (SELECT id FROM series WHERE (?4 IS NULL OR queue = ?4) AND (?5 IS NULL OR kind = ?5)))
         GROUP BY 1",
        *SUMS
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .bind(step)
        .bind(first)
        .bind(last + step)
        .bind(filter.queue.as_ref().map(QueueName::as_str))
        .bind(filter.kind.as_ref().map(Kind::as_str))
        .fetch_all(pool)
        .await?;
    let mut sums: BTreeMap<i64, Step> = BTreeMap::new();
    for row in &rows {
        sums.insert(row.try_get(0)?, Step::read(row, 1)?);
    }
    let point = |n: i64| {
        let start = first + n * step;
        let at = Timestamp::from_micros(start);
        sums.get(&start).map_or(
            Point {
                at,
                ..Point::default()
            },
            |sums| Point {
                at,
                enqueued: sums.get(Metric::Enqueued),
                succeeded: sums.get(Metric::Ended(Outcome::Succeeded)),
                retried: sums.get(Metric::Retried),
                dead: sums.get(Metric::Died),
                wait: sums.waits().quantiles(),
                run: sums.runs().quantiles(),
            },
        )
    };
    Ok(Series {
        step_s: range.step(),
        points: (0..points).map(point).collect(),
    })
}

/// Sums of each kind over the steps from `from` until before `to`.
async fn kind_sums(
    pool: &SqlitePool,
    from: Timestamp,
    to: Timestamp,
) -> StoreResult<Vec<(Kind, Step)>> {
    let sql = format!(
        "SELECT s.kind, {} FROM rollup r JOIN series s ON s.id = r.series
         WHERE r.width IN (10, 60, 900) AND r.start >= ? AND r.start < ? GROUP BY s.kind",
        *SUMS
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .bind(from.micros())
        .bind(to.micros())
        .fetch_all(pool)
        .await?;
    let read = |row: &SqliteRow| Ok((row::named(row, 0)?, Step::read(row, 1)?));
    Ok(row::sound("a kind", &rows, read))
}

/// Attempts that ended without success and for a fault.
fn failures(step: &Step) -> u64 {
    [
        Outcome::Failed,
        Outcome::Timeout,
        Outcome::Dead,
        Outcome::LeaseLost,
    ]
    .into_iter()
    .map(|outcome| step.get(Metric::Ended(outcome)))
    .sum()
}

/// Failed and ended attempts of every kind together.
fn failed_and_ended(kinds: &[(Kind, Step)]) -> (u64, u64) {
    kinds.iter().fold((0, 0), |(failed, ended), (_, step)| {
        (failed + failures(step), ended + step.ended())
    })
}

/// Succeeded and failed attempts and run times of each kind over the last hour.
pub(super) async fn kind_runs(
    pool: &SqlitePool,
    now: Timestamp,
) -> StoreResult<BTreeMap<Kind, (u64, u64, Histogram)>> {
    let sums = kind_sums(pool, now.minus(Span::from_secs(3600)), Timestamp::MAX).await?;
    let runs = sums.into_iter().map(|(kind, step)| {
        let succeeded = step.get(Metric::Ended(Outcome::Succeeded));
        (kind, (succeeded, failures(&step), step.runs()))
    });
    Ok(runs.collect())
}

/// What the overview shows besides counts and charts.
pub(super) async fn recent(pool: &SqlitePool, now: Timestamp) -> StoreResult<Recent> {
    let five_minutes = now.minus(Span::from_secs(300));
    let hour_before = five_minutes.minus(Span::from_secs(3600));
    let latest = kind_sums(pool, five_minutes, Timestamp::MAX).await?;
    let all = failed_and_ended(&latest);
    let failing = latest
        .into_iter()
        .filter(|(_, step)| failures(step) > 0)
        .map(|(kind, step)| (kind, failures(&step), step.ended()));
    let failing: Vec<_> = failing.collect();
    let before = kind_sums(pool, hour_before, five_minutes).await?;
    let before = failed_and_ended(&before);
    let mut conn = pool.acquire().await?;
    let died = sqlx::query(
        "SELECT sum(died), (SELECT sum(enqueued) FROM rollup WHERE width = 0) FROM rollup
         WHERE width IN (10, 60, 900) AND start >= ?",
    )
    .bind(now.minus(Span::from_secs(3600)).micros())
    .fetch_one(&mut *conn)
    .await?;
    let oldest = sqlx::query(OLDEST_READY).fetch_all(&mut *conn).await?;
    let paused: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM queue
         WHERE paused_since IS NOT NULL AND (paused_until IS NULL OR paused_until > ?)",
    )
    .bind(now.micros())
    .fetch_all(&mut *conn)
    .await?;
    let read = |row: &SqliteRow| Ok((row::named(row, 0)?, row::time_or_none(row, 1)?));
    let oldest_ready = row::sound("a queue", &oldest, read)
        .into_iter()
        .filter_map(|(queue, due): (QueueName, _)| Some((queue, due?)))
        .filter(|(queue, _)| !paused.iter().any(|name| name == queue.as_str()))
        .min_by_key(|(_, due)| *due);
    let skipped = sqlx::query(
        "SELECT schedule, max(slot), status, reason, n, job_id, at FROM slot
         WHERE status = 'skipped' AND at >= ? GROUP BY schedule ORDER BY at DESC LIMIT 100",
    )
    .bind(now.minus(Span::from_secs(86_400)).micros())
    .fetch_all(&mut *conn)
    .await?;
    let ready = sqlx::query(
        "SELECT l.queue, l.kind, c.n FROM job_count c JOIN lane l ON l.id = c.lane
         WHERE c.state = 'ready' AND c.n > 0 ORDER BY l.kind, l.queue",
    )
    .fetch_all(&mut *conn)
    .await?;
    let stopped = sqlx::query(
        "SELECT name, fault FROM schedule WHERE fault IS NOT NULL ORDER BY name LIMIT 100",
    )
    .fetch_all(&mut *conn)
    .await?;
    Ok(Recent {
        oldest_ready,
        failing,
        latest: all,
        before,
        died_last_hour: row::big_count(&died, 0)?,
        ever_enqueued: row::big_count(&died, 1)?,
        skipped: row::sound("a slot", &skipped, |row| {
            Ok((row::named(row, 0)?, read_slot(row, 1)?))
        }),
        ready: row::sound("a kind", &ready, |row| {
            Ok((
                row::named(row, 0)?,
                row::named(row, 1)?,
                row::big_count(row, 2)?,
            ))
        }),
        stopped: row::sound("a schedule", &stopped, |row| {
            Ok((row::named(row, 0)?, row.try_get(1)?))
        }),
    })
}

/// Totals since the database was made.
pub(super) async fn totals(pool: &SqlitePool) -> StoreResult<Totals> {
    let mut conn = pool.acquire().await?;
    let sql = format!(
        "SELECT s.queue, s.kind, s.id, {} FROM rollup r JOIN series s ON s.id = r.series
         WHERE r.width = 0 AND r.start = 0 ORDER BY 1, 2",
        *NAMES
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .fetch_all(&mut *conn)
        .await?;
    let mut runs = runs::totals(&mut conn).await?;
    let mut lanes = Vec::with_capacity(rows.len());
    for row in &rows {
        let (series, step): (i64, _) = (row.try_get(2)?, Step::read(row, 3)?);
        lanes.push(LaneTotals {
            queue: row.try_get(0)?,
            kind: row.try_get(1)?,
            enqueued: step.get(Metric::Enqueued),
            finished: runs.remove(&series).unwrap_or_default(),
            wait: step.waits(),
            wait_sum: step.span(Metric::Wait),
        });
    }
    let expired = sqlx::query("SELECT value FROM counter WHERE name = 'leases_expired'")
        .fetch_one(&mut *conn)
        .await?;
    let slots = sqlx::query("SELECT schedule, status, n FROM slot_total ORDER BY 1, 2")
        .fetch_all(&mut *conn)
        .await?;
    Ok(Totals {
        lanes,
        leases_expired: row::big_count(&expired, 0)?,
        slots: row::sound("a schedule's total", &slots, |row| {
            Ok((
                row::named(row, 0)?,
                row.try_get(1)?,
                row::big_count(row, 2)?,
            ))
        }),
    })
}
