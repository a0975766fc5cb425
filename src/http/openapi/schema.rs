//! Descriptions of bodies that are read and written field by field, for the OpenAPI document only.
//! A test compares them with what the handlers really take and give.

use std::collections::BTreeMap;

use conveyor_model::cron::DstRule;
use conveyor_model::error::FieldError;
use conveyor_model::job::{Attempt, Failure, LastError, Progress};
use conveyor_model::lang::Lang;
use conveyor_model::retry::Backoff;
use conveyor_model::schedule::{CatchUp, OverlapPolicy, Slot};
use conveyor_model::state::State;
use conveyor_model::stats::{KindInfo, Series};
use conveyor_model::worker::{FinishAnswer, FinishOutcome, Lease, NewLogLine, Worker};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// An error (RFC 9457).
#[derive(Serialize, ToSchema)]
pub(crate) struct Problem {
    /// `/problems/{code}`, which explains it.
    r#type: String,
    /// The same for every problem of this code.
    title: String,
    /// The HTTP status.
    status: u16,
    /// What is particular about this one.
    detail: String,
    /// A stable word for programs.
    code: String,
    /// The fields it is about.
    errors: Option<Vec<FieldError>>,
    /// Names the request in the server's log.
    request_id: Option<String>,
}

/// A job to be stored.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewJob {
    /// Which handler runs it.
    #[schema(
        min_length = 1,
        max_length = 128,
        pattern = "^[A-Za-z0-9._:-]+$",
        example = "email.send"
    )]
    kind: String,
    /// What the handler gets: any JSON, kept byte for byte; `{}` when left out.
    payload: Option<Value>,
    /// `default` when left out.
    #[schema(max_length = 128)]
    queue: Option<String>,
    /// 9 goes first; 5 when left out.
    #[schema(minimum = 0, maximum = 9)]
    priority: Option<u8>,
    /// Due this long after it is stored; not together with `run_at`.
    #[schema(minimum = 0, maximum = 316_224_000)]
    delay_s: Option<f64>,
    /// Due at this time.
    #[schema(format = DateTime)]
    run_at: Option<String>,
    /// 20 when left out.
    #[schema(minimum = 1, maximum = 100)]
    max_attempts: Option<u32>,
    /// How long one attempt may take; 0 means without limit, 300 when left out. A positive length
    /// below a microsecond counts as one.
    #[schema(minimum = 0, maximum = 2_592_000)]
    timeout_s: Option<f64>,
    /// The delay between attempts.
    backoff: Option<Backoff>,
    /// Makes a repeated enqueue harmless; 1 to 255 bytes.
    idempotency_key: Option<String>,
    /// Words to find it by, kept in this order; a repeat is left out.
    #[schema(max_items = 20)]
    tags: Option<Vec<String>>,
    /// Strings that travel with it.
    meta: Option<BTreeMap<String, String>>,
}

/// Changes to a job.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobPatch {
    /// A new payload; `null` sets null.
    payload: Option<Value>,
    /// Another queue.
    queue: Option<String>,
    /// Another priority.
    #[schema(minimum = 0, maximum = 9)]
    priority: Option<u8>,
    /// Another time.
    #[schema(format = DateTime)]
    run_at: Option<String>,
    /// Another number of attempts: more than it has had.
    #[schema(minimum = 1, maximum = 100)]
    max_attempts: Option<u32>,
    /// Another time limit for one attempt.
    #[schema(minimum = 0, maximum = 2_592_000)]
    timeout_s: Option<f64>,
    /// Other tags, replacing all there are.
    #[schema(max_items = 20)]
    tags: Option<Vec<String>>,
}

/// What a list shows of a job.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobRow {
    /// Its id.
    id: i64,
    /// Where it is in its life.
    state: State,
    /// Which handler runs it.
    kind: String,
    /// The queue it is in.
    queue: String,
    /// 9 goes first.
    priority: u8,
    /// When it is or was due.
    #[schema(format = DateTime)]
    run_at: String,
    /// Attempts begun so far.
    attempt: u32,
    /// Attempts it gets.
    max_attempts: u32,
    /// Who runs it now.
    #[schema(required)]
    worker: Option<String>,
    /// Until when, unless renewed.
    #[schema(required, format = DateTime)]
    lease_until: Option<String>,
    /// Since when its running attempt is asked to stop.
    #[schema(required, format = DateTime)]
    cancel_requested_at: Option<String>,
    /// When it was stored.
    #[schema(format = DateTime)]
    created_at: String,
    /// When its latest attempt began.
    #[schema(required, format = DateTime)]
    started_at: Option<String>,
    /// When it reached a final state.
    #[schema(required, format = DateTime)]
    finished_at: Option<String>,
    /// The schedule that enqueued it.
    #[schema(required)]
    schedule: Option<String>,
    /// null: jobs cannot be steps of a workflow yet.
    #[schema(required, value_type = Option<Object>)]
    workflow: Option<Value>,
    /// Its key.
    #[schema(required)]
    idempotency_key: Option<String>,
    /// Words to find it by.
    tags: Vec<String>,
    /// Grows with each change; the `ETag`.
    version: i64,
    /// The first 200 characters of the payload.
    payload_preview: String,
}

