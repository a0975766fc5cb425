//! The port between the queue and its faces: everything the dashboard and REST may ask of it.
//!
//! The server implements it once; pages reach it as `Arc<dyn Operator>`, and page tests put a made-up
//! one in its place.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::cron::{CronPreview, CronPreviewRequest};
use crate::dead::DeadGroup;
use crate::error::OperatorError;
use crate::filter::{JobFilter, JobPage, Page};
use crate::job::Progress;
use crate::job::{Attempt, Job, LogLine};
use crate::name::{JobId, QueueName, ScheduleName, WorkerName};
use crate::new_job::{JobPatch, NewJob};
use crate::queue::{PauseRequest, Queue};
use crate::schedule::{Schedule, ScheduleSpec, Slot};
use crate::state::Action;
use crate::stats::{Counts, KindInfo, Overview, Range, Series, SeriesFilter};
use crate::worker::{
    ClaimAnswer, ClaimRequest, Finish, FinishAnswer, Heartbeat, HeartbeatAnswer, Lease, NewLogLine,
    Worker, WorkerState,
};

/// What an operation of the queue answers.
pub type Answer<T> = Result<T, OperatorError>;

/// Who asks, for notes such as "paused by".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor(pub String);

/// What became of one enqueue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enqueued {
    /// The job.
    pub id: JobId,
    /// Whether it was there already under the same idempotency key.
    pub existing: bool,
}

/// Everything about one job at once, for its page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobDetail {
    /// The job.
    pub job: Job,
    /// Its attempts, oldest first, the running one last.
    pub attempts: Vec<Attempt>,
    /// Their log lines, oldest first, at most the last 1,000.
    pub logs: Vec<LogLine>,
    /// Other dead jobs of the same cause, when it is dead.
    pub same_cause: Option<DeadGroup>,
    /// The last 20 ended attempts of its kind, oldest first.
    pub recent_runs: Vec<RecentRun>,
    /// When this was read.
    pub now: crate::time::Timestamp,
}

/// One ended attempt of a kind, as a dot on the job page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentRun {
    /// The job.
    pub id: JobId,
    /// Whether it succeeded.
    pub succeeded: bool,
    /// How long it took.
    pub took: crate::time::Span,
}

/// What became of one job in an action over several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionResult {
    /// The job.
    pub id: JobId,
    /// Why it was not done, if it was not.
    pub refused: Option<OperatorError>,
}

/// Everything an operator may ask. Verbs on one job answer [`OperatorError::NotFound`] for an unknown
/// id and [`OperatorError::Conflict`] where its state does not allow them.
#[async_trait]
pub trait Operator: Send + Sync {
    /// Stores a job; a known idempotency key with the same request answers the job it has.
    async fn enqueue(&self, job: NewJob) -> Answer<Enqueued>;
    /// The same; answers the job as it was stored, and whether it was there already. What holds a new job
    /// that is due is not looked up: its `waiting_reason` is none.
    async fn enqueue_shown(&self, job: NewJob) -> Answer<(Job, bool)>;
    /// Stores many, each for itself, or with `atomic` all or none. Answers in the order given.
    async fn enqueue_many(&self, jobs: Vec<NewJob>, atomic: bool) -> Answer<Vec<Answer<Enqueued>>>;

    /// One page of the jobs that match.
    async fn jobs(&self, filter: &JobFilter, page: &Page) -> Answer<JobPage>;
    /// One job.
    async fn job(&self, id: JobId) -> Answer<Job>;
    /// One job with its attempts and logs.
    async fn job_detail(&self, id: JobId) -> Answer<JobDetail>;
    /// A job's attempts, oldest first.
    async fn attempts(&self, id: JobId) -> Answer<Vec<Attempt>>;
    /// A job's log lines, oldest first.
    async fn logs(&self, id: JobId) -> Answer<Vec<LogLine>>;
    /// Changes a job that is not running. With `version`, only if it still has that version.
    async fn edit(&self, id: JobId, patch: JobPatch, version: Option<i64>) -> Answer<Job>;
    /// Deletes a job that is not running. With `version`, only if it still has that version.
    async fn delete(&self, id: JobId, version: Option<i64>) -> Answer<()>;
    /// Runs, retries, cancels, discards or deletes a job; [`Action::Duplicate`] answers the new
    /// job's id, every other action the job's own. [`Action::Edit`] is refused: use `edit`.
    async fn act(&self, id: JobId, action: Action) -> Answer<JobId>;
    /// The same action on up to 1,000 jobs, each for itself.
    async fn act_on(&self, ids: Vec<JobId>, action: Action) -> Answer<Vec<ActionResult>>;

