//! The outermost layer: gives each request an id, writes errors with it, catches what panics, and
//! notes what came in and how it went.

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Server;
use super::problem::{Code, Problem};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The route of an answer, as its pattern; put there by [`remember_route`].
#[derive(Clone)]
struct Route(MatchedPath);

/// Runs a request and finishes its answer.
pub(crate) async fn run(State(server): State<Server>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = request_id(&request);
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let mut response = next.run(request).await;

    let route = response.extensions_mut().remove::<Route>();
    let route = route.as_ref().map_or("other", |route| route.0.as_str());
    let status = response.status();
    server.metrics.request(
        method_label(&method),
        route,
        status.as_u16(),
        start.elapsed(),
    );
    if status.is_server_error() {
        tracing::warn!(%method, path, status = status.as_u16(), request_id = id, "a request failed");
    } else {
        tracing::debug!(%method, path, status = status.as_u16(), request_id = id, took = ?start.elapsed(), "answered");
    }

    if let Some(problem) = response.extensions_mut().remove::<Arc<Problem>>()
        && method != Method::HEAD
    {
        response.headers_mut().remove(header::CONTENT_LENGTH);
        *response.body_mut() = Body::from(problem.json(Some(&id)));
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// Hands the matched route outward, where the request is gone.
pub(crate) async fn remember_route(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut response = next.run(request).await;
    if let Some(route) = route {
        response.extensions_mut().insert(Route(route));
    }
    response
}

/// The method as a label: others than the usual are one.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

/// The id the caller gave, if it is one that can be logged, else a new one.
fn request_id(request: &Request) -> String {
    request
        .headers()
        .get(REQUEST_ID)
        .and_then(|value| value.to_str().ok())
        .filter(|id| (1..=64).contains(&id.len()))
        .filter(|id| {
            id.bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
        })
        .map_or_else(|| format!("{:016x}", rand::random::<u64>()), str::to_owned)
}

/// What a panic in a handler answers.
pub(crate) fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    Problem::new(
        Code::Internal,
        "the server met a fault of its own; its log says more",
    )
    .into_response()
}
