//! What operators and workers may ask of the queue, answered from the store: the rules that need
//! more than one statement, and nothing of how a request arrived.
//!
//! `operator` and `protocol` are the two ports, each verb a line or a call; the files beside them
//! hold the verbs that have rules of their own, by topic.

mod counts;
mod dead;
mod jobs;
mod kinds;
mod limits;
mod operator;
mod overview;
mod protocol;
mod queues;
mod schedules;
mod sightings;
mod waiting;

use std::collections::BTreeMap;
use std::sync::Arc;

use conveyor_model::name::Kind;
use conveyor_model::time::Timestamp;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::events::Events;
use crate::store::Store;

pub use limits::Limits;
pub(crate) use schedules::preview_cron;

/// The queue as its faces see it. It implements [`conveyor_model::operator::Operator`] and
/// [`conveyor_model::operator::WorkerProtocol`].
pub struct Service {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    events: Events,
    /// The kinds this server has handlers for, with what each does.
    kinds: BTreeMap<Kind, String>,
    limits: Limits,
    shutdown: CancellationToken,
    counts: counts::Cache,
    sightings: sightings::Sightings,
}

impl Service {
    /// A service over `store`. Long polls end when `shutdown` is cancelled.
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        events: Events,
        shutdown: CancellationToken,
    ) -> Self {
        Service {
            store,
            clock,
            events,
            kinds: BTreeMap::new(),
            limits: Limits::default(),
            shutdown,
            counts: counts::Cache::default(),
            sightings: sightings::Sightings::default(),
        }
    }

    /// The same, knowing the kinds this server runs itself and what each does.
    #[must_use]
    pub fn with_kinds(mut self, kinds: BTreeMap<Kind, String>) -> Self {
        self.kinds = kinds;
        self
    }

    /// The same with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}
