//! A queue to ask: a server by its address, or the database itself by the same routes.

use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use axum::body::Body;
use axum::http::{Method, Request, header};
use serde_json::Value;
use tower::ServiceExt;

use super::Client;
use crate::clock::SystemClock;
use crate::config::Config;
use crate::conveyor::{Conveyor, Options};
use crate::http::HttpConfig;
use crate::metrics::Metrics;
use crate::shutdown::Shutdown;
use crate::worker::Registry;

/// A queue.
pub(super) enum Queue {
    /// Over the network.
    Server {
        http: reqwest::Client,
        url: String,
        token: String,
    },
    /// In this process.
    Database { queue: Conveyor, token: String },
}

/// What a queue answered.
#[derive(Debug)]
pub(super) struct Answer {
    /// The JSON text, as it came.
    pub text: String,
    /// The same, for picking fields to show. Numbers in a payload may lose digits here.
    pub value: Value,
}

impl Queue {
    /// Opens the queue that the arguments name.
    pub(super) async fn open(client: &Client, config: &Config) -> anyhow::Result<Self> {
        match &client.url {
            Some(url) => Queue::server(url, client, config),
            None => Queue::database(config).await,
        }
    }

    /// A server, and the token for it.
    pub(super) fn server(url: &str, client: &Client, config: &Config) -> anyhow::Result<Self> {
        let token = match &client.token {
            Some(token) => token.clone(),
            None => config.token()?.reveal().to_owned(),
        };
        Ok(Queue::Server {
            http: http_client()?,
            url: url.trim_end_matches('/').to_owned(),
            token,
        })
    }

    async fn database(config: &Config) -> anyhow::Result<Self> {
        // The routes ask for a token; nobody outside this process hears of this one.
        let token = format!("{:032x}", rand::random::<u128>());
        let mut http = HttpConfig::new(&token);
        http.max_payload = config.max_payload_bytes;
        let options = Options {
            database: config.database_url.clone(),
            queues: Vec::new(),
            slots: 0,
            lease: config.lease,
            grace: config.shutdown_grace,
            retention: config.retention,
            http,
            metrics: Metrics::new()?,
        };
        let (clock, shutdown) = (Arc::new(SystemClock), Shutdown::new());
        let queue = Conveyor::open(options, Registry::new(), clock, shutdown)
            .await
            .with_context(|| format!("cannot open {}", config.database_url))?;
        Ok(Queue::Database { queue, token })
    }

    /// Asks; an answer that is no success is an error with its reason.
    pub(super) async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> anyhow::Result<Answer> {
        let (status, text) = match self {
            Queue::Server { http, url, token } => {
                let mut request = http
                    .request(method, format!("{url}/api/v1{path}"))
                    .bearer_auth(token);
                if let Some(body) = body {
                    request = request
                        .header(header::CONTENT_TYPE, "application/json")
                        .body(body);
                }
                let answer = request
                    .send()
                    .await
                    .with_context(|| format!("{url} does not answer"))?;
                (answer.status(), answer.text().await?)
            }
            Queue::Database { queue, token } => {
                let request = Request::builder()
                    .method(method)
                    .uri(format!("/api/v1{path}"))
                    .header(header::HOST, "localhost")
                    .header(header::AUTHORIZATION, format!("Bearer {token}"))
                    .header(header::CONTENT_TYPE, "application/json")
                    .body(body.map_or_else(Body::empty, Body::from))?;
                let answer = queue.router().oneshot(request).await?;
                let status = answer.status();
                let bytes = axum::body::to_bytes(answer.into_body(), usize::MAX).await?;
                (status, String::from_utf8(bytes.into())?)
            }
        };
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        if !status.is_success() {
            bail!("{}", reason(status.as_u16(), &value));
        }
        Ok(Answer { text, value })
    }

    /// Lets go of the queue in good order.
    pub(super) async fn close(self) {
        if let Queue::Database { queue, .. } = self {
            queue.stop().await;
        }
    }
}

/// A client for one server. Its TLS comes from the crate that is compiled in.
pub(super) fn http_client() -> anyhow::Result<reqwest::Client> {
    let roots = rustls::RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .connect_timeout(std::time::Duration::from_secs(10))
        .timeout(std::time::Duration::from_mins(1))
        .build()
        .map_err(|error| anyhow!("no HTTP client: {error}"))
}

/// The reason in a problem, with each field it names.
fn reason(status: u16, problem: &Value) -> String {
    let detail = problem.get("detail").and_then(Value::as_str);
    let mut text = detail.map_or_else(|| format!("the answer is {status}"), str::to_owned);
    let errors = problem.get("errors").and_then(Value::as_array);
    for error in errors.into_iter().flatten() {
        let part = |name| error.get(name).and_then(Value::as_str).unwrap_or("");
        let line = format!("\n  {}: {}", part("pointer"), part("detail"));
        text.push_str(&line);
    }
    text
}

/// A field of an answer, as a cell of a table.
pub(super) fn cell(value: &Value, field: &str) -> String {
    match value.get(field) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// The rows of a list, as cells of a table.
pub(super) fn cells(list: &Value, fields: &[&str]) -> Vec<Vec<String>> {
    list.as_array()
        .into_iter()
        .flatten()
        .map(|item| fields.iter().map(|field| cell(item, field)).collect())
        .collect()
}
