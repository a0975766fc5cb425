//! One job with all that is kept of it.

use std::collections::HashMap;

use conveyor_model::job::{
    Attempt, Failure, Job, JobRow, LastError, LogLine, Outcome, PREVIEW, Progress,
};
use conveyor_model::name::{JobId, Kind};
use conveyor_model::operator::RecentRun;
use conveyor_model::state::State;
use conveyor_model::time::Span;
use rusqlite::Connection;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection, SqlitePool};

use super::insert::json;
use super::row::{self, Columns};
use super::sql::Sql;
use crate::store::StoreResult;

/// How many runs of a kind are shown.
const RECENT_RUNS: usize = 20;

/// A statement that reads the columns of [`read_row`], and goes on.
macro_rules! select_rows {
    ($rest:literal) => {
        concat!(
            "SELECT j.id, j.state, l.kind, l.queue, j.priority, j.run_at, j.attempt, j.max_attempts,
                 j.worker, j.lease_until, j.cancel_requested_at, j.created_at, j.started_at,
                 j.finished_at, j.schedule, j.idempotency_key, b.tags, j.version,
                 substr(b.payload, 1, 201) AS preview
             FROM job j JOIN lane l ON l.id = j.lane JOIN job_body b ON b.id = j.id ",
            $rest
        )
    };
}
pub(super) use select_rows;

/// A list row.
pub(super) fn read_row(row: &SqliteRow) -> StoreResult<JobRow> {
    let state = row::state(row, 1)?;
    Ok(JobRow {
        id: row::id(row, 0)?,
        state,
        kind: row::named(row, 2)?,
        queue: row::named(row, 3)?,
        priority: row::priority(row, 4)?,
        run_at: row::time(row, 5)?,
        attempt: row::count(row, 6)?,
        max_attempts: row::count(row, 7)?,
        // Who ran it last stays in the row, for the filter and the history.
        worker: if state == State::Running {
            row::parsed(row, 8)?
        } else {
            None
        },
        lease_until: row::time_or_none(row, 9)?,
        cancel_requested_at: row::time_or_none(row, 10)?,
        created_at: row::time(row, 11)?,
        started_at: row::time_or_none(row, 12)?,
        finished_at: row::time_or_none(row, 13)?,
        schedule: row::parsed(row, 14)?,
        workflow: None,
        idempotency_key: row::parsed(row, 15)?,
        tags: row::tags(row, 16)?,
        version: row.try_get(17)?,
        payload_preview: row::json_text(row, 18)?.preview(PREVIEW),
    })
}

/// A list row of one job.
pub(super) async fn job_row(pool: &SqlitePool, id: JobId) -> StoreResult<Option<JobRow>> {
    let sql = select_rows!("WHERE j.id = ?");
    let row = sqlx::query(sql).bind(id.get()).fetch_optional(pool).await?;
    row.as_ref().map(read_row).transpose()
}

/// One job with payload and result.
pub(super) async fn job(pool: &SqlitePool, id: JobId) -> StoreResult<Option<Job>> {
    let mut conn = pool.acquire().await?;
    let sql = select_rows!("WHERE j.id = ?");
    let Some(found) = sqlx::query(sql)
        .bind(id.get())
        .fetch_optional(&mut *conn)
        .await?
    else {
        return Ok(None);
    };
    let more = sqlx::query(
        "SELECT j.id, b.payload, b.meta, b.backoff, j.timeout, j.crash_count, j.dead_reason, r.result,
             p.percent, p.message, p.id IS NOT NULL AND j.state = 'running'
         FROM job j JOIN job_body b ON b.id = j.id
         LEFT JOIN job_result r ON r.id = j.id
         LEFT JOIN job_progress p ON p.id = j.id AND p.token = j.token
         WHERE j.id = ?",
    )
    .bind(id.get())
    .fetch_optional(&mut *conn)
    .await?;
    let Some(more) = more else { return Ok(None) };
    let last_error = last_error(&mut conn, id).await?;
    let progress = if more.try_get(10)? {
        Some(Progress {
            percent: more.try_get(8)?,
            message: more.try_get(9)?,
        })
    } else {
        None
    };
    Ok(Some(Job {
        row: read_row(&found)?,
        payload: row::json_text(&more, 1)?,
        result: row::json_text_or_none(&more, 7)?,
        meta: row::meta(&more, 2)?,
        backoff: row::backoff(more.try_get(3)?),
        timeout_s: Span::from_micros(more.try_get(4)?),
        progress,
        last_error,
        crash_count: row::count(&more, 5)?,
        dead_reason: more.try_get(6)?,
        waiting_reason: None,
    }))
}

/// The failure of each job's latest attempt that had one.
pub(super) const LAST_ERRORS: &str =
    "SELECT a.id, a.error_class, a.error_message, a.backtrace, a.number, a.finished_at
     FROM json_each(?) j JOIN attempt a ON a.id = j.value AND a.token =
         (SELECT token FROM attempt WHERE id = j.value AND error_class IS NOT NULL
          ORDER BY token DESC LIMIT 1)";

/// The latest failures of some jobs, of those that have one, for the writer.
pub(super) fn last_errors(conn: &Connection, ids: &[i64]) -> StoreResult<HashMap<i64, LastError>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let read = |row: &rusqlite::Row<'_>| {
        let error = row::kept("the error of a job", read_last_error(row));
        Ok(error.zip(row.get(0).ok()))
    };
    let found = conn.all(LAST_ERRORS, [json(ids)?], read)?;
    Ok(found
        .into_iter()
        .flatten()
        .map(|(error, id)| (id, error))
        .collect())
}

