//! Workers and the protocol they speak.

use conveyor_model::job::Failure;
use conveyor_model::worker::{FinishAnswer, FinishOutcome, Lease, NewLogLine, Worker};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::jobs::Job;

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
    /// After a failure: wait this long instead of the backoff; only with `failed` and `timeout`.
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
    /// The lines, at most 1,000; the body may have 32 MiB. Of a message the first 4,096 bytes are kept,
    /// of an attempt's lines the last 1,000.
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
