//! What a request costs without the queue: an enqueue that reads and answers as [`super::enqueue`]
//! does, and stores nothing. Only the benchmark's server has it.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use conveyor_model::error::OperatorError;
use conveyor_model::job::{Job, JobRow};
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;
use conveyor_model::state::State as JobState;
use conveyor_model::time::Timestamp;

use super::{Shown, key_of, location, with_key};
use crate::http::Server;
use crate::http::answer::{tagged, with_header};
use crate::http::problem::Problem;
use crate::http::request::JsonObject;

/// Answers the job as if it had been stored.
pub(crate) async fn answer(
    State(server): State<Server>,
    headers: HeaderMap,
    JsonObject(fields): JsonObject,
) -> Result<Response, Problem> {
    let job = NewJob::read(fields, server.config.max_payload)?;
    let id = JobId::try_from(1).map_err(|_| OperatorError::Internal)?;
    let job = as_stored(id, with_key(job, key_of(&headers)?)?, server.clock.now());
    let shown = Shown {
        job: &job,
        attempts: None,
    };
    let response = tagged(StatusCode::CREATED, job.row.version, &shown)?;
    let address = location(job.row.id);
    Ok(with_header(response, header::LOCATION, &address))
}

fn as_stored(id: JobId, job: NewJob, now: Timestamp) -> Job {
    let payload_preview = job.payload.preview(200);
    Job {
        row: JobRow {
            id,
            state: JobState::Ready,
            kind: job.kind,
            queue: job.queue,
            priority: job.priority,
            run_at: job.due.at(now),
            attempt: 0,
            max_attempts: job.max_attempts,
            worker: None,
            lease_until: None,
            cancel_requested_at: None,
            created_at: now,
            started_at: None,
            finished_at: None,
            schedule: None,
            workflow: None,
            idempotency_key: job.idempotency_key,
            tags: job.tags,
            version: 1,
            payload_preview,
        },
        payload: job.payload,
        result: None,
        meta: job.meta,
        backoff: job.backoff,
        timeout_s: job.timeout,
        progress: None,
        last_error: None,
        crash_count: 0,
        dead_reason: None,
        waiting_reason: None,
    }
}
