//! `/metrics` in the Prometheus text format.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::Server;
use super::problem::{Code, Problem};
use crate::metrics::families::Reading;

const FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Numbers for Prometheus
///
/// Needs the token, or `METRICS_TOKEN`, unless `METRICS_PUBLIC` opens it.
#[utoipa::path(get, path = "/metrics", tag = "Operating",
    responses(
        (status = 200, description = "The text format 0.0.4.", body = String, content_type = "text/plain"),
    ))]
pub(crate) async fn scrape(State(server): State<Server>) -> Result<Response, Problem> {
    let queues = server.operator.queues();
    let workers = server.operator.workers();
    let schedules = server.operator.schedules();
    let (queues, schedules, workers) = tokio::try_join!(queues, schedules, workers)?;
    let away = |error| Problem::from(conveyor_model::error::OperatorError::from(error));
    let totals = server.store.totals().await.map_err(away)?;
    let health = server.store.health().await.map_err(away)?;
    let reading = Reading {
        queues,
        schedules,
        workers,
        totals,
        health,
        now: server.clock.now(),
    };
    let mut families = reading.families();
    families.extend(server.store.measured());
    let text = server.metrics.text(families).map_err(|error| {
        tracing::error!(%error, "the metrics cannot be written");
        Problem::new(Code::Internal, "the metrics cannot be written")
    })?;
    let format = HeaderValue::from_static(FORMAT);
    Ok(([(header::CONTENT_TYPE, format)], text).into_response())
}
