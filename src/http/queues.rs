//! Queues over REST.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use conveyor_model::error::Thing;
use conveyor_model::name::QueueName;
use conveyor_model::queue::{PauseRequest, Queue};
use serde::Serialize;

use super::Server;
use super::answer::{ok, tagged, versioned};
use super::gate::By;
use super::openapi;
use super::problem::Problem;
use super::request::{Bare, JsonObject, Name, NoParams};

/// How many jobs a purge removed.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct Purged {
    /// The number of jobs.
    purged: u64,
}

/// Every queue, by name
#[utoipa::path(get, path = "/queues", tag = "Queues",
    responses((status = 200, description = "The queues.", body = Vec<Queue>)))]
pub(crate) async fn list(State(server): State<Server>, _: NoParams) -> Result<Response, Problem> {
    ok(&server.operator.queues().await?)
}

/// One queue
#[utoipa::path(get, path = "/queues/{name}", tag = "Queues", params(("name" = String, Path)),
    responses((status = 200, description = "The queue.", body = Queue), (status = 304, description = "The answer is still the one of `If-None-Match`.")))]
pub(crate) async fn show(
    State(server): State<Server>,
    name: Name,
    _: NoParams,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let queue = server.operator.queue(&name_of(&name)?).await?;
    versioned(&headers, queue.version, &queue)
}

/// Stop giving out a queue's jobs
///
/// A queue that nobody has used yet is made. On one that is paused, note and end are replaced; since
/// when it is paused stays.
#[utoipa::path(post, path = "/queues/{name}/pause", tag = "Queues", params(("name" = String, Path)),
    request_body = openapi::PauseRequest,
    responses((status = 200, description = "The queue as it is now.", body = Queue)))]
pub(crate) async fn pause(
    State(server): State<Server>,
    name: Name,
    By(actor): By,
    JsonObject(fields): JsonObject,
) -> Result<Response, Problem> {
    let request = PauseRequest::read(fields)?;
    let queue = server
        .operator
        .pause_queue(&name.new_name()?, request, &actor)
        .await?;
    tagged(StatusCode::OK, queue.version, &queue)
}

/// Give out a queue's jobs again
///
/// Changes nothing when it is not paused.
#[utoipa::path(post, path = "/queues/{name}/resume", tag = "Queues", params(("name" = String, Path)),
    responses((status = 200, description = "The queue as it is now.", body = Queue)))]
pub(crate) async fn resume(
    State(server): State<Server>,
    name: Name,
    _: Bare,
) -> Result<Response, Problem> {
    let queue = server.operator.resume_queue(&name_of(&name)?).await?;
    tagged(StatusCode::OK, queue.version, &queue)
}

/// Delete a queue's waiting jobs
#[utoipa::path(post, path = "/queues/{name}/purge", tag = "Queues", params(("name" = String, Path)),
    responses((status = 200, description = "How many were deleted.", body = Purged)))]
pub(crate) async fn purge(
    State(server): State<Server>,
    name: Name,
    _: Bare,
) -> Result<Response, Problem> {
    let purged = server.operator.purge_queue(&name_of(&name)?).await?;
    ok(&Purged { purged })
}

fn name_of(name: &Name) -> Result<QueueName, Problem> {
    name.of(Thing::Queue)
}
