//! Jobs whose lease ran out are taken from their workers.

use async_trait::async_trait;
use conveyor_model::job::Outcome;
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;

use super::moves::{self, Ended, Hot, Move, select_hot};
use super::row;
use super::work::{Hooks, Single, Tx, Work};
use crate::store::{StoreResult, lease_lost};

/// A job that took its process with it this often is not tried again.
const MOST_CRASHES: u32 = 3;

/// Running jobs whose lease ran out.
pub(super) const EXPIRED: &str =
    select_hot!("FROM job j WHERE j.state = 'running' AND j.lease_until < ? LIMIT ?");

/// A search for leases that ran out.
#[derive(Debug)]
pub(super) struct Rescue {
    pub(super) now: Timestamp,
    pub(super) limit: usize,
}

impl Work for Rescue {
    type Out = usize;
}

#[async_trait]
impl Single for Rescue {
    /// The write lock is held from before the reading to the commit, so nobody can renew or end an
    /// attempt in between; the write checks all the same.
    async fn run(&self, tx: &mut Tx<'_>) -> StoreResult<usize> {
        let rows = sqlx::query(EXPIRED)
            .bind(self.now.micros())
            .bind(i64::try_from(self.limit).unwrap_or(i64::MAX))
            .fetch_all(&mut *tx.conn)
            .await?;
        Hooks::at(tx.hooks.rescue.as_ref()).await;
        let mut moves = Vec::with_capacity(rows.len());
        for hot in row::sound("a job whose lease ran out", &rows, Hot::read) {
            moves.push(decide(hot, self.now));
            tx.effects.lease_expired();
        }
        let count = moves.len();
        moves::apply(moves, tx).await?;
        Ok(count)
    }
}

/// What becomes of a job whose worker was not heard of.
fn decide(before: Hot, now: Timestamp) -> Move {
    let mut change = Move::of(before);
    let job = &mut change.after;
    job.crash_count += 1;
    if job.cancel_requested_at.is_some() {
        job.cancel(now);
    } else if job.crash_count >= MOST_CRASHES {
        job.die(now, Some("crash_loop"));
    } else if job.attempt >= job.max_attempts {
        job.die(now, None);
    } else {
        let backoff = row::backoff(job.backoff.as_deref());
        let delay = backoff.delay(job.attempt, rand::random::<f64>());
        job.wait(State::Retrying, now.plus(delay));
    }
    change.ended = Some(Ended {
        outcome: Outcome::LeaseLost,
        error: Some(lease_lost()),
        at: now,
    });
    change
}
