//! A stored job, its attempts and their log, as the page and REST show them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::json::JsonText;
use crate::name::{
    IdempotencyKey, JobId, Kind, LeaseToken, Priority, QueueName, ScheduleName, Tag, WorkerName,
};
use crate::new_job::NewJob;
use crate::read::words;
use crate::retry::Backoff;
use crate::state::State;
use crate::time::{Span, Timestamp};
use crate::waiting::WaitingReason;

/// The longest error message kept, in bytes.
pub const MAX_ERROR_MESSAGE: usize = 8 * 1024;
/// The longest backtrace kept, in bytes.
pub const MAX_BACKTRACE: usize = 32 * 1024;
/// The longest log line kept, in bytes.
pub const MAX_LOG_LINE: usize = 4 * 1024;
/// The longest message of a progress note kept, in bytes.
pub const MAX_PROGRESS_MESSAGE: usize = 500;
/// How many log lines of one attempt are kept; the oldest go first.
pub const MAX_LOG_LINES: usize = 1000;

/// How many characters of a payload a list shows.
pub const PREVIEW: usize = 200;

/// One job as it is now, with payload and result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The part that lists show too.
    #[serde(flatten)]
    pub row: JobRow,
    /// What the handler gets, byte for byte as it was given.
    pub payload: JsonText,
    /// What the last successful attempt answered, byte for byte.
    pub result: Option<JsonText>,
    /// Strings that travel with it.
    pub meta: BTreeMap<String, String>,
    /// The delay between attempts.
    pub backoff: Backoff,
    /// How long one attempt may take; zero means without limit.
    pub timeout_s: Span,
    /// How far the running attempt is.
    pub progress: Option<Progress>,
    /// What went wrong last.
    pub last_error: Option<LastError>,
    /// How many of its attempts ended with the death of their process.
    pub crash_count: u32,
    /// Why it is dead: `attempts_used_up`, `given_up` by its worker, `crash_loop` or `discarded`.
    pub dead_reason: Option<String>,
    /// Why it is not running, if it waits.
    pub waiting_reason: Option<WaitingReason>,
}

impl Job {
    /// The job that was stored at `now` as it was asked for.
    pub fn stored(new: NewJob, id: JobId, now: Timestamp) -> Self {
        let run_at = new.due.at(now);
        Job {
            row: JobRow {
                id,
                state: State::by_time(run_at, now),
                kind: new.kind,
                queue: new.queue,
                priority: new.priority,
                run_at,
                attempt: 0,
                max_attempts: new.max_attempts,
                worker: None,
                lease_until: None,
                cancel_requested_at: None,
                created_at: now,
                started_at: None,
                finished_at: None,
                schedule: new.schedule,
                workflow: None,
                idempotency_key: new.idempotency_key,
                tags: new.tags,
                version: 1,
                payload_preview: new.payload.preview(PREVIEW),
            },
            payload: new.payload,
            result: None,
            meta: new.meta,
            backoff: new.backoff,
            timeout_s: new.timeout,
            progress: None,
            last_error: None,
            crash_count: 0,
            dead_reason: None,
            waiting_reason: None,
        }
    }
}

/// What a list shows of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobRow {
    /// Its id.
    pub id: JobId,
    /// Where it is in its life.
    pub state: State,
    /// Which handler runs it.
    pub kind: Kind,
    /// The queue it is in.
    pub queue: QueueName,
    /// 9 goes first.
    pub priority: Priority,
    /// When it is or was due.
    pub run_at: Timestamp,
    /// Attempts begun so far.
    pub attempt: u32,
    /// Attempts it gets.
    pub max_attempts: u32,
    /// Who runs it now.
    pub worker: Option<WorkerName>,
    /// Until when, unless renewed.
    pub lease_until: Option<Timestamp>,
    /// Since when its running attempt is asked to stop.
    pub cancel_requested_at: Option<Timestamp>,
    /// When it was stored.
    pub created_at: Timestamp,
    /// When its latest attempt began.
    pub started_at: Option<Timestamp>,
    /// When it reached a final state.
    pub finished_at: Option<Timestamp>,
    /// The schedule that enqueued it.
    pub schedule: Option<ScheduleName>,
    /// The workflow it is a step of.
    pub workflow: Option<Workflow>,
    /// Its key.
    pub idempotency_key: Option<IdempotencyKey>,
    /// Words to find it by.
    pub tags: Vec<Tag>,
    /// Grows with each change; the `ETag`.
    pub version: i64,
    /// The first 200 characters of the payload.
    pub payload_preview: String,
}

