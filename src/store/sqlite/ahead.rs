//! A ready job's place in line.

use conveyor_model::name::{JobId, Kind, QueueName};
use conveyor_model::time::Timestamp;
use conveyor_model::worker::Worker;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqlitePool};

use super::insert::json;
use super::row;
use crate::store::StoreResult;

/// How many jobs ahead are counted.
const MOST: i64 = 10_000;

/// Lanes with ready jobs whose queue is not paused.
const OPEN: &str = "SELECT l.id, l.queue, l.kind FROM job_count c JOIN lane l ON l.id = c.lane
     WHERE c.state = 'ready' AND c.n > 0
       AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.name = l.queue AND q.paused_since IS NOT NULL
                       AND (q.paused_until IS NULL OR q.paused_until > ?))";

/// Counts the ready jobs of some lanes before one of a priority, a time and an id. Each part is a range
/// of the order of claims.
pub(super) const AHEAD: &str = "SELECT count(*) FROM (
         SELECT 1 FROM json_each(?1) l CROSS JOIN job j INDEXED BY job_ready
         WHERE j.state = 'ready' AND j.lane = l.value AND j.priority > ?2
         UNION ALL
         SELECT 1 FROM json_each(?1) l CROSS JOIN job j INDEXED BY job_ready
         WHERE j.state = 'ready' AND j.lane = l.value AND j.priority = ?2
               AND (j.run_at, j.id) < (?3, ?4)
         LIMIT ?5)";

/// How many ready jobs the workers that could take a job take before it.
pub(super) async fn ahead_of(
    pool: &SqlitePool,
    id: JobId,
    takers: &[&Worker],
    now: Timestamp,
) -> StoreResult<u64> {
    let mut conn = pool.acquire().await?;
    let job = sqlx::query("SELECT id, priority, run_at FROM job WHERE id = ?")
        .bind(id.get())
        .fetch_optional(&mut *conn)
        .await?;
    let Some(job) = job else { return Ok(0) };
    let (priority, run_at): (i64, i64) = (job.try_get(1)?, job.try_get(2)?);
    let open = sqlx::query(OPEN)
        .bind(now.micros())
        .fetch_all(&mut *conn)
        .await?;
    let read = |row: &SqliteRow| Ok((row.try_get(0)?, row::named(row, 1)?, row::named(row, 2)?));
    let open: Vec<(i64, QueueName, Kind)> = row::sound("a lane", &open, read);
    let lanes: Vec<i64> = open
        .iter()
        .filter(|(_, queue, kind)| takers.iter().any(|worker| worker.serves(queue, kind)))
        .map(|(lane, ..)| *lane)
        .collect();
    let ahead: i64 = sqlx::query_scalar(AHEAD)
        .bind(json(&lanes)?)
        .bind(priority)
        .bind(run_at)
        .bind(id.get())
        .bind(MOST)
        .fetch_one(&mut *conn)
        .await?;
    Ok(u64::try_from(ahead).unwrap_or(0))
}
