//! The dead letter by cause.

use conveyor_model::dead::DeadGroup;
use conveyor_model::name::JobId;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqlitePool};

use super::row;
use crate::store::StoreResult;

fn read(row: &SqliteRow) -> StoreResult<DeadGroup> {
    Ok(DeadGroup {
        fingerprint: row.try_get(0)?,
        kind: row::named(row, 1)?,
        class: row.try_get(2)?,
        message: row.try_get(3)?,
        count: row::big_count(row, 4)?,
        first_at: row::time(row, 5)?,
        last_at: row::time(row, 6)?,
        sample: row::id_or_none(row, 7)?,
    })
}

/// The largest groups.
pub(super) async fn groups(pool: &SqlitePool, limit: usize) -> StoreResult<Vec<DeadGroup>> {
    let rows = sqlx::query(
        "SELECT fingerprint, kind, class, message, n, first_at, last_at, sample FROM dead_group
         ORDER BY n DESC, fingerprint LIMIT ?",
    )
    .bind(i64::try_from(limit).unwrap_or(i64::MAX))
    .fetch_all(pool)
    .await?;
    Ok(row::sound("a group of dead jobs", &rows, read))
}

/// One group.
pub(super) async fn group(pool: &SqlitePool, fingerprint: &str) -> StoreResult<Option<DeadGroup>> {
    let row = sqlx::query(
        "SELECT fingerprint, kind, class, message, n, first_at, last_at, sample FROM dead_group
         WHERE fingerprint = ?",
    )
    .bind(fingerprint)
    .fetch_optional(pool)
    .await?;
    row.as_ref().map(read).transpose()
}

/// The ids of a group's jobs, oldest first.
pub(super) async fn jobs(
    pool: &SqlitePool,
    fingerprint: &str,
    after: Option<JobId>,
    limit: usize,
) -> StoreResult<Vec<JobId>> {
    let rows =
        sqlx::query("SELECT id FROM job WHERE dead_group = ? AND id > ? ORDER BY id LIMIT ?")
            .bind(fingerprint)
            .bind(after.map_or(0, i64::from))
            .bind(i64::try_from(limit).unwrap_or(i64::MAX))
            .fetch_all(pool)
            .await?;
    rows.iter().map(|row| row::id(row, 0)).collect()
}
