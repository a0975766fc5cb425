//! The queue as a library: a program of your own opens it, brings its handlers, enqueues, and may
//! mount the dashboard and the API among its own routes.
//!
//! ```no_run
//! use conveyor::{Conveyor, JobContext};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let queue = Conveyor::builder()
//!     .database("sqlite:data/jobs.db")
//!     .handle("greet", async |_: JobContext, name: String| Ok::<_, String>(format!("Hello, {name}")))
//!     .build()
//!     .await?;
//! queue.start()?;
//! let job = queue.enqueue("greet", &"Anna").await?;
//! let done = queue.finished(job.id).await?;
//! assert_eq!(done.result.map(|result| result.to_string()), Some("\"Hello, Anna\"".to_owned()));
//! queue.stop().await;
//! # Ok(())
//! # }
//! ```

mod builder;
mod options;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use conveyor_model::error::Invalid;
use conveyor_model::job::Job;
use conveyor_model::json::JsonText;
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;
use conveyor_model::operator::{Answer, Enqueued, Operator};
use conveyor_model::time::Span;
use serde::Serialize;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::clock::Clock;
use crate::events::Events;
use crate::http::{self, HttpState};
use crate::metrics::Metrics;
use crate::service::{Limits, Service};
use crate::shutdown::Shutdown;
use crate::store::{self, Retention, Store, StoreOptions};
use crate::upkeep::{Readiness, Upkeep};
use crate::worker::{LocalLink, Pool, PoolIdentity, PoolOptions, Registry, worker_name};

pub use builder::{BuildError, Builder};
pub(crate) use options::Options;

/// Read connections.
const READERS: u32 = 4;

/// How often [`Conveyor::finished`] looks by itself, for jobs that another process ends.
const POLL: Duration = Duration::from_secs(1);

/// A queue inside your program. Share it in an `Arc`.
pub struct Conveyor {
    service: Arc<Service>,
    http: HttpState,
    shutdown: Shutdown,
    registry: Registry,
    who: PoolIdentity,
    pool: PoolOptions,
    retention: Retention,
    grace: Span,
    running: Mutex<Running>,
}

/// What goes on in the background.
#[derive(Default)]
struct Running {
    pool: Option<Pool>,
    upkeep: Option<JoinHandle<()>>,
}

/// A job of a kind with a payload and every other value at its default; change its fields as needed.
pub fn job<T: Serialize + ?Sized>(kind: &str, payload: &T) -> Result<NewJob, Invalid> {
    let kind = kind
        .parse()
        .map_err(|fault: conveyor_model::name::NameError| {
            Invalid::one("/kind", fault.to_string())
        })?;
    let payload =
        JsonText::of(&payload).map_err(|fault| Invalid::one("/payload", fault.to_string()))?;
    Ok(NewJob::new(kind, payload))
}

impl Conveyor {
    /// Says how the queue is to be; [`Builder::build`] opens it.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Opens the database and puts the queue together; `shutdown` is heard by all of it. The handlers
    /// in `registry` tell time by `clock`.
    pub(crate) async fn open(
        options: Options,
        registry: Registry,
        clock: Arc<dyn Clock>,
        shutdown: Shutdown,
    ) -> Result<Self, BuildError> {
        let events = Events::default();
        let opened = StoreOptions {
            url: options.database,
            readers: READERS,
        };
        let store = store::open(&opened, events.clone()).await?;
        let service = Service::new(
            Arc::clone(&store),
            Arc::clone(&clock),
            events.clone(),
            shutdown.token(),
        );
        let max_payload = options.http.max_payload;
        let limits = Limits {
            payload: max_payload,
        };
        let service = Arc::new(
            service
                .with_kinds(registry.descriptions())
                .with_limits(limits),
        );
        Ok(Conveyor {
            http: HttpState {
                operator: Arc::<Service>::clone(&service),
                workers: Arc::<Service>::clone(&service),
                store,
                events,
                clock,
                readiness: Arc::new(Readiness::default()),
                shutdown: shutdown.token(),
                config: Arc::new(options.http),
                metrics: Arc::new(Metrics::new()?),
            },
            service,
            shutdown,
            who: PoolIdentity {
                name: worker_name(),
                queues: options.queues,
                kinds: registry.kinds(),
                slots: u32::try_from(options.slots).unwrap_or(u32::MAX),
                lease: options.lease,
            },
            registry,
            pool: PoolOptions {
                slots: options.slots,
                lease: options.lease,
                max_result: max_payload,
                ..PoolOptions::default()
            },
            retention: options.retention,
            grace: options.grace,
            running: Mutex::new(Running::default()),
        })
    }

