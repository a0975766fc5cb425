//! What runs a job, and how it says how that went.

use std::fmt::Display;
use std::future::Future;
use std::marker::PhantomData;

use async_trait::async_trait;
use conveyor_model::job::Failure;
use conveyor_model::json::JsonText;
use conveyor_model::time::Span;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::JobContext;

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Done, perhaps with a result to keep.
    Done(Option<JsonText>),
    /// It failed; another attempt follows if one is left.
    Retry {
        /// What went wrong.
        error: Failure,
        /// Wait this long instead of the job's backoff.
        after: Option<Span>,
    },
    /// Run it again after a while; the attempt is not counted.
    Snooze(Span),
    /// It stopped because it was asked to.
    Cancel,
    /// It failed, and no further attempt makes sense.
    Dead(Failure),
}

/// Runs the jobs of a kind. An attempt may run again after a crash or a lost lease, so whatever it
/// does outside must bear being done twice; the job's id is the natural key for that.
#[async_trait]
pub trait Handler: Send + Sync + 'static {
    /// Runs one attempt. When it takes longer than the job's timeout it is dropped; when
    /// [`JobContext::cancelled`] fires it should end soon.
    async fn run(&self, job: JobContext) -> Outcome;
}

/// What an async function may answer as a handler: an [`Outcome`], nothing, or a `Result` of a value
/// that becomes the job's result (or an outcome) and any error that can be shown.
pub trait IntoOutcome {
    /// The outcome it stands for.
    fn into_outcome(self) -> Outcome;
}

impl IntoOutcome for Outcome {
    fn into_outcome(self) -> Outcome {
        self
    }
}

impl IntoOutcome for () {
    fn into_outcome(self) -> Outcome {
        Outcome::Done(None)
    }
}

impl<T: Serialize, E: Display> IntoOutcome for Result<T, E> {
    fn into_outcome(self) -> Outcome {
        match self {
            Ok(value) => match JsonText::of(&value) {
                Ok(result) if result == JsonText::null() => Outcome::Done(None),
                Ok(result) => Outcome::Done(Some(result)),
                Err(fault) => Outcome::retry("InvalidResult", fault),
            },
            Err(error) => failed(&error),
        }
    }
}

impl<E: Display> IntoOutcome for Result<Outcome, E> {
    fn into_outcome(self) -> Outcome {
        self.unwrap_or_else(|error| failed(&error))
    }
}

impl Outcome {
    /// A failure of a sort that another attempt may mend.
    pub fn retry(class: impl Into<String>, message: impl Display) -> Self {
        Outcome::Retry {
            error: Failure::new(class, message.to_string()),
            after: None,
        }
    }

    /// A failure of a sort that no attempt can mend.
    pub fn dead(class: impl Into<String>, message: impl Display) -> Self {
        Outcome::Dead(Failure::new(class, message.to_string()))
    }
}

/// An error as a failure. The alternate form is asked for, in which error chains show their causes.
fn failed<E: Display>(error: &E) -> Outcome {
    Outcome::retry(
        class_of(std::any::type_name::<E>()),
        format_args!("{error:#}"),
    )
}

/// A short name for an error's type: `ParseError`, or `io::Error` where the last part says nothing.
fn class_of(path: &str) -> String {
    if !path
        .chars()
        .all(|c| c.is_alphanumeric() || "_:".contains(c))
    {
        return "Error".to_owned();
    }
    let mut parts = path.rsplit("::").filter(|part| !part.is_empty());
    match (parts.next(), parts.find(|part| *part != "error")) {
        (Some("Error"), Some(module)) => format!("{module}::Error"),
        (Some("String" | "str") | None, _) => "Error".to_owned(),
        (Some(last), _) => last.to_owned(),
    }
}

/// A handler made of an async function over a typed payload.
pub(super) struct Typed<F, T> {
    run: F,
    payload: PhantomData<fn() -> T>,
}

impl<F, T> Typed<F, T> {
    pub(super) fn new(run: F) -> Self {
        Typed {
            run,
            payload: PhantomData,
        }
    }
}

#[async_trait]
impl<F, T, R> Handler for Typed<F, T>
where
    F: Fn(JobContext, T) -> R + Send + Sync + 'static,
    T: DeserializeOwned + Send + 'static,
    R: Future<Output: IntoOutcome> + Send + 'static,
{
    /// A payload that does not fit counts as a failed attempt: the handler may be mended, and until
    /// then the backoff keeps the job from running hot.
    async fn run(&self, job: JobContext) -> Outcome {
        let future = match serde_json::from_str(job.payload().as_str()) {
            Ok(payload) => (self.run)(job, payload),
            Err(error) => return Outcome::retry("InvalidPayload", error),
        };
        future.await.into_outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_results_and_errors_become_failures() {
        let done: Result<u32, String> = Ok(3);
        assert_eq!(
            done.into_outcome(),
            Outcome::Done(Some(JsonText::parse("3").unwrap()))
        );
        let nothing: Result<(), String> = Ok(());
        assert_eq!(nothing.into_outcome(), Outcome::Done(None));
        let snooze: Result<Outcome, String> = Ok(Outcome::Snooze(Span::from_secs(1)));
        assert_eq!(snooze.into_outcome(), Outcome::Snooze(Span::from_secs(1)));
        let failed: Result<(), std::num::ParseIntError> = "x".parse::<u8>().map(drop);
        let Outcome::Retry { error, after: None } = failed.into_outcome() else {
            panic!("no failure");
        };
        assert_eq!(error.class, "ParseIntError");
        assert_eq!(error.message, "invalid digit found in string");
    }

    #[test]
    fn a_class_is_short_and_says_something() {
        assert_eq!(class_of("std::io::error::Error"), "io::Error");
        assert_eq!(class_of("anyhow::Error"), "anyhow::Error");
        assert_eq!(class_of("my::billing::CardDeclined"), "CardDeclined");
        assert_eq!(class_of("alloc::string::String"), "Error");
        assert_eq!(class_of("&str"), "Error");
        assert_eq!(
            class_of("alloc::boxed::Box<dyn core::error::Error>"),
            "Error"
        );
    }
}
