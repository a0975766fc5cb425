//! `conveyor work --exec CMD`: a worker of its own that runs each job by a command.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use conveyor_model::name::{Kind, QueueName};

use super::Client;
use super::ask::Queue;
use super::remote::RemoteProtocol;
use crate::clock::{Clock, SystemClock};
use crate::config::Config;
use crate::events::Events;
use crate::shutdown::Shutdown;
use crate::store::{self, Store, StoreOptions};
use crate::upkeep::Upkeep;
use crate::worker::command::{self, Command};
use crate::worker::{
    Link, LocalLink, Pool, PoolIdentity, PoolOptions, Registry, RemoteLink, worker_name,
};

/// How to run jobs.
#[derive(Debug, clap::Args)]
pub(super) struct Work {
    /// The command, for the shell: payload on standard input, exit code 0 succeeded, 65 dead, else failed
    #[arg(long, value_name = "CMD")]
    exec: String,
    /// Of this kind; may be repeated; all kinds when left out
    #[arg(long = "kind", value_name = "KIND")]
    kinds: Vec<Kind>,
    /// From this queue; may be repeated; QUEUES when left out
    #[arg(long = "queue", value_name = "NAME")]
    from: Vec<QueueName>,
}

/// Runs jobs until it is told to stop.
pub(super) async fn work(
    work: &Work,
    client: &Client,
    config: &Config,
) -> anyhow::Result<ExitCode> {
    let shutdown = Shutdown::new();
    shutdown.on_signals(command::kill_all)?;
    let slots = config.workers.max(1);
    let who = PoolIdentity {
        name: worker_name(),
        queues: if work.from.is_empty() {
            config.queues.clone()
        } else {
            work.from.clone()
        },
        kinds: (!work.kinds.is_empty()).then(|| work.kinds.clone()),
        slots: u32::try_from(slots).unwrap_or(u32::MAX),
        lease: config.lease,
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let (link, database) = link(client, config, &clock, &shutdown, who).await?;
    // No server need be there that makes due jobs ready and takes jobs from workers that died.
    let upkeep = database.as_ref().map(|database| {
        let upkeep = Upkeep {
            store: Arc::clone(&database.store),
            clock: Arc::clone(&clock),
            events: database.events.clone(),
            readiness: Arc::default(),
            retention: config.retention,
            shutdown: shutdown.clone(),
        };
        tokio::spawn(upkeep.run(shutdown.token()))
    });
    let mut registry = Registry::new();
    registry.any(Command::shell(&work.exec));
    let options = PoolOptions {
        slots,
        lease: config.lease,
        max_result: config.max_payload_bytes,
        ..PoolOptions::default()
    };
    let pool = Pool::start(link, registry, clock, options)?;
    tracing::info!(slots, "ready to run jobs");
    let stop = shutdown.token();
    tokio::select! {
        () = stop.cancelled() => {}
        () = pool.told_to_stop() => tracing::info!("the server told this worker to stop"),
    }
    pool.stop_early(config.shutdown_grace, shutdown.failed())
        .await;
    shutdown.stop();
    if let Some(upkeep) = upkeep {
        upkeep.await.context("upkeep ended badly")?;
    }
    if let Some(database) = database {
        database.store.close().await;
    }
    Ok(shutdown.failure().map_or(ExitCode::SUCCESS, |_| {
        ExitCode::from(crate::shutdown::EXIT_FATAL)
    }))
}

/// A database that this process opened itself.
struct Database {
    store: Arc<dyn Store>,
    events: Events,
}

/// To the server of `--url`, else straight to the database.
async fn link(
    client: &Client,
    config: &Config,
    clock: &Arc<dyn Clock>,
    shutdown: &Shutdown,
    who: PoolIdentity,
) -> anyhow::Result<(Arc<dyn Link>, Option<Database>)> {
    if let Some(url) = &client.url
        && let Queue::Server { http, url, token } = Queue::server(url, client, config)?
    {
        let protocol = Arc::new(RemoteProtocol::new(http, url, token));
        return Ok((Arc::new(RemoteLink::new(protocol, who)), None));
    }
    let events = Events::default();
    let options = StoreOptions {
        url: config.database_url.clone(),
        readers: 2,
    };
    let store = store::open(&options, events.clone())
        .await
        .with_context(|| format!("cannot open {}", config.database_url))?;
    let link = LocalLink::new(
        Arc::clone(&store),
        Arc::clone(clock),
        events.clone(),
        shutdown.clone(),
        who,
    )
    .in_own_process();
    Ok((Arc::new(link), Some(Database { store, events })))
}
