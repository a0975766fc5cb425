//! Keeping leases alive.

use std::collections::HashMap;

use async_trait::async_trait;
use conveyor_model::time::Timestamp;
use conveyor_model::worker::{Lease, LeaseAnswer, LeaseStatus};
use sqlx::Row;

use super::insert::json;
use super::row;
use super::work::{Fold, Tx, Work};
use crate::store::StoreResult;

/// The plus keeps the planner from looking for all running jobs first.
pub(super) const RENEW: &str = "UPDATE job SET lease_until = ? + lease FROM json_each(?) r
     WHERE job.id = r.value ->> 0 AND job.token = r.value ->> 1 AND +job.state = 'running'
     RETURNING job.id, job.token, job.lease_until, job.cancel_requested_at";

/// Leases to renew.
#[derive(Debug)]
pub(super) struct Renewals {
    leases: Vec<Lease>,
    now: Timestamp,
}

impl Renewals {
    /// Renews the leases from `now` on.
    pub(super) fn new(leases: Vec<Lease>, now: Timestamp) -> Self {
        Renewals { leases, now }
    }
}

impl Work for Renewals {
    type Out = Vec<LeaseAnswer>;

    fn weight(&self) -> usize {
        self.leases.len()
    }
}

#[async_trait]
impl Fold for Renewals {
    async fn fold(group: &[&Self], tx: &mut Tx<'_>) -> StoreResult<Vec<StoreResult<Self::Out>>> {
        let mut asked: Vec<(i64, i64)> = group
            .iter()
            .flat_map(|renewals| &renewals.leases)
            .map(|lease| (lease.id.get(), lease.lease_token.0))
            .collect();
        asked.sort_unstable();
        asked.dedup();
        let now = group
            .iter()
            .map(|renewals| renewals.now)
            .max()
            .unwrap_or_default();
        let rows = sqlx::query(RENEW)
            .bind(now.micros())
            .bind(json(&asked)?)
            .fetch_all(&mut *tx.conn)
            .await?;
        let mut held = HashMap::with_capacity(rows.len());
        for row in &rows {
            let cancel = row::time_or_none(row, 3)?.is_some();
            let status = if cancel {
                LeaseStatus::Cancel
            } else {
                LeaseStatus::Held
            };
            let key: (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
            held.insert(key, (status, row::time(row, 2)?));
        }
        let answer = |lease: &Lease| {
            let found = held.get(&(lease.id.get(), lease.lease_token.0));
            LeaseAnswer {
                id: lease.id,
                status: found.map_or(LeaseStatus::Lost, |(status, _)| *status),
                lease_until: found.map(|(_, until)| *until),
            }
        };
        Ok(group
            .iter()
            .map(|renewals| Ok(renewals.leases.iter().map(answer).collect()))
            .collect())
    }
}
