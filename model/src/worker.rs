//! Workers and the protocol they speak: claim, heartbeat, finish.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::Invalid;
use crate::fields::Fields;
use crate::job::{Claimed, Failure, LogLevel};
use crate::json::JsonText;
use crate::name::{JobId, Kind, LeaseToken, QueueName, WorkerName};
use crate::new_job::LONGEST_SPAN;
use crate::read::{self, FromJson, words};
use crate::retry::TOO_LONG;
use crate::time::{Span, Timestamp};

/// A lease when nothing is said.
pub const DEFAULT_LEASE: Span = Span::from_secs(30);
/// The most jobs of one claim, and results or leases of one report.
pub const MAX_BATCH: usize = 1000;

/// A worker process as people see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Worker {
    /// Its name.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub name: WorkerName,
    /// Queues it serves; empty means all.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub queues: Vec<QueueName>,
    /// Kinds it knows; empty means all.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub kinds: Vec<Kind>,
    /// How many jobs it can run at once, if known.
    pub slots: Option<u32>,
    /// How many it runs now.
    pub busy: u32,
    /// What it was told to do.
    pub state: WorkerState,
    /// Fresh, late or lost, by its last heartbeat.
    pub health: WorkerHealth,
    /// When it was first seen.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub started_at: Timestamp,
    /// When it was last heard of.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub seen_at: Timestamp,
    /// The jobs it runs now, at most 50.
    pub jobs: Vec<WorkerJob>,
    /// Whether it is the pool inside this server.
    pub in_process: bool,
    /// The version it reported, if any.
    pub version: Option<String>,
}

impl Worker {
    /// Whether jobs of that kind in that queue are for it.
    pub fn serves(&self, queue: &QueueName, kind: &Kind) -> bool {
        (self.queues.is_empty() || self.queues.contains(queue))
            && (self.kinds.is_empty() || self.kinds.contains(kind))
    }
}

/// A job that a worker runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WorkerJob {
    /// The job.
    #[cfg_attr(feature = "openapi", schema(value_type = i64))]
    pub id: JobId,
    /// Its kind.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub kind: Kind,
    /// Since when it runs.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub started_at: Timestamp,
}

/// What a worker is told to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum WorkerState {
    /// Take jobs.
    #[default]
    Run,
    /// Take no new jobs, finish those at hand.
    Quiet,
    /// Take no new jobs and end.
    Stop,
}

impl WorkerState {
    /// The word used in JSON and SQL.
    pub const fn as_str(self) -> &'static str {
        match self {
            WorkerState::Run => "run",
            WorkerState::Quiet => "quiet",
            WorkerState::Stop => "stop",
        }
    }
}

impl std::str::FromStr for WorkerState {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [WorkerState::Run, WorkerState::Quiet, WorkerState::Stop]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| "a worker's state is run, quiet or stop".to_owned())
    }
}

/// How lately a worker was heard of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum WorkerHealth {
    /// Within the last 30 s.
    Fresh,
    /// Within the last 90 s.
    Late,
    /// Longer ago.
    Lost,
}

impl WorkerHealth {
    /// The health of a worker last heard of at `seen`.
    pub fn at(seen: Timestamp, now: Timestamp) -> Self {
        match now.since(seen) {
            age if age <= Span::from_secs(30) => WorkerHealth::Fresh,
            age if age <= Span::from_secs(90) => WorkerHealth::Late,
            _ => WorkerHealth::Lost,
        }
    }
}

/// A request for jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimRequest {
    /// Who asks.
    pub worker: WorkerName,
    /// From these queues; empty means from all.
    pub queues: Vec<QueueName>,
    /// Of these kinds; none means of all.
    pub kinds: Option<Vec<Kind>>,
    /// At most this many, 1 to [`MAX_BATCH`].
    pub max: usize,
    /// How long to wait for the first job, at most 30 s.
    pub wait_s: Span,
    /// How long the lease lasts, 5 s to an hour.
    pub lease_s: Span,
}

/// The answer to a [`ClaimRequest`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClaimAnswer {
    /// The jobs, first to run first; empty when there was nothing within the wait.
    pub jobs: Vec<Claimed>,
}

