//! Many jobs in one request, as a JSON array or as NDJSON. Each is judged for itself, unless all or
//! none is asked.

use axum::extract::{Request, State};
use axum::response::Response;
use conveyor_model::error::{FieldError, Invalid, OperatorError};
use conveyor_model::fields::{Fields, NotFields};
use conveyor_model::json::JsonFault;
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;
use serde::Serialize;
use serde_json::value::RawValue;

use super::IDEMPOTENCY_KEY;
use crate::http::Server;
use crate::http::answer::ok;
use crate::http::openapi;
use crate::http::problem::{Code, Problem};
use crate::http::request::{Params, media_type, read_text, require_json};

/// The most jobs of one request.
const MOST: usize = 10_000;
/// The longest body, unless one payload may be longer.
pub(crate) const MAX_BODY: usize = 32 * 1024 * 1024;

/// What became of a bulk request.
#[derive(Debug, Default, Serialize)]
struct Outcome {
    created: usize,
    existing: usize,
    failed: usize,
    items: Vec<Item>,
}

#[derive(Debug, Serialize)]
struct Item {
    index: usize,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<JobId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Box<RawValue>>,
}

/// Enqueue up to 10,000 jobs
///
/// A JSON array, or one object a line as `application/x-ndjson`. `?atomic=true` stores all or none.
#[utoipa::path(post, path = "/jobs/bulk", tag = "Jobs",
    params(("atomic" = Option<bool>, Query, description = "All or none.")),
    request_body(content((Vec<openapi::NewJob> = "application/json"), (String = "application/x-ndjson"))),
    responses((status = 200, description = "What became of each, in the order given.", body = openapi::BulkOutcome)))]
pub(crate) async fn enqueue(
    State(server): State<Server>,
    mut params: Params,
    request: Request,
) -> Result<Response, Problem> {
    let atomic = params.flag("atomic");
    params.finish(&["atomic"])?;
    let (parts, body) = request.into_parts();
    if parts.headers.contains_key(IDEMPOTENCY_KEY) {
        let fault = "the header Idempotency-Key is for one job; give each item a key of its own";
        return Err(Invalid::one("/idempotency_key", fault).into());
    }
    let limit = MAX_BODY.max(server.config.max_payload.saturating_mul(2));
    let text = read_text(body, &parts.headers, limit).await?;
    let texts = match media_type(&parts.headers).as_str() {
        "application/x-ndjson" | "application/ndjson" | "application/jsonl" => lines(&text),
        _ => {
            require_json(&parts.headers)?;
            elements(&text)?
        }
    };
    if texts.len() > MOST {
        let detail = format!(
            "the body holds {} jobs, at most {MOST} are allowed",
            texts.len()
        );
        return Err(Problem::new(Code::TooLarge, detail));
    }
    let jobs: Vec<_> = texts
        .into_iter()
        .map(|item| read(item, server.config.max_payload))
        .collect();
    store(&server, jobs, atomic).await
}

/// One job's text, and how many lines of the body are before it.
#[derive(Clone, Copy, Debug)]
struct Text<'a> {
    text: &'a str,
    lines_before: usize,
}

/// The elements of a JSON array, each as it stands there.
fn elements(text: &str) -> Result<Vec<Text<'_>>, Problem> {
    let raw: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| {
        if error.is_data() {
            return Invalid::one("", "the body must be a JSON array of jobs").into();
        }
        Problem::from(NotFields::Malformed(JsonFault::of(&error, text)))
    })?;
    let texts = raw.into_iter().map(RawValue::get);
    Ok(texts
        .map(|text| Text {
            text,
            lines_before: 0,
        })
        .collect())
}

/// The lines that hold something.
fn lines(text: &str) -> Vec<Text<'_>> {
    text.lines()
        .enumerate()
        .map(|(lines_before, line)| Text {
            text: line.trim(),
            lines_before,
        })
        .filter(|line| !line.text.is_empty())
        .collect()
}

fn read(item: Text<'_>, max_payload: usize) -> Result<NewJob, Problem> {
    let fields = Fields::parse(item.text).map_err(|fault| match fault {
        NotFields::Malformed(mut fault) => {
            fault.line += item.lines_before;
            let detail = format!("the item is not valid JSON: {}", fault.placed());
            Problem::new(Code::Malformed, detail)
        }
        NotFields::NotAnObject => Invalid::one("", "the item must be a JSON object").into(),
    })?;
    Ok(NewJob::read(fields, max_payload)?)
}

async fn store(
    server: &Server,
    jobs: Vec<Result<NewJob, Problem>>,
    atomic: bool,
) -> Result<Response, Problem> {
    if atomic && jobs.iter().any(Result::is_err) {
        return Err(all_refused(jobs.iter().map(|job| job.as_ref().err())));
    }
    let good: Vec<NewJob> = jobs
        .iter()
        .filter_map(|job| job.as_ref().ok().cloned())
        .collect();
    let stored = if good.is_empty() {
        Vec::new()
    } else {
        server.operator.enqueue_many(good, atomic).await?
    };
    let mut stored = stored.into_iter();
    let lost = || Err(Problem::from(OperatorError::Internal));
    let results: Vec<_> = jobs
        .into_iter()
        .map(|job| match job {
            Ok(_) => stored
                .next()
                .map_or_else(lost, |answer| answer.map_err(Problem::from)),
            Err(problem) => Err(problem),
        })
        .collect();
    if atomic && results.iter().any(Result::is_err) {
        return Err(all_refused(
            results.iter().map(|result| result.as_ref().err()),
        ));
    }
    let mut outcome = Outcome::default();
    for (index, result) in results.into_iter().enumerate() {
        let (status, id, problem) = match result {
            Ok(enqueued) if enqueued.existing => {
                outcome.existing += 1;
                ("existing", Some(enqueued.id), None)
            }
            Ok(enqueued) => {
                outcome.created += 1;
                ("created", Some(enqueued.id), None)
            }
            Err(problem) => {
                outcome.failed += 1;
                let text = RawValue::from_string(problem.json(None)).ok();
                ("invalid", None, text)
            }
        };
        outcome.items.push(Item {
            index,
            status,
            id,
            problem,
        });
    }
    ok(&outcome)
}

/// Why none of a batch was stored: every fault of every item.
fn all_refused<'a>(problems: impl Iterator<Item = Option<&'a Problem>>) -> Problem {
    let mut invalid = Invalid::none();
    for (index, problem) in problems.enumerate() {
        let Some(problem) = problem else { continue };
        if problem.errors().is_empty() {
            invalid.add(format!("/{index}"), problem.detail());
        }
        invalid
            .errors
            .extend(problem.errors().iter().map(|error| FieldError {
                pointer: format!("/{index}{}", error.pointer),
                ..error.clone()
            }));
    }
    invalid.into()
}