/// A workflow that jobs are steps of. There is none so far: the field that holds it is always null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Workflow {}

/// How far a running attempt is, as its handler tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Progress {
    /// 0 to 100.
    pub percent: Option<f64>,
    /// A word on what it is doing.
    pub message: Option<String>,
}

/// What went wrong in an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Failure {
    /// The sort of error, such as `ConnectionRefused`; groups the dead letter.
    pub class: String,
    /// What happened, at most [`MAX_ERROR_MESSAGE`] bytes.
    pub message: String,
    /// Where, at most [`MAX_BACKTRACE`] bytes.
    #[serde(default)]
    pub backtrace: Option<String>,
}

/// The failure that a job page shows first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LastError {
    /// The sort of error.
    pub class: String,
    /// What happened.
    pub message: String,
    /// Where.
    pub backtrace: Option<String>,
    /// The number of the attempt.
    pub attempt: u32,
    /// When that attempt ended.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub at: Timestamp,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Done.
    Succeeded,
    /// The handler answered with an error or panicked.
    Failed,
    /// It took longer than the job's timeout.
    Timeout,
    /// The handler asked to be run again later; the attempt is not counted.
    Snoozed,
    /// It stopped because it was asked to.
    Cancelled,
    /// The handler said that no further attempt makes sense.
    Dead,
    /// Its process stopped in good order and gave the job back; the attempt is not counted.
    Interrupted,
    /// Its lease ran out: the process died or lost its connection.
    LeaseLost,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Outcome; 8] = [
        Outcome::Succeeded,
        Outcome::Failed,
        Outcome::Timeout,
        Outcome::Snoozed,
        Outcome::Cancelled,
        Outcome::Dead,
        Outcome::Interrupted,
        Outcome::LeaseLost,
    ];

    /// The word used in JSON, SQL and metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Outcome::Succeeded => "succeeded",
            Outcome::Failed => "failed",
            Outcome::Timeout => "timeout",
            Outcome::Snoozed => "snoozed",
            Outcome::Cancelled => "cancelled",
            Outcome::Dead => "dead",
            Outcome::Interrupted => "interrupted",
            Outcome::LeaseLost => "lease_lost",
        }
    }
}

impl std::str::FromStr for Outcome {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Outcome::ALL
            .into_iter()
            .find(|outcome| outcome.as_str() == text)
            .ok_or_else(|| format!("{text} is no outcome"))
    }
}

/// One run of a job. A running attempt has no end and no outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Attempt {
    /// Counted from 1; an attempt that was not counted shares its number with the next.
    pub number: u32,
    /// Who ran it.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub worker: WorkerName,
    /// When it began.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub started_at: Timestamp,
    /// When it ended.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub finished_at: Option<Timestamp>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// What went wrong.
    pub error: Option<Failure>,
}

/// One line an attempt logged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LogLine {
    /// The attempt's number.
    pub attempt: u32,
    /// When it was logged.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub at: Timestamp,
    /// `debug`, `info`, `warn` or `error`.
    pub level: LogLevel,
    /// The text, at most [`MAX_LOG_LINE`] bytes.
    pub message: String,
}

/// How much a log line matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    /// For whoever debugs the handler.
    Debug,
    /// The ordinary course of things.
    #[default]
    Info,
    /// Not right, but it goes on.
    Warn,
    /// It failed.
    Error,
}

words!(LogLevel: "debug" => Debug, "info" => Info, "warn" => Warn, "error" => Error);

impl LogLevel {
    /// The word used in JSON and SQL.
    pub const fn as_str(self) -> &'static str {
        match self {
            LogLevel::Debug => "debug",
            LogLevel::Info => "info",
            LogLevel::Warn => "warn",
            LogLevel::Error => "error",
        }
    }
}

