//! Lanes: a queue and a kind together, kept once and named by a number in every job.

use std::collections::HashMap;
use std::sync::Arc;

use conveyor_model::name::{Kind, QueueName};
use rusqlite::{Connection, params};

use super::error::corrupt;
use super::sql::Sql;
use crate::store::StoreResult;

/// How many queues and how many kinds have roll-ups of their own.
const MOST_LABELS: i64 = 200;
/// What roll-ups call the queues and kinds beyond that.
const OTHER: &str = "other";

/// A queue and a kind.
#[derive(Debug)]
pub(super) struct Lane {
    pub(super) id: i64,
    pub(super) queue: QueueName,
    pub(super) kind: Kind,
    /// What its roll-ups are kept by.
    pub(super) series: i64,
}

/// The lanes the writer has met. Rows of `lane` never change and are never deleted, so what is known
/// stays true; only a rolled-back transaction makes it doubtful, and then all is forgotten.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    by_id: HashMap<i64, Arc<Lane>>,
    by_name: HashMap<QueueName, HashMap<Kind, Arc<Lane>>>,
}

impl Lanes {
    /// Forgets all, because a transaction that may have made lanes was rolled back.
    pub(super) fn forget(&mut self) {
        self.by_id.clear();
        self.by_name.clear();
    }

    fn known(&self, queue: &QueueName, kind: &Kind) -> Option<Arc<Lane>> {
        self.by_name.get(queue)?.get(kind).cloned()
    }

    fn learn(&mut self, lane: Lane) -> Arc<Lane> {
        let lane = Arc::new(lane);
        self.by_id.insert(lane.id, Arc::clone(&lane));
        self.by_name
            .entry(lane.queue.clone())
            .or_default()
            .insert(lane.kind.clone(), Arc::clone(&lane));
        lane
    }

    /// The lane of a queue and a kind, made if there is none.
    pub(super) fn of(
        &mut self,
        conn: &Connection,
        queue: &QueueName,
        kind: &Kind,
    ) -> StoreResult<Arc<Lane>> {
        if let Some(lane) = self.known(queue, kind) {
            return Ok(lane);
        }
        let found = conn.first(
            "SELECT id, series FROM lane WHERE queue = ? AND kind = ?",
            [queue.as_str(), kind.as_str()],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let (id, series) = match found {
            Some(found) => found,
            None => make(conn, queue, kind)?,
        };
        Ok(self.learn(Lane {
            id,
            queue: queue.clone(),
            kind: kind.clone(),
            series,
        }))
    }

    /// The lane of that number.
    pub(super) fn get(&mut self, conn: &Connection, id: i64) -> StoreResult<Arc<Lane>> {
        if let Some(lane) = self.by_id.get(&id) {
            return Ok(Arc::clone(lane));
        }
        let sql = "SELECT queue, kind, series FROM lane WHERE id = ?";
        let (queue, kind, series): (String, String, i64) = conn
            .first(sql, [id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .ok_or_else(|| corrupt(format!("lane {id}"), "it is missing"))?;
        let bad = |why| corrupt(format!("lane {id}"), why);
        Ok(self.learn(Lane {
            id,
            queue: QueueName::new(queue).map_err(bad)?,
            kind: Kind::new(kind).map_err(bad)?,
            series,
        }))
    }
}

/// Stores a lane, its queue and what its roll-ups are kept by.
fn make(conn: &Connection, queue: &QueueName, kind: &Kind) -> StoreResult<(i64, i64)> {
    let (queue, kind) = (queue.as_str(), kind.as_str());
    conn.run(
        "INSERT INTO queue (name) VALUES (?) ON CONFLICT DO NOTHING",
        [queue],
    )?;
    let (full_of_queues, full_of_kinds): (bool, bool) = conn.one(
        "SELECT (SELECT count(DISTINCT queue) FROM series) >= ?3
                AND NOT EXISTS (SELECT 1 FROM series WHERE queue = ?1),
                (SELECT count(DISTINCT kind) FROM series) >= ?3
                AND NOT EXISTS (SELECT 1 FROM series WHERE kind = ?2)",
        params![queue, kind, MOST_LABELS],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let queue_label = if full_of_queues { OTHER } else { queue };
    let kind_label = if full_of_kinds { OTHER } else { kind };
    let series: i64 = conn.one(
        "INSERT INTO series (queue, kind) VALUES (?, ?)
         ON CONFLICT (queue, kind) DO UPDATE SET kind = excluded.kind RETURNING id",
        [queue_label, kind_label],
        |row| Ok(row.get(0)?),
    )?;
    let id = conn.one(
        "INSERT INTO lane (queue, kind, series) VALUES (?, ?, ?) RETURNING id",
        params![queue, kind, series],
        |row| Ok(row.get(0)?),
    )?;
    Ok((id, series))
}
