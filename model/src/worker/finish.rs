//! The report of an attempt: how it ended, and what becomes of the report.

use serde::{Deserialize, Serialize};

use super::Lease;
use crate::error::Invalid;
use crate::fields::Fields;
use crate::job::Failure;
use crate::json::JsonText;
use crate::name::{JobId, LeaseToken};
use crate::new_job::LONGEST_SPAN;
use crate::read::words;
use crate::retry::TOO_LONG;
use crate::time::Span;

/// How a worker says an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FinishOutcome {
    /// Done.
    Succeeded,
    /// It went wrong; another attempt follows if one is left.
    Failed,
    /// It took longer than the job's time limit; becomes of the job what a failure makes of it, and is
    /// told apart in the history.
    Timeout,
    /// Run it again later; the attempt is not counted.
    Snooze,
    /// It stopped because it was asked to.
    Cancelled,
    /// It went wrong, and no further attempt makes sense.
    Dead,
}

words!(
    FinishOutcome: "succeeded" => Succeeded, "failed" => Failed, "timeout" => Timeout,
    "snooze" => Snooze, "cancelled" => Cancelled, "dead" => Dead
);

/// The report of one attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finish {
    /// The job.
    pub id: JobId,
    /// The token of the claim.
    pub lease_token: LeaseToken,
    /// How it ended.
    pub outcome: FinishOutcome,
    /// What a success answers.
    pub result: Option<JsonText>,
    /// What went wrong.
    pub error: Option<Failure>,
    /// After a failure or a timeout: wait this long instead of the backoff.
    pub retry_in: Option<Span>,
    /// With `snooze`: how long.
    pub snooze: Option<Span>,
}

/// The fields of a report.
pub const FINISH_FIELDS: &[&str] = &[
    "id",
    "lease_token",
    "outcome",
    "result",
    "error",
    "retry_in_s",
    "snooze_s",
];

const FAILURE_FIELDS: &[&str] = &["class", "message", "backtrace"];

fn read_failure(mut fields: Fields) -> Result<Failure, Invalid> {
    let class = fields
        .take::<String>("class")
        .filter(|class| !class.is_empty());
    let message = fields.take::<String>("message").unwrap_or_default();
    let backtrace = fields.take("backtrace");
    fields.finish(FAILURE_FIELDS, || {
        let class = class.unwrap_or_else(|| "Error".to_owned());
        let failure = Failure {
            class,
            message,
            backtrace,
        };
        Some(failure.bounded())
    })
}

impl Finish {
    /// Reads one report. `id` is given where the URL names the job. A result over `max_result` bytes
    /// turns the report into a failure of class `ResultTooLarge`; a result that is not allowed JSON
    /// into one of class `InvalidResult`: the attempt ends either way.
    pub fn read(mut fields: Fields, id: Option<JobId>, max_result: usize) -> Result<Self, Invalid> {
        let id = if id.is_some() {
            id
        } else {
            fields.require("id")
        };
        let lease_token = fields.require("lease_token");
        let outcome = fields.require::<FinishOutcome>("outcome");
        Finish::check_fit(outcome, &mut fields);
        let raw = fields.take_raw("result");
        let error = fields.nested("error", FAILURE_FIELDS, read_failure);
        let wants_snooze = outcome == Some(FinishOutcome::Snooze);
        if wants_snooze && !fields.has("snooze_s") {
            fields.fault("snooze_s", "is required with the outcome snooze");
        }
        let retry_in = fields.take_span("retry_in_s", LONGEST_SPAN, TOO_LONG);
        let snooze = fields.take_span("snooze_s", LONGEST_SPAN, TOO_LONG);
        fields.finish(FINISH_FIELDS, || {
            let finish = Finish {
                id: id?,
                lease_token: lease_token?,
                outcome: outcome?,
                result: None,
                error,
                retry_in,
                snooze,
            };
            Some(match raw {
                Some(raw) if outcome? == FinishOutcome::Succeeded => {
                    finish.with_result(raw.get(), max_result)
                }
                Some(_) | None => finish,
            })
        })
    }

    /// What goes with another outcome than the one reported would be lost; null says nothing.
    fn check_fit(outcome: Option<FinishOutcome>, fields: &mut Fields) {
        use FinishOutcome::{Cancelled, Dead, Failed, Snooze, Succeeded, Timeout};
        let Some(outcome) = outcome else { return };
        let rules: [(&str, &[FinishOutcome], &str); 4] = [
            (
                "result",
                &[Succeeded],
                "goes with the outcome succeeded only",
            ),
            (
                "error",
                &[Failed, Timeout, Dead, Snooze, Cancelled],
                "does not go with the outcome succeeded",
            ),
            (
                "retry_in_s",
                &[Failed, Timeout],
                "goes with the outcomes failed and timeout only",
            ),
            ("snooze_s", &[Snooze], "goes with the outcome snooze only"),
        ];
        for (name, outcomes, fault) in rules {
            if fields.has_value(name) && !outcomes.contains(&outcome) {
                fields.take_raw(name);
                fields.fault(name, fault);
            }
        }
    }

