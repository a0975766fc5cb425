//! Probes. `/livez` says that the process runs and asks nothing of the database; `/readyz` says whether
//! it can do its work. Both are open and short; only the holder of the token learns the details.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::Server;
use super::problem::Problem;
use super::request::Params;
use super::{answer, gate};

/// How long the database may take to answer before it counts as away.
const PATIENCE: Duration = Duration::from_secs(2);

/// What `/readyz?verbose` tells.
#[expect(clippy::struct_excessive_bools, reason = "each is a check of its own")]
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct Report {
    /// Whether all below is well.
    ready: bool,
    /// Whether the database answers; it does so only with its tables in place.
    database: bool,
    /// Whether the last write found space.
    space: bool,
    /// Whether schedules were looked at in the last 30 seconds.
    scheduler: bool,
    /// Whether leases were looked at in the last 30 seconds.
    reaper: bool,
    /// Whether the server is stopping.
    draining: bool,
}

/// The process runs
#[utoipa::path(get, path = "/livez", tag = "Operating", security(()),
    responses((status = 200, description = "It runs.", body = String, content_type = "text/plain")))]
pub(crate) async fn live() -> &'static str {
    "ok\n"
}

/// The server can do its work
///
/// `?verbose` tells the parts, to the holder of the token.
#[utoipa::path(get, path = "/readyz", tag = "Operating", security((), ("token" = [])),
    params(("verbose" = Option<bool>, Query, description = "Tell the parts; needs the token.")),
    responses(
        (status = 200, description = "It can. With `verbose` the parts as JSON.", body = Report),
        (status = 503, description = "It cannot: it stops, or its database is away."),
    ))]
pub(crate) async fn ready(
    State(server): State<Server>,
    request: Request,
) -> Result<Response, Problem> {
    let verbose = Params::parse(request.uri().query().unwrap_or("")).flag("verbose");
    if verbose && !gate::has_token(&server, request.headers()) {
        return Err(gate::unauthorized());
    }
    let report = report(&server).await;
    let status = if report.ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    if verbose {
        return answer::json(status, &report);
    }
    let word = if report.ready {
        "ready\n"
    } else {
        "not ready\n"
    };
    Ok((status, word).into_response())
}

async fn report(server: &Server) -> Report {
    let ping = tokio::time::timeout(PATIENCE, server.store.ping());
    let health = tokio::time::timeout(PATIENCE, server.store.health());
    let (ping, health) = tokio::join!(ping, health);
    let now = server.clock.now();
    let readiness = &server.readiness;
    let mut report = Report {
        ready: false,
        database: matches!(ping, Ok(Ok(()))),
        space: matches!(health, Ok(Ok(health)) if !health.disk_full),
        scheduler: readiness.scheduler_fresh(now),
        reaper: readiness.reaper_fresh(now),
        draining: readiness.draining(),
    };
    report.ready =
        report.database && report.space && report.scheduler && report.reaper && !report.draining;
    report
}
