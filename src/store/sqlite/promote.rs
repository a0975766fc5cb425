//! Jobs whose time has come become ready. The index is named in the statements, because the planner
//! would rather read every waiting job of the state from the index of the lists.

use std::collections::HashMap;

use async_trait::async_trait;
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;
use sqlx::Row;

use super::row;
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

#[async_trait]
impl Single for Promote {
    async fn run(&self, tx: &mut Tx<'_>) -> StoreResult<usize> {
        let scheduled = promote(SCHEDULED, State::Scheduled, self.now, self.limit, tx).await?;
        let retrying = promote(
            RETRYING,
            State::Retrying,
            self.now,
            self.limit.saturating_sub(scheduled),
            tx,
        )
        .await?;
        Ok(scheduled + retrying)
    }
}

async fn promote(
    sql: &'static str,
    from: State,
    now: Timestamp,
    limit: usize,
    tx: &mut Tx<'_>,
) -> StoreResult<usize> {
    let rows = sqlx::query(sql)
        .bind(now.micros())
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&mut *tx.conn)
        .await?;
    let mut lanes: HashMap<i64, i64> = HashMap::new();
    for row in &rows {
        let lane: i64 = row.try_get(1)?;
        *lanes.entry(lane).or_default() += 1;
        if tx.watched {
            let lane = tx.lanes.get(tx.conn, lane).await?;
            tx.effects
                .changed(row::id(row, 0)?, Some(State::Ready), &lane, row.try_get(2)?);
        }
    }
    for (lane, n) in lanes {
        tx.effects
            .moved_many(lane, Some(from), Some(State::Ready), n);
    }
    Ok(rows.len())
}
