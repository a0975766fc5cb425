//! Taking jobs out of the database with all that belongs to them.

use std::collections::HashMap;

use conveyor_model::name::JobId;
use conveyor_model::state::{Action, State};

use super::act::{one, refusal};
use super::edit::same_version;
use super::insert::json;
use super::row::{self, Columns};
use super::sql::Sql;
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

impl Single for Delete {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
        let hot = one(self.id, tx)?;
        same_version(self.version, hot.version)?;
        if !hot.state.allows(Action::Delete) {
            return Err(refusal(Action::Delete, hot.state).into());
        }
        remove(&[self.id.get()], tx)?;
        Ok(())
    }
}

/// Removes jobs; a running one stays. Answers how many went.
pub(super) fn remove(ids: &[i64], tx: &mut Tx<'_>) -> StoreResult<usize> {
    if ids.is_empty() {
        return Ok(0);
    }
    let list = json(ids)?;
    tx.conn.run(
        "DELETE FROM job_tag WHERE (tag, id) IN
             (SELECT t.value, b.id FROM json_each(?) i
              JOIN job_body b ON b.id = i.value JOIN json_each(b.tags) t WHERE b.tags IS NOT NULL)",
        [&list],
    )?;
    let mut counts: HashMap<(i64, State), i64> = HashMap::new();
    let gone: Vec<i64> = tx.conn.all(
        "DELETE FROM job WHERE id IN (SELECT value FROM json_each(?)) AND state <> 'running'
         RETURNING id, state, lane, version, dead_group",
        [&list],
        |row| {
            let (state, lane): (State, i64) = (row::state(row, 1)?, row.get(2)?);
            *counts.entry((lane, state)).or_default() += 1;
            if let Some(group) = row.text(4)? {
                tx.effects.left_dead(group);
            }
            if tx.watched {
                let lane = tx.lanes.get(tx.conn, lane)?;
                let version: i64 = row.get(3)?;
                tx.effects
                    .changed(row::id(row, 0)?, None, &lane, version + 1);
            }
            Ok(row.get(0)?)
        },
    )?;
    for ((lane, state), n) in counts {
        tx.effects.moved_many(lane, Some(state), None, n);
    }
    let list = json(&gone)?;
    for sql in BESIDE {
        tx.conn.run(sql, [&list])?;
    }
    Ok(gone.len())
}