    /// Every queue that has or had jobs or settings, by name.
    async fn queues(&self) -> Answer<Vec<Queue>>;
    /// One queue.
    async fn queue(&self, name: &QueueName) -> Answer<Queue>;
    /// Stops giving out its jobs.
    async fn pause_queue(
        &self,
        name: &QueueName,
        request: PauseRequest,
        by: &Actor,
    ) -> Answer<Queue>;
    /// Gives them out again.
    async fn resume_queue(&self, name: &QueueName) -> Answer<Queue>;
    /// Deletes its jobs that wait (scheduled, ready, retrying); answers how many.
    async fn purge_queue(&self, name: &QueueName) -> Answer<u64>;

    /// Every schedule, by name.
    async fn schedules(&self) -> Answer<Vec<Schedule>>;
    /// One schedule.
    async fn schedule(&self, name: &ScheduleName) -> Answer<Schedule>;
    /// Makes a schedule or replaces what people wrote of it; never fires by itself. With `version`,
    /// only if it still has that version; version 0 means only if there is none of that name.
    async fn put_schedule(
        &self,
        name: &ScheduleName,
        spec: ScheduleSpec,
        version: Option<i64>,
        by: &Actor,
    ) -> Answer<Schedule>;
    /// Removes a schedule; its jobs stay. With `version`, only if it still has that version.
    async fn delete_schedule(&self, name: &ScheduleName, version: Option<i64>) -> Answer<()>;
    /// Enqueues its job now; the next slot stays where it is.
    async fn run_schedule(&self, name: &ScheduleName) -> Answer<JobId>;
    /// Stops or resumes firing.
    async fn pause_schedule(
        &self,
        name: &ScheduleName,
        paused: bool,
        by: &Actor,
    ) -> Answer<Schedule>;
    /// Its latest slots, newest first, at most 200.
    async fn slots(&self, name: &ScheduleName) -> Answer<Vec<Slot>>;
    /// What an expression means and when it fires.
    async fn preview_cron(&self, request: CronPreviewRequest) -> Answer<CronPreview>;
    /// The names of the time zones a schedule may use, sorted.
    async fn time_zones(&self) -> Answer<Vec<String>>;

    /// Workers seen in the last day, live ones first.
    async fn workers(&self) -> Answer<Vec<Worker>>;
    /// Tells a worker to be quiet, to run, or to stop.
    async fn tell_worker(&self, name: &WorkerName, state: WorkerState) -> Answer<()>;

    /// The dead letter by cause, largest group first, at most 200 groups.
    async fn dead_groups(&self) -> Answer<Vec<DeadGroup>>;
    /// Retries up to `most` jobs of a group, or all; answers how many.
    async fn retry_group(&self, fingerprint: &str, most: Option<u32>) -> Answer<u64>;
    /// Deletes all jobs of a group; answers how many.
    async fn delete_group(&self, fingerprint: &str) -> Answer<u64>;

    /// Jobs and things, as the frame shows them; read at most once a second.
    async fn counts(&self) -> Answer<Counts>;
    /// The overview page.
    async fn overview(&self, range: Range) -> Answer<Overview>;
    /// Points of a chart.
    async fn series(&self, range: Range, filter: &SeriesFilter) -> Answer<Series>;
    /// Every kind that has jobs or a handler, by name.
    async fn kinds(&self) -> Answer<Vec<KindInfo>>;
}

/// What a worker in any language may ask: take jobs under a lease, keep the lease, report.
#[async_trait]
pub trait WorkerProtocol: Send + Sync {
    /// Takes jobs; waits up to `wait_s` for the first. A quiet worker gets none. Jobs that were taken
    /// when the future is dropped are handed back.
    async fn claim(&self, request: ClaimRequest) -> Answer<ClaimAnswer>;
    /// Renews leases and tells the worker what to do.
    async fn heartbeat(&self, heartbeat: Heartbeat) -> Answer<HeartbeatAnswer>;
    /// Ends attempts, each for itself, in the order given.
    async fn finish(&self, reports: Vec<Finish>) -> Answer<Vec<FinishAnswer>>;
    /// Appends log lines; refused with [`crate::error::ConflictCode::StaleLease`] when the lease is
    /// not held.
    async fn log(&self, lease: Lease, lines: Vec<NewLogLine>) -> Answer<()>;
    /// Notes how far an attempt is; refused like [`WorkerProtocol::log`].
    async fn progress(&self, lease: Lease, progress: Progress) -> Answer<()>;
    /// Forgets a worker that has stopped in good order; one that is not known is no fault.
    async fn leave(&self, worker: &WorkerName) -> Answer<()>;
}
