//! What a built-in kind is told of its attempt, and how it reads its payload.

use async_trait::async_trait;
use conveyor_model::job::LogLevel;
use conveyor_model::json::JsonText;
use conveyor_model::name::JobId;
use conveyor_model::time::Timestamp;
use serde::de::DeserializeOwned;
use tokio_util::sync::CancellationToken;

use super::failure::HandlerError;

/// What an attempt runs in: it hears how the attempt goes and lends it threads.
#[async_trait]
pub trait Host: Send + Sync {
    /// Writes a line into the job's log.
    fn log(&self, level: LogLevel, message: &str);
    /// Says how far it is, 0 to 100.
    fn progress(&self, percent: f64, message: &str);
    /// Runs work that waits for a disk or computes for long off the async threads.
    async fn blocking(&self, work: Box<dyn FnOnce() + Send>);
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
    /// What it runs in.
    pub host: &'a dyn Host,
}

impl Run<'_> {
    /// Writes an ordinary line into the job's log.
    pub fn info(&self, message: &str) {
        self.host.log(LogLevel::Info, message);
    }

    /// Writes a warning into the job's log.
    pub fn warn(&self, message: &str) {
        self.host.log(LogLevel::Warn, message);
    }

    /// Says how far it is, 0 to 100.
    pub fn progress(&self, percent: f64, message: &str) {
        self.host.progress(percent, message);
    }

    /// Runs work that waits for a disk or computes for long off the async threads.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, HandlerError> {
        let (done, answer) = tokio::sync::oneshot::channel();
        let work = move || {
            // Nobody waits for the answer when the attempt is over.
            let _ = done.send(work());
        };
        self.host.blocking(Box::new(work)).await;
        let lost = |_| HandlerError::retry("Panic", "the work ended without an answer");
        answer.await.map_err(lost)
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

/// Reads a payload; one that does not fit kills the job, since no attempt could change that. The error
/// names the field.
pub fn read<T: DeserializeOwned>(payload: &JsonText) -> Result<T, HandlerError> {
    let mut text = serde_json::Deserializer::from_str(payload.as_str());
    serde_path_to_error::deserialize(&mut text)
        .map_err(|error| HandlerError::invalid(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::super::image::Resize;
    use super::*;

    #[test]
    fn a_payload_that_does_not_fit_is_told_by_its_field() {
        for (payload, told) in [
            ("null", "expected an object with source"),
            (r#"{"source":"a","width":-1}"#, "width: "),
            (r#"{"source":"a","size":1}"#, "size: unknown field"),
            ("{}", "missing field `source`"),
        ] {
            let error = read::<Resize>(&JsonText::parse(payload).unwrap()).unwrap_err();
            let message = error.failure.message;
            assert!(message.contains(told), "{payload}: {message}");
        }
    }
}
