//! Workers: signs of life, and what they are told.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use conveyor_model::event::Event;
use conveyor_model::name::{Kind, WorkerName};
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::{Worker, WorkerHealth, WorkerJob, WorkerState};
use rusqlite::params;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqlitePool};

use super::insert::json;
use super::row;
use super::sql::Sql;
use super::work::{Single, Tx, Work};
use crate::store::{StoreResult, WorkerSeen};

/// How long a silent worker is shown.
pub(super) const SHOWN: Span = Span::from_secs(86_400);
/// How many of its jobs are shown.
const MOST_JOBS: usize = 50;

/// How old a stored sign of life may grow while the worker says nothing new and nobody else reads it.
const STORED: Span = Span::from_secs(900);
/// How many workers are remembered before old ones are looked for.
const MANY: usize = 1000;

/// When this process last heard of its workers, which spares an idle queue the writing of it.
#[derive(Debug, Default)]
pub(super) struct Heard(Mutex<HashMap<WorkerName, Timestamp>>);

impl Heard {
    fn with<T>(&self, f: impl FnOnce(&mut HashMap<WorkerName, Timestamp>) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note(&self, name: &WorkerName, now: Timestamp) {
        self.with(|heard| {
            if heard.len() >= MANY {
                heard.retain(|_, at| now.since(*at) < STORED);
            }
            heard.insert(name.clone(), now);
        });
    }

    fn forget(&self, name: &WorkerName) {
        self.with(|heard| heard.remove(name));
    }

    /// Who was heard of after a time.
    pub(super) fn since(&self, time: Timestamp) -> Vec<WorkerName> {
        self.with(|heard| {
            let lately = heard.iter().filter(|(_, at)| **at > time);
            lately.map(|(name, _)| name.clone()).collect()
        })
    }

    /// The later of when a worker was heard of and what is stored of that.
    fn latest(&self, name: &WorkerName, stored: Timestamp) -> Timestamp {
        let heard = self.with(|heard| heard.get(name).copied());
        heard.map_or(stored, |heard| heard.max(stored))
    }
}

/// A worker was heard of.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) worker: WorkerSeen,
    pub(super) heard: Arc<Heard>,
    pub(super) now: Timestamp,
}

/// What a worker is told that is known as it says it is, and was heard of between two times.
const KNOWN: &str = "SELECT state FROM worker
     WHERE name = ?1 AND queues = ?2 AND kinds IS ?3 AND slots IS coalesce(?4, slots) AND in_process = ?5
         AND version IS coalesce(?6, version) AND seen_at BETWEEN ?7 - ?8 AND ?7";

impl Work for Seen {
    type Out = WorkerState;
}

impl Single for Seen {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<WorkerState> {
        let seen = &self.worker;
        self.heard.note(&seen.name, self.now);
        let queues = json(&seen.queues)?;
        let kinds = seen.kinds.as_ref().map(json).transpose()?;
        let slots = seen.slots.map(i64::from);
        let in_process = i64::from(seen.in_process);
        let (version, now) = (seen.version.as_deref(), self.now.micros());
        let name = seen.name.as_str();
        if !tx.elsewhere.is_shared(tx.conn, self.now)? {
            let oldest = STORED.micros();
            let known = params![name, queues, kinds, slots, in_process, version, now, oldest];
            let known = tx.conn.first(KNOWN, known, |row| row::named(row, 0))?;
            if let Some(state) = known {
                return Ok(state);
            }
        }
        let (state, is_new): (WorkerState, bool) = tx.conn.one(
            "INSERT INTO worker (name, queues, kinds, slots, state, in_process, version, started_at, seen_at)
             VALUES (?1, ?2, ?3, ?4, 'run', ?5, ?6, ?7, ?7)
             ON CONFLICT (name) DO UPDATE SET queues = excluded.queues, kinds = excluded.kinds,
                 slots = coalesce(excluded.slots, slots), in_process = excluded.in_process,
                 version = coalesce(excluded.version, version), seen_at = excluded.seen_at
             RETURNING state, started_at = seen_at",
            params![name, queues, kinds, slots, in_process, version, now],
            |row| Ok((row::named(row, 0)?, row.get(1)?)),
        )?;
        if is_new {
            tx.effects.tell(Event::Worker {
                worker: seen.name.clone(),
            });
        }
        Ok(state)
    }
}