impl ClaimRequest {
    /// Reads the request from its JSON object.
    pub fn read(mut fields: Fields) -> Result<Self, Invalid> {
        let worker = fields.require("worker");
        let queues = fields.take::<Vec<QueueName>>("queues").unwrap_or_default();
        let kinds = fields.take::<Vec<Kind>>("kinds");
        if queues.len() > MAX_BATCH {
            fields.fault("queues", "holds at most 1000 queues");
        }
        if kinds.as_ref().is_some_and(|kinds| kinds.len() > MAX_BATCH) {
            fields.fault("kinds", "holds at most 1000 kinds");
        }
        let max = fields.take_whole("max", 1, 1000).unwrap_or(1);
        let longest = Span::from_secs(30);
        let wait_s = fields.take_span("wait_s", longest, "must be at most 30 seconds");
        let (shortest, longest) = (Span::from_secs(5), Span::from_secs(3600));
        let lease_range = "must be a number of seconds from 5 to 3600";
        let lease_s = fields
            .take_span("lease_s", longest, lease_range)
            .unwrap_or(DEFAULT_LEASE);
        if lease_s < shortest {
            fields.fault("lease_s", lease_range);
        }
        fields.finish(
            &["worker", "queues", "kinds", "max", "wait_s", "lease_s"],
            || {
                Some(ClaimRequest {
                    worker: worker?,
                    queues,
                    kinds,
                    max,
                    wait_s: wait_s.unwrap_or_default(),
                    lease_s,
                })
            },
        )
    }
}

/// A lease a worker believes it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Lease {
    /// The job.
    #[cfg_attr(feature = "openapi", schema(value_type = i64))]
    pub id: JobId,
    /// The token of the claim.
    #[cfg_attr(feature = "openapi", schema(value_type = i64))]
    pub lease_token: LeaseToken,
}

impl FromJson for Lease {
    fn from_json(json: &RawValue, at: &str, invalid: &mut Invalid) -> Option<Self> {
        const KNOWN: &[&str] = &["id", "lease_token"];
        read::object(json, KNOWN, at, invalid, |mut fields| {
            let (id, token) = (fields.require("id"), fields.require("lease_token"));
            fields.finish(KNOWN, || {
                Some(Lease {
                    id: id?,
                    lease_token: token?,
                })
            })
        })
    }
}

/// A sign of life that renews leases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// Who lives.
    pub worker: WorkerName,
    /// The leases to renew, at most [`MAX_BATCH`]; each to the length asked at its claim.
    pub leases: Vec<Lease>,
    /// Slots in all, if the worker says.
    pub slots: Option<u32>,
}

/// The answer to a [`Heartbeat`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HeartbeatAnswer {
    /// One entry a lease, in the order they were given.
    pub leases: Vec<LeaseAnswer>,
    /// What the worker is to do.
    pub state: WorkerState,
}

/// What became of one lease.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeaseAnswer {
    /// The job.
    #[cfg_attr(feature = "openapi", schema(value_type = i64))]
    pub id: JobId,
    /// Whether it is still held.
    pub status: LeaseStatus,
    /// Until when, if it is.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub lease_until: Option<Timestamp>,
}

/// Whether a lease is still held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LeaseStatus {
    /// Renewed.
    Held,
    /// The job is someone else's or nobody's: stop, nothing can be reported.
    Lost,
    /// Renewed, but a person asked to cancel: stop and report.
    Cancel,
}

const LOAD_FIELDS: &[&str] = &["slots", "busy"];

impl Heartbeat {
    /// Reads the request from its JSON object.
    pub fn read(mut fields: Fields) -> Result<Self, Invalid> {
        let worker = fields.require("worker");
        let leases = fields.take::<Vec<Lease>>("leases").unwrap_or_default();
        if leases.len() > MAX_BATCH {
            fields.fault("leases", "holds at most 1000 leases");
        }
        let slots = fields.nested("load", LOAD_FIELDS, |mut load| {
            let most = i64::from(u32::MAX);
            let slots = load.take_whole::<u32>("slots", 0, most);
            load.take_whole::<u32>("busy", 0, most);
            load.finish(LOAD_FIELDS, || Some(slots))
        });
        fields.finish(&["worker", "leases", "load"], || {
            Some(Heartbeat {
                worker: worker?,
                leases,
                slots: slots.flatten(),
            })
        })
    }
}

/// How a worker says an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FinishOutcome {
    /// Done.
    Succeeded,
    /// It went wrong; another attempt follows if one is left.
    Failed,
    /// Run it again later; the attempt is not counted.
    Snooze,
    /// It stopped because it was asked to.
    Cancelled,
    /// It went wrong, and no further attempt makes sense.
    Dead,
}

words!(
    FinishOutcome: "succeeded" => Succeeded, "failed" => Failed, "snooze" => Snooze,
    "cancelled" => Cancelled, "dead" => Dead
);

/// The report of one attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finish {
    /// The job.
    pub id: JobId,
    /// The token of the claim.
    pub lease_token: LeaseToken,
    /// How it ended.
    pub outcome: FinishOutcome,
    /// What a success answers.
    pub result: Option<JsonText>,
    /// What went wrong.
    pub error: Option<Failure>,
    /// After a failure: wait this long instead of the backoff.
    pub retry_in: Option<Span>,
    /// With `snooze`: how long.
    pub snooze: Option<Span>,
    /// The attempt ended by the job's timeout; told apart in the history.
    pub timed_out: bool,
}

