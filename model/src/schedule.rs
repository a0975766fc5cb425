//! Schedules: a cron expression in a zone that enqueues a job at each slot.

use serde::{Deserialize, Serialize};

use crate::cron::DstRule;
use crate::error::{Invalid, OperatorError};
use crate::fields::Fields;
use crate::json::JsonText;
use crate::name::{JobId, Kind, Priority, QueueName, ScheduleName};
use crate::new_job::{NewJob, take_max_attempts, take_payload, take_timeout};
use crate::read::words;
use crate::time::{Span, Timestamp};

/// What to do with slots that were missed while nothing ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CatchUp {
    /// Let them go.
    Skip,
    /// Enqueue one job for the latest of them.
    #[default]
    Latest,
    /// Enqueue a job for each, up to [`CATCH_UP_CAP`]; the older ones are skipped.
    All,
}

/// How many missed slots `catch_up: all` makes up for.
pub const CATCH_UP_CAP: usize = 100;

/// What to do when a slot comes while the job of an earlier slot is not finished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OverlapPolicy {
    /// Enqueue it all the same.
    #[default]
    Allow,
    /// Skip the slot.
    Skip,
    /// Let one wait, skip further ones.
    QueueOne,
    /// Cancel the earlier one and enqueue this.
    CancelRunning,
}

words!(CatchUp: "skip" => Skip, "latest" => Latest, "all" => All);
words!(
    OverlapPolicy: "allow" => Allow, "skip" => Skip, "queue_one" => QueueOne,
    "cancel_running" => CancelRunning
);

/// The part of a schedule that people write. Whether the expression and the zone can be used is
/// checked by the server, which has the zones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScheduleSpec {
    /// The cron expression, as it was written.
    pub cron: String,
    /// An IANA time zone, such as `Europe/Berlin`.
    pub timezone: String,
    /// The kind of the jobs it enqueues.
    pub kind: Kind,
    /// Their payload.
    pub payload: JsonText,
    /// Their queue.
    pub queue: QueueName,
    /// Their priority.
    pub priority: Priority,
    /// Their attempts.
    pub max_attempts: u32,
    /// How long one attempt may take; zero means without limit.
    pub timeout_s: Span,
    /// Whether it fires at all.
    pub paused: bool,
    /// What happens to missed slots.
    pub catch_up: CatchUp,
    /// What happens when the last job is not finished.
    pub overlap: OverlapPolicy,
    /// What happens when clocks change.
    pub dst: DstRule,
    /// Each slot fires up to this much later, the same for one slot on every server.
    pub jitter_s: Span,
    /// No slot before.
    pub starts_at: Option<Timestamp>,
    /// No slot at or after.
    pub ends_at: Option<Timestamp>,
}

/// The fields of a schedule that people write.
pub const SCHEDULE_FIELDS: &[&str] = &[
    "cron",
    "timezone",
    "kind",
    "payload",
    "queue",
    "priority",
    "max_attempts",
    "timeout_s",
    "paused",
    "catch_up",
    "overlap",
    "dst",
    "jitter_s",
    "starts_at",
    "ends_at",
];

impl ScheduleSpec {
    /// A schedule with every value at its default but the expression and the kind.
    pub fn new(cron: impl Into<String>, kind: Kind) -> Self {
        let job = NewJob::new(kind, JsonText::empty_object());
        ScheduleSpec {
            cron: cron.into(),
            timezone: "UTC".to_owned(),
            kind: job.kind,
            payload: job.payload,
            queue: job.queue,
            priority: job.priority,
            max_attempts: job.max_attempts,
            timeout_s: job.timeout,
            paused: false,
            catch_up: CatchUp::default(),
            overlap: OverlapPolicy::default(),
            dst: DstRule::default(),
            jitter_s: Span::ZERO,
            starts_at: None,
            ends_at: None,
        }
    }

    /// Reads a schedule from its JSON object. `base` gives the values of fields that are left out:
    /// the schedule as it is for a PATCH, none for a PUT, where `cron` and `kind` are then required.
    pub fn read(
        mut fields: Fields,
        base: Option<&ScheduleSpec>,
        max_payload: usize,
    ) -> Result<Self, OperatorError> {
        if base.is_some() {
            fields.refuse_nulls(&["payload", "starts_at", "ends_at"]);
        }
        let (cron, kind) = match base {
            Some(base) => (
                fields.take("cron").or_else(|| Some(base.cron.clone())),
                fields.take("kind").or_else(|| Some(base.kind.clone())),
            ),
            None => (fields.require("cron"), fields.require("kind")),
        };
        let payload = take_payload(&mut fields, max_payload)?;
        let max_attempts = take_max_attempts(&mut fields);
        let timeout = take_timeout(&mut fields);
        let hour = Span::from_secs(3600);
        let jitter = fields.take_span("jitter_s", hour, "must be at most 3600 seconds");
        let usual = |cron, kind| {
            base.cloned()
                .unwrap_or_else(|| ScheduleSpec::new(String::new(), kind))
                .with(cron)
        };
        let (timezone, queue, priority) = (
            fields.take("timezone"),
            fields.take("queue"),
            fields.take("priority"),
        );
        let (paused, catch_up, overlap) = (
            fields.take("paused"),
            fields.take("catch_up"),
            fields.take("overlap"),
        );
        let (dst, starts_at, ends_at) = (
            fields.take("dst"),
            fields.take_or_null("starts_at"),
            fields.take_or_null("ends_at"),
        );
        Ok(fields.finish(SCHEDULE_FIELDS, || {
            let kind = kind?;
            let mut spec: ScheduleSpec = usual(cron?, Kind::clone(&kind));
            spec.kind = kind;
            spec.timezone = timezone.unwrap_or(spec.timezone);
            spec.payload = payload.unwrap_or(spec.payload);
            spec.queue = queue.unwrap_or(spec.queue);
            spec.priority = priority.unwrap_or(spec.priority);
            spec.max_attempts = max_attempts.unwrap_or(spec.max_attempts);
            spec.timeout_s = timeout.unwrap_or(spec.timeout_s);
            spec.paused = paused.unwrap_or(spec.paused);
            spec.catch_up = catch_up.unwrap_or(spec.catch_up);
            spec.overlap = overlap.unwrap_or(spec.overlap);
            spec.dst = dst.unwrap_or(spec.dst);
            spec.jitter_s = jitter.unwrap_or(spec.jitter_s);
            spec.starts_at = starts_at.unwrap_or(spec.starts_at);
            spec.ends_at = ends_at.unwrap_or(spec.ends_at);
            Some(spec)
        })?)
    }

