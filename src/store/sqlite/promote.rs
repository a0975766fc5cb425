//! Jobs whose time has come become ready. The index is named in the statements, because the planner
//! would rather read every waiting job of the state from the index of the lists.

use std::collections::HashMap;

use conveyor_model::state::State;
use conveyor_model::time::Timestamp;

use super::row;
use super::sql::Sql;
use super::work::{Single, Tx, Work};
use crate::store::StoreResult;

/// Makes scheduled jobs ready.
pub(super) const SCHEDULED: &str =
    "UPDATE job SET state = 'ready', version = version + 1 WHERE id IN
         (SELECT id FROM job INDEXED BY job_scheduled WHERE state = 'scheduled' AND run_at <= ? ORDER BY run_at LIMIT ?)
     RETURNING id, lane, version";

/// Makes retrying jobs ready.
pub(super) const RETRYING: &str =
    "UPDATE job SET state = 'ready', version = version + 1 WHERE id IN
         (SELECT id FROM job INDEXED BY job_retrying WHERE state = 'retrying' AND run_at <= ? ORDER BY run_at LIMIT ?)
     RETURNING id, lane, version";

/// A search for jobs that are due.
#[derive(Debug)]
pub(super) struct Promote {
    pub(super) now: Timestamp,
    pub(super) limit: usize,
}

impl Work for Promote {
    type Out = usize;
}

impl Single for Promote {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<usize> {
        let scheduled = promote(SCHEDULED, State::Scheduled, self.now, self.limit, tx)?;
        let rest = self.limit.saturating_sub(scheduled);
        let retrying = promote(RETRYING, State::Retrying, self.now, rest, tx)?;
        Ok(scheduled + retrying)
    }
}

fn promote(
    sql: &'static str,
    from: State,
    now: Timestamp,
    limit: usize,
    tx: &mut Tx<'_>,
) -> StoreResult<usize> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut lanes: HashMap<i64, i64> = HashMap::new();
    let due = tx.conn.all(sql, [now.micros(), limit], |row| {
        let lane: i64 = row.get(1)?;
        *lanes.entry(lane).or_default() += 1;
        if tx.watched {
            let lane = tx.lanes.get(tx.conn, lane)?;
            tx.effects
                .changed(row::id(row, 0)?, Some(State::Ready), &lane, row.get(2)?);
        }
        Ok(())
    })?;
    for (lane, n) in lanes {
        tx.effects
            .moved_many(lane, Some(from), Some(State::Ready), n);
    }
    Ok(due.len())
}
