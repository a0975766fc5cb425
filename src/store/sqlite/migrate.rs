//! Brings the schema to the newest version this program knows.
//!
//! Two processes may open one file at the same moment, so the whole of it happens under an operating
//! system lock on a file of its own: closing any handle of the database file itself would drop the
//! locks that SQLite holds on it.

use std::fs::File;
use std::path::Path;

use rusqlite::Connection;

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
pub(super) fn lock(path: &Path) -> StoreResult<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let lock_path = beside(path, ".lock");
    let locked = || {
        let file = std::fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&lock_path)?;
        rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive)?;
        Ok::<File, std::io::Error>(file)
    };
    locked().map_err(|error| {
        StoreError::Unavailable(format!("cannot lock {}: {error}", lock_path.display()))
    })
}

/// Applies the steps that are missing in one transaction. The caller holds the lock.
pub(super) fn run(conn: &Connection, path: &Path) -> StoreResult<()> {
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    let (version, application, tables): (i64, i64, i64) = conn.query_row(
        "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)
         FROM pragma_user_version, pragma_application_id",
        [],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
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
    begin(conn)?;
    let from = usize::try_from(version).unwrap_or(0);
    for step in STEPS[from..].iter().copied() {
        conn.execute_batch(step)?;
    }
    conn.execute_batch(&format!(
        "PRAGMA user_version = {known}; PRAGMA application_id = {APPLICATION_ID}; COMMIT"
    ))?;
    tracing::info!(path = %path.display(), from = version, to = known, "the database schema is up to date");
    Ok(())
}