    fn with(mut self, cron: String) -> Self {
        self.cron = cron;
        self
    }

    /// The job that a slot of this schedule enqueues.
    pub fn job(&self, schedule: &ScheduleName) -> NewJob {
        NewJob {
            queue: self.queue.clone(),
            priority: self.priority,
            max_attempts: self.max_attempts,
            timeout: self.timeout_s,
            schedule: Some(schedule.clone()),
            ..NewJob::new(self.kind.clone(), self.payload.clone())
        }
    }

    /// Faults between fields, which no single field shows.
    pub fn check(&self) -> Result<(), Invalid> {
        match (self.starts_at, self.ends_at) {
            (Some(starts), Some(ends)) if ends <= starts => {
                Err(Invalid::one("/ends_at", "must be after starts_at"))
            }
            _ => Ok(()),
        }
    }
}

/// A schedule as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// Its name.
    pub name: ScheduleName,
    /// What people wrote.
    #[serde(flatten)]
    pub spec: ScheduleSpec,
    /// The expression in English words.
    pub description: String,
    /// The next slot; none when paused, ended or never.
    pub next_at: Option<Timestamp>,
    /// The slot that has come and waits for the schedule's earlier job (`overlap: queue_one`).
    pub waiting_slot: Option<Timestamp>,
    /// Why it was made to stand still: it could not be read or carried out. None while it is in order.
    pub fault: Option<String>,
    /// Where `@every` counts from. It stays with the server.
    #[serde(skip)]
    pub anchor: Timestamp,
    /// What became of the latest slot.
    pub last_slot: Option<Slot>,
    /// Who paused it.
    pub paused_by: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Grows with each change; the `ETag`.
    pub version: i64,
}

/// What became of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SlotStatus {
    /// A job was enqueued in time.
    Fired,
    /// A job was enqueued more than a minute after the slot.
    Late,
    /// No job was enqueued; the reason says why.
    Skipped,
}

impl SlotStatus {
    /// The word used in JSON and SQL.
    pub const fn as_str(self) -> &'static str {
        match self {
            SlotStatus::Fired => "fired",
            SlotStatus::Late => "late",
            SlotStatus::Skipped => "skipped",
        }
    }
}

impl std::str::FromStr for SlotStatus {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [SlotStatus::Fired, SlotStatus::Late, SlotStatus::Skipped]
            .into_iter()
            .find(|status| status.as_str() == text)
            .ok_or_else(|| format!("{text} is no slot status"))
    }
}

/// Why a slot was skipped, or was late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SlotReason {
    /// The job of an earlier slot was not finished.
    Overlap,
    /// The server did not run at the time, and the catch-up policy lets such slots go.
    Missed,
    /// More slots were missed than the catch-up policy makes up for.
    CatchUpCap,
    /// The server did not run at the time; the job was enqueued when it was back.
    CaughtUp,
    /// The schedule was paused.
    Paused,
}

impl SlotReason {
    /// Every reason.
    pub const ALL: [SlotReason; 5] = [
        SlotReason::Overlap,
        SlotReason::Missed,
        SlotReason::CatchUpCap,
        SlotReason::CaughtUp,
        SlotReason::Paused,
    ];

    /// The word used in JSON and SQL.
    pub const fn as_str(self) -> &'static str {
        match self {
            SlotReason::Overlap => "overlap",
            SlotReason::Missed => "missed",
            SlotReason::CatchUpCap => "catch_up_cap",
            SlotReason::CaughtUp => "caught_up",
            SlotReason::Paused => "paused",
        }
    }
}

impl std::str::FromStr for SlotReason {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        SlotReason::ALL
            .into_iter()
            .find(|reason| reason.as_str() == text)
            .ok_or_else(|| format!("{text} is no slot reason"))
    }
}

/// One slot of a schedule and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Slot {
    /// The instant the expression named. Several missed slots that were skipped together are one
    /// row: the latest of them.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub slot: Timestamp,
    /// What became of it.
    pub status: SlotStatus,
    /// Why, when it was not simply fired.
    pub reason: Option<SlotReason>,
    /// How many slots this row stands for, 1 unless several were skipped together.
    pub count: u64,
    /// The job it enqueued.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<i64>))]
    pub job_id: Option<JobId>,
    /// When that was decided.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub at: Timestamp,
}
