//! Changes of state that are decided job by job: the hot row is read, decided on, and written back, all
//! within the writer's transaction. Counts, the dead letter, attempts and events follow from the
//! difference between before and after.

use conveyor_model::dead::fingerprint;
use conveyor_model::job::{Failure, Outcome};
use conveyor_model::name::JobId;
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;
use serde::Serialize;

use super::effects::Death;
use super::error::corrupt;
use super::insert::json;
use super::row::{self, Columns};
use super::sql::Sql;
use super::work::Tx;
use crate::store::StoreResult;

/// A statement that reads the columns of [`Hot::read`] from jobs called `j`, and goes on.
macro_rules! select_hot {
    ($rest:literal) => {
        concat!(
            "SELECT j.id, j.state, j.lane, j.priority, j.run_at, j.attempt, j.max_attempts, j.token,
                 j.version, j.timeout, j.started_at, j.finished_at, j.lease_until, j.worker,
                 j.crash_count, j.cancel_requested_at, j.dead_group, j.dead_reason,
                 (SELECT backoff FROM job_body b WHERE b.id = j.id) AS backoff ",
            $rest
        )
    };
}
pub(super) use select_hot;

/// The part of a job that changes in its life.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hot {
    pub(super) id: JobId,
    pub(super) state: State,
    pub(super) lane: i64,
    pub(super) priority: u8,
    pub(super) run_at: Timestamp,
    pub(super) attempt: u32,
    pub(super) max_attempts: u32,
    pub(super) token: i64,
    pub(super) version: i64,
    pub(super) timeout: i64,
    pub(super) started_at: Option<Timestamp>,
    pub(super) finished_at: Option<Timestamp>,
    pub(super) lease_until: Option<Timestamp>,
    pub(super) worker: Option<String>,
    pub(super) crash_count: u32,
    pub(super) cancel_requested_at: Option<Timestamp>,
    pub(super) dead_group: Option<String>,
    pub(super) dead_reason: Option<String>,
    pub(super) backoff: Option<String>,
}

impl Hot {
    pub(super) fn read(row: &impl Columns) -> StoreResult<Hot> {
        Ok(Hot {
            id: row::id(row, 0)?,
            state: row::state(row, 1)?,
            lane: row::int(row, 2)?,
            priority: row::priority(row, 3)?.get(),
            run_at: row::time(row, 4)?,
            attempt: row::count(row, 5)?,
            max_attempts: row::count(row, 6)?,
            token: row::int(row, 7)?,
            version: row::int(row, 8)?,
            timeout: row::int(row, 9)?,
            started_at: row::time_or_none(row, 10)?,
            finished_at: row::time_or_none(row, 11)?,
            lease_until: row::time_or_none(row, 12)?,
            worker: row::owned(row, 13)?,
            crash_count: row::count(row, 14)?,
            cancel_requested_at: row::time_or_none(row, 15)?,
            dead_group: row::owned(row, 16)?,
            dead_reason: row::owned(row, 17)?,
            backoff: row::owned(row, 18)?,
        })
    }

    /// Ends the lease: nobody runs the job any more.
    fn free(&mut self) {
        self.lease_until = None;
        self.cancel_requested_at = None;
    }

    /// Takes the job to a state in which it waits until `at`.
    pub(super) fn wait(&mut self, state: State, at: Timestamp) {
        self.free();
        self.state = state;
        self.run_at = at;
        self.finished_at = None;
        self.dead_group = None;
        self.dead_reason = None;
    }

    /// Calls the job off.
    pub(super) fn cancel(&mut self, now: Timestamp) {
        self.free();
        self.state = State::Cancelled;
        self.finished_at = Some(now);
        self.dead_group = None;
        self.dead_reason = None;
    }

    /// Puts the job into the dead letter.
    pub(super) fn die(&mut self, now: Timestamp, reason: Option<&str>) {
        self.free();
        self.state = State::Dead;
        self.finished_at = Some(now);
        self.dead_reason = reason.map(str::to_owned);
    }
}

/// An attempt that ended.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) outcome: Outcome,
    pub(super) error: Option<Failure>,
    pub(super) at: Timestamp,
}

/// One job's change.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) before: Hot,
    pub(super) after: Hot,
    /// The attempt that ended with it.
    pub(super) ended: Option<Ended>,
    /// What it died of, if no attempt's error says it.
    pub(super) cause: Option<Failure>,
}

impl Move {
    /// A change that starts from how the job is.
    pub(super) fn of(before: Hot) -> Move {
        Move {
            after: before.clone(),
            before,
            ended: None,
            cause: None,
        }
    }
}

/// The jobs of those ids that exist and can be read, in no order.
pub(super) fn load(ids: &[i64], tx: &mut Tx<'_>) -> StoreResult<Vec<Hot>> {
    let sql = select_hot!("FROM job j WHERE j.id IN (SELECT value FROM json_each(?))");
    let read = |row: &rusqlite::Row<'_>| Ok(row::kept("a job", Hot::read(row)));
    let jobs = tx.conn.all(sql, [json(ids)?], read)?;
    Ok(jobs.into_iter().flatten().collect())
}

/// One row of the statement that writes changes.
#[derive(Serialize)]
struct Written<'a>(
    i64,
    i64,
    &'a str,
    i64,
    u8,
    i64,
    u32,
    u32,
    i64,
    Option<i64>,
    Option<i64>,
    Option<i64>,
    Option<&'a str>,
    u32,
    Option<i64>,
    Option<&'a str>,
    Option<&'a str>,
);

/// One row of the statement that writes ended attempts.
#[derive(Serialize)]
struct Attempted<'a>(
    i64,
    i64,
    u32,
    &'a str,
    i64,
    i64,
    &'a str,
    Option<String>,
    Option<String>,
    Option<String>,
);

