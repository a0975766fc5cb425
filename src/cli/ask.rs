//! A queue to ask: a server by its address, or the database itself by the same routes.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::Value;
use tower::ServiceExt;

use super::{Client, wrong_use};
use crate::clock::SystemClock;
use crate::config::Config;
use crate::conveyor::{Conveyor, Options};
use crate::http::HttpConfig;
use crate::shutdown::Shutdown;
use crate::store;
use crate::worker::Registry;

/// How long a connection to a server may be idle and still be used again. Servers close it after 10 s;
/// a request that meets that would be lost.
const IDLE: Duration = Duration::from_secs(5);

/// A queue.
pub(super) enum Queue {
    /// Over the network.
    Server {
        http: reqwest::Client,
        url: String,
        token: String,
    },
    /// In this process.
    Database { queue: Box<Conveyor>, token: String },
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
    /// Opens the queue that the arguments name. There must be one: where the database is missing, the
    /// wrong place is looked at.
    pub(super) async fn open(client: &Client, config: &Config) -> anyhow::Result<Self> {
        if client.url.is_none() && !store::exists(&config.database_url)? {
            bail!(
                "there is no database at {}; DATA_DIR or DATABASE_URL say where it is, --url names a server",
                config.database_url
            );
        }
        Queue::open_or_make(client, config).await
    }

    /// As [`Queue::open`], and makes a database where there is none.
    pub(super) async fn open_or_make(client: &Client, config: &Config) -> anyhow::Result<Self> {
        match &client.url {
            Some(url) => Queue::server(url, client, config),
            None => Queue::database(config).await,
        }
    }

    /// A server, and the token for it.
    pub(super) fn server(url: &str, client: &Client, config: &Config) -> anyhow::Result<Self> {
        if url::Url::parse(url).is_err() {
            return Err(wrong_use(format!(
                "--url {url} is not a URL, such as http://localhost:8085"
            )));
        }
        let token = match (&client.token, config.known_token()?) {
            (Some(token), _) => token.clone(),
            (None, Some(token)) => token.reveal().to_owned(),
            (None, None) => bail!("{url} wants a token: give it with --token or in API_TOKEN"),
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
        };
        let (clock, shutdown) = (Arc::new(SystemClock), Shutdown::new());
        let queue = Conveyor::open(options, Registry::new(), clock, shutdown)
            .await
            .with_context(|| format!("cannot open {}", config.database_url))?;
        let queue = Box::new(queue);
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
        if status == StatusCode::UNAUTHORIZED {
            bail!("this is not the token of the server: give it with --token or in API_TOKEN");
        }
        if !status.is_success() {
            let why = reason(&value);
            if why.is_empty() {
                bail!("the answer is {status}");
            }
            bail!(why);
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
        .connect_timeout(Duration::from_secs(10))
        .timeout(Duration::from_mins(1))
        .pool_idle_timeout(IDLE)
        .build()
        .map_err(|error| anyhow!("no HTTP client: {error}"))
}

/// The reason in a problem: each field that it names, or else what it says as a whole.
pub(super) fn reason(problem: &Value) -> String {
    let errors = problem.get("errors").and_then(Value::as_array);
    let lines: Vec<String> = errors.into_iter().flatten().map(field_fault).collect();
    if lines.is_empty() {
        return cell(problem, "detail");
    }
    lines.join("\n  ")
}

fn field_fault(error: &Value) -> String {
    let mut line = format!("{}: {}", cell(error, "pointer"), cell(error, "detail"));
    let hint = cell(error, "hint");
    if !hint.is_empty() {
        line.push_str(&format!(" ({hint})"));
    }
    line
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Answers every request and keeps every connection; counts the connections.
    async fn patient(listener: TcpListener, connections: Arc<AtomicUsize>) {
        while let Ok((mut stream, _)) = listener.accept().await {
            connections.fetch_add(1, Ordering::Relaxed);
            tokio::spawn(async move {
                let mut request = [0; 4096];
                while stream.read(&mut request).await.is_ok_and(|read| read > 0) {
                    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
                    stream.write_all(answer).await.unwrap();
                }
            });
        }
    }

    #[tokio::test]
    async fn a_connection_that_its_server_is_about_to_close_is_not_used_again() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let connections = Arc::new(AtomicUsize::new(0));
        tokio::spawn(patient(listener, Arc::clone(&connections)));
        let http = http_client().unwrap();
        for _ in 0..2 {
            let answer = http.get(&url).send().await.unwrap();
            assert_eq!(answer.text().await.unwrap(), "ok");
            tokio::time::sleep(IDLE + Duration::from_millis(100)).await;
        }
        assert_eq!(connections.load(Ordering::Relaxed), 2);
    }
}
