//! Queues as people see them: what waits in them, and whether they are paused.

use serde::{Deserialize, Serialize};

use crate::error::Invalid;
use crate::fields::Fields;
use crate::job::bounded;
use crate::name::QueueName;
use crate::time::{Span, Timestamp};

/// One queue and its counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Queue {
    /// Its name.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub name: QueueName,
    /// Who paused it and why; none when it runs.
    pub paused: Option<Pause>,
    /// Jobs due now.
    pub ready: u64,
    /// Jobs held by workers.
    pub running: u64,
    /// Jobs due later.
    pub scheduled: u64,
    /// Jobs that wait for their next attempt.
    pub retrying: u64,
    /// Jobs in the dead letter.
    pub dead: u64,
    /// How long its oldest ready job has been due, in seconds.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<f64>))]
    pub oldest_ready_age_s: Option<Span>,
    /// null: how many of its jobs may run at once, and at what rate, cannot be limited yet.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub limits: Option<QueueLimits>,
    /// Jobs stored per second, over the last five minutes.
    pub rate_in: f64,
    /// Attempts ended per second, over the last five minutes.
    pub rate_out: f64,
    /// Attempts ended in each of the last 15 minutes, oldest first.
    pub recent: Vec<u64>,
    /// Grows with each change of its settings; the `ETag`.
    pub version: i64,
}

/// Limits on a queue's running jobs. There are none so far: the field that holds them is always null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueueLimits {}

/// Why a queue gives out no jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pause {
    /// Who paused it.
    pub by: String,
    /// Why, if they said.
    pub note: Option<String>,
    /// Since when.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub since: Timestamp,
    /// When it resumes by itself.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub until: Option<Timestamp>,
}

/// A request to pause a queue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseRequest {
    /// Why; at most 500 bytes.
    pub note: Option<String>,
    /// When it resumes by itself.
    pub until: Option<Timestamp>,
}

impl PauseRequest {
    /// Reads the request from its JSON object.
    pub fn read(mut fields: Fields) -> Result<Self, Invalid> {
        let note = fields.take::<String>("note");
        if note.as_ref().is_some_and(|note| note.len() > 500) {
            fields.fault("note", "must have at most 500 bytes");
        }
        let until = fields.take("until");
        fields.finish(&["note", "until"], || {
            Some(PauseRequest {
                note: note
                    .map(|note| bounded(note.trim(), 500))
                    .filter(|note| !note.is_empty()),
                until,
            })
        })
    }
}