/// The latest failure of a job, if it has one.
async fn last_error(conn: &mut SqliteConnection, id: JobId) -> StoreResult<Option<LastError>> {
    let found = sqlx::query(LAST_ERRORS)
        .bind(json(&[id.get()])?)
        .fetch_optional(conn)
        .await?;
    Ok(found.and_then(|row| row::kept("the error of a job", read_last_error(&row))))
}

fn read_last_error(row: &impl Columns) -> StoreResult<LastError> {
    Ok(LastError {
        class: row::text(row, 1)?.to_owned(),
        message: row::owned(row, 2)?.unwrap_or_default(),
        backtrace: row::owned(row, 3)?,
        attempt: row::count(row, 4)?,
        at: row::time(row, 5)?,
    })
}

/// A job's attempts, oldest first. The running one, and the last of a succeeded job, are the job's own
/// row.
pub(super) async fn attempts(pool: &SqlitePool, id: JobId) -> StoreResult<Vec<Attempt>> {
    let rows = sqlx::query(
        "SELECT id, token, number, worker, started_at, finished_at, outcome, error_class, error_message, backtrace
         FROM attempt WHERE id = ?1
         UNION ALL
         SELECT id, token, attempt, worker, started_at, finished_at,
             CASE state WHEN 'succeeded' THEN 'succeeded' END, NULL, NULL, NULL
         FROM job WHERE id = ?1 AND state IN ('running', 'succeeded')
         ORDER BY token",
    )
    .bind(id.get())
    .fetch_all(pool)
    .await?;
    rows.iter().map(read_attempt).collect()
}

fn read_attempt(row: &SqliteRow) -> StoreResult<Attempt> {
    let class: Option<String> = row.try_get(7)?;
    let error = match class {
        Some(class) => Some(Failure {
            class,
            message: row.try_get::<Option<String>, _>(8)?.unwrap_or_default(),
            backtrace: row.try_get(9)?,
        }),
        None => None,
    };
    Ok(Attempt {
        number: row::count(row, 2)?,
        worker: row::named(row, 3)?,
        started_at: row::time(row, 4)?,
        finished_at: row::time_or_none(row, 5)?,
        outcome: row::parsed::<Outcome>(row, 6)?,
        error,
    })
}

/// A job's log lines, oldest first, at most the last thousand.
pub(super) async fn logs(pool: &SqlitePool, id: JobId) -> StoreResult<Vec<LogLine>> {
    let rows = sqlx::query(
        "SELECT id, attempt, at, level, message FROM job_log WHERE id = ?
         ORDER BY token DESC, line DESC LIMIT 1000",
    )
    .bind(id.get())
    .fetch_all(pool)
    .await?;
    let read = |row: &SqliteRow| {
        Ok(LogLine {
            attempt: row::count(row, 1)?,
            at: row::time(row, 2)?,
            level: row::named(row, 3)?,
            message: row.try_get(4)?,
        })
    };
    rows.iter().rev().map(read).collect()
}

/// The latest ended attempts of some jobs. The plus keeps the planner from looking through every job that
/// has succeeded.
pub(super) const RUNS: &str = "SELECT id, finished_at, finished_at - started_at, 1 FROM job
     WHERE id IN (SELECT value FROM json_each(?1)) AND +state = 'succeeded' AND started_at IS NOT NULL
     UNION ALL
     SELECT a.id, a.finished_at, a.finished_at - a.started_at, a.outcome = 'succeeded'
     FROM json_each(?1) i JOIN attempt a ON a.id = i.value AND a.token =
         (SELECT max(token) FROM attempt WHERE id = i.value)
     WHERE NOT EXISTS (SELECT 1 FROM job j WHERE j.id = i.value AND j.state = 'succeeded')
     ORDER BY 2 DESC LIMIT ?2";

/// The last ended attempts of a kind, oldest first: the latest attempt of each of its newest jobs that
/// have ended one.
pub(super) async fn recent_runs(pool: &SqlitePool, kind: &Kind) -> StoreResult<Vec<RecentRun>> {
    let mut conn = pool.acquire().await?;
    let lanes: Vec<i64> = sqlx::query_scalar("SELECT id FROM lane WHERE kind = ? LIMIT 50")
        .bind(kind.as_str())
        .fetch_all(&mut *conn)
        .await?;
    let mut ids: Vec<i64> = Vec::new();
    for lane in lanes {
        for state in [
            State::Succeeded,
            State::Dead,
            State::Retrying,
            State::Cancelled,
        ] {
            let newest: Vec<i64> = sqlx::query_scalar(
                "SELECT id FROM job WHERE state = ? AND lane = ? ORDER BY id DESC LIMIT 20",
            )
            .bind(state.as_str())
            .bind(lane)
            .fetch_all(&mut *conn)
            .await?;
            ids.extend(newest);
        }
    }
    let rows = sqlx::query(RUNS)
        .bind(json(&ids)?)
        .bind(i64::try_from(RECENT_RUNS).unwrap_or(20))
        .fetch_all(&mut *conn)
        .await?;
    let read = |row: &SqliteRow| {
        Ok(RecentRun {
            id: row::id(row, 0)?,
            succeeded: row.try_get::<i64, _>(3)? == 1,
            took: Span::from_micros(row.try_get(2)?),
        })
    };
    rows.iter().rev().map(read).collect()
}