/// A worker stopped in good order.
#[derive(Debug)]
pub(super) struct Gone {
    pub(super) name: WorkerName,
    pub(super) heard: Arc<Heard>,
}

impl Work for Gone {
    type Out = ();
}

impl Single for Gone {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
        self.heard.forget(&self.name);
        tx.conn
            .run("DELETE FROM worker WHERE name = ?", [self.name.as_str()])?;
        tx.effects.tell(Event::Worker {
            worker: self.name.clone(),
        });
        Ok(())
    }
}

/// A worker is told what to do.
#[derive(Debug)]
pub(super) struct Tell {
    pub(super) name: WorkerName,
    pub(super) state: WorkerState,
}

impl Work for Tell {
    type Out = bool;
}

impl Single for Tell {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<bool> {
        let told = tx.conn.run(
            "UPDATE worker SET state = ? WHERE name = ?",
            [self.state.as_str(), self.name.as_str()],
        )?;
        tx.effects.tell(Event::Worker {
            worker: self.name.clone(),
        });
        Ok(told > 0)
    }
}

/// Workers heard of in the last day, latest first, with the jobs they run.
pub(super) async fn workers(
    pool: &SqlitePool,
    heard: &Heard,
    now: Timestamp,
) -> StoreResult<Vec<Worker>> {
    let mut conn = pool.acquire().await?;
    let rows = sqlx::query(
        "SELECT j.id, l.kind, j.started_at, j.worker FROM job j JOIN lane l ON l.id = j.lane
         WHERE j.state = 'running' ORDER BY j.started_at",
    )
    .fetch_all(&mut *conn)
    .await?;
    let mut running: HashMap<String, (u32, Vec<WorkerJob>)> = HashMap::new();
    for row in &rows {
        let worker: Option<String> = row.try_get(3)?;
        let entry = running.entry(worker.unwrap_or_default()).or_default();
        entry.0 = entry.0.saturating_add(1);
        if entry.1.len() < MOST_JOBS {
            let row = std::slice::from_ref(row);
            entry.1.extend(row::sound("a running job", row, read_job));
        }
    }
    let rows = sqlx::query(
        "SELECT name, queues, kinds, slots, state, in_process, version, started_at, seen_at
         FROM worker WHERE seen_at > ? ORDER BY seen_at DESC, name LIMIT 1000",
    )
    .bind(now.minus(SHOWN).micros())
    .fetch_all(&mut *conn)
    .await?;
    let mut workers = row::sound("a worker", &rows, |row| read(row, heard, now));
    workers.sort_by(|a, b| (b.seen_at, &a.name).cmp(&(a.seen_at, &b.name)));
    for worker in &mut workers {
        if let Some((busy, jobs)) = running.remove(worker.name.as_str()) {
            // Beyond its slots are jobs it has taken ahead.
            worker.busy = worker.slots.map_or(busy, |slots| busy.min(slots));
            worker.jobs = jobs;
        }
    }
    Ok(workers)
}

fn read_job(row: &SqliteRow) -> StoreResult<WorkerJob> {
    Ok(WorkerJob {
        id: row::id(row, 0)?,
        kind: row::named(row, 1)?,
        started_at: row::time_or_none(row, 2)?.unwrap_or_default(),
    })
}

fn read(row: &SqliteRow, heard: &Heard, now: Timestamp) -> StoreResult<Worker> {
    let slots: Option<i64> = row.try_get(3)?;
    let name = row::named(row, 0)?;
    let seen_at = heard.latest(&name, row::time(row, 8)?);
    Ok(Worker {
        name,
        queues: row::json(row, 1)?,
        kinds: row::json::<Vec<Kind>>(row, 2)?,
        slots: slots.and_then(|slots| u32::try_from(slots).ok()),
        busy: 0,
        state: row::named(row, 4)?,
        health: WorkerHealth::at(seen_at, now),
        started_at: row::time(row, 7)?,
        seen_at,
        jobs: Vec::new(),
        in_process: row.try_get::<i64, _>(5)? != 0,
        version: row.try_get(6)?,
    })
}
