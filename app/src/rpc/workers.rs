//! Workers: read, and tell them what to do.

use conveyor_model::worker::Worker;
use leptos::prelude::*;

use super::{Outcome, RpcError};

/// Workers seen in the last day, live ones first.
#[server(name = ReadWorkers, prefix = "/rpc", endpoint = "workers")]
pub(crate) async fn workers() -> Result<Vec<Worker>, RpcError> {
    use super::server;
    server::read(|operator| async move { operator.workers().await }).await
}

/// Tells a worker to `run`, to be `quiet`, or to `stop`.
#[server(name = TellWorker, prefix = "/rpc", endpoint = "tell_worker")]
pub(crate) async fn tell_worker(
    worker: String,
    state: String,
    #[server(default)] return_to: String,
) -> Result<Outcome, RpcError> {
    use super::server;
    server::change(&return_to, |operator| async move {
        let state = server::name("state", &state)?;
        let known = server::name("worker", &worker)?;
        operator.tell_worker(&known, state).await?;
        Ok(Outcome::WorkerTold { worker, state })
    })
    .await
}