/// The fields of a report.
pub const FINISH_FIELDS: &[&str] = &[
    "id",
    "lease_token",
    "outcome",
    "result",
    "error",
    "retry_in_s",
    "snooze_s",
];

const FAILURE_FIELDS: &[&str] = &["class", "message", "backtrace"];

fn read_failure(mut fields: Fields) -> Result<Failure, Invalid> {
    let class = fields
        .take::<String>("class")
        .filter(|class| !class.is_empty());
    let message = fields.take::<String>("message").unwrap_or_default();
    let backtrace = fields.take("backtrace");
    fields.finish(FAILURE_FIELDS, || {
        let class = class.unwrap_or_else(|| "Error".to_owned());
        let failure = Failure {
            class,
            message,
            backtrace,
        };
        Some(failure.bounded())
    })
}

impl Finish {
    /// Reads one report. `id` is given where the URL names the job. A result over `max_result` bytes
    /// turns the report into a failure of class `ResultTooLarge`; a result that is not allowed JSON
    /// into one of class `InvalidResult`: the attempt ends either way.
    pub fn read(mut fields: Fields, id: Option<JobId>, max_result: usize) -> Result<Self, Invalid> {
        let id = if id.is_some() {
            id
        } else {
            fields.require("id")
        };
        let lease_token = fields.require("lease_token");
        let outcome = fields.require::<FinishOutcome>("outcome");
        Finish::check_fit(outcome, &mut fields);
        let raw = fields.take_raw("result");
        let error = fields.nested("error", FAILURE_FIELDS, read_failure);
        let wants_snooze = outcome == Some(FinishOutcome::Snooze);
        if wants_snooze && !fields.has("snooze_s") {
            fields.fault("snooze_s", "is required with the outcome snooze");
        }
        let retry_in = fields.take_span("retry_in_s", LONGEST_SPAN, TOO_LONG);
        let snooze = fields.take_span("snooze_s", LONGEST_SPAN, TOO_LONG);
        fields.finish(FINISH_FIELDS, || {
            let finish = Finish {
                id: id?,
                lease_token: lease_token?,
                outcome: outcome?,
                result: None,
                error,
                retry_in,
                snooze,
                timed_out: false,
            };
            Some(match raw {
                Some(raw) if outcome? == FinishOutcome::Succeeded => {
                    finish.with_result(raw.get(), max_result)
                }
                Some(_) | None => finish,
            })
        })
    }

    /// What goes with another outcome than the one reported would be lost; null says nothing.
    fn check_fit(outcome: Option<FinishOutcome>, fields: &mut Fields) {
        use FinishOutcome::{Cancelled, Dead, Failed, Snooze, Succeeded};
        let Some(outcome) = outcome else { return };
        let rules: [(&str, &[FinishOutcome], &str); 4] = [
            (
                "result",
                &[Succeeded],
                "goes with the outcome succeeded only",
            ),
            (
                "error",
                &[Failed, Dead, Snooze, Cancelled],
                "does not go with the outcome succeeded",
            ),
            ("retry_in_s", &[Failed], "goes with the outcome failed only"),
            ("snooze_s", &[Snooze], "goes with the outcome snooze only"),
        ];
        for (name, outcomes, fault) in rules {
            if fields.has_value(name) && !outcomes.contains(&outcome) {
                fields.take_raw(name);
                fields.fault(name, fault);
            }
        }
    }

    /// A report of success.
    pub fn succeeded(lease: Lease, result: Option<JsonText>) -> Self {
        Finish {
            result,
            ..Finish::of(lease, FinishOutcome::Succeeded)
        }
    }

    /// A report of failure.
    pub fn failed(lease: Lease, error: &Failure) -> Self {
        Finish {
            error: Some(error.bounded()),
            ..Finish::of(lease, FinishOutcome::Failed)
        }
    }

    /// A report with nothing but its outcome.
    pub fn of(lease: Lease, outcome: FinishOutcome) -> Self {
        Finish {
            id: lease.id,
            lease_token: lease.lease_token,
            outcome,
            result: None,
            error: None,
            retry_in: None,
            snooze: None,
            timed_out: false,
        }
    }

    /// The same with a result, or a failure where the result cannot be kept.
    #[must_use]
    pub fn with_result(mut self, text: &str, max: usize) -> Self {
        let fault = if text.len() > max {
            let message = format!(
                "the result has {} bytes, at most {max} are kept",
                text.len()
            );
            Some(Failure::new("ResultTooLarge", message))
        } else {
            match JsonText::parse(text) {
                Ok(result) => {
                    self.result = Some(result);
                    None
                }
                Err(fault) => Some(Failure::new("InvalidResult", fault.to_string())),
            }
        };
        if let Some(fault) = fault
            && self.outcome == FinishOutcome::Succeeded
        {
            self.outcome = FinishOutcome::Failed;
            self.error = Some(fault);
        }
        self
    }
}