/// One job.
#[derive(Serialize, ToSchema)]
pub(crate) struct Job {
    #[serde(flatten)]
    row: JobRow,
    /// What the handler gets, byte for byte.
    payload: Value,
    /// What the last successful attempt answered, byte for byte.
    #[schema(required)]
    result: Option<Value>,
    /// Strings that travel with it.
    meta: BTreeMap<String, String>,
    /// The delay between attempts.
    backoff: Backoff,
    /// How long one attempt may take; 0 means without limit.
    timeout_s: f64,
    /// How far the running attempt is.
    #[schema(required)]
    progress: Option<Progress>,
    /// What went wrong last.
    #[schema(required)]
    last_error: Option<LastError>,
    /// How many of its attempts ended with the death of their process.
    crash_count: u32,
    /// Why it is dead: `attempts_used_up`, `given_up` (its worker said that no further attempt makes
    /// sense), `crash_loop` (three attempts ended with the death of their process) or `discarded`.
    #[schema(required)]
    dead_reason: Option<String>,
    /// Why it is not running; null unless it waits.
    #[schema(required)]
    waiting_reason: Option<WaitingReason>,
}

/// One job with its attempts.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobWithAttempts {
    #[serde(flatten)]
    job: Job,
    /// Its attempts, oldest first.
    attempts: Vec<Attempt>,
}

/// Why a job is not running. Some causes have fields of their own beside these.
#[derive(Serialize, ToSchema)]
pub(crate) struct WaitingReason {
    /// `scheduled, backoff, queue_paused, no_worker, no_worker_for_kind, workers_quiet, behind_others, slots_busy, blocked, starting_now`.
    code: String,
    /// The same as an English sentence.
    text: String,
    /// The page that shows what holds it.
    link: Option<String>,
}

/// A job of a list, with what `include` asks for.
#[derive(Serialize, ToSchema)]
pub(crate) struct ListedJob {
    #[serde(flatten)]
    row: JobRow,
    /// With `include=payload`.
    payload: Option<Value>,
    /// With `include=result`.
    result: Option<Value>,
    /// With `include=attempts`.
    attempts: Option<Vec<Attempt>>,
}

/// One page of jobs.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobPage {
    /// The jobs, with what was to be included.
    items: Vec<ListedJob>,
    /// `after` of the next page; none on the last.
    #[schema(required)]
    next: Option<String>,
    /// How many match: exact up to 10,000, where it stays.
    total: u64,
    /// Whether there are more than `total`, or may be.
    total_capped: bool,
    /// A page is given up after 0.4 s, a text search after 20,000 jobs too. True when that happened
    /// before the page was full: `next` goes on from there, even from an empty page, and `total` is a
    /// lower bound.
    search_stopped: bool,
}

/// What became of a bulk request.
#[derive(Serialize, ToSchema)]
pub(crate) struct BulkOutcome {
    /// Jobs stored.
    created: u64,
    /// Jobs that were there under their key.
    existing: u64,
    /// Jobs refused.
    failed: u64,
    /// Each, in the order given.
    items: Vec<BulkItem>,
}

/// What became of one job of a bulk request.
#[derive(Serialize, ToSchema)]
pub(crate) struct BulkItem {
    /// Its place, from 0.
    index: u64,
    /// `created`, `existing` or `invalid`.
    status: String,
    /// The job.
    id: Option<i64>,
    /// Why it was refused.
    problem: Option<Problem>,
}

/// How to pause a queue.
#[derive(Serialize, ToSchema)]
pub(crate) struct PauseRequest {
    /// Why; at most 500 bytes.
    note: Option<String>,
    /// When it resumes by itself.
    #[schema(format = DateTime)]
    until: Option<String>,
}

/// A schedule to be made.
#[derive(Serialize, ToSchema)]
pub(crate) struct ScheduleSpec {
    /// The cron expression.
    #[schema(example = "0 9 * * MON-FRI")]
    cron: String,
    /// The kind of the jobs it enqueues.
    kind: String,
    #[serde(flatten)]
    rest: ScheduleRest,
}

/// Changes to a schedule.
#[derive(Serialize, ToSchema)]
pub(crate) struct SchedulePatch {
    /// Another expression.
    cron: Option<String>,
    /// Another kind.
    kind: Option<String>,
    #[serde(flatten)]
    rest: ScheduleRest,
}

