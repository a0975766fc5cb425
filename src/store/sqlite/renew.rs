//! Keeping leases alive.

use std::collections::HashMap;

use conveyor_model::time::Timestamp;
use conveyor_model::worker::{Lease, LeaseAnswer, LeaseStatus};
use rusqlite::params;

use super::insert::json;
use super::row;
use super::sql::Sql;
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

impl Fold for Renewals {
    fn fold(group: &[&Self], tx: &mut Tx<'_>) -> StoreResult<Vec<StoreResult<Self::Out>>> {
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
        let held: HashMap<(i64, i64), (LeaseStatus, Timestamp)> = tx
            .conn
            .all(RENEW, params![now.micros(), json(&asked)?], |row| {
                let status = if row::time_or_none(row, 3)?.is_some() {
                    LeaseStatus::Cancel
                } else {
                    LeaseStatus::Held
                };
                Ok(((row.get(0)?, row.get(1)?), (status, row::time(row, 2)?)))
            })?
            .into_iter()
            .collect();
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
