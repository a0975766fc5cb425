//! The queue in one SQLite file: a writer's thread, a pool of read-only connections, and nothing between
//! them but the file.

mod act;
mod ahead;
mod claim;
mod connect;
mod dead;
mod decide;
mod due;
mod edit;
mod effects;
mod elsewhere;
mod error;
mod fill;
mod finish;
mod health;
mod hearing;
mod inbox;
mod insert;
mod job;
mod jobs;
mod lanes;
mod migrate;
mod moves;
mod notes;
mod path;
#[cfg(test)]
mod plans;
mod promote;
mod prune;
mod queues;
mod remove;
mod renew;
mod request;
mod rescue;
mod rollup;
mod row;
mod runs;
mod schedules;
mod sessions;
mod set_back;
mod sift;
mod sql;
mod stats;
mod verbs;
mod waiting;
mod work;
mod workers;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use conveyor_model::job::Claimed;
use rusqlite::Connection;
use sqlx::SqlitePool;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use self::claim::Claims;
use self::health::{Health, Pinger};
use self::hearing::Hearing;
use self::inbox::{Command, Commands, Inbox};
use self::work::{Asked, Single, Work};
pub use self::work::{Hook, Hooks};
use self::workers::Heard;
use self::writer::Writer;
use super::{Store, StoreError, StoreOptions, StoreResult};
use crate::events::Events;

/// The queue in one SQLite file.
#[derive(Debug)]
struct Sqlite {
    path: PathBuf,
    readers: SqlitePool,
    /// None once the store is closed.
    commands: RwLock<Option<Commands>>,
    /// Hears of the writer's end.
    writer: tokio::sync::Mutex<Option<oneshot::Receiver<()>>>,
    pinger: Pinger,
    heard: Arc<Heard>,
    health: Arc<Health>,
    hooks: Arc<Hooks>,
}

/// Opens the file as [`super::open`] does, with places for tests to reach in.
pub async fn open(
    options: &StoreOptions,
    events: Events,
    hooks: Hooks,
) -> StoreResult<Arc<dyn Store>> {
    let path = connect::path_of(&options.url)?;
    let ours = path.clone();
    let conn = blocking(move || open_writer(&ours)).await?;
    let readers = connect::readers(&path, options.readers).await?;
    let health = Arc::new(Health::new()?);
    let hooks = Arc::new(hooks);
    let (commands, inbox) = inbox::commands();
    let writer = Writer::new(
        path.clone(),
        conn,
        events,
        Arc::clone(&health),
        Arc::clone(&hooks),
    );
    Ok(Arc::new(Sqlite {
        pinger: Pinger::new(path.clone()),
        path,
        readers,
        commands: RwLock::new(Some(commands)),
        writer: tokio::sync::Mutex::new(Some(start(writer, inbox)?)),
        heard: Arc::default(),
        health,
        hooks,
    }))
}

/// Does something that blocks, where it holds nobody up.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> StoreResult<T> + Send + 'static,
) -> StoreResult<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(StoreError::Unavailable(error.to_string())))
}

/// The writer's connection, to a file that has the newest schema.
fn open_writer(path: &Path) -> StoreResult<Connection> {
    connect::check_version()?;
    connect::prepare(path).map_err(|error| {
        StoreError::Unavailable(format!("cannot make {}: {error}", path.display()))
    })?;
    let lock = migrate::lock(path)?;
    let conn = connect::writer(path)?;
    migrate::run(&conn, path)?;
    drop(lock);
    Ok(conn)
}

/// Starts the writer's thread; what is answered hears when it has ended, or that it did so in disorder.
fn start(writer: Writer, inbox: Inbox) -> StoreResult<oneshot::Receiver<()>> {
    let (ended, end) = oneshot::channel();
    let runtime = Handle::current();
    std::thread::Builder::new()
        .name("conveyor-writer".to_owned())
        .spawn(move || {
            let _entered = runtime.enter();
            writer.run(inbox);
            // Nobody listens when the store was dropped without being closed.
            let _ = ended.send(());
        })
        .map_err(|error| StoreError::Unavailable(format!("no thread for the writer: {error}")))?;
    Ok(end)
}

/// Whether there is a file at the address.
pub(super) fn exists(url: &str) -> StoreResult<bool> {
    Ok(connect::path_of(url)?.exists())
}

fn closed() -> StoreError {
    StoreError::Unavailable("the store is closed".to_owned())
}

impl Sqlite {
    /// Hands work to the writer and waits for its answer. Whoever stops waiting does not stop the work.
    async fn ask<W: Work>(
        &self,
        work: W,
        command: impl FnOnce(Asked<W>) -> Command + Send,
    ) -> StoreResult<W::Out> {
        let commands = self.commands()?;
        let (asked, answer) = Asked::new(work);
        if !commands.send(command(asked)).await {
            return Err(closed());
        }
        drop(commands);
        answer.await.map_err(|_| closed())?
    }

    /// Asks for jobs. Those whose caller has stopped waiting are given back.
    async fn claim_for(&self, claims: Claims) -> StoreResult<Vec<Claimed>> {
        let commands = self.commands()?;
        let now = claims.now();
        let (asked, answer) = Asked::new(claims);
        if !commands.send(Command::Claim(asked)).await {
            return Err(closed());
        }
        // Whoever waits for a job must not keep a closed store open.
        let mut hearing = Hearing::new(answer, commands.downgrade(), now);
        drop(commands);
        hearing.hear().await.unwrap_or_else(|| Err(closed()))
    }

    fn commands(&self) -> StoreResult<Commands> {
        let commands = self.commands.read().unwrap_or_else(PoisonError::into_inner);
        commands.clone().ok_or_else(closed)
    }

    /// The same for work that is done by itself.
    async fn alone<W: Single>(&self, work: W) -> StoreResult<W::Out> {
        self.ask(work, |asked| Command::Other(Box::new(asked)))
            .await
    }

    /// Finishes what was accepted and closes every connection.
    async fn shut(&self) {
        let commands = self
            .commands
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        // The writer last, which ends when nobody can send it commands: SQLite moves the write-ahead log
        // into the file when the last connection closes, unless that one may only read.
        self.pinger.close().await;
        self.readers.close().await;
        drop(commands);
        if let Some(writer) = self.writer.lock().await.take()
            && writer.await.is_err()
        {
            tracing::error!("the writer ended in disorder");
        }
    }
}
