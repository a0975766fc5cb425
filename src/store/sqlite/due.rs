//! Schedules with a slot due: reading them, noting that a slot waits, and putting those aside that
//! cannot be carried out.

use conveyor_model::event::Event;
use conveyor_model::name::ScheduleName;
use conveyor_model::time::Timestamp;
use rusqlite::params;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqlitePool};

use super::row;
use super::schedules::spec;
use super::sql::Sql;
use super::work::{Single, Tx, Work};
use crate::store::{DueSchedule, StoreResult};

/// Schedules by their due slots, longest due first, and whether one of their jobs waits or runs.
pub(super) const DUE: &str =
    "SELECT s.name, s.spec, s.next_at, s.anchor, s.version, s.waiting_slot = s.next_at,
         EXISTS (SELECT 1 FROM job j WHERE j.schedule = s.name
                 AND j.state IN ('scheduled', 'ready', 'running', 'retrying', 'blocked')),
         CAST(s.name AS BLOB)
     FROM schedule s WHERE s.next_at <= ? ORDER BY s.next_at LIMIT ?";

/// A schedule that cannot be carried out, and why.
#[derive(Debug)]
pub(super) struct Fault {
    /// The bytes of its name, which need not be one.
    name: Vec<u8>,
    version: i64,
    why: String,
}

impl Fault {
    /// The fault of a schedule that could be read.
    pub(super) fn of(name: &ScheduleName, version: i64, why: &str) -> Self {
        Fault {
            name: name.as_str().as_bytes().to_vec(),
            version,
            why: why.to_owned(),
        }
    }
}

/// Schedules with a slot due, and those among them whose rows cannot be read.
pub(super) async fn due(
    pool: &SqlitePool,
    now: Timestamp,
    limit: usize,
) -> StoreResult<(Vec<DueSchedule>, Vec<Fault>)> {
    let rows = sqlx::query(DUE)
        .bind(now.micros())
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(pool)
        .await?;
    let (mut due, mut faults) = (Vec::with_capacity(rows.len()), Vec::new());
    for row in &rows {
        match read(row) {
            Ok(schedule) => due.push(schedule),
            Err(error) => {
                tracing::error!(%error, "a schedule that is due cannot be read; it stands still");
                faults.push(Fault {
                    name: row.try_get(7)?,
                    version: row.try_get(4)?,
                    why: error.to_string(),
                });
            }
        }
    }
    Ok((due, faults))
}

fn read(row: &SqliteRow) -> StoreResult<DueSchedule> {
    Ok(DueSchedule {
        name: row::named(row, 0)?,
        spec: spec(row, 1)?,
        next_at: row::time(row, 2)?,
        anchor: row::time(row, 3)?,
        version: row.try_get(4)?,
        waiting: row.try_get::<Option<bool>, _>(5)?.unwrap_or(false),
        busy: row.try_get(6)?,
    })
}

/// Schedules are made to stand still. Answers how many did.
#[derive(Debug)]
pub(super) struct StandStill {
    pub(super) faults: Vec<Fault>,
}

impl Work for StandStill {
    type Out = u64;

    fn weight(&self) -> usize {
        self.faults.len()
    }
}

impl Single for StandStill {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<u64> {
        let mut stopped = 0;
        for fault in &self.faults {
            stopped += tx.conn.run(
                "UPDATE schedule SET next_at = NULL, waiting_slot = NULL, fault = ?
                 WHERE name = CAST(? AS TEXT) AND version = ?",
                params![fault.why, fault.name, fault.version],
            )?;
            let name = std::str::from_utf8(&fault.name).ok();
            if let Some(Ok(schedule)) = name.map(str::parse) {
                tx.effects.tell(Event::Schedule { schedule });
            }
        }
        Ok(u64::try_from(stopped).unwrap_or(u64::MAX))
    }
}

/// A schedule's due slot waits for its earlier job.
#[derive(Debug)]
pub(super) struct Hold {
    pub(super) name: ScheduleName,
    pub(super) version: i64,
    pub(super) slot: Timestamp,
}

impl Work for Hold {
    type Out = ();
}

impl Single for Hold {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
        tx.conn.run(
            "UPDATE schedule SET waiting_slot = next_at WHERE name = ? AND version = ? AND next_at = ?",
            params![self.name.as_str(), self.version, self.slot.micros()],
        )?;
        tx.effects.tell(Event::Schedule {
            schedule: self.name.clone(),
        });
        Ok(())
    }
}
