//! Schedules as people write them, and their slots.

use std::collections::HashSet;

use conveyor_model::error::{ConflictCode, OperatorError, Thing};
use conveyor_model::event::Event;
use conveyor_model::name::ScheduleName;
use conveyor_model::schedule::{Schedule, ScheduleSpec, Slot};
use conveyor_model::time::Timestamp;
use rusqlite::{Connection, params};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqlitePool};

use super::edit::same_version;
use super::error::corrupt;
use super::insert::json;
use super::row;
use super::sql::Sql;
use super::work::{Single, Tx, Work};
use crate::store::StoreResult;

/// A stored schedule with its latest slot, and how the statement goes on.
macro_rules! select_schedules {
    ($rest:literal) => {
        concat!(
            "SELECT s.name, s.spec, s.next_at, s.anchor, s.paused_by, s.created_at, s.updated_at, s.version,
                 t.slot, t.status, t.reason, t.n, t.job_id, t.at, s.waiting_slot, s.fault
             FROM schedule s LEFT JOIN slot t ON t.schedule = s.name AND t.slot =
                 (SELECT max(slot) FROM slot WHERE schedule = s.name) ",
            $rest
        )
    };
}

pub(super) fn spec(row: &SqliteRow, column: usize) -> StoreResult<ScheduleSpec> {
    let text: &str = row.try_get(column)?;
    let name: &str = row.try_get(0)?;
    serde_json::from_str(text).map_err(|why| corrupt(format!("schedule {name}"), why))
}

fn read(row: &SqliteRow) -> StoreResult<Schedule> {
    let last_slot = match row.try_get::<Option<i64>, _>(8)? {
        Some(_) => Some(read_slot(row, 8)?),
        None => None,
    };
    Ok(Schedule {
        name: row::named(row, 0)?,
        spec: spec(row, 1)?,
        description: String::new(),
        next_at: row::time_or_none(row, 2)?,
        waiting_slot: row::time_or_none(row, 14)?,
        fault: row.try_get(15)?,
        anchor: row::time(row, 3)?,
        last_slot,
        paused_by: row.try_get(4)?,
        created_at: row::time(row, 5)?,
        updated_at: row::time(row, 6)?,
        version: row.try_get(7)?,
    })
}

/// A slot from the columns `slot, status, reason, n, job_id, at`.
pub(super) fn read_slot(row: &SqliteRow, first: usize) -> StoreResult<Slot> {
    Ok(Slot {
        slot: row::time(row, first)?,
        status: row::named(row, first + 1)?,
        reason: row::parsed(row, first + 2)?,
        count: row::big_count(row, first + 3)?,
        job_id: row::id_or_none(row, first + 4)?,
        at: row::time(row, first + 5)?,
    })
}

/// Every schedule, by name.
pub(super) async fn schedules(pool: &SqlitePool) -> StoreResult<Vec<Schedule>> {
    let rows = sqlx::query(select_schedules!("ORDER BY s.name"))
        .fetch_all(pool)
        .await?;
    Ok(row::sound("a schedule", &rows, read))
}

/// One schedule.
pub(super) async fn schedule(
    pool: &SqlitePool,
    name: &ScheduleName,
) -> StoreResult<Option<Schedule>> {
    let row = sqlx::query(select_schedules!("WHERE s.name = ?"))
        .bind(name.as_str())
        .fetch_optional(pool)
        .await?;
    row.as_ref().map(read).transpose()
}

/// A schedule's latest slots, newest first.
pub(super) async fn slots(
    pool: &SqlitePool,
    name: &ScheduleName,
    limit: usize,
) -> StoreResult<Vec<Slot>> {
    let rows = sqlx::query(
        "SELECT slot, status, reason, n, job_id, at FROM slot WHERE schedule = ?
         ORDER BY slot DESC LIMIT ?",
    )
    .bind(name.as_str())
    .bind(i64::try_from(limit).unwrap_or(i64::MAX))
    .fetch_all(pool)
    .await?;
    Ok(row::sound("a slot", &rows, |row| read_slot(row, 0)))
}

/// Which of these slots are decided already. Only the instants are read, so that a damaged slot is not
/// decided anew.
pub(super) async fn decided(
    pool: &SqlitePool,
    name: &ScheduleName,
    among: &[Timestamp],
) -> StoreResult<HashSet<Timestamp>> {
    let among: Vec<i64> = among.iter().map(|slot| slot.micros()).collect();
    let known: Vec<i64> = sqlx::query_scalar(
        "SELECT slot FROM slot WHERE schedule = ? AND slot IN (SELECT value FROM json_each(?))",
    )
    .bind(name.as_str())
    .bind(json(&among)?)
    .fetch_all(pool)
    .await?;
    Ok(known.into_iter().map(Timestamp::from_micros).collect())
}

