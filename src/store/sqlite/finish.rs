//! Ending attempts: the reports of workers, and jobs given back by a process that stops.
//!
//! Successes, which are most, are ended by one statement that checks state and token itself. Every
//! other report is decided job by job.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use conveyor_model::job::{Claimed, Failure, Outcome};
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;
use conveyor_model::worker::{Finish, FinishOutcome, FinishStatus, Lease};
use rusqlite::params;

use super::insert::json;
use super::moves::{self, Ended, Hot, Move};
use super::row;
use super::sql::Sql;
use super::work::{Fold, Single, Tx, Work, weight_of};
use crate::store::StoreResult;

/// Reports of attempts.
#[derive(Debug)]
pub(super) struct Finishes {
    reports: Vec<Finish>,
    now: Timestamp,
}

impl Finishes {
    /// Ends the attempts as if at `now`.
    pub(super) fn new(reports: Vec<Finish>, now: Timestamp) -> Self {
        Finishes { reports, now }
    }
}

impl Work for Finishes {
    type Out = Vec<FinishStatus>;

    fn weight(&self) -> usize {
        let bytes = |report: &Finish| report.result.as_ref().map_or(0, |text| text.as_str().len());
        let weight = |report| weight_of(bytes(report));
        self.reports.iter().map(weight).sum()
    }
}

/// A report, where its answer goes, and whether it has one.
struct Report<'a> {
    finish: &'a Finish,
    now: Timestamp,
    status: FinishStatus,
}

impl Fold for Finishes {
    fn fold(group: &[&Self], tx: &mut Tx<'_>) -> StoreResult<Vec<StoreResult<Self::Out>>> {
        let mut reports: Vec<Report<'_>> = group
            .iter()
            .flat_map(|finishes| {
                finishes.reports.iter().map(|finish| Report {
                    finish,
                    now: finishes.now,
                    status: FinishStatus::Stale,
                })
            })
            .collect();
        // Two reports of one job cannot be in one statement; the later ones come in a later round.
        let mut open: Vec<&mut Report<'_>> = reports.iter_mut().collect();
        while !open.is_empty() {
            let mut seen = HashSet::with_capacity(open.len());
            let (round, later): (Vec<_>, Vec<_>) = open
                .into_iter()
                .partition(|report| seen.insert(report.finish.id));
            let (good, other): (Vec<_>, Vec<_>) = round
                .into_iter()
                .partition(|report| report.finish.outcome == FinishOutcome::Succeeded);
            succeed(good, tx)?;
            end(other, tx)?;
            open = later;
        }
        find_missing(&mut reports, tx)?;
        let mut statuses = reports.iter().map(|report| report.status);
        Ok(group
            .iter()
            .map(|finishes| Ok(statuses.by_ref().take(finishes.reports.len()).collect()))
            .collect())
    }
}

/// The plus keeps the planner from looking for all running jobs first.
pub(super) const SUCCEED: &str =
    "UPDATE job SET state = 'succeeded', finished_at = ?, lease_until = NULL,
         cancel_requested_at = NULL, version = version + 1
     FROM json_each(?) r
     WHERE job.id = CAST(r.key AS INTEGER) AND job.token = r.value AND +job.state = 'running'
     RETURNING job.id, job.lane, job.started_at, job.version, job.attempt";

/// Ends successful attempts, all in one statement.
fn succeed(mut reports: Vec<&mut Report<'_>>, tx: &mut Tx<'_>) -> StoreResult<()> {
    if reports.is_empty() {
        return Ok(());
    }
    let mut leases = String::with_capacity(reports.len() * 24);
    let mut by_id = HashMap::with_capacity(reports.len());
    for (n, report) in reports.iter().enumerate() {
        let gap = if n == 0 { '{' } else { ',' };
        let (id, token) = (report.finish.id, report.finish.lease_token.0);
        let _ = write!(leases, "{gap}\"{id}\":{token}");
        by_id.insert(id.get(), n);
    }
    leases.push('}');
    let now = reports
        .iter()
        .map(|report| report.now)
        .max()
        .unwrap_or_default();
    let conn = tx.conn;
    let mut results = Vec::new();
    conn.all(SUCCEED, params![now.micros(), leases], |row| {
        let id = row::id(row, 0)?;
        let lane = tx.lanes.get(conn, row.get(1)?)?;
        let run = now.since(row::time(row, 2)?);
        tx.effects
            .moved(&lane, Some(State::Running), Some(State::Succeeded));
        tx.effects.ended(&lane, now, Outcome::Succeeded, run);
        tx.effects.over(&lane, row::count(row, 4)?);
        if tx.watched {
            tx.effects
                .changed(id, Some(State::Succeeded), &lane, row.get(3)?);
        }
        if let Some(report) = by_id.get(&id.get()).and_then(|n| reports.get_mut(*n)) {
            report.status = FinishStatus::Ok;
            if let Some(result) = &report.finish.result {
                results.push((id.get(), result.as_str()));
            }
        }
        Ok(())
    })?;
    for (id, result) in results {
        conn.run(
            "INSERT OR REPLACE INTO job_result (id, result) VALUES (?, ?)",
            params![id, result],
        )?;
    }
    Ok(())
}

