//! The link of a pool in the same process as its store.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use conveyor_model::job::{Claimed, Progress};
use conveyor_model::name::{Kind, QueueName, WorkerName};
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::{
    Finish, FinishStatus, HeartbeatAnswer, Lease, NewLogLine, WorkerState,
};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::link::{Link, LinkError, LinkResult, Taken};
use crate::clock::Clock;
use crate::events::Events;
use crate::shutdown::Shutdown;
use crate::store::{Claim, Store, StoreError, StoreResult, WorkerSeen};

/// How often it looks by itself, for jobs that another process made ready.
const POLL: Duration = Duration::from_secs(1);

/// Who a pool is and what it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolIdentity {
    /// Its name; see [`super::worker_name`].
    pub name: WorkerName,
    /// Queues it serves; empty means all.
    pub queues: Vec<QueueName>,
    /// Kinds it knows; none means all.
    pub kinds: Option<Vec<Kind>>,
    /// Slots.
    pub slots: u32,
    /// How long its leases last.
    pub lease: Span,
}

/// A link straight to the store.
pub struct LocalLink {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    events: Events,
    shutdown: Shutdown,
    who: PoolIdentity,
    /// Whether the pool lives and dies with a server.
    in_process: bool,
}

impl LocalLink {
    /// A link for the pool `who`. `shutdown` hears when the database cannot be trusted any more.
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        events: Events,
        shutdown: Shutdown,
        who: PoolIdentity,
    ) -> Self {
        LocalLink {
            store,
            clock,
            events,
            shutdown,
            who,
            in_process: true,
        }
    }

    /// Says that the pool has a process of its own, which ends when the pool is told to stop; without
    /// it the pool is one inside a server.
    #[must_use]
    pub fn in_own_process(mut self) -> Self {
        self.in_process = false;
        self
    }

    fn heard<T>(&self, result: StoreResult<T>) -> LinkResult<T> {
        result.map_err(|error| {
            if let StoreError::Fatal(why) = &error {
                self.shutdown.fail(why);
            }
            LinkError(error.to_string())
        })
    }

    /// Since when the leases of jobs have lasted that were asked for then: the store counts them from the
    /// question, or from a later one that stored the jobs; and the answer may have been long in coming.
    fn leased_since(&self, jobs: &[Claimed], asked: (Instant, Timestamp)) -> Instant {
        let started = jobs.iter().filter_map(|job| job.started_at).min();
        let Some(later) = started.filter(|started| *started > asked.1) else {
            return asked.0;
        };
        let ago = self.clock.now().since(later).to_std();
        Instant::now()
            .checked_sub(ago)
            .map_or(asked.0, |since| since.max(asked.0))
    }

    fn seen(&self) -> WorkerSeen {
        WorkerSeen {
            name: self.who.name.clone(),
            queues: self.who.queues.clone(),
            kinds: self.who.kinds.clone(),
            slots: Some(self.who.slots),
            in_process: self.in_process,
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }
    }
}

#[async_trait]
impl Link for LocalLink {
    async fn claim(&self, max: usize, stop: &CancellationToken) -> LinkResult<Taken> {
        // Whatever asked the process to stop, perhaps a fault of the disk, may be known here before the
        // pool is told, and a program around it may never tell it.
        if self.shutdown.is_stopping() {
            stop.cancelled().await;
            return Ok(Taken::nothing());
        }
        let claim = Claim {
            worker: self.who.name.clone(),
            queues: self.who.queues.clone(),
            kinds: self.who.kinds.clone(),
            max,
            lease: self.who.lease,
        };
        let asked = (Instant::now(), self.clock.now());
        let answer = timeout(POLL, self.store.claim_when_ready(claim, asked.1));
        // Jobs that were taken for a question which is given up go back by themselves.
        let jobs = tokio::select! {
            biased;
            answer = answer => answer.map_or(Ok(Vec::new()), |answer| self.heard(answer))?,
            () = stop.cancelled() => Vec::new(),
        };
        let since = self.leased_since(&jobs, asked);
        Ok(Taken { jobs, since })
    }

    async fn heartbeat(&self, leases: Vec<Lease>) -> LinkResult<HeartbeatAnswer> {
        let now = self.clock.now();
        // Leases first: to be seen matters less than to keep what runs.
        let leases = if leases.is_empty() {
            Vec::new()
        } else {
            self.heard(self.store.renew(leases, now).await)?
        };
        let state = match self.heard(self.store.worker_seen(self.seen(), now).await) {
            Err(error) if leases.is_empty() => return Err(error),
            // What is renewed must be known to be; what it is told can wait for the next beat.
            Err(_) => WorkerState::Run,
            Ok(state) => state,
        };
        Ok(HeartbeatAnswer { leases, state })
    }

    async fn finish(&self, reports: Vec<Finish>) -> LinkResult<Vec<FinishStatus>> {
        self.heard(self.store.finish(reports, self.clock.now()).await)
    }

    async fn hand_back(&self, leases: Vec<Lease>) -> LinkResult<()> {
        let back = self.store.hand_back(leases, self.clock.now()).await;
        self.heard(back).map(drop)
    }

    async fn log(&self, lease: Lease, lines: Vec<NewLogLine>) -> LinkResult<bool> {
        self.heard(self.store.log(lease, lines, self.clock.now()).await)
    }

    async fn progress(&self, lease: Lease, progress: Progress) -> LinkResult<bool> {
        let noted = self.store.progress(lease, progress, self.clock.now()).await;
        self.heard(noted)
    }

    async fn gone(&self) -> LinkResult<()> {
        self.heard(self.store.worker_gone(&self.who.name).await)
    }

    async fn nudged(&self) {
        self.events.cancels().notified().await;
    }
}
