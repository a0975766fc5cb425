//! Filling an empty store with a made-up past, wholly or not at all.
//!
//! The past is written into a database of its own beside this one, by the ordinary means of a store, and
//! then copied in one commit. Who dies in the middle leaves only that other file, which the next one
//! throws away.

use std::path::Path;

use sqlx::{AssertSqlSafe, SqliteConnection};

use super::connect::{self, beside};
use super::{Hooks, migrate, open};
use crate::events::Events;
use crate::store::{Filler, StoreOptions, StoreResult};

/// What the name of the database of the past ends in.
const PAST: &str = ".past";
/// What SQLite and a store keep beside a database.
const SIDE_FILES: [&str; 4] = ["", "-wal", "-shm", ".lock"];

/// Fills the database at `path` with what `filler` writes, if it has never held a job. Answers whether it
/// did. The lock that is held meanwhile makes others who open the database wait, so only one fills it.
pub(super) async fn fill(path: &Path, filler: Filler) -> StoreResult<bool> {
    let lock = migrate::lock(path).await?;
    let mut conn = connect::writer(path).await?;
    let done = fill_by(&mut conn, path, filler).await;
    // Closed before the lock is given back.
    connect::discard(conn).await;
    drop(lock);
    done
}

async fn fill_by(conn: &mut SqliteConnection, path: &Path, filler: Filler) -> StoreResult<bool> {
    if !is_new(conn).await? {
        return Ok(false);
    }
    let past = beside(path, PAST);
    throw_away(&past);
    let options = StoreOptions {
        url: format!("sqlite:{}", past.display()),
        readers: 1,
    };
    let store = Box::pin(open(&options, Events::default(), Hooks::default())).await?;
    let written = filler(std::sync::Arc::clone(&store)).await;
    store.close().await;
    let done = match written {
        Ok(()) => copy(conn, &past).await,
        Err(error) => Err(error),
    };
    throw_away(&past);
    done
}

/// Whether no job was ever stored.
async fn is_new(conn: &mut SqliteConnection) -> StoreResult<bool> {
    let new = sqlx::query_scalar(
        "SELECT (SELECT value FROM counter WHERE name = 'job') = 0
                AND NOT EXISTS (SELECT 1 FROM lane) AND NOT EXISTS (SELECT 1 FROM series)",
    )
    .fetch_one(conn)
    .await?;
    Ok(new)
}

/// Copies every row of the database at `past` in one commit, unless a job was stored meanwhile. Queues
/// and schedules that are there already stay as they are.
async fn copy(conn: &mut SqliteConnection, past: &Path) -> StoreResult<bool> {
    sqlx::query("ATTACH ? AS past")
        .bind(past.display().to_string())
        .execute(&mut *conn)
        .await?;
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM past.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .fetch_all(&mut *conn)
    .await?;
    // The connection is closed by the caller, which undoes what is not committed.
    connect::begin(conn).await?;
    if !is_new(conn).await? {
        return Ok(false);
    }
    for table in tables {
        // Of the tables with rows in a new database, only the counters are the past's.
        let on_conflict = if table == "counter" {
            "REPLACE"
        } else {
            "IGNORE"
        };
        let sql = format!("INSERT OR {on_conflict} INTO main.{table} SELECT * FROM past.{table}");
        sqlx::query(AssertSqlSafe(sql)).execute(&mut *conn).await?;
    }
    sqlx::query("COMMIT").execute(conn).await?;
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
