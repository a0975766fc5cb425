//! What a request costs without the queue: an enqueue that reads and answers as [`super::enqueue`]
//! does, and stores nothing. Only the benchmark's server has it.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use conveyor_model::error::OperatorError;
use conveyor_model::job::Job;
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;

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
    let job = Job::stored(with_key(job, key_of(&headers)?)?, id, server.clock.now());
    let shown = Shown {
        job: &job,
        attempts: None,
    };
    let response = tagged(StatusCode::CREATED, job.row.version, &shown)?;
    let address = location(job.row.id);
    Ok(with_header(response, header::LOCATION, &address))
}
