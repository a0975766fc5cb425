//! Brings the schema to the newest version this program knows.
//!
//! Two processes may open one file at the same moment, so the whole of it happens under an operating
//! system lock on a file of its own: closing any handle of the database file itself would drop the
//! locks that SQLite holds on it.

use std::fs::File;
use std::path::Path;

use sqlx::SqliteConnection;

use super::connect::{begin, beside};
use crate::store::{StoreError, StoreResult};

/// The steps, oldest first; the schema's version is how many of them it has had. A step that has been
/// released is never changed.
const STEPS: &[&str] = &[
    include_str!("../migrations/sqlite/0001_queue.sql"),
    include_str!("../migrations/sqlite/0002_schedule_notes.sql"),
    include_str!("../migrations/sqlite/0003_priority.sql"),
    include_str!("../migrations/sqlite/0004_run_total.sql"),
];

/// Marks a file as this program's (`CNVY`), so that another program's database is left alone.
const APPLICATION_ID: i64 = 0x434e_5659;

/// Takes the lock beside the database, waiting for it; dropping the file gives it back.
pub(super) async fn lock(path: &Path) -> StoreResult<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let lock_path = beside(path, ".lock");
    let locked = tokio::task::spawn_blocking(move || {
        let file = std::fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&lock_path)?;
        rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive)?;
        Ok::<File, std::io::Error>(file)
    })
    .await;
    match locked {
        Ok(Ok(file)) => Ok(file),
        Ok(Err(error)) => Err(StoreError::Unavailable(format!(
            "cannot lock {}: {error}",
            beside(path, ".lock").display()
        ))),
        Err(error) => Err(StoreError::Unavailable(error.to_string())),
    }
}

/// Applies the steps that are missing in one transaction. The caller holds the lock.
pub(super) async fn run(conn: &mut SqliteConnection, path: &Path) -> StoreResult<()> {
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    let (version, application): (i64, i64) = sqlx::query_as(
        "SELECT user_version, application_id FROM pragma_user_version, pragma_application_id",
    )
    .fetch_one(&mut *conn)
    .await?;
    let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_schema")
        .fetch_one(&mut *conn)
        .await?;
    if tables > 0 && application != APPLICATION_ID {
        return Err(StoreError::Unavailable(format!(
            "{} is the database of another program; give another path",
            path.display()
        )));
    }
    if version > known {
        return Err(StoreError::Unavailable(format!(
            "{} has schema version {version}, this program knows up to {known}: run a newer conveyor",
            path.display()
        )));
    }
    if version == known {
        return Ok(());
    }
    begin(conn).await?;
    let from = usize::try_from(version).unwrap_or(0);
    for step in STEPS[from..].iter().copied() {
        sqlx::raw_sql(step).execute(&mut *conn).await?;
    }
    let stamp = format!("PRAGMA user_version = {known}; PRAGMA application_id = {APPLICATION_ID};");
    sqlx::raw_sql(sqlx::AssertSqlSafe(stamp))
        .execute(&mut *conn)
        .await?;
    sqlx::query("COMMIT").execute(&mut *conn).await?;
    tracing::info!(path = %path.display(), from = version, to = known, "the database schema is up to date");
    Ok(())
}
