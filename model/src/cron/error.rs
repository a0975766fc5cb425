//! Why a text is not a cron expression, and where.

use serde::{Deserialize, Serialize};

/// A refused expression: the first fault in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[error("at character {position}: {detail}")]
pub struct CronError {
    /// The character the fault begins at, counted from 1; one past the end when something is missing.
    pub position: usize,
    /// What is wrong and what is allowed.
    pub detail: String,
    /// What to write instead, when that can be guessed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl CronError {
    /// A fault without advice.
    pub(crate) fn new(position: usize, detail: impl Into<String>) -> Self {
        CronError {
            position,
            detail: detail.into(),
            hint: None,
        }
    }

    /// The same fault with advice.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
