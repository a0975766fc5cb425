//! Taking jobs out of the database with all that belongs to them.

use std::collections::HashMap;

use async_trait::async_trait;
use conveyor_model::name::JobId;
use conveyor_model::state::{Action, State};
use sqlx::Row;

use super::act::{one, refusal};
use super::edit::same_version;
use super::insert::json;
use super::row;
use super::work::{Single, Tx, Work};
use crate::store::StoreResult;

/// What is kept beside a job, by its id.
const BESIDE: [&str; 5] = [
    "DELETE FROM job_body WHERE id IN (SELECT value FROM json_each(?))",
    "DELETE FROM job_result WHERE id IN (SELECT value FROM json_each(?))",
    "DELETE FROM job_progress WHERE id IN (SELECT value FROM json_each(?))",
    "DELETE FROM attempt WHERE id IN (SELECT value FROM json_each(?))",
    "DELETE FROM job_log WHERE id IN (SELECT value FROM json_each(?))",
];

/// One job is deleted, if it is still at that version.
#[derive(Debug)]
pub(super) struct Delete {
    pub(super) id: JobId,
    pub(super) version: Option<i64>,
}

impl Work for Delete {
    type Out = ();
}

#[async_trait]
impl Single for Delete {
    async fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
        let hot = one(self.id, tx).await?;
        same_version(self.version, hot.version)?;
        if !hot.state.allows(Action::Delete) {
            return Err(refusal(Action::Delete, hot.state).into());
        }
        remove(&[self.id.get()], tx).await?;
        Ok(())
    }
}

/// Removes jobs; a running one stays. Answers how many went.
pub(super) async fn remove(ids: &[i64], tx: &mut Tx<'_>) -> StoreResult<usize> {
    if ids.is_empty() {
        return Ok(0);
    }
    let list = json(ids)?;
    sqlx::query(
        "DELETE FROM job_tag WHERE (tag, id) IN
             (SELECT t.value, b.id FROM json_each(?) i
              JOIN job_body b ON b.id = i.value JOIN json_each(b.tags) t WHERE b.tags IS NOT NULL)",
    )
    .bind(&list)
    .execute(&mut *tx.conn)
    .await?;
    let rows = sqlx::query(
        "DELETE FROM job WHERE id IN (SELECT value FROM json_each(?)) AND state <> 'running'
         RETURNING id, state, lane, version, dead_group",
    )
    .bind(&list)
    .fetch_all(&mut *tx.conn)
    .await?;
    let mut gone = Vec::with_capacity(rows.len());
    let mut counts: HashMap<(i64, State), i64> = HashMap::new();
    for row in &rows {
        let id: i64 = row.try_get(0)?;
        let (state, lane): (State, i64) = (row::state(row, 1)?, row.try_get(2)?);
        gone.push(id);
        *counts.entry((lane, state)).or_default() += 1;
        if let Some(group) = row.try_get::<Option<&str>, _>(4)? {
            tx.effects.left_dead(group);
        }
        if tx.watched {
            let lane = tx.lanes.get(tx.conn, lane).await?;
            let version: i64 = row.try_get(3)?;
            tx.effects
                .changed(row::id(row, 0)?, None, &lane, version + 1);
        }
    }
    for ((lane, state), n) in counts {
        tx.effects.moved_many(lane, Some(state), None, n);
    }
    let list = json(&gone)?;
    for sql in BESIDE {
        sqlx::query(sql).bind(&list).execute(&mut *tx.conn).await?;
    }
    Ok(gone.len())
}
