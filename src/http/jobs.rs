//! Jobs over REST: enqueue, list, show, change, act.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use conveyor_model::error::Invalid;
use conveyor_model::job::{Attempt, Job, LogLine};
use conveyor_model::name::{IdempotencyKey, JobId};
use conveyor_model::new_job::{JOB_PATCH_FIELDS, JobPatch, NewJob};
use conveyor_model::state::Action;
use serde::Serialize;

use super::Server;
use super::answer::{ok, tagged, versioned, wanted_version, with_header};
use super::openapi;
use super::problem::Problem;
use super::request::{Bare, Id, JsonObject, NoParams};

pub(crate) mod bulk;
pub(crate) mod list;
pub(crate) mod null;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// A job as it is shown alone.
#[derive(Debug, Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    job: &'a Job,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts: Option<Vec<Attempt>>,
}

/// The path of a job.
fn location(id: JobId) -> String {
    format!("/api/v1/jobs/{id}")
}

/// Enqueue a job
///
/// With an idempotency key a repeated request answers the job it has.
#[utoipa::path(post, path = "/jobs", tag = "Jobs", request_body = openapi::NewJob,
    params(("Idempotency-Key" = Option<String>, Header, description = "The same as the field `idempotency_key`; quoted or bare.")),
    responses(
        (status = 201, description = "Stored. The answer is the job as it was stored; `waiting_reason` is null unless it is due later, ask for the job to learn what holds it.", body = openapi::Job, headers(("Location" = String, description = "The job's address."))),
        (status = 200, description = "The key and the request are known: the job they made.", body = openapi::Job),
        openapi::KeyReused,
    ))]
pub(crate) async fn enqueue(
    State(server): State<Server>,
    headers: HeaderMap,
    JsonObject(fields): JsonObject,
) -> Result<Response, Problem> {
    let job = NewJob::read(fields, server.config.max_payload)?;
    let job = with_key(job, key_of(&headers)?)?;
    let (job, existing) = server.operator.enqueue_shown(job).await?;
    let status = if existing {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    let shown = Shown {
        job: &job,
        attempts: None,
    };
    let mut response = tagged(status, job.row.version, &shown)?;
    if existing {
        response
            .headers_mut()
            .insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(with_header(
        response,
        header::LOCATION,
        &location(job.row.id),
    ))
}

/// The idempotency key in the header, quoted or bare.
fn key_of(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Problem> {
    let Some(value) = headers.get(IDEMPOTENCY_KEY) else {
        return Ok(None);
    };
    let fault = |detail: String| Problem::from(Invalid::one("/idempotency_key", detail));
    let text = std::str::from_utf8(value.as_bytes())
        .map_err(|_| fault("the header Idempotency-Key is not UTF-8".to_owned()))?;
    let quoted = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    let key = match quoted {
        Some(inner) => inner.replace("\\\"", "\"").replace("\\\\", "\\"),
        None => text.to_owned(),
    };
    IdempotencyKey::new(key)
        .map(Some)
        .map_err(|error| fault(error.to_string()))
}

/// The job with the key of the header, which must not differ from the one in the body.
fn with_key(mut job: NewJob, key: Option<IdempotencyKey>) -> Result<NewJob, Problem> {
    match (&job.idempotency_key, key) {
        (Some(own), Some(key)) if *own != key => Err(Invalid::one(
            "/idempotency_key",
            "differs from the header Idempotency-Key; give one of them",
        )
        .into()),
        (_, Some(key)) => {
            job.idempotency_key = Some(key);
            Ok(job)
        }
        (_, None) => Ok(job),
    }
}

/// Show a job
#[utoipa::path(get, path = "/jobs/{id}", tag = "Jobs", params(("id" = i64, Path)),
    responses((status = 200, description = "The job with its attempts.", body = openapi::JobWithAttempts), (status = 304, description = "The answer is still the one of `If-None-Match`.")))]
pub(crate) async fn show(
    State(server): State<Server>,
    Id(id): Id,
    _: NoParams,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let job = server.operator.job(id).await?;
    let attempts = server.operator.attempts(id).await?;
    let shown = Shown {
        job: &job,
        attempts: Some(attempts),
    };
    versioned(&headers, job.row.version, &shown)
}

/// A job's attempts, oldest first
#[utoipa::path(get, path = "/jobs/{id}/attempts", tag = "Jobs", params(("id" = i64, Path)),
    responses((status = 200, description = "The attempts.", body = Vec<Attempt>)))]
pub(crate) async fn attempts(
    State(server): State<Server>,
    Id(id): Id,
    _: NoParams,
) -> Result<Response, Problem> {
    ok(&server.operator.attempts(id).await?)
}

/// A job's log lines, oldest first
#[utoipa::path(get, path = "/jobs/{id}/logs", tag = "Jobs", params(("id" = i64, Path)),
    responses((status = 200, description = "The lines.", body = Vec<LogLine>)))]
pub(crate) async fn logs(
    State(server): State<Server>,
    Id(id): Id,
    _: NoParams,
) -> Result<Response, Problem> {
    ok(&server.operator.logs(id).await?)
}

/// Change a job that is not running
///
/// A field left out stays as it is; null is for the payload only. `If-Match` makes the change only at that version.
#[utoipa::path(patch, path = "/jobs/{id}", tag = "Jobs", request_body = openapi::JobPatch,
    params(("id" = i64, Path), ("If-Match" = Option<String>, Header, description = "The version to change: the `ETag` as it was given, or its part before the hyphen.")),
    responses((status = 200, description = "The job as it is now.", body = openapi::Job), openapi::NotInState))]
