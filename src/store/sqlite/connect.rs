//! Opening the file: where it is, who may read it, and the settings of each connection.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sqlx::sqlite::{
    SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, SqliteConnection, SqlitePool};

use super::error::is_busy;
use crate::store::{StoreError, StoreResult};

/// The oldest SQLite without the fault that could lose a reset write-ahead log.
const OLDEST_SQLITE: [u32; 3] = [3, 51, 3];

/// How long SQLite itself waits for another process's lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a lock is waited for in all. SQLite wakes up by chance between two writers who give it to
/// each other, and does not wait at all while one recovers or tidies up the write-ahead log.
const BUSY_DEADLINE: Duration = Duration::from_secs(15);
/// The pause after SQLite did not wait.
const BUSY_PAUSE: Duration = Duration::from_millis(5);

/// The path in a `sqlite:PATH` address.
pub(super) fn path_of(url: &str) -> StoreResult<PathBuf> {
    let path = url
        .strip_prefix("sqlite:")
        .map(|rest| rest.strip_prefix("//").unwrap_or(rest));
    match path {
        Some(path) if !path.is_empty() && !path.contains('?') => Ok(PathBuf::from(path)),
        _ => Err(StoreError::Unavailable(
            "the database address must be sqlite:PATH, such as sqlite:data/conveyor.db".to_owned(),
        )),
    }
}

/// `path` with something appended to its last part, as SQLite names its side files.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Makes the folder, if need be, and the file, both for this user alone. The write-ahead log and the
/// shared memory take the file's mode from it.
pub(super) fn prepare(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
    }
    if path.exists() {
        // Opening and closing a database that SQLite has open in this process would drop its locks.
        return Ok(());
    }
    let made = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path);
    match made {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        other => other.map(drop),
    }
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(false)
        .busy_timeout(BUSY_TIMEOUT)
        .foreign_keys(true)
        .pragma("temp_store", "MEMORY")
        .pragma("mmap_size", "0")
        .pragma("cell_size_check", "ON")
        .pragma("trusted_schema", "OFF")
        .disable_statement_logging()
}

/// The wait for a lock that another process holds.
struct Patience(Instant);

impl Patience {
    fn new() -> Self {
        Patience(Instant::now() + BUSY_DEADLINE)
    }

    /// Whether to try once more; says so after a pause.
    async fn again<T: Sync>(&self, attempt: &sqlx::Result<T>) -> bool {
        let busy = matches!(attempt, Err(error) if is_busy(error)) && Instant::now() < self.0;
        if busy {
            tokio::time::sleep(BUSY_PAUSE).await;
        }
        busy
    }
}

async fn connect(options: &SqliteConnectOptions) -> sqlx::Result<SqliteConnection> {
    let patience = Patience::new();
    loop {
        let opened = options.connect().await;
        if !patience.again(&opened).await {
            return opened;
        }
    }
}

/// The connection of the writer task.
pub(super) async fn writer(path: &Path) -> sqlx::Result<SqliteConnection> {
    // Only a new file heeds it, while any other would be written to, and its lock waited for.
    let is_new = std::fs::metadata(path).is_ok_and(|meta| meta.len() == 0);
    let vacuum = is_new.then_some(SqliteAutoVacuum::Incremental);
    let options = vacuum
        .into_iter()
        .fold(options(path), SqliteConnectOptions::auto_vacuum);
    let options = options
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .pragma("cache_size", "-65536")
        .pragma("journal_size_limit", "67108864")
        .pragma("wal_autocheckpoint", "4000")
        .statement_cache_capacity(256)
        .row_buffer_size(1024)
        .thread_name(|_| "conveyor-writer".to_owned());
    connect(&options).await
}

/// Opens a transaction that may write from its first statement on.
pub(super) async fn begin(conn: &mut SqliteConnection) -> sqlx::Result<()> {
    let patience = Patience::new();
    loop {
        let begun = sqlx::query("BEGIN IMMEDIATE").execute(&mut *conn).await;
        if !patience.again(&begun).await {
            return begun.map(drop);
        }
    }
}

fn read_only(path: &Path) -> SqliteConnectOptions {
    options(path)
        .read_only(true)
        .pragma("query_only", "ON")
        .pragma("cache_size", "-8192")
        .statement_cache_capacity(128)
        .row_buffer_size(256)
        .thread_name(|n| format!("conveyor-reader-{n}"))
}

/// One connection that only reads.
pub(super) async fn reader(path: &Path) -> sqlx::Result<SqliteConnection> {
    let options = read_only(path);
    connect(&options).await
}

/// The connections that only read.
pub(super) async fn readers(path: &Path, most: u32) -> sqlx::Result<SqlitePool> {
    let pool = SqlitePoolOptions::new()
        .max_connections(most.max(1))
        .min_connections(1)
        .acquire_timeout(Duration::from_secs(3))
        .max_lifetime(None)
        .idle_timeout(None);
    let options = read_only(path);
    let patience = Patience::new();
    loop {
        let opened = pool.clone().connect_with(options.clone()).await;
        if !patience.again(&opened).await {
            return opened;
        }
    }
}

/// Refuses an SQLite that could lose data.
pub(super) async fn check_version(conn: &mut SqliteConnection) -> StoreResult<()> {
    let version: String = sqlx::query_scalar("SELECT sqlite_version()")
        .fetch_one(&mut *conn)
        .await?;
    let parts: Vec<u32> = version
        .split('.')
        .filter_map(|part| part.parse().ok())
        .collect();
    if parts.as_slice() < OLDEST_SQLITE.as_slice() {
        return Err(StoreError::Fatal(format!(
            "SQLite {version} may lose data in its write-ahead log; 3.51.3 or later is needed"
        )));
    }
    Ok(())
}

/// Closes a connection whose state is in doubt; SQLite rolls back what was open on it.
pub(super) async fn discard(conn: SqliteConnection) {
    if let Err(error) = conn.close().await {
        tracing::debug!(%error, "a discarded connection did not close in order");
    }
}
