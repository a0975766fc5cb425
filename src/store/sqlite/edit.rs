//! Changing a job that is not running.

use conveyor_model::error::{Invalid, OperatorError};
use conveyor_model::name::{JobId, Tag};
use conveyor_model::new_job::JobPatch;
use conveyor_model::state::{Action, State};
use conveyor_model::time::Timestamp;
use rusqlite::{Connection, params};

use super::act::{one, refusal};
use super::insert::json;
use super::moves::{self, Hot, Move};
use super::sql::Sql;
use super::work::{Single, Tx, Work};
use crate::store::StoreResult;

/// Refuses a thing that is not at the version that was asked for, if one was.
pub(super) fn same_version(asked: Option<i64>, current: i64) -> Result<(), OperatorError> {
    match asked {
        Some(asked) if asked != current => Err(OperatorError::VersionChanged { current }),
        _ => Ok(()),
    }
}

/// Changes to one job.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) id: JobId,
    pub(super) patch: JobPatch,
    pub(super) version: Option<i64>,
    pub(super) now: Timestamp,
}

impl Work for Edit {
    type Out = ();
}

impl Single for Edit {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
        let hot = one(self.id, tx)?;
        same_version(self.version, hot.version)?;
        if !hot.state.allows(Action::Edit) {
            return Err(refusal(Action::Edit, hot.state).into());
        }
        self.check_attempts(&hot)?;
        let mut change = Move::of(hot);
        let job = &mut change.after;
        if let Some(queue) = &self.patch.queue {
            let kind = tx.lanes.get(tx.conn, job.lane)?.kind.clone();
            job.lane = tx.lanes.of(tx.conn, queue, &kind)?.id;
        }
        if let Some(priority) = self.patch.priority {
            job.priority = priority.get();
        }
        job.max_attempts = self.patch.max_attempts.unwrap_or(job.max_attempts);
        if let Some(timeout) = self.patch.timeout {
            job.timeout = timeout.micros();
        }
        if let Some(run_at) = self.patch.run_at {
            job.run_at = run_at;
            job.state = state_at(job.state, run_at, self.now);
        }
        let untouched = self.patch.payload.is_none() && self.patch.tags.is_none();
        if untouched && change.after == change.before {
            return Ok(());
        }
        moves::apply(vec![change], tx)?;
        if let Some(payload) = &self.patch.payload {
            tx.conn.run(
                "UPDATE job_body SET payload = ? WHERE id = ?",
                params![payload.as_str(), self.id.get()],
            )?;
        }
        if let Some(tags) = &self.patch.tags {
            replace_tags(self.id, tags, tx.conn)?;
        }
        Ok(())
    }
}

impl Edit {
    /// A job never has more attempts than it is given: another number leaves room for one at least.
    fn check_attempts(&self, hot: &Hot) -> Result<(), OperatorError> {
        match self.patch.max_attempts {
            Some(most) if most <= hot.attempt && most != hot.max_attempts => {
                let (had, least) = (hot.attempt, hot.attempt + 1);
                let attempts = if had == 1 { "attempt" } else { "attempts" };
                let fault =
                    format!("it has had {had} {attempts} already; at least {least} is needed");
                Err(Invalid::one("/max_attempts", fault).into())
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// The state of a job whose time was changed.
fn state_at(state: State, run_at: Timestamp, now: Timestamp) -> State {
    match state {
        State::Ready | State::Scheduled => State::by_time(run_at, now),
        State::Retrying if run_at <= now => State::Ready,
        State::Retrying
        | State::Running
        | State::Succeeded
        | State::Dead
        | State::Cancelled
        | State::Blocked => state,
    }
}

fn replace_tags(id: JobId, tags: &[Tag], conn: &Connection) -> StoreResult<()> {
    let list = if tags.is_empty() {
        None
    } else {
        Some(json(tags)?)
    };
    conn.run(
        "DELETE FROM job_tag WHERE id = ?1 AND tag IN
             (SELECT value FROM json_each((SELECT tags FROM job_body WHERE id = ?1)))",
        [id.get()],
    )?;
    conn.run(
        "UPDATE job_body SET tags = ? WHERE id = ?",
        params![list, id.get()],
    )?;
    conn.run(
        "INSERT INTO job_tag (tag, id) SELECT DISTINCT value, ? FROM json_each(?)",
        params![id.get(), list],
    )?;
    Ok(())
}
