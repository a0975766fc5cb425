//! The endpoints that the demo's webhooks call: partners with their moods, on this server itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;

/// Calls so far.
type Calls = Arc<AtomicU64>;

/// `/demo/hooks/{ok,slow,flaky,gone}`, open to everybody: they do nothing.
pub fn routes() -> Router {
    Router::new()
        .route("/demo/hooks/ok", any(received))
        .route("/demo/hooks/slow", any(slow))
        .route("/demo/hooks/flaky", any(flaky))
        .route("/demo/hooks/gone", any(gone))
        .with_state(Calls::default())
}

async fn received() -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (headers, r#"{"received":true}"#).into_response()
}

async fn slow(State(calls): State<Calls>) -> Response {
    let call = calls.fetch_add(1, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_millis(1_000 + call * 370 % 1_800)).await;
    received().await
}

/// Busy two times of three.
async fn flaky(State(calls): State<Calls>) -> Response {
    if calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(3) {
        return received().await;
    }
    let headers = [(header::RETRY_AFTER, "5")];
    (
        StatusCode::SERVICE_UNAVAILABLE,
        headers,
        "the partner is busy",
    )
        .into_response()
}

async fn gone() -> Response {
    (StatusCode::GONE, "this partner has left").into_response()
}
