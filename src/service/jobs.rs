//! Jobs: storing, reading, changing, and what may be asked of one or many.

use conveyor_model::error::{ConflictCode, Invalid, OperatorError, Thing};
use conveyor_model::job::Job;
use conveyor_model::name::JobId;
use conveyor_model::new_job::{JobPatch, NewJob};
use conveyor_model::operator::{ActionResult, Answer, Enqueued, JobDetail};
use conveyor_model::state::Action;
use conveyor_model::time::Timestamp;

use super::Service;
use super::waiting::held_by_time;
use crate::store::Insert;

/// The most jobs of one bulk enqueue.
const MOST_JOBS: usize = 10_000;
/// The most jobs of one action over several.
const MOST_ACTED: usize = 1000;

impl Service {
    pub(super) async fn enqueue_one(&self, job: NewJob) -> Answer<Enqueued> {
        self.enqueue_at(job, self.now()).await
    }

    async fn enqueue_at(&self, job: NewJob, now: Timestamp) -> Answer<Enqueued> {
        self.limits.check_job(&job)?;
        let insert = Insert {
            jobs: vec![job],
            atomic: false,
        };
        only(self.store.insert(insert, now).await?)?
    }

    /// A new job is known without being read again, which would cost more than to store it.
    pub(super) async fn enqueue_and_show(&self, job: NewJob) -> Answer<(Job, bool)> {
        let now = self.now();
        let Enqueued { id, existing } = self.enqueue_at(job.clone(), now).await?;
        if existing {
            return Ok((self.job_with_reason(id).await?, true));
        }
        let mut stored = Job::stored(job, id, now);
        stored.waiting_reason = held_by_time(&stored, now).map(Into::into);
        Ok((stored, false))
    }

    /// Jobs over a limit are refused each for itself; with `atomic` they sink the whole.
    pub(super) async fn enqueue_each(
        &self,
        jobs: Vec<NewJob>,
        atomic: bool,
    ) -> Answer<Vec<Answer<Enqueued>>> {
        if jobs.len() > MOST_JOBS {
            let fault = format!("{} jobs, at most {MOST_JOBS} are allowed", jobs.len());
            return Err(Invalid::one("", fault).into());
        }
        let checks: Vec<Answer<()>> = jobs.iter().map(|job| self.limits.check_job(job)).collect();
        if atomic && checks.iter().any(Result::is_err) {
            return Ok(checks
                .into_iter()
                .map(|check| check.and(Err(sunk())))
                .collect());
        }
        let sound = jobs
            .into_iter()
            .zip(&checks)
            .filter_map(|(job, check)| check.is_ok().then_some(job))
            .collect();
        let insert = Insert {
            jobs: sound,
            atomic,
        };
        let mut stored = self.store.insert(insert, self.now()).await?.into_iter();
        let mut next = || stored.next().unwrap_or(Err(OperatorError::Internal));
        Ok(checks
            .into_iter()
            .map(|check| check.and_then(|()| next()))
            .collect())
    }

    pub(super) async fn job_with_reason(&self, id: JobId) -> Answer<Job> {
        let found = self.store.job(id).await?;
        let mut job = found.ok_or_else(|| no_job(id))?;
        job.waiting_reason = self.waiting_reason(&job).await?;
        Ok(job)
    }

    pub(super) async fn detail(&self, id: JobId) -> Answer<JobDetail> {
        let job = self.job_with_reason(id).await?;
        let (attempts, logs, recent_runs, same_cause) = tokio::try_join!(
            async { Answer::Ok(self.store.attempts(id).await?) },
            async { Answer::Ok(self.store.logs(id).await?) },
            async { Answer::Ok(self.store.recent_runs(&job.row.kind).await?) },
            self.same_cause(&job),
        )?;
        Ok(JobDetail {
            job,
            attempts,
            logs,
            same_cause,
            recent_runs,
            now: self.now(),
        })
    }

    pub(super) async fn must_exist(&self, id: JobId) -> Answer<()> {
        match self.store.job_row(id).await? {
            Some(_) => Ok(()),
            None => Err(no_job(id)),
        }
    }

    pub(super) async fn change(
        &self,
        id: JobId,
        patch: JobPatch,
        version: Option<i64>,
    ) -> Answer<Job> {
        self.limits.check_patch(&patch)?;
        self.store.edit(id, patch, version, self.now()).await?;
        self.job_with_reason(id).await
    }

    pub(super) async fn act_on_one(&self, id: JobId, action: Action) -> Answer<JobId> {
        only(self.act_on_each(vec![id], action).await?)?
    }

    pub(super) async fn act_on_many(
        &self,
        ids: Vec<JobId>,
        action: Action,
    ) -> Answer<Vec<ActionResult>> {
        if ids.len() > MOST_ACTED {
            let fault = format!("{} jobs, at most {MOST_ACTED} are allowed", ids.len());
            return Err(Invalid::one("/ids", fault).into());
        }
        let answers = self.act_on_each(ids.clone(), action).await?;
        Ok(ids
            .into_iter()
            .zip(answers)
            .map(|(id, answer)| ActionResult {
                id,
                refused: answer.err(),
            })
            .collect())
    }

    async fn act_on_each(&self, ids: Vec<JobId>, action: Action) -> Answer<Vec<Answer<JobId>>> {
        if action == Action::Edit {
            let detail = "an edit needs the new values; use PATCH";
            return Err(OperatorError::conflict(
                ConflictCode::NotAllowedInState,
                detail,
            ));
        }
        let answers = self.store.act(ids, action, self.now()).await?;
        if action == Action::Cancel {
            self.events.cancel_asked();
        }
        Ok(answers)
    }
}

/// The answer to the only thing that was asked.
fn only<T>(answers: Vec<Answer<T>>) -> Answer<Answer<T>> {
    answers.into_iter().next().ok_or(OperatorError::Internal)
}

pub(super) fn no_job(id: JobId) -> OperatorError {
    OperatorError::not_found(Thing::Job, id)
}

/// What a sound job of an atomic bulk answers when another one sank it; the store says the same.
fn sunk() -> OperatorError {
    OperatorError::conflict(
        ConflictCode::KeyReused,
        "not stored, because another job of the same request was refused",
    )
}
