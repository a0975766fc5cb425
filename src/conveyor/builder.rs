//! How a queue inside a program is to be.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use conveyor_model::name::{NameError, QueueName};
use conveyor_model::time::Span;
use conveyor_model::worker::DEFAULT_LEASE;
use serde::de::DeserializeOwned;

use super::{Conveyor, Options};
use crate::clock::SystemClock;
use crate::http::HttpConfig;
use crate::shutdown::Shutdown;
use crate::store::{Retention, StoreError};
use crate::worker::{Handler, IntoOutcome, JobContext, Registry, RegistryError};

const DAY: i64 = 86_400;

/// Settings of a [`Conveyor`], each with a default.
pub struct Builder {
    database: Option<String>,
    data_dir: PathBuf,
    slots: Option<usize>,
    queues: Result<Vec<QueueName>, BuildError>,
    registry: Result<Registry, BuildError>,
    api_token: Option<String>,
    hosts: Vec<String>,
    grace: Span,
    retention: Retention,
}

/// Why a queue could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A handler could not be taken.
    #[error(transparent)]
    Handler(#[from] RegistryError),
    /// A queue name is not valid.
    #[error(transparent)]
    Queue(#[from] NameError),
    /// The database could not be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The metrics could not be set up.
    #[error(transparent)]
    Metrics(#[from] prometheus::Error),
}

impl Default for Builder {
    fn default() -> Self {
        Builder {
            database: None,
            data_dir: PathBuf::from("data"),
            slots: None,
            queues: Ok(Vec::new()),
            registry: Ok(Registry::new()),
            api_token: None,
            hosts: Vec::new(),
            grace: Span::from_secs(30),
            retention: Retention {
                succeeded: Span::from_secs(7 * DAY),
                dead: Span::from_secs(30 * DAY),
            },
        }
    }
}

impl Builder {
    /// The database as a URL, such as `sqlite:data/jobs.db`.
    #[must_use]
    pub fn database(mut self, url: impl Into<String>) -> Self {
        self.database = Some(url.into());
        self
    }

    /// The folder of the default database, `conveyor.db`; `data` unless set.
    #[must_use]
    pub fn data_dir(mut self, folder: impl AsRef<Path>) -> Self {
        folder.as_ref().clone_into(&mut self.data_dir);
        self
    }

    /// Jobs that run at once; twice the processors unless set, and 0 runs none here.
    #[must_use]
    pub fn slots(mut self, slots: usize) -> Self {
        self.slots = Some(slots);
        self
    }

    /// Queues whose jobs run here; all unless set.
    #[must_use]
    pub fn queues<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        let names: Result<_, NameError> = names.into_iter().map(QueueName::new).collect();
        self.queues = self.queues.and(names.map_err(BuildError::from));
        self
    }

    /// Runs the jobs of a kind by an async function over a typed payload. It may answer nothing, an
    /// [`crate::worker::Outcome`], or a `Result` whose value becomes the job's result.
    #[must_use]
    pub fn handle<T, R>(
        self,
        kind: &str,
        run: impl Fn(JobContext, T) -> R + Send + Sync + 'static,
    ) -> Self
    where
        T: DeserializeOwned + Send + 'static,
        R: Future<Output: IntoOutcome> + Send + 'static,
    {
        self.registered(|registry| registry.handle(kind, run))
    }

    /// Runs the jobs of a kind by a handler; `description` says in a sentence what the kind does.
    #[must_use]
    pub fn handler(self, kind: &str, description: &str, handler: impl Handler) -> Self {
        self.registered(|registry| registry.add(kind.parse()?, description, handler))
    }

    fn registered(mut self, add: impl FnOnce(&mut Registry) -> Result<(), RegistryError>) -> Self {
        self.registry = self.registry.and_then(|mut registry| {
            add(&mut registry)?;
            Ok(registry)
        });
        self
    }

    /// The token that opens the dashboard and the API of [`Conveyor::router`]. Nobody gets in while it
    /// is not set.
    #[must_use]
    pub fn api_token(mut self, token: impl Into<String>) -> Self {
        self.api_token = Some(token.into());
        self
    }

    /// A host name, with its port if it has one, under which [`Conveyor::router`] is reached; names of
    /// the loopback address always are.
    #[must_use]
    pub fn host(mut self, name: impl Into<String>) -> Self {
        self.hosts.push(name.into());
        self
    }

    /// How long running jobs get to end when the queue stops; 30 s unless set.
    #[must_use]
    pub fn shutdown_grace(mut self, grace: Span) -> Self {
        self.grace = grace;
        self
    }

    /// How long finished jobs are kept; 7 days unless set, and 30 days if they are dead.
    #[must_use]
    pub fn retention(mut self, retention: Retention) -> Self {
        self.retention = retention;
        self
    }

    /// Opens the database, makes it if there is none, and puts the queue together. Nothing runs before
    /// [`Conveyor::start`].
    pub async fn build(self) -> Result<Conveyor, BuildError> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let file = self.data_dir.join("conveyor.db");
        let registry = self.registry?;
        let options = Options {
            database: self
                .database
                .unwrap_or_else(|| format!("sqlite:{}", file.display())),
            queues: self.queues?,
            slots: self.slots.unwrap_or(2 * cores),
            lease: DEFAULT_LEASE,
            grace: self.grace,
            retention: self.retention,
            http: http_config(self.api_token, &self.hosts),
        };
        let clock = Arc::new(SystemClock);
        Conveyor::open(options, registry, clock, Shutdown::new()).await
    }
}

/// Without a token a random one that nobody knows keeps the door shut.
fn http_config(token: Option<String>, hosts: &[String]) -> HttpConfig {
    let token = token.unwrap_or_else(|| format!("{:032x}", rand::random::<u128>()));
    let mut http = HttpConfig::new(&token);
    for host in hosts {
        http.hosts.allow(host);
    }
    http
}