/// Jobs of a schedule that wait or run.
pub(super) const UNFINISHED: &str = "SELECT id FROM job WHERE schedule = ?
     AND state IN ('scheduled', 'ready', 'running', 'retrying', 'blocked') ORDER BY id LIMIT 1000";

/// Whether a schedule has a job that waits or runs.
pub(super) fn is_busy(conn: &Connection, name: &ScheduleName) -> StoreResult<bool> {
    conn.one(
        "SELECT EXISTS (SELECT 1 FROM job WHERE schedule = ?
             AND state IN ('scheduled', 'ready', 'running', 'retrying', 'blocked'))",
        [name.as_str()],
        |row| Ok(row.get(0)?),
    )
}

/// The version of a schedule, if there is one.
fn version(conn: &Connection, name: &ScheduleName) -> StoreResult<Option<i64>> {
    let sql = "SELECT version FROM schedule WHERE name = ?";
    conn.first(sql, [name.as_str()], |row| Ok(row.get(0)?))
}

/// A schedule is made or replaced.
#[derive(Debug)]
pub(super) struct PutSchedule {
    pub(super) name: ScheduleName,
    pub(super) spec: ScheduleSpec,
    pub(super) next_at: Option<Timestamp>,
    pub(super) by: String,
    pub(super) version: Option<i64>,
    pub(super) now: Timestamp,
}

impl Work for PutSchedule {
    type Out = ();
}

impl PutSchedule {
    /// Refuses a version that is not the stored one; 0 means that there must be none.
    fn check(&self, stored: Option<i64>) -> Result<(), OperatorError> {
        match (self.version, stored) {
            (None, _) | (Some(0), None) => Ok(()),
            (Some(0), Some(_)) => {
                let detail = format!("a schedule named {} exists already", self.name);
                Err(OperatorError::conflict(ConflictCode::Exists, detail))
            }
            (Some(_), None) => Err(OperatorError::not_found(Thing::Schedule, &self.name)),
            (asked, Some(current)) => same_version(asked, current),
        }
    }
}

impl Single for PutSchedule {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
        self.check(version(tx.conn, &self.name)?)?;
        // A new expression counts from now; who paused it stays while it stays paused.
        tx.conn.run(
            "INSERT INTO schedule (name, spec, next_at, anchor, paused_by, created_at, updated_at, version)
             VALUES (?1, ?2, ?3, ?4, ?5, ?4, ?4, 1)
             ON CONFLICT (name) DO UPDATE SET spec = excluded.spec, next_at = excluded.next_at,
                 anchor = CASE WHEN iif(json_valid(spec), spec ->> 'cron', NULL) = excluded.spec ->> 'cron'
                               THEN anchor ELSE excluded.anchor END,
                 paused_by = CASE WHEN excluded.paused_by IS NULL THEN NULL
                                  ELSE coalesce(paused_by, excluded.paused_by) END,
                 updated_at = excluded.updated_at, version = version + 1,
                 fault = NULL, waiting_slot = NULL",
            params![
                self.name.as_str(),
                json(&self.spec)?,
                self.next_at.map(Timestamp::micros),
                self.now.micros(),
                self.spec.paused.then_some(self.by.as_str()),
            ],
        )?;
        tx.effects.tell(Event::Schedule {
            schedule: self.name.clone(),
        });
        Ok(())
    }
}

/// A schedule is removed.
#[derive(Debug)]
pub(super) struct DeleteSchedule {
    pub(super) name: ScheduleName,
    pub(super) version: Option<i64>,
}

impl Work for DeleteSchedule {
    type Out = ();
}

impl Single for DeleteSchedule {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
        let missing = || OperatorError::not_found(Thing::Schedule, &self.name);
        let current = version(tx.conn, &self.name)?.ok_or_else(missing)?;
        same_version(self.version, current)?;
        for sql in [
            "DELETE FROM slot WHERE schedule = ?",
            "DELETE FROM slot_total WHERE schedule = ?",
            "DELETE FROM schedule WHERE name = ?",
        ] {
            tx.conn.run(sql, [self.name.as_str()])?;
        }
        tx.effects.tell(Event::Schedule {
            schedule: self.name.clone(),
        });
        Ok(())
    }
}
