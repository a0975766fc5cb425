//! Signs of the database's health, and how long upkeep may sleep.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use conveyor_model::time::Timestamp;
use sqlx::{Connection, SqliteConnection, SqlitePool};
use tokio::sync::Mutex;

use super::connect::{self, beside};
use super::row;
use crate::metrics::meters::Meters;
use crate::store::{StoreError, StoreHealth, StoreResult};

/// What the writer tells the rest of the store.
#[derive(Debug)]
pub(super) struct Health {
    /// The last write failed for want of space.
    pub(super) disk_full: AtomicBool,
    /// How long things take.
    pub(super) meters: Meters,
}

impl Health {
    /// All is well, and nothing is measured yet.
    pub(super) fn new() -> StoreResult<Self> {
        let meters = Meters::new().map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Health {
            disk_full: AtomicBool::new(false),
            meters,
        })
    }
}

/// Sizes and the writer's word. The files are not opened: that would drop SQLite's locks on them.
pub(super) fn health(path: &Path, readers: &SqlitePool, health: &Health) -> StoreHealth {
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |meta| meta.len());
    let idle = u32::try_from(readers.num_idle()).unwrap_or(u32::MAX);
    StoreHealth {
        readers_busy: readers.size().saturating_sub(idle),
        readers_idle: idle,
        size_bytes: size(path),
        wal_bytes: size(&beside(path, "-wal")),
        disk_full: health.disk_full.load(Ordering::Relaxed),
    }
}

/// A connection of its own, so that slow reads of others do not make the database look dead.
#[derive(Debug)]
pub(super) struct Pinger {
    path: PathBuf,
    conn: Mutex<Option<SqliteConnection>>,
    closed: AtomicBool,
}

impl Pinger {
    /// Connects at the first ping.
    pub(super) fn new(path: PathBuf) -> Self {
        Pinger {
            path,
            conn: Mutex::new(None),
            closed: AtomicBool::new(false),
        }
    }

    /// Reads something.
    pub(super) async fn ping(&self) -> StoreResult<()> {
        let mut slot = self.conn.lock().await;
        if self.closed.load(Ordering::Relaxed) {
            return Err(StoreError::Unavailable("the store is closed".to_owned()));
        }
        let mut conn = match slot.take() {
            Some(conn) => conn,
            None => connect::reader(&self.path).await?,
        };
        sqlx::query("SELECT value FROM counter WHERE name = 'job'")
            .fetch_one(&mut conn)
            .await?;
        *slot = Some(conn);
        Ok(())
    }

    /// Closes the connection for good.
    pub(super) async fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        if let Some(conn) = self.conn.lock().await.take()
            && let Err(error) = conn.close().await
        {
            tracing::debug!(%error, "a connection did not close in order");
        }
    }
}

/// When the next thing of any sort is due.
pub(super) async fn next_due(pool: &SqlitePool) -> StoreResult<Option<Timestamp>> {
    let row = sqlx::query(
        "SELECT min(due) FROM (
             SELECT * FROM (SELECT run_at AS due FROM job INDEXED BY job_scheduled WHERE state = 'scheduled' ORDER BY run_at LIMIT 1)
             UNION ALL
             SELECT * FROM (SELECT run_at FROM job INDEXED BY job_retrying WHERE state = 'retrying' ORDER BY run_at LIMIT 1)
             UNION ALL SELECT min(lease_until) FROM job WHERE state = 'running'
             UNION ALL SELECT min(next_at) FROM schedule WHERE next_at IS NOT NULL
             UNION ALL SELECT min(paused_until) FROM queue WHERE paused_since IS NOT NULL)",
    )
    .fetch_one(pool)
    .await?;
    row::time_or_none(&row, 0)
}
