//! Makes handlers of the pool of the built-in kinds.

use std::sync::Arc;

use async_trait::async_trait;
use conveyor_model::job::LogLevel;
use conveyor_model::json::JsonText;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::email::{Email, EmailResult, EmailSend};
use super::failure::{HandlerError, Then};
use super::image::{ImageResize, Resize, ResizeResult};
use super::run::{Host, Run, read};
use super::webhook::{Webhook, WebhookCall, WebhookResult};
use crate::clock::Clock;
use crate::worker::{Handler, JobContext, Outcome};

/// A kind with a payload and a result of its own.
#[async_trait]
pub(super) trait Builtin: Send + Sync + 'static {
    type Payload: DeserializeOwned + Send;
    type Result: Serialize + Send + Sync;

    async fn perform(
        &self,
        payload: Self::Payload,
        run: Run<'_>,
    ) -> Result<Self::Result, HandlerError>;
}

/// A kind as a handler.
pub(super) struct Bound<K> {
    kind: K,
    clock: Arc<dyn Clock>,
}

impl<K> Bound<K> {
    pub(super) fn new(kind: K, clock: &Arc<dyn Clock>) -> Self {
        Bound {
            kind,
            clock: Arc::clone(clock),
        }
    }
}

#[async_trait]
impl<K: Builtin> Handler for Bound<K> {
    async fn run(&self, job: JobContext) -> Outcome {
        let cancel = job.cancelled();
        let run = Run {
            id: job.id(),
            created_at: job.job().created_at,
            now: self.clock.now(),
            cancel: &cancel,
            host: &job,
        };
        let done = match read(job.payload()) {
            Ok(payload) => self.kind.perform(payload, run).await,
            Err(error) => Err(error),
        };
        match done {
            Ok(result) => match JsonText::of(&result) {
                Ok(result) => Outcome::Done(Some(result)),
                Err(fault) => Outcome::retry("InvalidResult", fault),
            },
            Err(error) => outcome(error),
        }
    }
}

/// What follows an attempt that did not succeed, in the words of the pool.
pub(super) fn outcome(error: HandlerError) -> Outcome {
    match error.then {
        Then::Retry => Outcome::Retry {
            error: error.failure,
            after: None,
        },
        Then::RetryIn(span) => Outcome::Retry {
            error: error.failure,
            after: Some(span),
        },
        Then::Die => Outcome::Dead(error.failure),
        Then::Cancel => Outcome::Cancel,
    }
}

#[async_trait]
impl Host for JobContext {
    fn log(&self, level: LogLevel, message: &str) {
        JobContext::log(self, level, message);
    }

    fn progress(&self, percent: f64, message: &str) {
        JobContext::progress(self, percent, message);
    }

    async fn blocking(&self, work: Box<dyn FnOnce() + Send>) {
        JobContext::blocking(self, work).await;
    }
}

#[async_trait]
impl Builtin for Webhook {
    type Payload = WebhookCall;
    type Result = WebhookResult;

    async fn perform(
        &self,
        payload: WebhookCall,
        run: Run<'_>,
    ) -> Result<WebhookResult, HandlerError> {
        self.call(payload, run).await
    }
}

#[async_trait]
impl Builtin for Email {
    type Payload = EmailSend;
    type Result = EmailResult;

    async fn perform(&self, payload: EmailSend, run: Run<'_>) -> Result<EmailResult, HandlerError> {
        self.send(payload, run).await
    }
}

#[async_trait]
impl Builtin for ImageResize {
    type Payload = Resize;
    type Result = ResizeResult;

    async fn perform(&self, payload: Resize, run: Run<'_>) -> Result<ResizeResult, HandlerError> {
        self.resize(payload, run).await
    }
}
