//! A pool on a store of its own.

use std::sync::Arc;

use conveyor::clock::{Clock, ManualClock};
use conveyor::shutdown::Shutdown;
use conveyor::worker::{LocalLink, Pool, PoolIdentity, PoolOptions, Registry, worker_name};
use conveyor_model::job::Job;
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;
use conveyor_model::state::State;
use conveyor_model::time::Span;

use crate::support::eventually::eventually;
use crate::support::store::{self, StoreExt, TestStore, json, kind, start};

pub(crate) struct Rig {
    pub(crate) store: TestStore,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) shutdown: Shutdown,
}

/// A job of a kind.
pub(crate) fn of(name: &str) -> NewJob {
    NewJob::new(kind(name), json("{}"))
}

/// Options with so many slots, quick to lose patience.
pub(crate) fn slots(slots: usize) -> PoolOptions {
    PoolOptions {
        slots,
        cancel_grace: Span::from_millis(50),
        stuck_after: Span::from_millis(50),
        ..PoolOptions::default()
    }
}

impl Rig {
    pub(crate) async fn new() -> Self {
        Rig {
            store: store::open().await,
            clock: Arc::new(ManualClock::new(start())),
            shutdown: Shutdown::new(),
        }
    }

    /// Who a pool with that registry and those options is.
    pub(crate) fn who(registry: &Registry, options: PoolOptions) -> PoolIdentity {
        PoolIdentity {
            name: worker_name(),
            queues: Vec::new(),
            kinds: registry.kinds(),
            slots: u32::try_from(options.slots).expect("few slots"),
            lease: options.lease,
        }
    }

    /// Starts a pool.
    pub(crate) fn pool(&self, registry: Registry, options: PoolOptions) -> Pool {
        self.pool_as(Rig::who(&registry, options), registry, options)
    }

    /// Starts a pool of a certain name and lease.
    pub(crate) fn pool_as(
        &self,
        who: PoolIdentity,
        registry: Registry,
        options: PoolOptions,
    ) -> Pool {
        let clock: Arc<dyn Clock> = Arc::<ManualClock>::clone(&self.clock);
        Pool::start(Arc::new(self.link(who)), registry, clock, options).expect("the pool starts")
    }

    /// A link to the store.
    pub(crate) fn link(&self, who: PoolIdentity) -> LocalLink {
        LocalLink::new(
            Arc::clone(&self.store.store),
            Arc::<ManualClock>::clone(&self.clock),
            self.store.events.clone(),
            self.shutdown.clone(),
            who,
        )
    }

    /// Waits until a job is in a state.
    pub(crate) async fn reaches(&self, id: JobId, state: State) -> Job {
        let label = format!("job {id} is {state}");
        eventually(&label, async || {
            let job = self.store.show(id).await;
            (job.row.state == state).then_some(job)
        })
        .await
    }
}
