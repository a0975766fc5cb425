//! What a built-in kind is told of its attempt, and how it reads its payload.

use conveyor_model::job::LogLevel;
use conveyor_model::json::JsonText;
use conveyor_model::name::JobId;
use conveyor_model::time::Timestamp;
use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;

use super::failure::HandlerError;

/// Where an attempt tells how it goes.
pub trait Journal: Send + Sync {
    /// Writes a line into the job's log.
    fn log(&self, level: LogLevel, message: &str);
    /// Says how far it is, 0 to 100.
    fn progress(&self, percent: f64, message: &str);
}

/// One attempt.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The job.
    pub id: JobId,
    /// When the job was stored; with the id it names the job across databases.
    pub created_at: Timestamp,
    /// Now.
    pub now: Timestamp,
    /// Set when a person cancels the job or the server stops.
    pub cancel: &'a CancellationToken,
    /// Where it tells how it goes.
    pub journal: &'a dyn Journal,
}

impl Run<'_> {
    /// Writes an ordinary line into the job's log.
    pub fn info(&self, message: &str) {
        self.journal.log(LogLevel::Info, message);
    }

    /// Writes a warning into the job's log.
    pub fn warn(&self, message: &str) {
        self.journal.log(LogLevel::Warn, message);
    }

    /// Fails when the attempt was asked to stop.
    pub fn check_cancelled(&self) -> Result<(), HandlerError> {
        if self.cancel.is_cancelled() {
            return Err(HandlerError::cancelled());
        }
        Ok(())
    }

    /// A name for the job that is the same in each of its attempts and in no other database.
    pub fn stable_id(&self) -> String {
        format!("job_{}_{:x}", self.id, self.created_at.micros())
    }
}

/// Reads a payload; one that does not fit kills the job, since no attempt could change that.
pub fn read<T: DeserializeOwned>(payload: &JsonText) -> Result<T, HandlerError> {
    serde_json::from_str(payload.as_str()).map_err(|error| HandlerError::invalid(error.to_string()))
}
