//! Reads of the whole queue.

use conveyor_model::stats::{Counts, KindInfo, Overview};
use leptos::prelude::*;

use super::RpcError;

/// The overview page over `range`: `5m`, `1h` or `24h`.
#[server(name = ReadOverview, prefix = "/rpc", endpoint = "overview")]
pub(crate) async fn overview(range: String) -> Result<Overview, RpcError> {
    use super::server;
    server::read(|operator| async move { operator.overview(server::name("range", &range)?).await })
        .await
}

/// Jobs and things, as the frame shows them.
#[server(name = ReadCounts, prefix = "/rpc", endpoint = "counts")]
pub(crate) async fn counts() -> Result<Counts, RpcError> {
    use super::server;
    server::read(|operator| async move { operator.counts().await }).await
}

/// Every kind that has jobs or a handler, by name.
#[server(name = ReadKinds, prefix = "/rpc", endpoint = "kinds")]
pub(crate) async fn kinds() -> Result<Vec<KindInfo>, RpcError> {
    use super::server;
    server::read(|operator| async move { operator.kinds().await }).await
}

/// The time zones a schedule may use, sorted.
#[server(name = ReadTimeZones, prefix = "/rpc", endpoint = "time_zones")]
pub(crate) async fn time_zones() -> Result<Vec<String>, RpcError> {
    use super::server;
    server::read(|operator| async move { operator.time_zones().await }).await
}

/// The names of the kinds and of the queues there are.
#[server(name = ReadKnown, prefix = "/rpc", endpoint = "known")]
pub(crate) async fn known() -> Result<(Vec<String>, Vec<String>), RpcError> {
    use super::server;
    server::read(|operator| async move {
        let (kinds, queues) = (operator.kinds().await?, operator.queues().await?);
        let kinds = kinds.into_iter().map(|kind| kind.kind.to_string());
        let queues = queues.into_iter().map(|queue| queue.name.to_string());
        Ok((kinds.collect(), queues.collect()))
    })
    .await
}
