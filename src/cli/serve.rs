//! `conveyor serve`: the parts put together, and taken apart in order.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::net::TcpListener;

use super::output;
use crate::clock::{Clock, SystemClock};
use crate::config::Config;
use crate::demo::{self, Demo};
use crate::events::Events;
use crate::http::{self, HttpConfig, HttpState};
use crate::metrics::Metrics;
use crate::service::{Limits, Service};
use crate::shutdown::{EXIT_FATAL, Shutdown};
use crate::store::{self, Store, StoreOptions};
use crate::upkeep::{Readiness, Upkeep};
use crate::worker::handlers::files::Folder;
use crate::worker::handlers::{self, HandlerConfig};
use crate::worker::{LocalLink, Pool, PoolIdentity, PoolOptions, Registry, worker_name};

/// Read connections of a server.
const READERS: u32 = 4;

/// How long requests at hand get once the pool has stopped.
const LAST_REQUESTS: Duration = Duration::from_secs(2);

/// What every part is made of.
struct Base {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    events: Events,
    shutdown: Shutdown,
}

/// Runs the server until it is told to stop.
pub(super) async fn serve(config: &Config) -> anyhow::Result<ExitCode> {
    let shutdown = Shutdown::new();
    shutdown.on_signals()?;
    let token = config.token()?;
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {}", config.listen))?;
    let base = Base::open(config, shutdown).await?;
    let bound = listener.local_addr()?;
    let address = config.address(bound);
    let settings = http_settings(config, token.reveal());
    let code = settings.codes.issue();
    let readiness = Arc::new(Readiness::default());

    let registry = base.registry(config, bound)?;
    let state = base.state(config, &registry, settings, &readiness)?;
    let demo = base.demo(config, bound, &state).await?;
    let router = match demo {
        Some(_) => http::router(state).merge(demo::routes()),
        None => http::router(state),
    };
    let pool = base.pool(config, registry)?;
    let upkeep = tokio::spawn(base.upkeep(config, &readiness).run(base.shutdown.token()));
    let web = tokio::spawn(http::serve(
        listener,
        router,
        base.shutdown.token(),
        config.shutdown_grace.to_std() + LAST_REQUESTS,
    ));
    if let Some(demo) = demo {
        demo::start(demo, base.clock.now(), base.shutdown.token());
    }
    tracing::info!(%address, database = config.database_url, "serving");
    if std::io::stderr().is_terminal() {
        output::notice(&format!("\n  Open {address}/login?code={code}\n"));
    }

    base.shutdown.token().cancelled().await;
    readiness.drain();
    if let Some(pool) = pool {
        pool.stop(config.shutdown_grace).await;
    }
    for (part, ended) in [("upkeep", upkeep.await), ("http", web.await)] {
        if let Err(error) = ended {
            tracing::error!(part, %error, "ended badly");
        }
    }
    base.store.close().await;
    tracing::info!("stopped");
    Ok(base
        .shutdown
        .failure()
        .map_or(ExitCode::SUCCESS, |_| ExitCode::from(EXIT_FATAL)))
}

impl Base {
    async fn open(config: &Config, shutdown: Shutdown) -> anyhow::Result<Self> {
        let events = Events::default();
        let options = StoreOptions {
            url: config.database_url.clone(),
            readers: READERS,
        };
        let store = store::open(&options, events.clone())
            .await
            .with_context(|| format!("cannot open {}", config.database_url))?;
        Ok(Base {
            store,
            clock: Arc::new(SystemClock),
            events,
            shutdown,
        })
    }

    /// The kinds that come with the server.
    fn registry(&self, config: &Config, bound: SocketAddr) -> anyhow::Result<Registry> {
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
        handlers::register(&mut registry, &handlers, &self.clock)?;
        if config.seed_demo {
            demo::register(&mut registry)?;
        }
        Ok(registry)
    }

    /// The demo, if it is asked for. Its past is told here, before a pool can take its jobs.
    async fn demo(
        &self,
        config: &Config,
        bound: SocketAddr,
        state: &HttpState,
    ) -> anyhow::Result<Option<Demo>> {
        if !config.seed_demo {
            return Ok(None);
        }
        let files = Folder::new(config.data_dir.join("files"));
        tokio::task::spawn_blocking(move || demo::draw_pictures(&files)).await??;
        let hooks = demo::hooks_at(bound);
        demo::seed(&*self.store, &hooks, self.clock.now()).await?;
        Ok(Some(Demo {
            operator: Arc::clone(&state.operator),
            events: self.events.clone(),
            hooks,
            pause: demo::PAUSE,
        }))
    }

    fn state(
        &self,
        config: &Config,
        registry: &Registry,
        settings: HttpConfig,
        readiness: &Arc<Readiness>,
    ) -> anyhow::Result<HttpState> {
        let service = Service::new(
            Arc::clone(&self.store),
            Arc::clone(&self.clock),
            self.events.clone(),
            self.shutdown.token(),
        );
        let limits = Limits {
            payload: config.max_payload_bytes,
        };
        let service = Arc::new(
            service
                .with_kinds(registry.descriptions())
                .with_limits(limits),
        );
        Ok(HttpState {
            operator: Arc::<Service>::clone(&service),
            workers: service,
            store: Arc::clone(&self.store),
            events: self.events.clone(),
            clock: Arc::clone(&self.clock),
            readiness: Arc::clone(readiness),
            shutdown: self.shutdown.token(),
            config: Arc::new(settings),
            metrics: Arc::new(Metrics::new()?),
        })
    }

    fn upkeep(&self, config: &Config, readiness: &Arc<Readiness>) -> Upkeep {
        Upkeep {
            store: Arc::clone(&self.store),
            clock: Arc::clone(&self.clock),
            events: self.events.clone(),
            readiness: Arc::clone(readiness),
            retention: config.retention,
            lease: config.lease,
            shutdown: self.shutdown.clone(),
        }
    }

    /// The pool of this process; none when it has no slots or knows no kinds.
    fn pool(&self, config: &Config, registry: Registry) -> anyhow::Result<Option<Pool>> {
        if config.workers == 0 || registry.is_empty() {
            return Ok(None);
        }
        let who = PoolIdentity {
            name: worker_name(),
            queues: config.queues.clone(),
            kinds: registry.kinds(),
            slots: u32::try_from(config.workers).unwrap_or(u32::MAX),
            lease: config.lease,
        };
        let link = LocalLink::new(
            Arc::clone(&self.store),
            Arc::clone(&self.clock),
            self.events.clone(),
            self.shutdown.clone(),
            who,
        );
        let options = PoolOptions {
            slots: config.workers,
            lease: config.lease,
            max_result: config.max_payload_bytes,
            ..PoolOptions::default()
        };
        let clock = Arc::clone(&self.clock);
        Ok(Some(Pool::start(Arc::new(link), registry, clock, options)?))
    }
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
