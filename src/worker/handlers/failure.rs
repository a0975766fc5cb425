//! How a built-in kind says that it could not do its work.

use conveyor_model::job::{Failure, bounded};
use conveyor_model::time::Span;

/// Why an attempt of a built-in kind did not succeed, and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandlerError {
    /// The sort of error and what happened. The first line of the message is the cause, free of
    /// what differs from job to job where possible; details follow on further lines.
    pub failure: Failure,
    /// What follows.
    pub then: Then,
}

/// What follows an attempt that did not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Another attempt after the job's backoff.
    Retry,
    /// Another attempt after this time.
    RetryIn(Span),
    /// None: it would end the same way.
    Die,
    /// None: a person asked it to stop.
    Cancel,
}

impl HandlerError {
    /// A fault that may be gone at the next attempt.
    pub fn retry(class: impl Into<String>, message: impl Into<String>) -> Self {
        HandlerError {
            failure: Failure::new(class, message),
            then: Then::Retry,
        }
    }

    /// A fault that every attempt would meet.
    pub fn dead(class: impl Into<String>, message: impl Into<String>) -> Self {
        HandlerError {
            failure: Failure::new(class, message),
            then: Then::Die,
        }
    }

    /// A payload that the kind cannot use.
    pub fn invalid(message: impl Into<String>) -> Self {
        HandlerError::dead("InvalidPayload", message)
    }

    /// The attempt stopped because it was asked to.
    pub fn cancelled() -> Self {
        HandlerError {
            failure: Failure::new("Cancelled", "stopped on request"),
            then: Then::Cancel,
        }
    }

    /// A fault of this machine, such as a file that cannot be written.
    pub fn local(what: &str, error: &std::io::Error) -> Self {
        HandlerError::retry("Io", format!("{what}: {error}"))
    }

    /// The same with `detail` below the message, at most 1,000 bytes of it.
    #[must_use]
    pub fn with_detail(mut self, detail: &str) -> Self {
        let detail = bounded(detail.trim(), 1000);
        if !detail.is_empty() {
            self.failure.message.push('\n');
            self.failure.message.push_str(&detail);
        }
        self
    }
}
