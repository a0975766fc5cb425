//! Workers: signs of life, and what they are told.

use std::collections::HashMap;

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

/// A worker was heard of.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) seen: WorkerSeen,
    pub(super) now: Timestamp,
}

impl Work for Seen {
    type Out = WorkerState;
}

impl Single for Seen {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<WorkerState> {
        let seen = &self.seen;
        let kinds = seen.kinds.as_ref().map(json).transpose()?;
        let (state, is_new): (WorkerState, bool) = tx.conn.one(
            "INSERT INTO worker (name, queues, kinds, slots, state, in_process, version, started_at, seen_at)
             VALUES (?1, ?2, ?3, ?4, 'run', ?5, ?6, ?7, ?7)
             ON CONFLICT (name) DO UPDATE SET queues = excluded.queues, kinds = excluded.kinds,
                 slots = coalesce(excluded.slots, slots), in_process = excluded.in_process,
                 version = coalesce(excluded.version, version), seen_at = excluded.seen_at
             RETURNING state, started_at = seen_at",
            params![
                seen.name.as_str(),
                json(&seen.queues)?,
                kinds,
                seen.slots.map(i64::from),
                i64::from(seen.in_process),
                seen.version.as_deref(),
                self.now.micros(),
            ],
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
}

impl Work for Gone {
    type Out = ();
}

impl Single for Gone {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
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
pub(super) async fn workers(pool: &SqlitePool, now: Timestamp) -> StoreResult<Vec<Worker>> {
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
    let mut workers = row::sound("a worker", &rows, |row| read(row, now));
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

fn read(row: &SqliteRow, now: Timestamp) -> StoreResult<Worker> {
    let slots: Option<i64> = row.try_get(3)?;
    let seen_at = row::time(row, 8)?;
    Ok(Worker {
        name: row::named(row, 0)?,
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
