//! Opening the file: where it is, who may read it, and the settings of each connection.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{ConnectOptions, SqliteConnection, SqlitePool};

use super::error::{DriverError, is_busy};
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

/// What every connection is set to.
const SETTINGS: [(&str, &str); 4] = [
    ("temp_store", "MEMORY"),
    ("mmap_size", "0"),
    ("cell_size_check", "ON"),
    ("trusted_schema", "OFF"),
];

/// What the connection that writes is set to besides.
const WRITER_SETTINGS: [(&str, &str); 6] = [
    ("foreign_keys", "ON"),
    ("journal_mode", "WAL"),
    ("synchronous", "FULL"),
    ("cache_size", "-65536"),
    ("journal_size_limit", "67108864"),
    ("wal_autocheckpoint", "4000"),
];

/// How many statements the writer keeps prepared: more than it has.
const WRITER_STATEMENTS: usize = 256;

/// The wait for a lock that another process holds.
struct Patience(Instant);

impl Patience {
    fn new() -> Self {
        Patience(Instant::now() + BUSY_DEADLINE)
    }

    /// How long to pause before another try, if there is to be one.
    fn pause<T>(&self, attempt: &Result<T, impl DriverError>) -> Option<Duration> {
        let busy = attempt.as_ref().is_err_and(is_busy) && Instant::now() < self.0;
        busy.then_some(BUSY_PAUSE)
    }

    /// Tries until the lock is not the reason that it does not work.
    fn wait<T, E: DriverError>(attempt: impl Fn() -> Result<T, E>) -> Result<T, E> {
        let patience = Patience::new();
        loop {
            let tried = attempt();
            match patience.pause(&tried) {
                Some(pause) => std::thread::sleep(pause),
                None => return tried,
            }
        }
    }
}

/// The connection that writes. It blocks, so it is for a thread of its own.
pub(super) fn writer(path: &Path) -> rusqlite::Result<Connection> {
    // Only a new file heeds it, while any other would be written to, and its lock waited for.
    let is_new = std::fs::metadata(path).is_ok_and(|meta| meta.len() == 0);
    Patience::wait(|| {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(path, flags)?;
        conn.busy_timeout(BUSY_TIMEOUT)?;
        conn.set_prepared_statement_cache_capacity(WRITER_STATEMENTS);
        if is_new {
            conn.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
        }
        for (name, value) in SETTINGS.into_iter().chain(WRITER_SETTINGS) {
            conn.execute_batch(&format!("PRAGMA {name} = {value}"))?;
        }
        Ok(conn)
    })
}

/// Opens a transaction that may write from its first statement on.
pub(super) fn begin(conn: &Connection) -> rusqlite::Result<()> {
    Patience::wait(|| conn.prepare_cached("BEGIN IMMEDIATE")?.execute([])).map(drop)
}

fn read_only(path: &Path) -> SqliteConnectOptions {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(false)
        .busy_timeout(BUSY_TIMEOUT)
        .disable_statement_logging();
    SETTINGS
        .into_iter()
        .fold(options, |options, (name, value)| {
            options.pragma(name, value)
        })
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
    let patience = Patience::new();
    loop {
        let opened = options.connect().await;
        match patience.pause(&opened) {
            Some(pause) => tokio::time::sleep(pause).await,
            None => return opened,
        }
    }
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
        match patience.pause(&opened) {
            Some(pause) => tokio::time::sleep(pause).await,
            None => return opened,
        }
    }
}

/// Refuses an SQLite that could lose data.
pub(super) fn check_version() -> StoreResult<()> {
    let version = rusqlite::version();
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
pub(super) fn discard(conn: Connection) {
    if let Err((_, error)) = conn.close() {
        tracing::debug!(%error, "a discarded connection did not close in order");
    }
}
