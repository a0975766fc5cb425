//! Filling an empty store with a made-up past, wholly or not at all.
//!
//! The past is written into a database of its own beside this one, by the ordinary means of a store, and
//! then copied in one commit. Who dies in the middle leaves only that other file, which the next one
//! throws away.

use std::fs::File;
use std::path::Path;

use rusqlite::Connection;

use super::connect::{self, beside};
use super::sql::Sql;
use super::{Hooks, blocking, migrate, open};
use crate::events::Events;
use crate::store::{Filler, StoreOptions, StoreResult};

/// What the name of the database of the past ends in.
const PAST: &str = ".past";
/// What SQLite and a store keep beside a database.
const SIDE_FILES: [&str; 4] = ["", "-wal", "-shm", ".lock"];

/// Fills the database at `path` with what `filler` writes, if it has never held a job. Answers whether it
/// did. The lock that is held meanwhile makes others who open the database wait, so only one fills it.
pub(super) async fn fill(path: &Path, filler: Filler) -> StoreResult<bool> {
    let main = path.to_owned();
    let Some(lock) = blocking(move || begin(&main)).await? else {
        return Ok(false);
    };
    let past = beside(path, PAST);
    throw_away(&past);
    let options = StoreOptions {
        url: format!("sqlite:{}", past.display()),
        readers: 1,
    };
    let store = Box::pin(open(&options, Events::default(), Hooks::default())).await?;
    let written = filler(std::sync::Arc::clone(&store)).await;
    store.close().await;
    let main = path.to_owned();
    blocking(move || {
        let done = written.and_then(|()| copy(&main, &past));
        throw_away(&past);
        drop(lock);
        done
    })
    .await
}

/// The lock under which the database is filled, if it is new.
fn begin(path: &Path) -> StoreResult<Option<File>> {
    let lock = migrate::lock(path)?;
    let conn = connect::writer(path)?;
    let new = is_new(&conn)?;
    connect::discard(conn);
    Ok(new.then_some(lock))
}

/// Whether no job was ever stored.
fn is_new(conn: &Connection) -> StoreResult<bool> {
    conn.one(
        "SELECT (SELECT value FROM counter WHERE name = 'job') = 0
                AND NOT EXISTS (SELECT 1 FROM lane) AND NOT EXISTS (SELECT 1 FROM series)",
        [],
        |row| Ok(row.get(0)?),
    )
}

/// Copies every row of the database at `past` in one commit, unless a job was stored meanwhile. Queues
/// and schedules that are there already stay as they are.
fn copy(path: &Path, past: &Path) -> StoreResult<bool> {
    let conn = connect::writer(path)?;
    conn.run("ATTACH ? AS past", [past.display().to_string()])?;
    let tables: Vec<String> = conn.all(
        "SELECT name FROM past.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        [],
        |row| Ok(row.get(0)?),
    )?;
    // What is not committed goes with the connection.
    connect::begin(&conn)?;
    if !is_new(&conn)? {
        return Ok(false);
    }
    for table in tables {
        // Of the tables with rows in a new database, only the counters are the past's.
        let on_conflict = if table == "counter" {
            "REPLACE"
        } else {
            "IGNORE"
        };
        conn.execute_batch(&format!(
            "INSERT OR {on_conflict} INTO main.{table} SELECT * FROM past.{table}"
        ))?;
    }
    conn.run("COMMIT", [])?;
    Ok(true)
}

/// Deletes a database that nobody has open. What cannot be deleted is told of; to open it again would
/// fail in its turn.
fn throw_away(path: &Path) {
    for suffix in SIDE_FILES {
        let file = beside(path, suffix);
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(file = %file.display(), %error, "a file of no more use cannot be deleted");
            }
            Ok(()) | Err(_) => {}
        }
    }
}