    /// A report of success.
    pub fn succeeded(lease: Lease, result: Option<JsonText>) -> Self {
        Finish {
            result,
            ..Finish::of(lease, FinishOutcome::Succeeded)
        }
    }

    /// A report of failure.
    pub fn failed(lease: Lease, error: &Failure) -> Self {
        Finish {
            error: Some(error.bounded()),
            ..Finish::of(lease, FinishOutcome::Failed)
        }
    }

    /// A report with nothing but its outcome.
    pub fn of(lease: Lease, outcome: FinishOutcome) -> Self {
        Finish {
            id: lease.id,
            lease_token: lease.lease_token,
            outcome,
            result: None,
            error: None,
            retry_in: None,
            snooze: None,
        }
    }

    /// The same with a result, or a failure where the result cannot be kept.
    #[must_use]
    pub fn with_result(mut self, text: &str, max: usize) -> Self {
        let fault = if text.len() > max {
            let message = format!(
                "the result has {} bytes, at most {max} are kept",
                text.len()
            );
            Some(Failure::new("ResultTooLarge", message))
        } else {
            match JsonText::parse(text) {
                Ok(result) => {
                    self.result = Some(result);
                    None
                }
                Err(fault) => Some(Failure::new("InvalidResult", fault.to_string())),
            }
        };
        if let Some(fault) = fault
            && self.outcome == FinishOutcome::Succeeded
        {
            self.outcome = FinishOutcome::Failed;
            self.error = Some(fault);
        }
        self
    }
}

/// What became of one report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FinishAnswer {
    /// The job.
    #[cfg_attr(feature = "openapi", schema(value_type = i64))]
    pub id: JobId,
    /// Whether the report counted.
    pub status: FinishStatus,
}

/// Whether a report counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FinishStatus {
    /// It did.
    Ok,
    /// The lease is not the job's newest or has ended; nothing changed.
    Stale,
    /// There is no such job.
    NotFound,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finish(text: &str) -> Result<Finish, Invalid> {
        Finish::read(Fields::parse(text).unwrap(), None, 20)
    }

    #[test]
    fn a_result_is_kept_exactly_or_fails_the_attempt() {
        let ok =
            finish(r#"{"id":1,"lease_token":2,"outcome":"succeeded","result":{"n":1e2}}"#).unwrap();
        assert_eq!(ok.result.unwrap().as_str(), r#"{"n":1e2}"#);
        let long = finish(
            r#"{"id":1,"lease_token":2,"outcome":"succeeded","result":"0123456789012345678901"}"#,
        )
        .unwrap();
        assert_eq!(long.outcome, FinishOutcome::Failed);
        assert_eq!(long.error.unwrap().class, "ResultTooLarge");
        let nul =
            finish(r#"{"id":1,"lease_token":2,"outcome":"succeeded","result":"\u0000"}"#).unwrap();
        assert_eq!(nul.error.unwrap().class, "InvalidResult");
    }

    #[test]
    fn a_snooze_says_how_long() {
        assert!(finish(r#"{"id":1,"lease_token":2,"outcome":"snooze"}"#).is_err());
        assert!(finish(r#"{"id":1,"lease_token":2,"outcome":"snooze","snooze_s":5}"#).is_ok());
        assert!(
            finish(r#"{"id":0,"lease_token":2,"outcome":"done"}"#)
                .unwrap_err()
                .errors
                .len()
                == 2
        );
    }

    #[test]
    fn what_does_not_go_with_the_outcome_is_named() {
        let pointer = |text: &str| {
            let text = format!(r#"{{"id":1,"lease_token":2,{text}}}"#);
            let invalid = finish(&text).unwrap_err();
            assert_eq!(invalid.errors.len(), 1, "{text}: {invalid}");
            invalid.errors[0].pointer.clone()
        };
        for (text, named) in [
            (r#""outcome":"failed","result":1"#, "/result"),
            (r#""outcome":"succeeded","retry_in_s":1"#, "/retry_in_s"),
            (r#""outcome":"dead","retry_in_s":1"#, "/retry_in_s"),
            (r#""outcome":"failed","snooze_s":1"#, "/snooze_s"),
            (r#""outcome":"succeeded","error":{}"#, "/error"),
            (r#""outcome":"snooze","snooze_s":-1"#, "/snooze_s"),
            (r#""outcome":"snooze","snooze_s":1e9"#, "/snooze_s"),
        ] {
            assert_eq!(pointer(text), named);
        }
        let nulls = r#"{"id":1,"lease_token":2,"outcome":"failed","result":null,"snooze_s":null}"#;
        assert!(finish(nulls).is_ok());
        let timeout = r#"{"id":1,"lease_token":2,"outcome":"timeout","error":{},"retry_in_s":1}"#;
        assert_eq!(finish(timeout).unwrap().outcome, FinishOutcome::Timeout);
    }
}
