//! Workers and the protocol they speak: claim, heartbeat, finish.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::Invalid;
use crate::fields::Fields;
use crate::job::{Claimed, LogLevel};
use crate::name::{JobId, Kind, LeaseToken, QueueName, WorkerName};
use crate::read::{self, FromJson};
use crate::time::{Span, Timestamp};

pub use finish::{FINISH_FIELDS, Finish, FinishAnswer, FinishOutcome, FinishStatus};

mod finish;

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

impl Lease {
    /// The lease under which a job was claimed.
    pub fn of(job: &Claimed) -> Self {
        Lease {
            id: job.id,
            lease_token: job.lease_token,
        }
    }
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

    #[test]
    fn a_claim_names_its_limits() {
        let read = |text: &str| ClaimRequest::read(Fields::parse(text).unwrap());
        let plain = read(r#"{"worker":"w"}"#).unwrap();
        assert_eq!((plain.max, plain.lease_s), (1, DEFAULT_LEASE));
        let invalid = read(r#"{"worker":"","max":1001,"wait_s":31,"lease_s":4}"#).unwrap_err();
        assert_eq!(invalid.errors.len(), 4);
    }
}
