//! What the tests of the built-in kinds share: a journal that remembers, and targets on free ports.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use axum::Router;
use conveyor::worker::handlers::egress::{AllowPrivate, Egress, Lookup, Rules};
use conveyor::worker::handlers::run::{Host, Run};
use conveyor::worker::handlers::webhook::{Webhook, WebhookResult};
use conveyor_model::job::LogLevel;
use conveyor_model::name::JobId;
use conveyor_model::time::Timestamp;
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

/// Remembers what an attempt tells.
#[derive(Default)]
pub(super) struct Told(Mutex<Vec<String>>);

#[async_trait]
impl Host for Told {
    fn log(&self, level: LogLevel, message: &str) {
        let line = format!("{} {message}", level.as_str());
        self.0.lock().unwrap().push(line);
    }

    fn progress(&self, percent: f64, message: &str) {
        let line = format!("{percent} % {message}");
        self.0.lock().unwrap().push(line);
    }

    async fn blocking(&self, work: Box<dyn FnOnce() + Send>) {
        tokio::task::spawn_blocking(work).await.unwrap();
    }
}

impl Told {
    /// Everything that was told, one line each.
    pub(super) fn text(&self) -> String {
        self.0.lock().unwrap().join("\n")
    }
}

/// When the attempts of these tests run.
pub(super) fn now() -> Timestamp {
    "2026-11-30T09:00:00Z".parse().unwrap()
}

/// The first attempt of job `id`.
pub(super) fn attempt<'a>(id: i64, cancel: &'a CancellationToken, host: &'a dyn Host) -> Run<'a> {
    Run {
        id: JobId::try_from(id).unwrap(),
        created_at: "2026-11-30T08:59:00Z".parse().unwrap(),
        now: now(),
        cancel,
        host,
    }
}

/// A way out that may reach private targets, but not `own`.
pub(super) fn open_egress(own: Vec<SocketAddr>) -> Arc<Egress> {
    let rules = Rules {
        allow: AllowPrivate::EVERYTHING,
        own,
        demo: false,
    };
    Arc::new(Egress::new(rules).unwrap())
}

/// Runs one `webhook.call`; answers its result, or class, message and what follows.
pub(super) async fn call(
    egress: Arc<Egress>,
    payload: Value,
) -> Result<WebhookResult, conveyor::worker::handlers::failure::HandlerError> {
    let webhook = Webhook {
        egress,
        secret: None,
    };
    let (cancel, told) = (CancellationToken::new(), Told::default());
    let call = serde_json::from_value(payload).unwrap();
    webhook.call(call, attempt(7, &cancel, &told)).await
}

/// Serves `router` on a free loopback port for the rest of the test.
pub(super) async fn serve(router: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    address
}

/// Gives every connection on a free loopback port to `talk` for the rest of the test.
pub(super) async fn serve_raw<F>(talk: impl Fn(TcpStream) -> F + Send + 'static) -> SocketAddr
where
    F: Future<Output = io::Result<()>> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // A client that has given up makes the write fail, which ends that conversation.
            tokio::spawn(talk(stream));
        }
    });
    address
}

/// A name lookup that answers what it was given.
pub(super) struct Names(pub(super) Vec<(&'static str, Vec<IpAddr>)>);

#[async_trait]
impl Lookup for Names {
    async fn lookup(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        self.0
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, addresses)| addresses.clone())
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}
