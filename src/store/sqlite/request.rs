//! What was asked under an idempotency key, kept to tell a repeated request from a different one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use conveyor_model::new_job::{Due, NewJob};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A request, field by field, as it was made: later edits of the job do not change it. The payload is
/// kept as its SHA-256, which stands for its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Request(BTreeMap<String, String>);

impl Request {
    /// The request for `job`.
    pub(super) fn of(job: &NewJob) -> Request {
        let mut payload = String::with_capacity(64);
        for byte in Sha256::digest(job.payload.as_str().as_bytes()) {
            let _ = write!(payload, "{byte:02x}");
        }
        let due = match job.due {
            Due::Now => "now".to_owned(),
            Due::After(span) => format!("after {}", span.micros()),
            Due::At(at) => format!("at {}", at.micros()),
        };
        let backoff = &job.backoff;
        // Their order says nothing.
        let mut tags = job.tags.clone();
        tags.sort();
        tags.dedup();
        let fields = [
            ("kind", job.kind.to_string()),
            ("payload", payload),
            ("queue", job.queue.to_string()),
            ("priority", job.priority.to_string()),
            ("run_at", due),
            ("max_attempts", job.max_attempts.to_string()),
            ("timeout_s", job.timeout.micros().to_string()),
            ("backoff", format!("{backoff:?}")),
            ("tags", format!("{tags:?}")),
            ("meta", format!("{:?}", job.meta)),
        ];
        Request(
            fields
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    }

    /// The fields in which two requests differ, sorted.
    pub(super) fn differs(&self, other: &Request) -> Vec<String> {
        let differing = |name: &&String| self.0.get(*name) != other.0.get(*name);
        let mut fields: Vec<String> = self
            .0
            .keys()
            .filter(differing)
            .map(|name| match name.as_str() {
                "run_at" => self.due_field(other),
                _ => name.clone(),
            })
            .collect();
        fields.sort();
        fields
    }

    /// A time is given in one of two fields.
    fn due_field(&self, other: &Request) -> String {
        let at = |request: &Request| {
            request
                .0
                .get("run_at")
                .is_some_and(|due| due.starts_with("at "))
        };
        let name = if at(self) || at(other) {
            "run_at"
        } else {
            "delay_s"
        };
        name.to_owned()
    }
}
