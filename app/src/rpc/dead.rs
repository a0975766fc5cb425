//! The dead letter by cause: read, retry, delete.

use conveyor_model::dead::DeadGroup;
use leptos::prelude::*;

use super::{Outcome, RpcError};

/// The dead letter by cause, largest group first.
#[server(name = ReadDeadGroups, prefix = "/rpc", endpoint = "dead_groups")]
pub(crate) async fn dead_groups() -> Result<Vec<DeadGroup>, RpcError> {
    use super::server;
    server::read(|operator| async move { operator.dead_groups().await }).await
}

/// Retries up to `most` jobs of a group; 0 means all.
#[server(name = RetryGroup, prefix = "/rpc", endpoint = "retry_group")]
pub(crate) async fn retry_group(
    fingerprint: String,
    #[server(default)] most: u32,
    #[server(default)] return_to: String,
) -> Result<Outcome, RpcError> {
    use super::server;
    server::change(&return_to, |operator| async move {
        let most = Some(most).filter(|most| *most > 0);
        let retried = operator.retry_group(&fingerprint, most).await;
        retried.map(|jobs| Outcome::GroupRetried { jobs })
    })
    .await
}

/// Deletes all jobs of a group.
#[server(name = DeleteGroup, prefix = "/rpc", endpoint = "delete_group")]
pub(crate) async fn delete_group(
    fingerprint: String,
    #[server(default)] return_to: String,
) -> Result<Outcome, RpcError> {
    use super::server;
    server::change(&return_to, |operator| async move {
        let deleted = operator.delete_group(&fingerprint).await;
        deleted.map(|jobs| Outcome::GroupDeleted { jobs })
    })
    .await
}