pub(crate) async fn edit(
    State(server): State<Server>,
    Id(id): Id,
    headers: HeaderMap,
    JsonObject(fields): JsonObject,
) -> Result<Response, Problem> {
    let version = wanted_version(&headers)?;
    if fields.is_empty() {
        return Err(nothing_to_change(JOB_PATCH_FIELDS).into());
    }
    let patch = JobPatch::read(fields, server.config.max_payload)?;
    let job = server.operator.edit(id, patch, version).await?;
    shown(StatusCode::OK, &job)
}

/// A change that changes nothing was meant to be one.
pub(super) fn nothing_to_change(known: &[&str]) -> Invalid {
    let detail = format!("nothing to change; give one of {}", known.join(", "));
    Invalid::one("", detail)
}

/// Delete a job that is not running
#[utoipa::path(delete, path = "/jobs/{id}", tag = "Jobs",
    params(("id" = i64, Path), ("If-Match" = Option<String>, Header, description = "Delete it only at this version.")),
    responses((status = 204, description = "Deleted."), openapi::NotInState))]
pub(crate) async fn delete(
    State(server): State<Server>,
    Id(id): Id,
    headers: HeaderMap,
    _: Bare,
) -> Result<Response, Problem> {
    let version = wanted_version(&headers)?;
    server.operator.delete(id, version).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Retry a finished or retrying job under its id
#[utoipa::path(post, path = "/jobs/{id}/retry", tag = "Jobs", params(("id" = i64, Path)),
    responses((status = 200, description = "The job as it is now.", body = openapi::Job), openapi::NotInState))]
pub(crate) async fn retry(
    State(server): State<Server>,
    Id(id): Id,
    _: Bare,
) -> Result<Response, Problem> {
    act(&server, id, Action::Retry).await
}

/// Make a job that is due later due now
#[utoipa::path(post, path = "/jobs/{id}/run", tag = "Jobs", params(("id" = i64, Path)),
    responses((status = 200, description = "The job as it is now.", body = openapi::Job), openapi::NotInState))]
pub(crate) async fn run(
    State(server): State<Server>,
    Id(id): Id,
    _: Bare,
) -> Result<Response, Problem> {
    act(&server, id, Action::Run).await
}

/// Call a job off
///
/// A running job stays `running` with `cancel_requested_at` until its worker answers or its lease ends,
/// then it is `cancelled`; but one whose worker reports a success is `succeeded`, since it is done.
#[utoipa::path(post, path = "/jobs/{id}/cancel", tag = "Jobs", params(("id" = i64, Path)),
    responses((status = 200, description = "The job as it is now.", body = openapi::Job), openapi::NotInState))]
pub(crate) async fn cancel(
    State(server): State<Server>,
    Id(id): Id,
    _: Bare,
) -> Result<Response, Problem> {
    act(&server, id, Action::Cancel).await
}

/// Put a waiting job into the dead letter
#[utoipa::path(post, path = "/jobs/{id}/discard", tag = "Jobs", params(("id" = i64, Path)),
    responses((status = 200, description = "The job as it is now.", body = openapi::Job), openapi::NotInState))]
pub(crate) async fn discard(
    State(server): State<Server>,
    Id(id): Id,
    _: Bare,
) -> Result<Response, Problem> {
    act(&server, id, Action::Discard).await
}

/// Enqueue the same again as a new job
///
/// It is due at once, whenever the other is or was, and has neither its key nor its schedule.
#[utoipa::path(post, path = "/jobs/{id}/duplicate", tag = "Jobs", params(("id" = i64, Path)),
    responses((status = 201, description = "The new job.", body = openapi::Job, headers(("Location" = String, description = "The new job's address.")))))]
pub(crate) async fn duplicate(
    State(server): State<Server>,
    Id(id): Id,
    _: Bare,
) -> Result<Response, Problem> {
    let new = server.operator.act(id, Action::Duplicate).await?;
    let job = server.operator.job(new).await?;
    let response = shown(StatusCode::CREATED, &job)?;
    Ok(with_header(response, header::LOCATION, &location(new)))
}

async fn act(server: &Server, id: JobId, action: Action) -> Result<Response, Problem> {
    let id = server.operator.act(id, action).await?;
    let job = server.operator.job(id).await?;
    shown(StatusCode::OK, &job)
}

fn shown(status: StatusCode, job: &Job) -> Result<Response, Problem> {
    let shown = Shown {
        job,
        attempts: None,
    };
    tagged(status, job.row.version, &shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(value: &'static [u8]) -> Result<Option<IdempotencyKey>, Problem> {
        let value = HeaderValue::from_bytes(value).unwrap();
        key_of(&HeaderMap::from_iter([(IDEMPOTENCY_KEY, value)]))
    }

    #[test]
    fn a_quoted_key_is_the_key_in_the_quotes() {
        let plain = IdempotencyKey::new("a-b").unwrap();
        assert_eq!(key(b"a-b").unwrap(), Some(plain.clone()));
        assert_eq!(key(b"\"a-b\"").unwrap(), Some(plain));
        assert_eq!(key("é".as_bytes()).unwrap().unwrap().as_str(), "é");
        assert_eq!(key(b"\"a\\\"b\"").unwrap().unwrap().as_str(), "a\"b");
        assert!(key(b"").is_err() && key(b"\"\"").is_err() && key(b"\xff").is_err());
    }
}
