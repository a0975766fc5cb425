//! `conveyor serve`: the parts put together, and taken apart in order.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::output;
use crate::clock::{Clock, SystemClock};
use crate::config::Config;
use crate::conveyor::{Conveyor, Options};
use crate::demo::{self, Demo};
use crate::http::{self, HttpConfig};
use crate::shutdown::{EXIT_FATAL, Shutdown};
use crate::worker::handlers::files::Folder;
use crate::worker::handlers::{self, HandlerConfig};
use crate::worker::{Registry, command};

/// How long requests at hand get once the pool has stopped.
const LAST_REQUESTS: Duration = Duration::from_secs(2);

/// Runs the server until it is told to stop.
pub(super) async fn serve(config: &Config) -> anyhow::Result<ExitCode> {
    let shutdown = Shutdown::new();
    shutdown.on_signals(command::kill_all)?;
    let token = config.token()?;
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.listen))?;
    let bound = listener.local_addr()?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let registry = registry(config, bound, &clock)?;
    let options = options(config, token.reveal());
    let code = options.http.codes.issue();
    let queue = Conveyor::open(options, registry, Arc::clone(&clock), shutdown.clone())
        .await
        .with_context(|| format!("cannot open {}", config.database_url))?;

    let demo = demo(config, bound, &queue, &*clock).await?;
    let router = match demo {
        Some(_) => queue.router().merge(demo::routes()),
        None => queue.router(),
    };
    queue.start()?;
    // Requests are answered as long as jobs get time to end: probes ask, and workers elsewhere report.
    let closing = CancellationToken::new();
    let web = tokio::spawn(http::serve(
        listener,
        router,
        closing.clone(),
        LAST_REQUESTS,
    ));
    if let Some(demo) = demo {
        demo::start(demo, clock.now(), shutdown.token());
    }
    let address = config.address(bound);
    tracing::info!(%address, database = config.database_url, "serving");
    if config.api_token.is_none() {
        let file = config.token_file();
        tracing::info!(file = %file.display(), "API_TOKEN is not set; the token is in this file");
    }
    if std::io::stderr().is_terminal() {
        output::notice(&format!("\n  Open {address}/login?code={code}\n"));
    }

    shutdown.token().cancelled().await;
    queue.drain().await;
    closing.cancel();
    if let Err(error) = web.await {
        tracing::error!(%error, "http ended badly");
    }
    queue.close().await;
    tracing::info!("stopped");
    Ok(shutdown
        .failure()
        .map_or(ExitCode::SUCCESS, |_| ExitCode::from(EXIT_FATAL)))
}

/// The kinds that come with the server.
fn registry(
    config: &Config,
    bound: SocketAddr,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<Registry> {
    let mut registry = Registry::new();
    let handlers = HandlerConfig {
        smtp: config.smtp.clone(),
        webhook_secret: config.webhook_secret.clone(),
        allow_private: config.webhook_allow_private.clone(),
        allow_commands: config.allow_commands.clone(),
        own_addresses: vec![bound],
        demo: config.seed_demo,
        ..HandlerConfig::new(&config.data_dir, config.mail_from.clone())
    };
    // A person finds where to put the sources of pictures.
    handlers.files().make().with_context(|| {
        format!(
            "DATA_DIR: {} cannot be made",
            config.data_dir.join("files").display()
        )
    })?;
    handlers::register(&mut registry, &handlers, clock)?;
    if config.seed_demo {
        demo::register(&mut registry)?;
    }
    Ok(registry)
}

/// The demo, if it is asked for. Its past is told here, before a pool can take its jobs.
async fn demo(
    config: &Config,
    bound: SocketAddr,
    queue: &Conveyor,
    clock: &dyn Clock,
) -> anyhow::Result<Option<Demo>> {
    if !config.seed_demo {
        return Ok(None);
    }
    let files = Folder::new(config.data_dir.join("files"));
    tokio::task::spawn_blocking(move || demo::draw_pictures(&files)).await??;
    let hooks = demo::hooks_at(bound);
    demo::seed(&**queue.store(), &hooks, clock.now()).await?;
    Ok(Some(Demo {
        operator: queue.operator(),
        events: queue.events().clone(),
        hooks,
        pause: demo::PAUSE,
    }))
}

fn options(config: &Config, token: &str) -> Options {
    Options {
        database: config.database_url.clone(),
        queues: config.queues.clone(),
        slots: config.workers,
        lease: config.lease,
        grace: config.shutdown_grace,
        retention: config.retention,
        http: http_config(config, token),
    }
}

fn http_config(config: &Config, token: &str) -> HttpConfig {
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