/// Ends attempts that did not succeed, each by its own rule.
fn end(reports: Vec<&mut Report<'_>>, tx: &mut Tx<'_>) -> StoreResult<()> {
    if reports.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = reports
        .iter()
        .map(|report| report.finish.id.get())
        .collect();
    let mut jobs: HashMap<i64, Hot> = moves::load(&ids, tx)?
        .into_iter()
        .map(|hot| (hot.id.get(), hot))
        .collect();
    let mut moves = Vec::with_capacity(jobs.len());
    for report in reports {
        let held = jobs
            .remove(&report.finish.id.get())
            .filter(|hot| hot.state == State::Running && hot.token == report.finish.lease_token.0);
        if let Some(hot) = held {
            report.status = FinishStatus::Ok;
            moves.push(decide(hot, report.finish, report.now));
        }
    }
    moves::apply(moves, tx)
}

/// What a report other than a success makes of a running job.
fn decide(before: Hot, finish: &Finish, now: Timestamp) -> Move {
    let mut change = Move::of(before);
    let job = &mut change.after;
    let asked_to_stop = job.cancel_requested_at.is_some();
    let error = match finish.outcome {
        FinishOutcome::Failed | FinishOutcome::Timeout | FinishOutcome::Dead => {
            let unsaid = || Failure::new("Error", "the worker gave no reason");
            Some(finish.error.as_ref().map_or_else(unsaid, Failure::bounded))
        }
        FinishOutcome::Succeeded | FinishOutcome::Snooze | FinishOutcome::Cancelled => {
            finish.error.as_ref().map(Failure::bounded)
        }
    };
    let outcome = match finish.outcome {
        _ if asked_to_stop => Outcome::Cancelled,
        FinishOutcome::Succeeded => Outcome::Succeeded,
        FinishOutcome::Cancelled => Outcome::Cancelled,
        FinishOutcome::Snooze => Outcome::Snoozed,
        FinishOutcome::Dead => Outcome::Dead,
        FinishOutcome::Timeout => Outcome::Timeout,
        FinishOutcome::Failed => Outcome::Failed,
    };
    match outcome {
        Outcome::Snoozed => {
            let at = now.plus(finish.snooze.unwrap_or_default());
            job.attempt = job.attempt.saturating_sub(1);
            job.wait(State::by_time(at, now), at);
        }
        Outcome::Dead => job.die(now, Some("given_up")),
        Outcome::Failed | Outcome::Timeout if job.attempt >= job.max_attempts => {
            job.die(now, Some("attempts_used_up"));
        }
        Outcome::Failed | Outcome::Timeout => {
            let backoff = row::backoff(job.backoff.as_deref());
            let delay = finish
                .retry_in
                .unwrap_or_else(|| backoff.delay(job.attempt, rand::random::<f64>()));
            job.wait(State::Retrying, now.plus(delay));
        }
        Outcome::Succeeded | Outcome::Cancelled | Outcome::Interrupted | Outcome::LeaseLost => {
            job.cancel(now);
        }
    }
    change.ended = Some(Ended {
        outcome,
        error,
        at: now,
    });
    change
}

/// Tells reports of jobs that do not exist from those whose lease is not held.
fn find_missing(reports: &mut [Report<'_>], tx: &mut Tx<'_>) -> StoreResult<()> {
    let refused: Vec<i64> = reports
        .iter()
        .filter(|report| report.status == FinishStatus::Stale)
        .map(|report| report.finish.id.get())
        .collect();
    if refused.is_empty() {
        return Ok(());
    }
    let present: HashSet<i64> = tx
        .conn
        .all(
            "SELECT id FROM job WHERE id IN (SELECT value FROM json_each(?))",
            [json(&refused)?],
            |row| Ok(row.get(0)?),
        )?
        .into_iter()
        .collect();
    for report in reports {
        if report.status == FinishStatus::Stale && !present.contains(&report.finish.id.get()) {
            report.status = FinishStatus::NotFound;
        }
    }
    Ok(())
}

/// Jobs given back without having spent an attempt.
#[derive(Debug)]
pub(super) struct HandBack {
    leases: Vec<Lease>,
    now: Timestamp,
}

impl HandBack {
    /// Nothing yet.
    pub(super) fn new(now: Timestamp) -> Self {
        HandBack {
            leases: Vec::new(),
            now,
        }
    }

    /// These leases.
    pub(super) fn of(leases: Vec<Lease>, now: Timestamp) -> Self {
        HandBack { leases, now }
    }

    /// Jobs that were claimed for somebody who has gone.
    pub(super) fn add(&mut self, jobs: &[Claimed]) {
        self.leases.extend(jobs.iter().map(Lease::of));
    }
}

impl Work for HandBack {
    type Out = u64;

    fn weight(&self) -> usize {
        self.leases.len()
    }
}

impl Single for HandBack {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<u64> {
        let tokens: HashMap<i64, i64> = self
            .leases
            .iter()
            .map(|lease| (lease.id.get(), lease.lease_token.0))
            .collect();
        let ids: Vec<i64> = tokens.keys().copied().collect();
        let mut moves = Vec::new();
        for hot in moves::load(&ids, tx)? {
            let held = hot.state == State::Running && tokens.get(&hot.id.get()) == Some(&hot.token);
            if !held {
                continue;
            }
            let mut change = Move::of(hot);
            let job = &mut change.after;
            if job.cancel_requested_at.is_some() {
                job.cancel(self.now);
            } else {
                job.attempt = job.attempt.saturating_sub(1);
                job.wait(State::Ready, job.run_at);
            }
            change.ended = Some(Ended {
                outcome: Outcome::Interrupted,
                error: None,
                at: self.now,
            });
            moves.push(change);
        }
        let count = u64::try_from(moves.len()).unwrap_or(u64::MAX);
        moves::apply(moves, tx)?;
        Ok(count)
    }
}
