//! One request and its answer, within bounds: total time, redirects, and bytes that are read.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::{Method, Response, StatusCode};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::fault::{classify, target};
use super::{Blocked, Egress};
use crate::worker::handlers::failure::HandlerError;

/// Redirects followed.
const MOST_REDIRECTS: usize = 3;

/// A request.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The method.
    pub method: Method,
    /// The target.
    pub url: Url,
    /// Headers of the caller; those that may hold a secret do not follow a redirect to another
    /// origin.
    pub headers: HeaderMap,
    /// Headers of the server itself, which win over the caller's and go with the body.
    pub own_headers: HeaderMap,
    /// The body.
    pub body: Option<Bytes>,
    /// How long everything together may take.
    pub total: Duration,
    /// Bytes of the answer's body that are read.
    pub most: usize,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// The first bytes of its body.
    pub body: Vec<u8>,
    /// Whether the body goes on after them.
    pub truncated: bool,
    /// Where it came from, after redirects.
    pub url: Url,
    /// How long it took, with its body.
    pub took: Duration,
}

/// Where a request is, for the message when its time runs out.
struct Phase {
    text: &'static str,
    url: Url,
}

impl Egress {
    /// Sends `ask` and follows up to three redirects. Any answer is a success, whatever its status.
    pub async fn send(&self, ask: Ask, cancel: &CancellationToken) -> Result<Answer, HandlerError> {
        let total = ask.total;
        let mut phase = Phase {
            text: "while connecting or waiting for the answer",
            url: ask.url.clone(),
        };
        let began = Instant::now();
        let done = tokio::select! {
            done = tokio::time::timeout(total, self.follow(ask, &mut phase)) => done,
            () = cancel.cancelled() => return Err(HandlerError::cancelled()),
        };
        match done {
            Ok(answer) => answer.map(|answer| Answer {
                took: began.elapsed(),
                ..answer
            }),
            Err(_) => Err(HandlerError::retry(
                "Timeout",
                format!(
                    "{}: no answer within {} s, {}",
                    target(&phase.url),
                    total.as_secs_f64(),
                    phase.text
                ),
            )),
        }
    }

    async fn follow(&self, mut ask: Ask, phase: &mut Phase) -> Result<Answer, HandlerError> {
        for hop in 0..=MOST_REDIRECTS {
            phase.url = ask.url.clone();
            let response = match self.send_once(&ask).await {
                Ok(response) => response,
                Err(error) if hop > 0 => return Err(error.with_detail("after a redirect")),
                Err(error) => return Err(error),
            };
            let Some(to) = next_hop(&ask.url, &response)? else {
                phase.text = "while reading the answer";
                return read(ask, response).await;
            };
            redirect(&mut ask, to, response.status())?;
        }
        Err(HandlerError::dead(
            "TooManyRedirects",
            format!(
                "{}: redirected more than {MOST_REDIRECTS} times",
                target(&ask.url)
            ),
        ))
    }

    async fn send_once(&self, ask: &Ask) -> Result<Response, HandlerError> {
        self.check(&ask.url)?;
        let fault =
            |error: reqwest::Error| classify(&error, &ask.url, "while waiting for the answer");
        let port = ask.url.port_or_known_default().unwrap_or(0);
        let mut headers = ask.headers.clone();
        for (name, value) in &ask.own_headers {
            headers.insert(name, value.clone());
        }
        let mut request = self
            .client(port)
            .map_err(fault)?
            .request(ask.method.clone(), ask.url.clone())
            .headers(headers);
        if let Some(body) = &ask.body {
            request = request.body(body.clone());
        }
        request.send().await.map_err(fault)
    }
}

/// Where a redirect leads; none when the answer is final.
fn next_hop(from: &Url, response: &Response) -> Result<Option<Url>, HandlerError> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = response.headers().get(LOCATION) else {
        return Ok(None);
    };
    let to = location
        .to_str()
        .ok()
        .and_then(|location| from.join(location).ok());
    match to {
        Some(to) => Ok(Some(to)),
        None => Err(HandlerError::dead(
            "BadRedirect",
            format!("{}: redirected to what is no URL", target(from)),
        )),
    }
}

/// Makes `ask` the request that follows a redirect.
fn redirect(ask: &mut Ask, to: Url, status: StatusCode) -> Result<(), HandlerError> {
    // Others turn a POST into a GET here, which would deliver nothing and look like a success.
    let keeps_method = matches!(status.as_u16(), 307 | 308);
    if !keeps_method && !matches!(ask.method, Method::GET | Method::HEAD) {
        let status = status.as_u16();
        return Err(HandlerError::dead(
            "Redirected",
            format!(
                "{}: answered {status} with Location {}{}, which takes no {}; call that address itself",
                target(&ask.url),
                target(&to),
                to.path(),
                ask.method
            ),
        ));
    }
    if ask.url.scheme() == "https" && to.scheme() != "https" {
        let blocked = Blocked("a redirect leads from https: to http:".to_owned());
        return Err(blocked.into());
    }
    if ask.url.origin() != to.origin() {
        let content_type = ask.headers.remove(CONTENT_TYPE);
        ask.headers.clear();
        if let Some(content_type) = content_type {
            ask.headers.insert(CONTENT_TYPE, content_type);
        }
    }
    ask.url = to;
    Ok(())
}

async fn read(ask: Ask, mut response: Response) -> Result<Answer, HandlerError> {
    let mut body = Vec::new();
    let mut truncated = false;
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| classify(&error, &ask.url, "while reading the answer"))?
    {
        let room = ask.most - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() > room {
            truncated = true;
            break;
        }
    }
    Ok(Answer {
        status: response.status(),
        headers: std::mem::take(response.headers_mut()),
        body,
        truncated,
        url: ask.url,
        took: Duration::ZERO,
    })
}
