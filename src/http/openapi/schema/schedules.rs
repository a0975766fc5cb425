//! Schedules and their expressions.

use conveyor_model::cron::DstRule;
use conveyor_model::lang::Lang;
use conveyor_model::schedule::{CatchUp, OverlapPolicy, Slot};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

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
