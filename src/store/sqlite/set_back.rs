//! The clock has gone back: what was to last for a length of time must not last until the old time
//! comes again.
//!
//! Both statements may run on several servers, one after the other, and change nothing the second time.

use conveyor_model::state::State;
use conveyor_model::time::Timestamp;

use super::row;
use super::sql::Sql;
use super::work::{Single, Tx, Work};
use crate::store::StoreResult;

/// No lease lasts longer from now than it was given for.
const LEASES: &str = "UPDATE job SET lease_until = ?1 + lease
     WHERE state = 'running' AND lease_until > ?1 + lease";

/// A job whose last attempt ended in what is now the future waits from now for as long as it was to wait
/// then. A wait longer than the step itself is left alone: it ends after twice its length at the most, and
/// could not be told from one that was shortened already.
const RETRIES: &str =
    "UPDATE job SET run_at = ?1 + (job.run_at - a.finished_at), version = version + 1
     FROM attempt a
     WHERE job.state = 'retrying' AND a.id = job.id AND a.token = job.token AND a.finished_at > ?1
         AND job.run_at > a.finished_at AND job.run_at - a.finished_at <= a.finished_at - ?1
     RETURNING id, lane, version";

/// A look for what lies too far ahead.
#[derive(Debug)]
pub(super) struct SetBack {
    pub(super) now: Timestamp,
}

impl Work for SetBack {
    type Out = ();
}

impl Single for SetBack {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
        let now = self.now.micros();
        tx.conn.run(LEASES, [now])?;
        tx.conn.all(RETRIES, [now], |row| {
            if tx.watched {
                let lane = tx.lanes.get(tx.conn, row.get(1)?)?;
                let (id, version) = (row::id(row, 0)?, row.get(2)?);
                tx.effects
                    .changed(id, Some(State::Retrying), &lane, version);
            }
            Ok(())
        })?;
        Ok(())
    }
}
