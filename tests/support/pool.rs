//! Pools that run the jobs of a test store.

use std::sync::Arc;

use conveyor::clock::SystemClock;
use conveyor::shutdown::Shutdown;
use conveyor::worker::{LocalLink, Pool, PoolIdentity, PoolOptions, Registry, worker_name};

use super::store::TestStore;

/// Starts a pool for every queue and the kinds of `registry`.
pub(crate) fn start(store: &TestStore, registry: Registry, slots: u32) -> Pool {
    let options = PoolOptions {
        slots: usize::try_from(slots).expect("a number of slots fits"),
        ..PoolOptions::default()
    };
    let who = PoolIdentity {
        name: worker_name(),
        queues: Vec::new(),
        kinds: registry.kinds(),
        slots,
        lease: options.lease,
    };
    let link = LocalLink::new(
        Arc::clone(&store.store),
        Arc::new(SystemClock),
        store.events.clone(),
        Shutdown::new(),
        who,
    );
    Pool::start(Arc::new(link), registry, Arc::new(SystemClock), options).expect("the pool starts")
}