/// What a schedule has besides.
#[derive(Serialize, ToSchema)]
pub(crate) struct ScheduleRest {
    /// An IANA time zone; UTC when left out.
    #[schema(example = "Europe/Berlin")]
    timezone: Option<String>,
    /// The payload of its jobs.
    payload: Option<Value>,
    /// Their queue.
    queue: Option<String>,
    /// Their priority.
    #[schema(minimum = 0, maximum = 9)]
    priority: Option<u8>,
    /// Their attempts.
    #[schema(minimum = 1, maximum = 100)]
    max_attempts: Option<u32>,
    /// How long one attempt may take.
    timeout_s: Option<f64>,
    /// Whether it does not fire.
    paused: Option<bool>,
    /// What happens to missed slots.
    catch_up: Option<CatchUp>,
    /// What happens when the last job is not finished.
    overlap: Option<OverlapPolicy>,
    /// What happens when clocks change.
    dst: Option<DstRule>,
    /// Each slot fires up to this much later.
    #[schema(minimum = 0, maximum = 3600)]
    jitter_s: Option<f64>,
    /// No slot before.
    #[schema(format = DateTime)]
    starts_at: Option<String>,
    /// No slot at or after.
    #[schema(format = DateTime)]
    ends_at: Option<String>,
}

/// A schedule.
#[derive(Serialize, ToSchema)]
pub(crate) struct Schedule {
    /// Its name.
    name: String,
    #[serde(flatten)]
    spec: ScheduleSpec,
    /// The expression in English words.
    description: String,
    /// The next slot; none when paused, ended or never.
    #[schema(required, format = DateTime)]
    next_at: Option<String>,
    /// The slot that has come and waits for the schedule's earlier job (`overlap: queue_one`).
    #[schema(required, format = DateTime)]
    waiting_slot: Option<String>,
    /// Why it was made to stand still: it could not be read or carried out.
    #[schema(required)]
    fault: Option<String>,
    /// What became of the latest slot.
    #[schema(required)]
    last_slot: Option<Slot>,
    /// Who paused it.
    #[schema(required)]
    paused_by: Option<String>,
    /// When it was made.
    #[schema(format = DateTime)]
    created_at: String,
    /// When it was last changed.
    #[schema(format = DateTime)]
    updated_at: String,
    /// Grows with each change; the `ETag`.
    version: i64,
}

/// One page of schedules.
#[derive(Serialize, ToSchema)]
pub(crate) struct SchedulePage {
    /// The schedules, by name.
    items: Vec<Schedule>,
    /// `after` of the next page; none on the last.
    #[schema(required)]
    next: Option<String>,
    /// How many there are.
    total: u64,
    /// Whether there are more than `total`, which stays at 10,000.
    total_capped: bool,
}

/// One page of kinds.
#[derive(Serialize, ToSchema)]
pub(crate) struct KindPage {
    /// The kinds, by name.
    items: Vec<KindInfo>,
    /// `after` of the next page; none on the last.
    #[schema(required)]
    next: Option<String>,
    /// How many there are.
    total: u64,
    /// Whether there are more than `total`, which stays at 10,000.
    total_capped: bool,
}

/// One page of workers.
#[derive(Serialize, ToSchema)]
pub(crate) struct WorkerPage {
    /// The workers, by name.
    items: Vec<Worker>,
    /// `after` of the next page; none on the last.
    #[schema(required)]
    next: Option<String>,
    /// How many there are.
    total: u64,
    /// Whether there are more than `total`, which stays at 10,000.
    total_capped: bool,
}

/// A question about an expression.
#[derive(Serialize, ToSchema)]
pub(crate) struct CronPreviewRequest {
    /// The expression.
    #[schema(example = "*/15 * * * *")]
    cron: String,
    /// An IANA time zone; UTC when left out.
    timezone: Option<String>,
    /// Fires after this; now, if left out.
    #[schema(format = DateTime)]
    from: Option<String>,
    /// How many fires; 5 when left out.
    #[schema(minimum = 1, maximum = 100)]
    n: Option<u32>,
    /// The language of the words.
    lang: Option<Lang>,
    /// The name of the schedule, which `H` is hashed from.
    name: Option<String>,
    /// What becomes of times that the clock jumps over or shows twice.
    dst: Option<DstRule>,
    /// No fire before this.
    #[schema(format = DateTime)]
    starts_at: Option<String>,
    /// No fire at or after this.
    #[schema(format = DateTime)]
    ends_at: Option<String>,
}

