//! Jobs whose lease ran out are taken from their workers.

use conveyor_model::job::Outcome;
use conveyor_model::state::State;
use conveyor_model::time::{Span, Timestamp};
use rusqlite::{Connection, params};

use super::insert::json;
use super::moves::{self, Ended, Hot, Move, select_hot};
use super::row;
use super::sql::Sql;
use super::work::{Hooks, Single, Tx, Work, alone};
use crate::store::{StoreError, StoreResult, lease_lost};

/// A job that took its process with it this often is not tried again.
const MOST_CRASHES: u32 = 3;
/// How long a job is left alone that cannot be taken back.
const PUT_OFF: Span = Span::from_secs(3600);

/// Running jobs whose lease ran out, and whose worker has had its time to renew. A worker does so each
/// third of its lease.
pub(super) const EXPIRED: &str = select_hot!(
    "FROM job j WHERE j.state = 'running' AND j.lease_until < ?1 AND ?2 + coalesce(j.lease, 0) / 3 <= ?1
     LIMIT ?3"
);

/// A search for leases that ran out.
#[derive(Debug)]
pub(super) struct Rescue {
    pub(super) now: Timestamp,
    pub(super) since: Timestamp,
    pub(super) limit: usize,
}

impl Work for Rescue {
    type Out = usize;
}

impl Single for Rescue {
    /// The write lock is held from before the reading to the commit, so nobody can renew or end an
    /// attempt in between; the write checks all the same.
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<usize> {
        let mut count = 0;
        while count < self.limit {
            let (now, since) = (self.now.micros(), self.since.micros());
            let limit = i64::try_from(self.limit - count).unwrap_or(i64::MAX);
            let found = tx.conn.all(EXPIRED, [now, since, limit], |row| {
                let id: i64 = row.get(0)?;
                Ok(Hot::read(row).map_err(|error| (id, error)))
            })?;
            Hooks::hold(tx.hooks.rescue.as_ref());
            let (mut moves, mut stuck) = (Vec::with_capacity(found.len()), Vec::new());
            for read in found {
                match read {
                    Ok(hot) => moves.push(decide(hot, self.now)),
                    Err((id, error)) => stuck.push(left(id, &error)),
                }
            }
            let lost = moves.len();
            let refused = take(moves, tx)?;
            count += lost - refused.len();
            stuck.extend(refused);
            if stuck.is_empty() {
                break;
            }
            put_off(&stuck, self.now, tx.conn)?;
        }
        Ok(count)
    }
}

/// Tells of a job that stays as it is; answers its id.
fn left(id: i64, error: &StoreError) -> i64 {
    tracing::error!(job = id, %error, "a job whose lease ran out cannot be taken back; it is left for an hour");
    id
}

/// Carries changes out together, or, when one of them is refused, each for itself. Answers the jobs whose
/// changes were.
fn take(moves: Vec<Move>, tx: &mut Tx<'_>) -> StoreResult<Vec<i64>> {
    let together = moves.clone();
    if alone(tx, |tx| carry_out(together, tx))?.is_ok() {
        return Ok(Vec::new());
    }
    let mut refused = Vec::new();
    for change in moves {
        let id = change.before.id.get();
        let one = vec![change];
        if let Err(error) = alone(tx, |tx| carry_out(one, tx))? {
            refused.push(left(id, &error));
        }
    }
    Ok(refused)
}

fn carry_out(moves: Vec<Move>, tx: &mut Tx<'_>) -> StoreResult<()> {
    for _ in &moves {
        tx.effects.lease_expired();
    }
    moves::apply(moves, tx)
}

/// The plus keeps the planner from looking through all running jobs.
pub(super) const PUT_OFF_TO: &str = "UPDATE job SET lease_until = ?
     WHERE +state = 'running' AND id IN (SELECT value FROM json_each(?))";

/// Lengthens leases that cannot be ended, so that they are in nobody's way and are tried again in an
/// hour. Nobody holds them, and nobody can claim their jobs.
fn put_off(ids: &[i64], now: Timestamp, conn: &Connection) -> StoreResult<()> {
    conn.run(PUT_OFF_TO, params![now.plus(PUT_OFF).micros(), json(ids)?])?;
    Ok(())
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
        job.die(now, Some("attempts_used_up"));
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
