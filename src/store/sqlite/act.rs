//! What a person asks of single jobs: run, retry, cancel, discard, duplicate, delete.

use std::collections::HashMap;

use conveyor_model::error::{ConflictCode, OperatorError, Thing};
use conveyor_model::job::Failure;
use conveyor_model::name::{JobId, Priority};
use conveyor_model::new_job::{Due, NewJob};
use conveyor_model::state::{Action, State};
use conveyor_model::time::{Span, Timestamp};

use super::error::corrupt;
use super::insert::{self, Fresh};
use super::moves::{self, Hot, Move};
use super::remove::remove;
use super::row;
use super::sql::Sql;
use super::work::{Single, Tx, Work};
use crate::store::{StoreError, StoreResult};

/// An action on some jobs, each for itself.
#[derive(Debug)]
pub(super) struct Act {
    pub(super) ids: Vec<JobId>,
    pub(super) action: Action,
    pub(super) now: Timestamp,
}

impl Work for Act {
    type Out = Vec<Result<JobId, OperatorError>>;

    fn weight(&self) -> usize {
        self.ids.len()
    }
}

impl Single for Act {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<Self::Out> {
        let ids: Vec<i64> = self.ids.iter().map(|id| id.get()).collect();
        let jobs = moves::load(&ids, tx)?;
        let mut answers: HashMap<JobId, Result<JobId, OperatorError>> = HashMap::new();
        let mut allowed = Vec::new();
        for hot in jobs {
            let answer = if hot.state.allows(self.action) && self.action != Action::Edit {
                allowed.push(hot.clone());
                Ok(hot.id)
            } else {
                Err(refusal(self.action, hot.state))
            };
            answers.insert(hot.id, answer);
        }
        // Whatever order the rows came in, what is done is done in the order of ids.
        allowed.sort_by_key(|hot| hot.id);
        match self.action {
            Action::Delete => {
                let ids: Vec<i64> = allowed.iter().map(|hot| hot.id.get()).collect();
                remove(&ids, tx)?;
            }
            Action::Duplicate => {
                for (original, copy) in duplicate(&allowed, self.now, tx)? {
                    answers.insert(original, Ok(copy));
                }
            }
            Action::Run | Action::Retry | Action::Cancel | Action::Discard | Action::Edit => {
                let moves = allowed
                    .into_iter()
                    .map(|hot| decide(hot, self.action, self.now))
                    .collect();
                moves::apply(moves, tx)?;
            }
        }
        let missing = |id: &JobId| Err(OperatorError::not_found(Thing::Job, id));
        let answer = |id: &JobId| answers.get(id).cloned().unwrap_or_else(|| missing(id));
        Ok(self.ids.iter().map(answer).collect())
    }
}

/// Why an action is not possible in a state.
pub(super) fn refusal(action: Action, state: State) -> OperatorError {
    let done = match action {
        Action::Run => "run now",
        Action::Retry => "retried",
        Action::Cancel => "cancelled",
        Action::Discard => "discarded",
        Action::Edit => "edited",
        Action::Duplicate => "duplicated",
        Action::Delete => "deleted",
    };
    let hint = match (action, state) {
        (Action::Edit, state) if state.allows(Action::Edit) => "; give the fields to change",
        (Action::Delete | Action::Discard | Action::Edit, State::Running) => {
            "; cancel it first, or wait until its attempt ends"
        }
        (Action::Delete, State::Blocked) => "; cancel it first",
        (Action::Run | Action::Retry, State::Ready) => "; it starts as soon as a worker is free",
        (Action::Run | Action::Retry, State::Running) => "; it runs already",
        (Action::Run, State::Succeeded | State::Dead | State::Cancelled) => "; retry it instead",
        (Action::Retry, State::Scheduled) => "; run it now instead",
        (Action::Edit, State::Succeeded | State::Cancelled) => "; duplicate it instead",
        _ => "",
    };
    let detail = format!("a {state} job cannot be {done}{hint}");
    OperatorError::conflict(ConflictCode::NotAllowedInState, detail)
}

fn decide(before: Hot, action: Action, now: Timestamp) -> Move {
    let mut change = Move::of(before);
    let job = &mut change.after;
    match action {
        Action::Run => job.wait(State::Ready, now),
        Action::Retry => {
            if job.attempt >= job.max_attempts {
                job.max_attempts = job.attempt + 1;
            }
            job.crash_count = 0;
            job.wait(State::Ready, now);
        }
        Action::Cancel if job.state == State::Running => {
            job.cancel_requested_at = job.cancel_requested_at.or(Some(now));
        }
        Action::Cancel => job.cancel(now),
        Action::Discard => {
            job.die(now, Some("discarded"));
            change.cause = Some(Failure::new("Discarded", "a person gave it up"));
        }
        Action::Edit | Action::Duplicate | Action::Delete => {}
    }
    change
}

/// Stores the same again as new jobs, due at once, without key and schedule.
fn duplicate(jobs: &[Hot], now: Timestamp, tx: &mut Tx<'_>) -> StoreResult<Vec<(JobId, JobId)>> {
    let mut copies = Vec::with_capacity(jobs.len());
    for hot in jobs {
        let lane = tx.lanes.get(tx.conn, hot.lane)?;
        let sql = "SELECT id, payload, meta, tags FROM job_body WHERE id = ?";
        let (payload, meta, tags) = tx
            .conn
            .first(sql, [hot.id.get()], |row| {
                let payload = row::json_text(row, 1)?;
                Ok((payload, row::meta(row, 2)?, row::tags(row, 3)?))
            })?
            .ok_or_else(|| corrupt(format!("job {}", hot.id), "its payload is missing"))?;
        let priority = Priority::try_from(i64::from(hot.priority));
        copies.push(NewJob {
            queue: lane.queue.clone(),
            priority: priority.map_err(|why| corrupt(format!("job {}", hot.id), why))?,
            due: Due::Now,
            max_attempts: hot.max_attempts,
            timeout: Span::from_micros(hot.timeout),
            backoff: row::backoff(hot.backoff.as_deref()),
            meta,
            tags,
            ..NewJob::new(lane.kind.clone(), payload)
        });
    }
    let fresh: Vec<Fresh<'_>> = copies
        .iter()
        .map(|job| Fresh {
            job,
            now,
            request: None,
        })
        .collect();
    let ids = insert::store(&fresh, tx)?;
    Ok(jobs.iter().map(|hot| hot.id).zip(ids).collect())
}

/// One job that must be there.
pub(super) fn one(id: JobId, tx: &mut Tx<'_>) -> StoreResult<Hot> {
    let found = moves::load(&[id.get()], tx)?.into_iter().next();
    found.ok_or_else(|| StoreError::Refused(OperatorError::not_found(Thing::Job, id)))
}