/// What an expression means.
#[derive(Serialize, ToSchema)]
pub(crate) struct CronPreview {
    /// In words.
    description: String,
    /// The next fires.
    next: Vec<String>,
    /// How far the schedule's clock is ahead of UTC at each of them, in seconds.
    offsets: Vec<i32>,
    /// What may surprise.
    notes: Vec<String>,
}

/// Points of a chart: whole, or of one metric.
#[expect(dead_code, reason = "it is described, never made")]
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum AnySeries {
    /// Every metric.
    Whole(Series),
    /// One metric.
    One(OneSeries),
}

/// Points of one metric.
#[derive(Serialize, ToSchema)]
pub(crate) struct OneSeries {
    /// Which.
    metric: String,
    /// The time between two points.
    step_s: f64,
    /// The points, `{at, value}`; `value` is a number, or the quantiles of a length.
    #[schema(value_type = Vec<Object>)]
    points: Vec<Value>,
}

/// A request for jobs.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimRequest {
    /// Who asks: a name plus a part made at random when the process started.
    worker: String,
    /// From these queues; all when left out or empty.
    queues: Option<Vec<String>>,
    /// Of these kinds; all when left out.
    kinds: Option<Vec<String>>,
    /// At most this many; 1 when left out.
    #[schema(minimum = 1, maximum = 1000)]
    max: Option<u32>,
    /// How long to wait for the first job.
    #[schema(minimum = 0, maximum = 30)]
    wait_s: Option<f64>,
    /// How long the lease lasts; 30 when left out.
    #[schema(minimum = 5, maximum = 3600)]
    lease_s: Option<f64>,
}

/// The answer to a claim.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimAnswer {
    /// The jobs, first to run first.
    jobs: Vec<ClaimedJob>,
}

/// A job under a lease: every field of a job, and the token.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClaimedJob {
    #[serde(flatten)]
    job: Job,
    /// Proves this attempt's right to report.
    lease_token: i64,
}

/// A sign of life.
#[derive(Serialize, ToSchema)]
pub(crate) struct Heartbeat {
    /// Who lives.
    worker: String,
    /// The leases to renew, at most 1,000.
    leases: Option<Vec<Lease>>,
    /// What it can do at once.
    load: Option<Load>,
}

/// What a worker can do at once.
#[derive(Serialize, ToSchema)]
pub(crate) struct Load {
    /// Jobs it can run at once.
    slots: Option<u32>,
    /// Jobs it runs now.
    busy: Option<u32>,
}

/// Reports of attempts.
#[derive(Serialize, ToSchema)]
pub(crate) struct FinishRequest {
    /// Who reports.
    worker: String,
    /// The reports, at most 1,000.
    results: Vec<Finish>,
}

/// How one attempt ended.
#[derive(Serialize, ToSchema)]
pub(crate) struct Finish {
    /// The job.
    id: i64,
    #[serde(flatten)]
    report: SingleFinish,
}

/// How an attempt ended.
#[derive(Serialize, ToSchema)]
pub(crate) struct SingleFinish {
    /// The token of the claim.
    lease_token: i64,
    /// How it ended.
    outcome: FinishOutcome,
    /// What a success answers, kept byte for byte; only with `succeeded`.
    result: Option<Value>,
    /// What went wrong; not with `succeeded`. Of the class 200 bytes are kept, of the message 8,192, of
    /// the backtrace 32,768.
    error: Option<Failure>,
    /// After a failure: wait this long instead of the backoff; only with `failed`.
    #[schema(minimum = 0, maximum = 2_592_000)]
    retry_in_s: Option<f64>,
    /// How long; only with `snooze`, which needs it.
    #[schema(minimum = 0, maximum = 2_592_000)]
    snooze_s: Option<f64>,
}

/// What became of reports.
#[derive(Serialize, ToSchema)]
pub(crate) struct FinishOutcomes {
    /// Each, in the order given.
    results: Vec<FinishAnswer>,
}

/// Log lines of a running attempt.
#[derive(Serialize, ToSchema)]
pub(crate) struct LogRequest {
    /// The job.
    id: i64,
    /// The token of the claim.
    lease_token: i64,
    /// The lines, at most 1,000. Of a message the first 4,096 bytes are kept, of an attempt's lines the
    /// last 1,000.
    lines: Vec<NewLogLine>,
}

/// A worker that has stopped.
#[derive(Serialize, ToSchema)]
pub(crate) struct LeaveRequest {
    /// Its name, as in its claims.
    worker: String,
}

/// How far a running attempt is.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProgressRequest {
    /// The job.
    id: i64,
    /// The token of the claim.
    lease_token: i64,
    /// 0 to 100.
    percent: Option<f64>,
    /// A word on what it is doing; at most 1,000 bytes, of which 500 are kept.
    message: Option<String>,
}
