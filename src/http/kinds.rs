//! Kinds of jobs over REST.

use axum::extract::State;
use axum::response::Response;
use conveyor_model::error::{OperatorError, Thing};
use conveyor_model::name::Kind;
use conveyor_model::stats::KindInfo;

use super::Server;
use super::answer::{Listing, ok};
use super::openapi;
use super::problem::Problem;
use super::request::{Name, NoParams, Params};

/// Every kind that has jobs or a handler, by name
#[utoipa::path(get, path = "/kinds", tag = "Statistics",
    params(
        ("limit" = Option<u32>, Query, description = "At most this many, 1 to 200; 50 when left out."),
        ("after" = Option<String>, Query, description = "`next` of the page before."),
    ),
    responses((status = 200, description = "One page.", body = openapi::KindPage)))]
pub(crate) async fn list(
    State(server): State<Server>,
    mut params: Params,
) -> Result<Response, Problem> {
    let all = server.operator.kinds().await?;
    let page = Listing::page(all, &mut params, |info| info.kind.as_str());
    params.finish(&["limit", "after"])?;
    ok(&page)
}

/// One kind
#[utoipa::path(get, path = "/kinds/{kind}", tag = "Statistics", params(("kind" = String, Path)),
    responses((status = 200, description = "The kind.", body = KindInfo)))]
pub(crate) async fn show(
    State(server): State<Server>,
    name: Name,
    _: NoParams,
) -> Result<Response, Problem> {
    let kind: Kind = name.of(Thing::Kind)?;
    let all = server.operator.kinds().await?;
    let found = all.into_iter().find(|info| info.kind == kind);
    ok(&found.ok_or_else(|| OperatorError::not_found(Thing::Kind, &kind))?)
}
