//! A time limit on request bodies: whoever sends one byte now and then does not hold a connection for
//! ever.

use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use futures_util::stream;
use http_body_util::BodyExt;
use tokio::time::{Instant, timeout_at};

/// How long a body may take, plus a second for each [`BYTES_PER_S`] of it.
const BASE: Duration = Duration::from_secs(20);

/// The slowest sender that is waited for.
const BYTES_PER_S: u64 = 64 * 1024;

/// A body that did not arrive in time.
#[derive(Debug, thiserror::Error)]
#[error("the body did not arrive within {BASE:?} and a second for each 64 KiB of it")]
pub(crate) struct TooSlow;

/// Puts the limit on the body of each request.
pub(crate) async fn limit(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    next.run(Request::from_parts(parts, limited(body))).await
}

fn limited(body: Body) -> Body {
    if axum::body::HttpBody::is_end_stream(&body) {
        return body;
    }
    let start = Instant::now();
    let stream = stream::unfold(Some((body, 0_u64)), move |state| async move {
        let (mut body, received) = state?;
        let deadline = start + BASE + Duration::from_secs(received / BYTES_PER_S);
        loop {
            let Ok(frame) = timeout_at(deadline, body.frame()).await else {
                let fault: axum::BoxError = Box::new(TooSlow);
                return Some((Err(fault), None));
            };
            match frame? {
                Ok(frame) => {
                    // Trailers mean nothing to any handler.
                    if let Ok(data) = frame.into_data() {
                        let length = u64::try_from(data.len()).unwrap_or(u64::MAX);
                        let received = received.saturating_add(length);
                        return Some((Ok(data), Some((body, received))));
                    }
                }
                Err(error) => return Some((Err(error.into()), None)),
            }
        }
    });
    Body::from_stream(stream)
}