/// Writes changes and all that follows from them.
pub(super) fn apply(mut moves: Vec<Move>, tx: &mut Tx<'_>) -> StoreResult<()> {
    if moves.is_empty() {
        return Ok(());
    }
    for change in &mut moves {
        sum_up(change, tx)?;
    }
    write(&moves, tx)?;
    write_attempts(&moves, tx)
}

/// Adds what follows from one change to the effects of the batch.
fn sum_up(change: &mut Move, tx: &mut Tx<'_>) -> StoreResult<()> {
    let lane = tx.lanes.get(tx.conn, change.after.lane)?;
    let Move {
        before,
        after,
        ended,
        cause,
    } = change;
    if before.lane != after.lane {
        let old = tx.lanes.get(tx.conn, before.lane)?;
        tx.effects.moved(&old, Some(before.state), None);
        tx.effects.moved(&lane, None, Some(after.state));
    } else if before.state != after.state {
        tx.effects
            .moved(&lane, Some(before.state), Some(after.state));
    }
    if let Some(ended) = ended {
        let run = before
            .started_at
            .map(|started| ended.at.since(started))
            .unwrap_or_default();
        tx.effects.ended(&lane, ended.at, ended.outcome, run);
        if matches!(after.state, State::Succeeded | State::Dead) {
            tx.effects.over(&lane, after.attempt);
        }
        if after.state == State::Retrying {
            tx.effects.retried(&lane, ended.at);
        }
    }
    if before.state != State::Dead && after.state == State::Dead {
        let error = cause
            .clone()
            .or_else(|| ended.as_ref()?.error.clone())
            .unwrap_or_default();
        let print = fingerprint(&lane.kind, &error.class, &error.message);
        let at = after.finished_at.unwrap_or_default();
        let death = Death {
            id: after.id.get(),
            kind: lane.kind.to_string(),
            class: error.class,
            message: error.message,
            at,
        };
        tx.effects.died(&lane, &print, death);
        after.dead_group = Some(print);
    } else if let Some(print) = &before.dead_group
        && after.state != State::Dead
    {
        tx.effects.left_dead(print);
    }
    if tx.watched {
        tx.effects
            .changed(after.id, Some(after.state), &lane, after.version + 1);
    }
    Ok(())
}

/// Writes the changed columns of jobs that are still as they were read.
pub(super) const WRITE: &str =
    "UPDATE job SET version = job.version + 1, state = r.value ->> 2, lane = r.value ->> 3,
         priority = r.value ->> 4, run_at = r.value ->> 5, attempt = r.value ->> 6,
         max_attempts = r.value ->> 7, timeout = r.value ->> 8, started_at = r.value ->> 9,
         finished_at = r.value ->> 10, lease_until = r.value ->> 11, worker = r.value ->> 12,
         crash_count = r.value ->> 13, cancel_requested_at = r.value ->> 14,
         dead_group = r.value ->> 15, dead_reason = r.value ->> 16
     FROM json_each(?) r
     WHERE job.id = r.value ->> 0 AND job.version = r.value ->> 1";

fn write(moves: &[Move], tx: &mut Tx<'_>) -> StoreResult<()> {
    let rows: Vec<Written<'_>> = moves
        .iter()
        .map(|Move { before, after, .. }| {
            Written(
                before.id.get(),
                before.version,
                after.state.as_str(),
                after.lane,
                after.priority,
                after.run_at.micros(),
                after.attempt,
                after.max_attempts,
                after.timeout,
                after.started_at.map(Timestamp::micros),
                after.finished_at.map(Timestamp::micros),
                after.lease_until.map(Timestamp::micros),
                after.worker.as_deref(),
                after.crash_count,
                after.cancel_requested_at.map(Timestamp::micros),
                after.dead_group.as_deref(),
                after.dead_reason.as_deref(),
            )
        })
        .collect();
    let written = tx.conn.run(WRITE, [json(&rows)?])?;
    if written != moves.len() {
        return Err(corrupt(
            "a batch",
            "a job changed within the transaction that read it",
        ));
    }
    Ok(())
}

fn write_attempts(moves: &[Move], tx: &mut Tx<'_>) -> StoreResult<()> {
    let rows: Vec<Attempted<'_>> = moves
        .iter()
        .filter_map(
            |Move {
                 before,
                 after,
                 ended,
                 ..
             }| {
                // Until now the row itself was the record of its successful attempt.
                let success = (before.state == State::Succeeded && after.state != State::Succeeded)
                    .then(|| Ended {
                        outcome: Outcome::Succeeded,
                        error: None,
                        at: before.finished_at.unwrap_or_default(),
                    });
                let ended = ended.clone().or(success)?;
                let error = ended.error.unwrap_or_default();
                let failed = !error.class.is_empty();
                Some(Attempted(
                    before.id.get(),
                    before.token,
                    before.attempt,
                    before.worker.as_deref().unwrap_or("unknown"),
                    before.started_at.unwrap_or(ended.at).micros(),
                    ended.at.micros(),
                    ended.outcome.as_str(),
                    failed.then_some(error.class),
                    failed.then_some(error.message),
                    error.backtrace,
                ))
            },
        )
        .collect();
    if rows.is_empty() {
        return Ok(());
    }
    tx.conn.run(
        "INSERT INTO attempt (id, token, number, worker, started_at, finished_at, outcome,
             error_class, error_message, backtrace)
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
             value ->> 6, value ->> 7, value ->> 8, value ->> 9
         FROM json_each(?)",
        [json(&rows)?],
    )?;
    Ok(())
}
