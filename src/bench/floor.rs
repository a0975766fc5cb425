//! The floor: what SQLite itself can do on this machine with the tables and indexes of the queue.
//!
//! One thread, statements prepared once, a thousand rows a transaction, each synced; nothing of the
//! queue around it: no counts, no history, no events, nobody who waits. The statements are written out
//! here and not in the store, because they are to stay as they are while the store's change.

use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use rusqlite::{Connection, Statement, params};

use super::disk::Folder;
use super::number::rate;
use super::payload;
use crate::events::Events;
use crate::store::{self, StoreOptions};

/// Rows of one transaction.
const BATCH: usize = 1000;
/// The time of the first job, in microseconds; later ones follow by the microsecond.
const START: i64 = 1_790_000_000_000_000;
const LEASE: i64 = 30_000_000;
const WORKER: &str = "bench-1";

/// Jobs a second.
pub(super) struct Floor {
    pub(super) enqueue: f64,
    pub(super) drain: f64,
    pub(super) life: f64,
}

/// Stores and drains `backlog` jobs, then brings `lives` jobs from beginning to end, each time in a
/// fresh database.
pub(super) async fn measure(parent: &Path, backlog: usize, lives: usize) -> anyhow::Result<Floor> {
    let folder = fresh(parent).await?;
    let (enqueue, drain) = store_and_drain(&folder, backlog)?;
    drop(folder);
    let folder = fresh(parent).await?;
    let life = live(&folder, lives)?;
    Ok(Floor {
        enqueue,
        drain,
        life,
    })
}

/// A new database with the schema of the queue.
async fn fresh(parent: &Path) -> anyhow::Result<Folder> {
    let folder = Folder::new(parent)?;
    let options = StoreOptions {
        url: folder.database(),
        readers: 1,
    };
    store::open(&options, Events::default())
        .await?
        .close()
        .await;
    Ok(folder)
}

fn store_and_drain(folder: &Folder, jobs: usize) -> anyhow::Result<(f64, f64)> {
    let conn = connect(folder)?;
    let mut statements = Statements::prepare(&conn)?;
    let began = Instant::now();
    for first in (0..jobs).step_by(BATCH) {
        statements.enqueue(&conn, first, BATCH.min(jobs - first))?;
    }
    let enqueue = rate(jobs, began.elapsed());
    let began = Instant::now();
    let mut done = 0;
    while done < jobs {
        let claimed = statements.claim(&conn)?;
        anyhow::ensure!(!claimed.is_empty(), "jobs got lost in the floor");
        done += claimed.len();
        statements.finish(&conn, &claimed)?;
    }
    Ok((enqueue, rate(jobs, began.elapsed())))
}

fn live(folder: &Folder, jobs: usize) -> anyhow::Result<f64> {
    let conn = connect(folder)?;
    let mut statements = Statements::prepare(&conn)?;
    let began = Instant::now();
    for first in (0..jobs).step_by(BATCH) {
        statements.enqueue(&conn, first, BATCH.min(jobs - first))?;
        let claimed = statements.claim(&conn)?;
        statements.finish(&conn, &claimed)?;
    }
    Ok(rate(jobs, began.elapsed()))
}

/// A connection with what the queue's own has of settings that cost or gain speed.
fn connect(folder: &Folder) -> anyhow::Result<Connection> {
    let conn = Connection::open(folder.file()).context("cannot open the floor's database")?;
    conn.execute_batch(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = FULL;
         PRAGMA temp_store = MEMORY;
         PRAGMA cache_size = -65536;
         PRAGMA journal_size_limit = 67108864;
         PRAGMA wal_autocheckpoint = 4000;
         INSERT INTO series (id, queue, kind) VALUES (1, 'default', 'bench.noop');
         INSERT INTO lane (id, queue, kind, series) VALUES (1, 'default', 'bench.noop', 1);",
    )?;
    Ok(conn)
}

/// A job that was claimed: its id and its lease token.
type Claimed = (i64, i64);

struct Statements<'c> {
    job: Statement<'c>,
    body: Statement<'c>,
    claim: Statement<'c>,
    finish: Statement<'c>,
}

impl<'c> Statements<'c> {
    fn prepare(conn: &'c Connection) -> anyhow::Result<Self> {
        Ok(Statements {
            job: conn.prepare(
                "INSERT INTO job (id, state, lane, priority, run_at, max_attempts, timeout, created_at)
                 VALUES (?1, 'ready', 1, 5, ?2, 20, 300000000, ?2)",
            )?,
            body: conn.prepare("INSERT INTO job_body (id, payload) VALUES (?1, ?2)")?,
            claim: conn.prepare(
                "UPDATE job SET state = 'running', attempt = attempt + 1, token = token + 1,
                     version = version + 1, started_at = ?1, worker = ?2, lease_until = ?3, lease = ?4
                 WHERE id IN (SELECT id FROM job WHERE state = 'ready' AND lane = 1
                              ORDER BY priority DESC, run_at, id LIMIT ?5)
                 RETURNING id, token, (SELECT payload FROM job_body b WHERE b.id = job.id)",
            )?,
            finish: conn.prepare(
                "UPDATE job SET state = 'succeeded', finished_at = ?1, lease_until = NULL,
                     version = version + 1
                 WHERE id = ?2 AND token = ?3 AND +state = 'running'",
            )?,
        })
    }

    /// Stores jobs, the first of which is the `first` of all.
    fn enqueue(&mut self, conn: &Connection, first: usize, count: usize) -> anyhow::Result<()> {
        let transaction = conn.unchecked_transaction()?;
        for n in first..first + count {
            let id = i64::try_from(n)? + 1;
            self.job.execute(params![id, START + id])?;
            self.body.execute(params![id, payload::text(n)])?;
        }
        Ok(transaction.commit()?)
    }

    /// Claims the next jobs, and reads what a worker needs.
    fn claim(&mut self, conn: &Connection) -> anyhow::Result<Vec<Claimed>> {
        let transaction = conn.unchecked_transaction()?;
        let now = START + LEASE;
        let mut rows = self.claim.query(params![
            now,
            WORKER,
            now + LEASE,
            LEASE,
            i64::try_from(BATCH)?
        ])?;
        let mut claimed = Vec::with_capacity(BATCH);
        while let Some(row) = rows.next()? {
            let payload: String = row.get(2)?;
            anyhow::ensure!(!payload.is_empty(), "a payload got lost in the floor");
            claimed.push((row.get(0)?, row.get(1)?));
        }
        drop(rows);
        transaction.commit()?;
        Ok(claimed)
    }

    /// Ends jobs by success.
    fn finish(&mut self, conn: &Connection, claimed: &[Claimed]) -> anyhow::Result<()> {
        let transaction = conn.unchecked_transaction()?;
        let now = START + 2 * LEASE;
        for (id, token) in claimed {
            self.finish.execute(params![now, id, token])?;
        }
        Ok(transaction.commit()?)
    }
}