    /// Begins to run jobs and to do the upkeep, in the background of the runtime this is called in.
    /// A second call does nothing. Fails when the system gives the pool no threads.
    pub fn start(&self) -> io::Result<()> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.upkeep.is_some() {
            return Ok(());
        }
        if self.pool.slots > 0 && !self.registry.is_empty() {
            running.pool = Some(self.start_pool()?);
        }
        let upkeep = Upkeep {
            store: Arc::clone(self.store()),
            clock: Arc::clone(&self.http.clock),
            events: self.events().clone(),
            readiness: Arc::clone(&self.http.readiness),
            retention: self.retention,
            shutdown: self.shutdown.clone(),
        };
        running.upkeep = Some(tokio::spawn(upkeep.run(self.shutdown.token())));
        Ok(())
    }

    fn start_pool(&self) -> io::Result<Pool> {
        let link = LocalLink::new(
            Arc::clone(self.store()),
            Arc::clone(&self.http.clock),
            self.events().clone(),
            self.shutdown.clone(),
            self.who.clone(),
        );
        let clock = Arc::clone(&self.http.clock);
        Pool::start(Arc::new(link), self.registry.clone(), clock, self.pool)
    }

    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.http.store
    }

    pub(crate) fn http(&self) -> &HttpState {
        &self.http
    }

    pub(crate) fn events(&self) -> &Events {
        &self.http.events
    }

    /// Stores a job of a kind; it is on disk when this answers.
    pub async fn enqueue<T: Serialize + ?Sized>(
        &self,
        kind: &str,
        payload: &T,
    ) -> Answer<Enqueued> {
        self.service.enqueue(job(kind, payload)?).await
    }

    /// Stores a job with every value as you set it; see [`job`].
    pub async fn enqueue_job(&self, job: NewJob) -> Answer<Enqueued> {
        self.service.enqueue(job).await
    }

    /// Stores up to 10,000 jobs in one commit; answers for each in their order.
    pub async fn enqueue_many(&self, jobs: Vec<NewJob>) -> Answer<Vec<Answer<Enqueued>>> {
        self.service.enqueue_many(jobs, false).await
    }

    /// Waits until a job has reached a final state: succeeded, dead or cancelled.
    pub async fn finished(&self, id: JobId) -> Answer<Job> {
        loop {
            // Watched before the question, so that no change falls in between.
            let mut changes = self.events().watch();
            let job = self.service.job(id).await?;
            if job.row.state.is_final() {
                return Ok(job);
            }
            // A change that was missed is found by looking.
            let _ = timeout(POLL, changes.recv()).await;
        }
    }

    /// Everything else that may be asked of the queue: jobs, queues, schedules, workers.
    pub fn operator(&self) -> Arc<dyn Operator> {
        Arc::<Service>::clone(&self.service)
    }

    /// The dashboard and the API, to be merged into your own router. They are closed to whoever does
    /// not know the token of [`Builder::api_token`].
    pub fn router(&self) -> Router {
        http::router(self.http.clone())
    }

    /// Stops in good order: no new jobs, those at hand get the grace time, the rest go back to the
    /// queue; then the database is closed. Later calls of anything answer that it is away.
    pub async fn stop(&self) {
        self.drain().await;
        self.close().await;
    }

    /// The first part of [`Conveyor::stop`], after which nothing of the queue's own goes on; requests
    /// are still answered.
    pub(crate) async fn drain(&self) {
        self.http.readiness.drain();
        self.shutdown.stop();
        let Running { pool, upkeep } =
            std::mem::take(&mut *self.running.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(pool) = pool {
            pool.stop_early(self.grace, self.shutdown.failed()).await;
        }
        if let Some(upkeep) = upkeep
            && let Err(error) = upkeep.await
        {
            tracing::error!(%error, "upkeep ended badly");
        }
    }

    /// The rest of [`Conveyor::stop`].
    pub(crate) async fn close(&self) {
        self.store().close().await;
    }
}

/// Without [`Conveyor::stop`] what goes on in the background ends all the same, though not in good order:
/// attempts at hand are left to their leases.
impl Drop for Conveyor {
    fn drop(&mut self) {
        self.shutdown.stop();
    }
}
