//! The contract between the queue and its database, in the order of a job's life.
//!
//! A store makes each write durable before it answers: when a method has returned `Ok`, the change is
//! synced. Writes that arrive together may share a commit, but each is answered for itself, and one
//! that fails leaves no trace and does not harm its neighbours. `now` is always given by the caller.
//! Guards are in the statements (`state`, lease token), never in a read before a write, so that
//! several processes on one database cannot both win.
//!
//! After a commit the store tells [`Events`] what changed.

mod numbers;
mod slots;
pub mod sqlite;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use async_trait::async_trait;
use conveyor_model::dead::DeadGroup;
use conveyor_model::error::OperatorError;
use conveyor_model::filter::{JobFilter, JobPage, Page};
use conveyor_model::job::{Attempt, Claimed, Failure, Job, JobRow, LogLine, Progress};
use conveyor_model::name::{JobId, Kind, QueueName, ScheduleName, WorkerName};
use conveyor_model::new_job::{JobPatch, NewJob};
use conveyor_model::operator::{Enqueued, RecentRun};
use conveyor_model::queue::{Pause, Queue};
use conveyor_model::schedule::{Schedule, ScheduleSpec, Slot};
use conveyor_model::state::{Action, State};
use conveyor_model::stats::{Counts, Histogram, Range, Series, SeriesFilter};
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::{
    Finish, FinishStatus, Lease, LeaseAnswer, NewLogLine, Worker, WorkerState,
};
use futures_util::future::BoxFuture;

use prometheus::proto::MetricFamily;

use crate::events::Events;
pub use numbers::{LaneTotals, Recent, RunTotals, StoreHealth, Totals};
pub use slots::{Decided, DueSchedule, SlotDecision};

/// What a store answers.
pub type StoreResult<T> = Result<T, StoreError>;

/// Why the store did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The request cannot be done as things stand; nothing changed.
    #[error(transparent)]
    Refused(#[from] OperatorError),
    /// The disk is full; reads work, nothing was written.
    #[error("the disk is full")]
    DiskFull,
    /// The database cannot be reached or is busy; try again. Nothing was written.
    #[error("the database is away: {0}")]
    Unavailable(String),
    /// A disk or file fault at the commit: whether the write is there is only known after a restart.
    /// The process must stop taking work and end, so that recovery decides.
    #[error("the database file cannot be trusted any more: {0}")]
    Fatal(String),
    /// A stored row holds what no version of this program wrote.
    #[error("{what} is damaged: {why}")]
    Corrupt {
        /// Which row.
        what: String,
        /// What is wrong with it.
        why: String,
    },
}

impl From<StoreError> for OperatorError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Refused(refused) => refused,
            StoreError::DiskFull => OperatorError::DiskFull,
            StoreError::Unavailable(_) | StoreError::Fatal(_) => {
                OperatorError::Unavailable("the database is away; try again later".to_owned())
            }
            StoreError::Corrupt { what, why } => {
                tracing::error!(%what, %why, "a stored row is damaged");
                OperatorError::Internal
            }
        }
    }
}

/// Jobs a worker may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Who takes them.
    pub worker: WorkerName,
    /// From these queues; empty means from all.
    pub queues: Vec<QueueName>,
    /// Of these kinds; none means of all.
    pub kinds: Option<Vec<Kind>>,
    /// At most this many.
    pub max: usize,
    /// How long the lease lasts, and each renewal.
    pub lease: Span,
}

/// Jobs to store.
#[derive(Clone, Debug, PartialEq)]
pub struct Insert {
    /// The jobs, at most 10,000.
    pub jobs: Vec<NewJob>,
    /// All or none: when one is refused, the others answer a conflict and nothing is stored.
    pub atomic: bool,
}

/// How a store is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreOptions {
    /// `sqlite:PATH`.
    pub url: String,
    /// Most read connections, from 1.
    pub readers: u32,
}

/// How long finished jobs are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Succeeded and cancelled jobs.
    pub succeeded: Span,
    /// Dead jobs.
    pub dead: Span,
}

/// A worker's sign of life, kept for the workers page and for "why is it not running".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerSeen {
    /// Who.
    pub name: WorkerName,
    /// Queues it serves; empty means all.
    pub queues: Vec<QueueName>,
    /// Kinds it knows; none means all.
    pub kinds: Option<Vec<Kind>>,
    /// Slots, if known.
    pub slots: Option<u32>,
    /// Whether it is the pool of a server process.
    pub in_process: bool,
    /// Its version, if known.
    pub version: Option<String>,
}

