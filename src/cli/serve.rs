//! `conveyor serve`: the parts put together, and taken apart in order.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use tokio::net::TcpListener;

use super::output;
use crate::clock::{Clock, SystemClock};
use crate::config::Config;
use crate::events::Events;
use crate::http::{self, HttpConfig, HttpState};
use crate::metrics::Metrics;
use crate::service::{Limits, Service};
use crate::shutdown::{EXIT_FATAL, Shutdown};
use crate::store::{self, StoreOptions};
use crate::upkeep::Readiness;
use crate::worker::{LocalLink, Pool, PoolIdentity, PoolOptions, Registry, worker_name};

/// Read connections of a server.
const READERS: u32 = 4;

/// Runs the server until it is told to stop.
pub(super) async fn serve(config: &Config) -> anyhow::Result<ExitCode> {
    let shutdown = Shutdown::new();
    shutdown.on_signals()?;
    let token = config.token()?;
    let events = Events::default();
    let options = StoreOptions {
        url: config.database_url.clone(),
        readers: READERS,
    };
    let store = store::open(&options, events.clone())
        .await
        .with_context(|| format!("cannot open {}", config.database_url))?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let readiness = Arc::new(Readiness::default());
    let registry = Registry::new();
    let service = Arc::new(
        Service::new(
            Arc::clone(&store),
            Arc::clone(&clock),
            events.clone(),
            shutdown.token(),
        )
        .with_kinds(registry.descriptions())
        .with_limits(Limits {
            payload: config.max_payload_bytes,
        }),
    );
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.listen))?;
    let address = config.address(listener.local_addr()?);
    let settings = http_settings(config, token.reveal());
    let link = settings.codes.issue();
    let state = HttpState {
        operator: Arc::<Service>::clone(&service),
        workers: service,
        store: Arc::clone(&store),
        events: events.clone(),
        clock: Arc::clone(&clock),
        readiness: Arc::clone(&readiness),
        shutdown: shutdown.token(),
        config: Arc::new(settings),
        metrics: Arc::new(Metrics::new()?),
    };
    tracing::info!(%address, database = config.database_url, "serving");
    if std::io::stderr().is_terminal() {
        output::notice(&format!("\n  Open {address}/login?code={link}\n"));
    }
    http::serve(
        listener,
        http::router(state),
        shutdown.token(),
        config.shutdown_grace.to_std(),
    )
    .await;
    store.close().await;
    Ok(shutdown
        .failure()
        .map_or(ExitCode::SUCCESS, |_| ExitCode::from(EXIT_FATAL)))
}

fn http_settings(config: &Config, token: &str) -> HttpConfig {
    let mut http = HttpConfig::new(token);
    let ip = config.listen.ip();
    if ip.is_unspecified() {
        http.hosts.allow_addresses();
    } else {
        http.hosts.allow(&config.listen.to_string());
    }
    for name in &config.allowed_hosts {
        http.hosts.allow(name);
    }
    if let Some(name) = config.public_url.as_ref().and_then(url::Url::host_str) {
        http.hosts.allow(name);
    }
    http.metrics_token = config
        .metrics_token
        .as_ref()
        .map(|token| http::TokenHash::of(token.reveal()));
    http.metrics_public = config.metrics_public;
    http.public_url.clone_from(&config.public_url);
    http.instance.clone_from(&config.instance_name);
    http.max_payload = config.max_payload_bytes;
    http
}
