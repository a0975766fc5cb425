//! Queues: read, pause, resume, purge.

use conveyor_model::queue::Queue;
use leptos::prelude::*;

use super::{Outcome, RpcError};

/// Every queue, by name.
#[server(name = ReadQueues, prefix = "/rpc", endpoint = "queues")]
pub(crate) async fn queues() -> Result<Vec<Queue>, RpcError> {
    use super::server;
    server::read(|operator| async move { operator.queues().await }).await
}

/// Stops giving out a queue's jobs. `until` is empty, minutes from the server's now such as `60`, or
/// an instant.
#[server(name = PauseQueue, prefix = "/rpc", endpoint = "pause_queue")]
pub(crate) async fn pause_queue(
    queue: String,
    #[server(default)] note: String,
    #[server(default)] until: String,
    #[server(default)] return_to: String,
) -> Result<Outcome, RpcError> {
    use super::server;
    server::change(&return_to, |operator| async move {
        let now = operator.counts().await?.at;
        let request = server::pause::request(&note, &until, now)?;
        let known = server::name("queue", &queue)?;
        operator
            .pause_queue(&known, request, &server::actor())
            .await?;
        Ok(Outcome::Paused { queue })
    })
    .await
}

/// Gives out a queue's jobs again.
#[server(name = ResumeQueue, prefix = "/rpc", endpoint = "resume_queue")]
pub(crate) async fn resume_queue(
    queue: String,
    #[server(default)] return_to: String,
) -> Result<Outcome, RpcError> {
    use super::server;
    server::change(&return_to, |operator| async move {
        operator
            .resume_queue(&server::name("queue", &queue)?)
            .await?;
        Ok(Outcome::Resumed { queue })
    })
    .await
}

/// Deletes a queue's waiting jobs; `typed` must be its name, so that it does not happen by a slip.
#[server(name = PurgeQueue, prefix = "/rpc", endpoint = "purge_queue")]
pub(crate) async fn purge_queue(
    queue: String,
    #[server(default)] typed: String,
    #[server(default)] return_to: String,
) -> Result<Outcome, RpcError> {
    use super::server;
    server::change(&return_to, |operator| async move {
        server::pause::confirmed(&queue, &typed)?;
        let jobs = operator
            .purge_queue(&server::name("queue", &queue)?)
            .await?;
        Ok(Outcome::Purged { queue, jobs })
    })
    .await
}