/// A logged-in browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// SHA-256 of the secret in the cookie.
    pub id_hash: [u8; 32],
    /// Who it is, for "paused by".
    pub actor: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used; written at most once a minute.
    pub seen_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// What fills a store with a past.
pub type Filler = Box<dyn FnOnce(Arc<dyn Store>) -> BoxFuture<'static, StoreResult<()>> + Send>;

/// A database that holds the queue.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Stores jobs. A known idempotency key with the same request answers the job it has; with a
    /// different one [`OperatorError::KeyReused`]. Answers in the order given. A job due at or before
    /// `now` is ready at once, another is scheduled.
    async fn insert(
        &self,
        insert: Insert,
        now: Timestamp,
    ) -> StoreResult<Vec<Result<Enqueued, OperatorError>>>;

    /// Takes ready jobs under a lease, in one statement: priority (9 first), due time, id. Skips
    /// paused queues. Counts the attempt and grows the lease token.
    async fn claim(&self, claim: Claim, now: Timestamp) -> StoreResult<Vec<Claimed>>;

    /// As [`Store::claim`], but waits while nothing is ready. A job that is enqueued meanwhile is taken in
    /// the very commit that stores it; its lease lasts from then. The answer may be empty at any time, and
    /// what another process makes ready is not noticed: ask again, and do not wait for more than a second
    /// or so. Whoever stops waiting loses no job.
    async fn claim_when_ready(&self, claim: Claim, now: Timestamp) -> StoreResult<Vec<Claimed>>;

    /// Renews leases that are still held, each to the length it was claimed with. A lease whose time
    /// has run out but that nobody rescued is still held. Answers in the order given.
    async fn renew(&self, leases: Vec<Lease>, now: Timestamp) -> StoreResult<Vec<LeaseAnswer>>;

    /// Ends attempts. A stale token changes nothing. A failure leads to `retrying` after the job's
    /// backoff (jitter is drawn by the store) or, with no attempt left, to `dead`; a job that was
    /// asked to cancel becomes `cancelled` whatever its attempt reports but success. Answers in the
    /// order given.
    async fn finish(&self, reports: Vec<Finish>, now: Timestamp) -> StoreResult<Vec<FinishStatus>>;

    /// Gives running jobs back to `ready` at once without spending the attempt: a process stops.
    /// Answers how many.
    async fn hand_back(&self, leases: Vec<Lease>, now: Timestamp) -> StoreResult<u64>;

    /// Appends log lines to the running attempt; the oldest beyond the limit go. False: stale.
    async fn log(&self, lease: Lease, lines: Vec<NewLogLine>, now: Timestamp) -> StoreResult<bool>;

    /// Notes how far the running attempt is; what is left out keeps its value. False: stale.
    async fn progress(&self, lease: Lease, progress: Progress, now: Timestamp)
    -> StoreResult<bool>;

    /// Deletes a job that is not running; with `version` only at that version.
    async fn delete(&self, id: JobId, version: Option<i64>) -> StoreResult<()>;

    /// Runs, retries, cancels, discards, duplicates or deletes jobs, each for itself; answers the job
    /// that resulted, in the order given. Retry of a job without attempts left grants one more.
    async fn act(
        &self,
        ids: Vec<JobId>,
        action: Action,
        now: Timestamp,
    ) -> StoreResult<Vec<Result<JobId, OperatorError>>>;

    /// Changes a job that is not running; with `version` only at that version. What changes nothing
    /// keeps the version.
    async fn edit(
        &self,
        id: JobId,
        patch: JobPatch,
        version: Option<i64>,
        now: Timestamp,
    ) -> StoreResult<()>;

    /// Makes due jobs (scheduled, retrying) ready; at most `limit`. Answers how many.
    async fn promote(&self, now: Timestamp, limit: usize) -> StoreResult<usize>;

    /// Takes jobs whose lease ran out from their workers, read and written under one lock: `retrying` with
    /// backoff, `dead` after the last attempt or with reason `crash_loop` after the third crash,
    /// `cancelled` if that was asked. A job that is too damaged for it is left alone for an hour and is in
    /// nobody's way. `since` is when workers could renew again, after a leap of the clock or a start of
    /// this process: nobody loses a lease before a third of it has passed from there. Answers how many
    /// were taken.
    async fn rescue(&self, now: Timestamp, since: Timestamp, limit: usize) -> StoreResult<usize>;

    /// The clock may have gone back: leases and waits between attempts that reach further ahead than they
    /// were meant to are counted from `now`.
    async fn clock_set_back(&self, now: Timestamp) -> StoreResult<()>;

    /// When the next scheduled or retrying job is due, or the next lease or schedule: how long
    /// upkeep may sleep.
    async fn next_due(&self) -> StoreResult<Option<Timestamp>>;

    /// Deletes finished jobs older than their retention, at most `limit`, and old log, slot,
    /// roll-up, worker and session rows. Answers how many jobs.
    async fn prune(&self, retention: Retention, now: Timestamp, limit: usize)
    -> StoreResult<usize>;

    /// Folds fine history into coarse: steps of 10 s older than 15 minutes into minutes, minutes older
    /// than three hours into quarters of an hour.
    async fn roll_up(&self, now: Timestamp) -> StoreResult<()>;

    /// One page of the jobs that match.
    async fn jobs(&self, filter: &JobFilter, page: &Page) -> StoreResult<JobPage>;
    /// One job. `waiting_reason` is left empty.
    async fn job(&self, id: JobId) -> StoreResult<Option<Job>>;
    /// A list row of one job.
    async fn job_row(&self, id: JobId) -> StoreResult<Option<JobRow>>;
    /// A job's attempts, oldest first, the running one last.
    async fn attempts(&self, id: JobId) -> StoreResult<Vec<Attempt>>;
    /// A job's log lines, oldest first.
    async fn logs(&self, id: JobId) -> StoreResult<Vec<LogLine>>;
    /// How many ready jobs go before this one at `takers`, the workers that could take it: those that one
    /// of them takes (its queues and kinds), whose queue is not paused, and that come first in the order
    /// of claims. Jobs that are taken beside it by others are not counted. Stops at 10,000.
    async fn ahead_of(&self, id: JobId, takers: &[&Worker], now: Timestamp) -> StoreResult<u64>;
    /// The last 20 ended attempts of a kind, oldest first.
    async fn recent_runs(&self, kind: &Kind) -> StoreResult<Vec<RecentRun>>;

    /// Jobs in each state, and how many other things there are.
    async fn counts(&self, now: Timestamp) -> StoreResult<Counts>;
    /// Jobs of each kind in each state.
    async fn kind_counts(&self) -> StoreResult<BTreeMap<Kind, BTreeMap<State, u64>>>;
    /// Every queue.
    async fn queues(&self, now: Timestamp) -> StoreResult<Vec<Queue>>;
    /// Pauses (with a value) or resumes (without) a queue. On one that is paused already, since when it
    /// is stays. What changes nothing keeps the version.
    async fn set_pause(
        &self,
        queue: &QueueName,
        pause: Option<Pause>,
        now: Timestamp,
    ) -> StoreResult<()>;
    /// Resumes queues whose pause has ended. Answers how many.
    async fn end_pauses(&self, now: Timestamp) -> StoreResult<usize>;
    /// Deletes waiting jobs of a queue, at most `limit`. Answers how many.
    async fn purge(&self, queue: &QueueName, limit: usize, now: Timestamp) -> StoreResult<u64>;

    /// Every schedule, by name. `description` is left empty.
    async fn schedules(&self) -> StoreResult<Vec<Schedule>>;
    /// One schedule.
    async fn schedule(&self, name: &ScheduleName) -> StoreResult<Option<Schedule>>;
    /// Makes or replaces a schedule with its next slot; `version` as in the Operator.
    async fn put_schedule(
        &self,
        name: &ScheduleName,
        spec: ScheduleSpec,
        next_at: Option<Timestamp>,
        by: &str,
        version: Option<i64>,
        now: Timestamp,
    ) -> StoreResult<()>;
    /// Removes a schedule and its slots, with `version` only at that version; its jobs stay.
    async fn delete_schedule(&self, name: &ScheduleName, version: Option<i64>) -> StoreResult<()>;
    /// Schedules with a slot due at `now`, at most `limit`. One whose row cannot be read is made to
    /// stand still, as by [`Store::stand_still`], and is in nobody's way.
    async fn due_schedules(&self, now: Timestamp, limit: usize) -> StoreResult<Vec<DueSchedule>>;
    /// Which of these slots of a schedule are decided already.
    async fn decided(
        &self,
        name: &ScheduleName,
        among: &[Timestamp],
    ) -> StoreResult<HashSet<Timestamp>>;
    /// Carries out a decision in one commit, if what it was made on still holds in that commit.
    async fn decide(&self, decision: SlotDecision, now: Timestamp) -> StoreResult<Decided>;
    /// Notes that a schedule's due slot waits for its earlier job; later decisions know it. Does
    /// nothing at another version or when another slot is due by now.
    async fn hold(&self, name: &ScheduleName, version: i64, slot: Timestamp) -> StoreResult<()>;
    /// Sets a schedule that cannot be carried out to never fire again until it is changed, and notes
    /// why. Does nothing at another version.
    async fn stand_still(&self, name: &ScheduleName, version: i64, why: &str) -> StoreResult<()>;
    /// A schedule's latest slots, newest first.
    async fn slots(&self, name: &ScheduleName, limit: usize) -> StoreResult<Vec<Slot>>;

    /// Notes a worker's sign of life; answers what it was told to do.
    async fn worker_seen(&self, seen: WorkerSeen, now: Timestamp) -> StoreResult<WorkerState>;
    /// Forgets a worker that has stopped in good order.
    async fn worker_gone(&self, name: &WorkerName) -> StoreResult<()>;
    /// Tells a worker what to do. False: there is no such worker.
    async fn tell_worker(&self, name: &WorkerName, state: WorkerState) -> StoreResult<bool>;
    /// Workers seen in the last day, with the jobs they run.
    async fn workers(&self, now: Timestamp) -> StoreResult<Vec<Worker>>;

    /// The dead letter by cause, largest group first.
    async fn dead_groups(&self, limit: usize) -> StoreResult<Vec<DeadGroup>>;
    /// One group.
    async fn dead_group(&self, fingerprint: &str) -> StoreResult<Option<DeadGroup>>;
    /// The ids of a group's jobs, oldest first, at most `limit`, after `after`.
    async fn dead_jobs(
        &self,
        fingerprint: &str,
        after: Option<JobId>,
        limit: usize,
    ) -> StoreResult<Vec<JobId>>;

    /// Points of a chart up to `now`.
    async fn series(
        &self,
        range: Range,
        filter: &SeriesFilter,
        now: Timestamp,
    ) -> StoreResult<Series>;
    /// Run times and outcomes per kind over the last hour.
    async fn kind_runs(&self, now: Timestamp)
    -> StoreResult<BTreeMap<Kind, (u64, u64, Histogram)>>;
    /// What the overview shows besides.
    async fn recent(&self, now: Timestamp) -> StoreResult<Recent>;
    /// Totals for the counters of `/metrics`.
    async fn totals(&self) -> StoreResult<Totals>;

    /// Fills a store that has never held a job with what `filler` writes into another one: all of it in
    /// one commit, whatever happens meanwhile. False: this store has held a job, nothing was changed.
    async fn fill(&self, filler: Filler) -> StoreResult<bool>;

    /// Keeps a session.
    async fn put_session(&self, session: Session) -> StoreResult<()>;
    /// The session with that hash.
    async fn session(&self, id_hash: [u8; 32]) -> StoreResult<Option<Session>>;
    /// Ends a session.
    async fn end_session(&self, id_hash: [u8; 32]) -> StoreResult<()>;

    /// Whether another process has changed anything since the last call. What this process does is told
    /// to its [`Events`].
    async fn changed_elsewhere(&self, now: Timestamp) -> StoreResult<bool>;
    /// Whether the database answers a read.
    async fn ping(&self) -> StoreResult<()>;
    /// What this process has measured of the store.
    fn measured(&self) -> Vec<MetricFamily>;
    /// Size and health.
    async fn health(&self) -> StoreResult<StoreHealth>;
    /// Finishes what was accepted, closes every connection. Later calls answer `Unavailable`.
    async fn close(&self);
}

/// Whether there is a database at the address, empty or not.
pub fn exists(url: &str) -> StoreResult<bool> {
    sqlite::exists(url)
}

/// Opens the database, makes it if there is none, and brings its schema up to date. What is committed
/// from now on is told to `events`.
pub async fn open(options: &StoreOptions, events: Events) -> StoreResult<Arc<dyn Store>> {
    sqlite::open(options, events, sqlite::Hooks::default()).await
}

/// What the reaper and the store write for a lease that ran out.
pub fn lease_lost() -> Failure {
    Failure::new(
        "LeaseLost",
        "the lease ran out: the worker died, stopped or lost its connection",
    )
}