/// What became of one report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FinishAnswer {
    /// The job.
    #[cfg_attr(feature = "openapi", schema(value_type = i64))]
    pub id: JobId,
    /// Whether the report counted.
    pub status: FinishStatus,
}

/// Whether a report counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FinishStatus {
    /// It did.
    Ok,
    /// The lease is not the job's newest or has ended; nothing changed.
    Stale,
    /// There is no such job.
    NotFound,
}

/// One line of a worker's log report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewLogLine {
    /// When it was logged; when it came in, if left out.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub at: Option<Timestamp>,
    /// How much it matters.
    #[serde(default)]
    pub level: LogLevel,
    /// The text.
    pub message: String,
}

impl FromJson for NewLogLine {
    fn from_json(json: &RawValue, at: &str, invalid: &mut Invalid) -> Option<Self> {
        const KNOWN: &[&str] = &["at", "level", "message"];
        read::object(json, KNOWN, at, invalid, |mut fields| {
            let (at, level) = (fields.take("at"), fields.take("level"));
            let message = fields.require("message");
            fields.finish(KNOWN, || {
                Some(NewLogLine {
                    at,
                    level: level.unwrap_or_default(),
                    message: message?,
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finish(text: &str) -> Result<Finish, Invalid> {
        Finish::read(Fields::parse(text).unwrap(), None, 20)
    }

    #[test]
    fn a_result_is_kept_exactly_or_fails_the_attempt() {
        let ok =
            finish(r#"{"id":1,"lease_token":2,"outcome":"succeeded","result":{"n":1e2}}"#).unwrap();
        assert_eq!(ok.result.unwrap().as_str(), r#"{"n":1e2}"#);
        let long = finish(
            r#"{"id":1,"lease_token":2,"outcome":"succeeded","result":"0123456789012345678901"}"#,
        )
        .unwrap();
        assert_eq!(long.outcome, FinishOutcome::Failed);
        assert_eq!(long.error.unwrap().class, "ResultTooLarge");
        let nul =
            finish(r#"{"id":1,"lease_token":2,"outcome":"succeeded","result":"\u0000"}"#).unwrap();
        assert_eq!(nul.error.unwrap().class, "InvalidResult");
    }

    #[test]
    fn a_snooze_says_how_long() {
        assert!(finish(r#"{"id":1,"lease_token":2,"outcome":"snooze"}"#).is_err());
        assert!(finish(r#"{"id":1,"lease_token":2,"outcome":"snooze","snooze_s":5}"#).is_ok());
        assert!(
            finish(r#"{"id":0,"lease_token":2,"outcome":"done"}"#)
                .unwrap_err()
                .errors
                .len()
                == 2
        );
    }

    #[test]
    fn what_does_not_go_with_the_outcome_is_named() {
        let pointer = |text: &str| {
            let text = format!(r#"{{"id":1,"lease_token":2,{text}}}"#);
            let invalid = finish(&text).unwrap_err();
            assert_eq!(invalid.errors.len(), 1, "{text}: {invalid}");
            invalid.errors[0].pointer.clone()
        };
        for (text, named) in [
            (r#""outcome":"failed","result":1"#, "/result"),
            (r#""outcome":"succeeded","retry_in_s":1"#, "/retry_in_s"),
            (r#""outcome":"dead","retry_in_s":1"#, "/retry_in_s"),
            (r#""outcome":"failed","snooze_s":1"#, "/snooze_s"),
            (r#""outcome":"succeeded","error":{}"#, "/error"),
            (r#""outcome":"snooze","snooze_s":-1"#, "/snooze_s"),
            (r#""outcome":"snooze","snooze_s":1e9"#, "/snooze_s"),
        ] {
            assert_eq!(pointer(text), named);
        }
        let nulls = r#"{"id":1,"lease_token":2,"outcome":"failed","result":null,"snooze_s":null}"#;
        assert!(finish(nulls).is_ok());
    }

    #[test]
    fn a_claim_names_its_limits() {
        let read = |text: &str| ClaimRequest::read(Fields::parse(text).unwrap());
        let plain = read(r#"{"worker":"w"}"#).unwrap();
        assert_eq!((plain.max, plain.lease_s), (1, DEFAULT_LEASE));
        let invalid = read(r#"{"worker":"","max":1001,"wait_s":31,"lease_s":4}"#).unwrap_err();
        assert_eq!(invalid.errors.len(), 4);
    }
}
