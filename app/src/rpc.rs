//! The server functions: everything a page asks of the queue, each one line to the [`Operator`].
//!
//! Reads answer what the model says. Actions answer an [`Outcome`], and work in two ways: called by
//! a script they answer it as JSON; posted by a plain form they keep it for the next page and send
//! the browser there (Post/Redirect/Get). Arguments are ids, strings and integers, because nothing
//! else survives a form; whatever is wrong with them is told as an [`OperatorError`], like any other
//! fault. No function that changes something can be reached by GET.
//!
//! [`Operator`]: conveyor_model::operator::Operator

pub(crate) mod call;
pub(crate) mod dead;
pub(crate) mod enqueue;
mod flash;
pub(crate) mod job_values;
pub(crate) mod jobs;
mod outcome;
pub(crate) mod overview;
pub(crate) mod queues;
pub(crate) mod schedule_values;
pub(crate) mod schedules;
#[cfg(feature = "ssr")]
pub(crate) mod server;
pub(crate) mod workers;

pub use flash::Flash;
pub use outcome::Outcome;
#[cfg(feature = "ssr")]
pub use server::FLASH_COOKIE;

use conveyor_model::error::OperatorError;
use leptos::server_fn::Bytes;
use leptos::server_fn::codec::JsonEncoding;
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Serialize};

/// Why a server function did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum RpcError {
    /// The queue refused.
    #[error(transparent)]
    Operator(#[from] OperatorError),
    /// Nobody is signed in, or the session has ended.
    #[error("you are signed out")]
    SignedOut,
    /// The request or the answer did not get through.
    #[error("{0}")]
    Transport(String),
}

impl RpcError {
    /// The HTTP status that says the same.
    pub const fn status(&self) -> u16 {
        match self {
            RpcError::Operator(error) => error.status(),
            RpcError::SignedOut => 401,
            RpcError::Transport(_) => 400,
        }
    }

    /// Whether it says that the thing asked for does not exist.
    pub const fn is_not_found(&self) -> bool {
        matches!(self, RpcError::Operator(OperatorError::NotFound { .. }))
    }
}

/// What is read of a problem.
#[derive(Deserialize)]
struct Problem {
    status: u16,
    detail: String,
}

impl FromServerFnError for RpcError {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        RpcError::Transport(error.to_string())
    }

    /// What was refused before a server function ran, such as a request of an ended session, comes as
    /// a problem instead.
    fn de(data: Bytes) -> Self {
        let text = String::from_utf8_lossy(&data);
        if let Ok(error) = serde_json::from_str(&text) {
            return error;
        }
        match serde_json::from_str::<Problem>(&text) {
            Ok(problem) if problem.status == 401 => RpcError::SignedOut,
            Ok(problem) => RpcError::Transport(problem.detail),
            Err(_) => RpcError::Transport(text.into_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use conveyor_model::job::{Job, JobRow};
    use conveyor_model::json::JsonText;
    use conveyor_model::name::{JobId, Kind, Priority, QueueName};
    use conveyor_model::operator::JobDetail;
    use conveyor_model::retry::Backoff;
    use conveyor_model::schedule::ScheduleSpec;
    use conveyor_model::state::State;
    use conveyor_model::time::{Span, Timestamp};
    use conveyor_model::waiting::Cause;

    use super::schedules::ScheduleView;
    use super::*;

    const EXACT: &str = "{\"n\":9223372036854775807,  \"n\":1e2, \"f\":0.10000000000000000555}";

    fn job() -> Job {
        let now = Timestamp::from_secs(1_800_000_000);
        let row = JobRow {
            id: JobId::try_from(i64::MAX).unwrap(),
            state: State::Retrying,
            kind: Kind::new("a.b").unwrap(),
            queue: QueueName::new("a/b c?д").unwrap(),
            priority: Priority::DEFAULT,
            run_at: now,
            attempt: 1,
            max_attempts: 20,
            worker: None,
            lease_until: None,
            cancel_requested_at: None,
            created_at: now,
            started_at: None,
            finished_at: None,
            schedule: None,
            workflow: None,
            idempotency_key: None,
            tags: Vec::new(),
            version: 3,
            payload_preview: EXACT.to_owned(),
        };
        Job {
            row,
            payload: JsonText::parse(EXACT).unwrap(),
            result: Some(JsonText::parse(EXACT).unwrap()),
            meta: BTreeMap::new(),
            backoff: Backoff::default(),
            timeout_s: Span::from_millis(1500),
            progress: None,
            last_error: None,
            crash_count: 0,
            dead_reason: None,
            waiting_reason: Some(Cause::Scheduled { at: now }.into()),
        }
    }

    /// Pages and answers travel as JSON text; a codec that reads payloads through a tree would
    /// change them.
    #[test]
    fn a_payload_reaches_the_page_byte_for_byte() {
        let detail = JobDetail {
            job: job(),
            attempts: Vec::new(),
            logs: Vec::new(),
            same_cause: None,
            recent_runs: Vec::new(),
            now: Timestamp::MIN,
        };
        let text = serde_json::to_string(&detail).unwrap();
        let back: JobDetail = serde_json::from_str(&text).unwrap();
        assert_eq!(back, detail);
        assert_eq!(back.job.payload.as_str(), EXACT);
    }

    #[test]
    fn a_schedule_reaches_the_page_byte_for_byte() {
        let mut spec = ScheduleSpec::new("* * * * *", Kind::new("a").unwrap());
        spec.payload = JsonText::parse(EXACT).unwrap();
        let view = ScheduleView {
            name: "a/b c?д".to_owned(),
            spec,
            words: "every minute".to_owned(),
            next_at: None,
            waiting_slot: None,
            fault: None,
            last_slot: None,
            paused_by: None,
            created_at: Timestamp::MIN,
            updated_at: Timestamp::MIN,
            version: 1,
        };
        let text = serde_json::to_string(&view).unwrap();
        assert_eq!(serde_json::from_str::<ScheduleView>(&text).unwrap(), view);
    }

    #[test]
    fn a_refusal_crosses_to_the_browser_as_itself() {
        let refused = RpcError::Operator(OperatorError::DiskFull);
        assert_eq!(RpcError::de(refused.ser()), refused);
        assert_eq!(refused.status(), 507);
        assert_eq!(RpcError::SignedOut.status(), 401);
    }

    #[test]
    fn an_ended_session_is_told_apart_from_a_server_that_is_away() {
        let problem = |status: u16| {
            let text = format!(r#"{{"type":"/problems/x","status":{status},"detail":"why"}}"#);
            RpcError::de(text.into())
        };
        assert_eq!(problem(401), RpcError::SignedOut);
        assert_eq!(problem(503), RpcError::Transport("why".to_owned()));
        assert_eq!(
            RpcError::de("<html>".into()),
            RpcError::Transport("<html>".to_owned())
        );
    }
}
