//! What every answer carries: how a browser may treat it, and the nonce by which the page's own
//! scripts are told from those that someone slipped in.

use std::fmt::Write as _;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use leptos::nonce::Nonce;

use super::Server;

/// The same on every answer.
const ALWAYS: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// The policy of what is no page: nothing may be loaded for it, and nothing may frame it.
const NO_PAGE: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Puts the headers on every answer, and the nonce of the page into the request's extensions.
pub(crate) async fn add(
    State(server): State<Server>,
    mut request: Request,
    next: Next,
) -> Response {
    let nonce = Nonce::new();
    request.extensions_mut().insert(nonce.clone());
    let mut response = next.run(request).await;
    let is_page = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // A form of a page that tells nobody where it stands is posted with `Origin: null`, by which it
    // could not be told from a stranger's where the browser sends no `Sec-Fetch-Site`.
    let (referrer, policy) = if is_page {
        (
            "same-origin",
            HeaderValue::try_from(page_policy(&nonce)).ok(),
        )
    } else {
        ("no-referrer", None)
    };
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static(referrer));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        policy.unwrap_or(HeaderValue::from_static(NO_PAGE)),
    );
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    if server.config.is_https() {
        headers.insert(
            header::STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static("max-age=31536000"),
        );
    }
    response
}

fn page_policy(nonce: &Nonce) -> String {
    let mut policy = "default-src 'none'".to_owned();
    // Writing to a String does not fail.
    let _ = write!(
        policy,
        "; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; style-src 'self' 'nonce-{nonce}'"
    );
    policy.push_str(
        "; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    );
    policy
}
