//! `webhook.call`: sends one HTTP request and judges the answer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use conveyor_model::job::bounded;
use conveyor_model::json::JsonText;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize};
use url::Url;

use super::egress::{Answer, Ask, Egress, text};
use super::failure::HandlerError;
use super::run::Run;

mod headers;
mod sign;

pub use sign::{SecretError, WebhookSecret};

/// Bytes of the answer's body that are read, so that a short rest does not cost the connection.
const MOST_READ: usize = 64 * 1024;
/// Bytes of the answer's body that are kept.
const MOST_KEPT: usize = 4 * 1024;
/// Headers of the answer that are kept.
const KEPT_HEADERS: &[&str] = &[
    "content-type",
    "date",
    "server",
    "x-request-id",
    "retry-after",
];
const DEFAULT_TIMEOUT: f64 = 30.0;
const LONGEST_TIMEOUT: f64 = 300.0;

/// What `webhook.call` needs.
pub struct Webhook {
    /// The way out.
    pub egress: Arc<Egress>,
    /// Signs every request, if set.
    pub secret: Option<WebhookSecret>,
}

/// The payload of `webhook.call`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with url")]
pub struct WebhookCall {
    /// An `http:` or `https:` URL.
    url: String,
    /// `POST` unless said otherwise.
    #[serde(default)]
    method: Option<String>,
    /// Headers to send.
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// A JSON value, sent byte for byte; a string is sent as plain text.
    #[serde(default)]
    body: Option<JsonText>,
    /// How long the call may take: up to 300 s, 30 s unless said otherwise.
    #[serde(default)]
    timeout_s: Option<f64>,
}

/// The result of `webhook.call`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WebhookResult {
    /// The answer's status.
    pub status: u16,
    /// Some of the answer's headers.
    pub headers: BTreeMap<String, String>,
    /// The first 4 kB of the answer's body as text.
    pub body: String,
    /// Whether the body goes on after them.
    pub truncated: bool,
    /// How long the call took, in milliseconds.
    pub took_ms: u64,
}

impl Webhook {
    /// Makes the call.
    pub async fn call(
        &self,
        call: WebhookCall,
        run: Run<'_>,
    ) -> Result<WebhookResult, HandlerError> {
        let ask = self.ask(call, &run)?;
        run.info(&format!("{} {}", ask.method, shown(&ask.url)));
        let answer = self.egress.send(ask, run.cancel).await?;
        run.info(&format!(
            "answered {} in {} ms",
            answer.status,
            answer.took.as_millis()
        ));
        answer.check_status(run.now)?;
        Ok(WebhookResult::of(&answer))
    }

    fn ask(&self, call: WebhookCall, run: &Run<'_>) -> Result<Ask, HandlerError> {
        let url = Url::parse(&call.url)
            .map_err(|error| HandlerError::invalid(format!("url: {error}")))?;
        self.egress.check(&url)?;
        let method = method(call.method.as_deref())?;
        let mut headers = headers::read(&call.headers)?;
        let body = body(call.body, &mut headers)?;
        let total = timeout(call.timeout_s)?;
        let signed = body.as_deref().unwrap_or_default();
        Ok(Ask {
            own_headers: sign::headers(&run.stable_id(), run.now, signed, self.secret.as_ref()),
            method,
            url,
            headers,
            body,
            total,
            most: MOST_READ,
        })
    }
}

impl WebhookResult {
    fn of(answer: &Answer) -> Self {
        let headers = KEPT_HEADERS
            .iter()
            .filter_map(|name| {
                let value = answer.headers.get(*name)?.to_str().ok()?;
                Some(((*name).to_owned(), bounded(value, 200)))
            })
            .collect();
        WebhookResult {
            status: answer.status.as_u16(),
            headers,
            body: text(&answer.body, MOST_KEPT),
            truncated: answer.truncated || answer.body.len() > MOST_KEPT,
            took_ms: u64::try_from(answer.took.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

fn method(name: Option<&str>) -> Result<Method, HandlerError> {
    match name.unwrap_or("POST").to_ascii_uppercase().as_str() {
        "GET" => Ok(Method::GET),
        "HEAD" => Ok(Method::HEAD),
        "POST" => Ok(Method::POST),
        "PUT" => Ok(Method::PUT),
        "PATCH" => Ok(Method::PATCH),
        "DELETE" => Ok(Method::DELETE),
        "OPTIONS" => Ok(Method::OPTIONS),
        _ => Err(HandlerError::invalid(
            "method: must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
        )),
    }
}

/// The bytes of the body, and its type where the caller names none.
fn body(body: Option<JsonText>, headers: &mut HeaderMap) -> Result<Option<Bytes>, HandlerError> {
    let Some(body) = body.filter(|body| body.as_str() != "null") else {
        return Ok(None);
    };
    let (content_type, bytes) = if body.as_str().starts_with('"') {
        let text: String = super::run::read(&body)?;
        ("text/plain; charset=utf-8", Bytes::from(text))
    } else {
        let bytes = Bytes::copy_from_slice(body.as_str().as_bytes());
        ("application/json", bytes)
    };
    headers
        .entry(CONTENT_TYPE)
        .or_insert(HeaderValue::from_static(content_type));
    Ok(Some(bytes))
}

fn timeout(secs: Option<f64>) -> Result<Duration, HandlerError> {
    let secs = secs.unwrap_or(DEFAULT_TIMEOUT);
    if !(0.1..=LONGEST_TIMEOUT).contains(&secs) {
        return Err(HandlerError::invalid(
            "timeout_s: must be a number of seconds from 0.1 to 300",
        ));
    }
    Ok(Duration::from_secs_f64(secs))
}

/// A URL for the log: its query may hold a secret.
fn shown(url: &Url) -> String {
    let mut shown = url.clone();
    if shown.query().is_some() {
        shown.set_query(Some("…"));
    }
    shown.set_fragment(None);
    shown.to_string().replace("%E2%80%A6", "…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logged_url_hides_its_query() {
        let url = Url::parse("https://example.com/hook?token=1#x").unwrap();
        assert_eq!(shown(&url), "https://example.com/hook?…");
    }
}
