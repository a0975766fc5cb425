//! Lanes: a queue and a kind together, kept once and named by a number in every job.

use std::collections::HashMap;
use std::sync::Arc;

use conveyor_model::name::{Kind, QueueName};
use sqlx::{Row, SqliteConnection};

use super::error::corrupt;
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
    pub(super) async fn of(
        &mut self,
        conn: &mut SqliteConnection,
        queue: &QueueName,
        kind: &Kind,
    ) -> StoreResult<Arc<Lane>> {
        if let Some(lane) = self.known(queue, kind) {
            return Ok(lane);
        }
        let found = sqlx::query("SELECT id, series FROM lane WHERE queue = ? AND kind = ?")
            .bind(queue.as_str())
            .bind(kind.as_str())
            .fetch_optional(&mut *conn)
            .await?;
        let (id, series) = match found {
            Some(row) => (row.try_get(0)?, row.try_get(1)?),
            None => make(conn, queue, kind).await?,
        };
        Ok(self.learn(Lane {
            id,
            queue: queue.clone(),
            kind: kind.clone(),
            series,
        }))
    }

    /// The lane of that number.
    pub(super) async fn get(
        &mut self,
        conn: &mut SqliteConnection,
        id: i64,
    ) -> StoreResult<Arc<Lane>> {
        if let Some(lane) = self.by_id.get(&id) {
            return Ok(Arc::clone(lane));
        }
        let row = sqlx::query("SELECT queue, kind, series FROM lane WHERE id = ?")
            .bind(id)
            .fetch_optional(&mut *conn)
            .await?
            .ok_or_else(|| corrupt(format!("lane {id}"), "it is missing"))?;
        let bad = |why| corrupt(format!("lane {id}"), why);
        Ok(self.learn(Lane {
            id,
            queue: QueueName::new(row.try_get::<String, _>(0)?).map_err(bad)?,
            kind: Kind::new(row.try_get::<String, _>(1)?).map_err(bad)?,
            series: row.try_get(2)?,
        }))
    }
}

/// Stores a lane, its queue and what its roll-ups are kept by.
async fn make(
    conn: &mut SqliteConnection,
    queue: &QueueName,
    kind: &Kind,
) -> StoreResult<(i64, i64)> {
    sqlx::query("INSERT INTO queue (name) VALUES (?) ON CONFLICT DO NOTHING")
        .bind(queue.as_str())
        .execute(&mut *conn)
        .await?;
    let full: (bool, bool) = sqlx::query_as(
        "SELECT (SELECT count(DISTINCT queue) FROM series) >= ?3
                AND NOT EXISTS (SELECT 1 FROM series WHERE queue = ?1),
                (SELECT count(DISTINCT kind) FROM series) >= ?3
                AND NOT EXISTS (SELECT 1 FROM series WHERE kind = ?2)",
    )
    .bind(queue.as_str())
    .bind(kind.as_str())
    .bind(MOST_LABELS)
    .fetch_one(&mut *conn)
    .await?;
    let queue_label = if full.0 { OTHER } else { queue.as_str() };
    let kind_label = if full.1 { OTHER } else { kind.as_str() };
    let series: i64 = sqlx::query_scalar(
        "INSERT INTO series (queue, kind) VALUES (?, ?)
         ON CONFLICT (queue, kind) DO UPDATE SET kind = excluded.kind RETURNING id",
    )
    .bind(queue_label)
    .bind(kind_label)
    .fetch_one(&mut *conn)
    .await?;
    let id: i64 =
        sqlx::query_scalar("INSERT INTO lane (queue, kind, series) VALUES (?, ?, ?) RETURNING id")
            .bind(queue.as_str())
            .bind(kind.as_str())
            .bind(series)
            .fetch_one(&mut *conn)
            .await?;
    Ok((id, series))
}
