//! The fields of a job as a form holds them: text, whatever was typed.

use conveyor_model::json::JsonText;
use serde::{Deserialize, Serialize};

/// The fields of the forms that enqueue and edit a job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct JobValues {
    /// Which handler runs it.
    pub kind: String,
    /// JSON; empty means `{}`.
    pub payload: String,
    /// Empty means `default`.
    pub queue: String,
    /// 0 to 9.
    pub priority: String,
    /// When it is due: `now`, `after` (see `delay`) or `at` (see `run_at`).
    pub due: String,
    /// How long to wait, in `delay_unit`.
    pub delay: String,
    /// `s`, `min`, `h` or `d`.
    pub delay_unit: String,
    /// A date and time of day in UTC, as a browser's field writes it.
    pub run_at: String,
    /// How many attempts it gets.
    pub max_attempts: String,
    /// Seconds one attempt may take; 0 means without limit.
    pub timeout: String,
    /// Makes a repeated enqueue harmless.
    pub idempotency_key: String,
    /// Separated by commas.
    pub tags: String,
}

/// Where and why a text is no payload.
pub(crate) fn payload_fault(text: &str) -> Option<String> {
    if text.trim().is_empty() {
        return None;
    }
    JsonText::parse(text).err().map(|fault| fault.to_string())
}
