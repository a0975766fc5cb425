//! Jobs.

use std::collections::BTreeMap;

use conveyor_model::job::{Attempt, LastError, Progress};
use conveyor_model::retry::Backoff;
use conveyor_model::state::State;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::Problem;

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
