//! The whole server behind its router, over a store of its own, and short ways to ask it.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, header};
use conveyor::clock::{Clock, ManualClock};
use conveyor::http::{HttpConfig, HttpState};
use conveyor::metrics::Metrics;
use conveyor::service::Service;
use conveyor::upkeep::Readiness;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::contract;
use super::store::{self, TestStore};

/// The token of every test server.
pub(crate) const TOKEN: &str = "a-token-for-tests-0123456789";

/// A server without a socket. Time stands still until `clock` is moved.
pub(crate) struct TestApp {
    pub(crate) router: Router,
    /// Holds the database's folder, which goes with it.
    pub(crate) store: TestStore,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) readiness: Arc<Readiness>,
    pub(crate) shutdown: CancellationToken,
    pub(crate) config: Arc<HttpConfig>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl TestApp {
    /// A new server with nothing in it.
    pub(crate) async fn new() -> Self {
        TestApp::with(|_| {}).await
    }

    /// The same with other settings.
    pub(crate) async fn with(change: impl FnOnce(&mut HttpConfig)) -> Self {
        TestApp::over(
            store::open().await,
            Arc::new(ManualClock::new(store::start())),
            change,
        )
    }

    /// The server anew, on the same database and with other settings.
    pub(crate) fn restarted(self, change: impl FnOnce(&mut HttpConfig)) -> Self {
        TestApp::over(self.store, self.clock, change)
    }

    fn over(
        store: TestStore,
        clock: Arc<ManualClock>,
        change: impl FnOnce(&mut HttpConfig),
    ) -> Self {
        let shutdown = CancellationToken::new();
        let service = Arc::new(Service::new(
            Arc::clone(&store.store),
            Arc::<ManualClock>::clone(&clock),
            store.events.clone(),
            shutdown.clone(),
        ));
        let mut config = HttpConfig::new(TOKEN);
        change(&mut config);
        let config = Arc::new(config);
        let readiness = Arc::new(Readiness::default());
        readiness.scheduler_ran(clock.now());
        readiness.reaper_ran(clock.now());
        let router = conveyor::http::router(HttpState {
            operator: Arc::<Service>::clone(&service),
            workers: service,
            store: Arc::clone(&store.store),
            events: store.events.clone(),
            clock: Arc::<ManualClock>::clone(&clock),
            readiness: Arc::clone(&readiness),
            shutdown: shutdown.clone(),
            config: Arc::clone(&config),
            metrics: Arc::new(Metrics::new().expect("metrics have names of their own")),
        });
        TestApp {
            router,
            store,
            clock,
            readiness,
            shutdown,
            config,
        }
    }

    /// Any request, exactly as it is built.
    pub(crate) async fn send(&self, request: Request<Body>) -> Reply {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self
            .router
            .clone()
            .oneshot(request)
            .await
            .expect("an answer");
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX)
            .await
            .expect("a body");
        let text = String::from_utf8(bytes.into()).expect("text");
        contract::check(&method, &path, &parts.headers, &text);
        Reply {
            status: parts.status.as_u16(),
            headers: parts.headers,
            text,
        }
    }

    /// A REST call with the token; `path` is below `/api/v1`.
    pub(crate) async fn call(&self, method: Method, path: &str, body: &str) -> Reply {
        self.call_with(method, path, body, &[]).await
    }

    /// The same with further headers.
    pub(crate) async fn call_with(
        &self,
        method: Method,
        path: &str,
        body: &str,
        headers: &[(&str, &str)],
    ) -> Reply {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("/api/v1{path}"))
            .header(header::HOST, "localhost")
            .header(header::AUTHORIZATION, format!("Bearer {TOKEN}"));
        if !headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = Body::from(body.to_owned());
        self.send(request.body(body).expect("a request")).await
    }

    /// A request from outside: no token, only these headers beside `Host`.
    pub(crate) async fn visit(
        &self,
        method: Method,
        path: &str,
        body: &str,
        headers: &[(&str, &str)],
    ) -> Reply {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header(header::HOST, "localhost");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = Body::from(body.to_owned());
        self.send(request.body(body).expect("a request")).await
    }

    /// Reads.
    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.call(Method::GET, path, "").await
    }

    /// Sends JSON.
    pub(crate) async fn post(&self, path: &str, body: &Value) -> Reply {
        self.call(Method::POST, path, &body.to_string()).await
    }

    /// Sends nothing.
    pub(crate) async fn tell(&self, path: &str) -> Reply {
        self.call(Method::POST, path, "").await
    }

    /// Enqueues a job of this kind; answers its id.
    pub(crate) async fn enqueue(&self, kind: &str) -> i64 {
        let job = self.post("/jobs", &json!({"kind": kind})).await.ok();
        job["id"].as_i64().expect("an id")
    }

    /// Claims one job of any kind as `w`.
    pub(crate) async fn claim(&self) -> Value {
        let ask = json!({"worker": "w", "lease_s": 30});
        let claimed = self.post("/worker/claim", &ask).await.ok();
        claimed["jobs"][0].clone()
    }

    /// Logs in as a browser of this server does; answers the `Cookie` header.
    pub(crate) async fn log_in(&self) -> String {
        let form = format!("token={TOKEN}");
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("sec-fetch-site", "same-origin"),
        ];
        let reply = self.visit(Method::POST, "/login", &form, &headers).await;
        assert_eq!(reply.status, 303, "{}", reply.text);
        let cookie = reply.header("set-cookie").expect("a cookie");
        cookie.split(';').next().unwrap_or("").to_owned()
    }
}

impl Reply {
    /// The JSON of a success.
    pub(crate) fn ok(&self) -> Value {
        assert!(
            (200..300).contains(&self.status),
            "{} {}",
            self.status,
            self.text
        );
        self.json()
    }

    /// The JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {}", self.text))
    }

    /// The problem, which has this status and code.
    pub(crate) fn problem(&self, status: u16, code: &str) -> Value {
        let problem = self.json();
        assert_eq!(
            (self.status, problem["code"].as_str()),
            (status, Some(code)),
            "{}",
            self.text
        );
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json")
        );
        assert_eq!(problem["status"], status);
        assert_eq!(problem["request_id"].as_str(), self.header("x-request-id"));
        problem
    }

    /// The fields an invalid request is told of.
    pub(crate) fn pointers(&self) -> Vec<String> {
        let problem = self.problem(422, "invalid");
        let errors = problem["errors"].as_array().expect("errors");
        let pointer = |error: &Value| error["pointer"].as_str().unwrap_or("").to_owned();
        errors.iter().map(pointer).collect()
    }

    /// A header as text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}