impl std::str::FromStr for LogLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [
            LogLevel::Debug,
            LogLevel::Info,
            LogLevel::Warn,
            LogLevel::Error,
        ]
        .into_iter()
        .find(|level| level.as_str() == text)
        .ok_or_else(|| "a level is one of debug, info, warn, error".to_owned())
    }
}

/// A job held under a lease: every field of a [`Job`], and the token. It is flat, so that a payload is
/// read back byte for byte.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claimed {
    /// Its id.
    pub id: JobId,
    /// Running.
    pub state: State,
    /// Proves this attempt's right to report.
    pub lease_token: LeaseToken,
    /// Until when the right lasts unless renewed.
    pub lease_until: Timestamp,
    /// Who runs it.
    pub worker: Option<WorkerName>,
    /// Which handler runs it.
    pub kind: Kind,
    /// The queue it came from.
    pub queue: QueueName,
    /// 9 goes first.
    pub priority: Priority,
    /// The number of this attempt, from 1.
    pub attempt: u32,
    /// Attempts it gets.
    pub max_attempts: u32,
    /// How long this attempt may take; zero means without limit.
    pub timeout_s: Span,
    /// What the handler gets.
    pub payload: JsonText,
    /// Strings that travel with it.
    pub meta: BTreeMap<String, String>,
    /// Words it is found by.
    pub tags: Vec<Tag>,
    /// Its key.
    pub idempotency_key: Option<IdempotencyKey>,
    /// The schedule that enqueued it.
    pub schedule: Option<ScheduleName>,
    /// The workflow it is a step of.
    pub workflow: Option<Workflow>,
    /// The delay between attempts.
    pub backoff: Backoff,
    /// When it was stored.
    pub created_at: Timestamp,
    /// When it was due.
    pub run_at: Timestamp,
    /// When this attempt began.
    pub started_at: Option<Timestamp>,
    /// None, since it is running.
    pub finished_at: Option<Timestamp>,
    /// None, since nobody knew of this attempt before.
    pub cancel_requested_at: Option<Timestamp>,
    /// None, since this attempt has told nothing yet.
    pub progress: Option<Progress>,
    /// What an earlier success of the same job answered, if it was retried after it.
    pub result: Option<JsonText>,
    /// What went wrong last, in an earlier attempt.
    pub last_error: Option<LastError>,
    /// How many of its attempts ended with the death of their process.
    pub crash_count: u32,
    /// None, since it is not dead.
    pub dead_reason: Option<String>,
    /// None, since it does not wait.
    pub waiting_reason: Option<WaitingReason>,
    /// The first 200 characters of the payload.
    pub payload_preview: String,
    /// Grows with each change.
    pub version: i64,
}

/// `text` with NUL characters replaced, in at most `max` bytes (3 or more): what is longer is cut at a
/// character's end and closes with an ellipsis.
pub fn bounded(text: &str, max: usize) -> String {
    let mut text = text.replace('\0', "\u{fffd}");
    if text.len() > max {
        text.truncate(text.floor_char_boundary(max.saturating_sub('…'.len_utf8())));
        text.push('…');
    }
    text
}

impl Failure {
    /// A failure of a sort with a message.
    pub fn new(class: impl Into<String>, message: impl Into<String>) -> Self {
        Failure {
            class: class.into(),
            message: message.into(),
            backtrace: None,
        }
    }

    /// The same within the limits of what is kept.
    #[must_use]
    pub fn bounded(&self) -> Self {
        Failure {
            class: bounded(&self.class, 200),
            message: bounded(&self.message, MAX_ERROR_MESSAGE),
            backtrace: self
                .backtrace
                .as_deref()
                .map(|text| bounded(text, MAX_BACKTRACE)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_between_characters() {
        assert_eq!(bounded("ддд", 6), "ддд");
        assert_eq!(bounded("дддд", 6), "д…");
        assert_eq!(bounded("abcd\0", 6), "abc…");
        assert_eq!(bounded("a\0b", 9), "a\u{fffd}b");
        assert_eq!(bounded(&bounded("abcdefg", 6), 6), "abc…");
        assert_eq!(bounded("", 3), "");
    }

    #[test]
    fn outcomes_read_back() {
        for outcome in Outcome::ALL {
            assert_eq!(outcome.as_str().parse::<Outcome>().unwrap(), outcome);
        }
    }
}
