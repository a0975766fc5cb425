//! A service over a store of its own, with a clock that stands still until it is moved.

use std::sync::Arc;

use conveyor::clock::{Clock, ManualClock};
use conveyor::service::Service;
use conveyor::store::WorkerSeen;
use conveyor_model::name::{JobId, ScheduleName};
use conveyor_model::operator::{Actor, Operator};
use conveyor_model::schedule::{Schedule, ScheduleSpec, Slot, SlotReason, SlotStatus};
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::waiting::Cause;
use tokio_util::sync::CancellationToken;

use super::store::{self, TestStore, worker};

/// The queue as its faces have it.
pub(crate) struct TestService {
    pub(crate) store: TestStore,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) service: Service,
}

impl std::ops::Deref for TestService {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

/// An instant.
pub(crate) fn utc(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

/// Who asks in tests.
pub(crate) fn ann() -> Actor {
    Actor("ann".to_owned())
}

/// A schedule's name.
pub(crate) fn named(name: &str) -> ScheduleName {
    ScheduleName::new(name).expect("a schedule name")
}

/// A slot in short: when, what became of it, why, and how many it stands for.
pub(crate) type Brief = (Timestamp, SlotStatus, Option<SlotReason>, u64);

/// The short form of a slot.
pub(crate) fn brief(slot: &Slot) -> Brief {
    (slot.slot, slot.status, slot.reason, slot.count)
}

/// A worker that takes every kind from every queue and does not say how many slots it has.
pub(crate) fn anybody(name: &str) -> WorkerSeen {
    WorkerSeen {
        name: worker(name),
        queues: Vec::new(),
        kinds: None,
        slots: None,
        in_process: false,
        version: None,
    }
}

impl TestService {
    /// An empty queue; the clock shows when tests begin.
    pub(crate) async fn new() -> Self {
        TestService::starting(store::start()).await
    }

    /// An empty queue whose clock shows `now`.
    pub(crate) async fn starting(now: Timestamp) -> Self {
        let store = store::open().await;
        let clock = Arc::new(ManualClock::new(now));
        let service = Service::new(
            Arc::clone(&store.store),
            Arc::<ManualClock>::clone(&clock),
            store.events.clone(),
            CancellationToken::new(),
        );
        TestService {
            store,
            clock,
            service,
        }
    }

    /// What the clock shows.
    pub(crate) fn time(&self) -> Timestamp {
        self.clock.now()
    }

    /// Moves the clock by seconds.
    pub(crate) fn wait(&self, secs: i64) {
        self.clock.advance(Span::from_secs(secs));
    }

    /// Makes or replaces a schedule, whatever its version.
    pub(crate) async fn plan(&self, name: &str, spec: ScheduleSpec) -> Schedule {
        self.put_schedule(&named(name), spec, None, &ann())
            .await
            .expect("the schedule is stored")
    }

    /// The schedule, which is there.
    pub(crate) async fn planned(&self, name: &str) -> Schedule {
        self.schedule(&named(name))
            .await
            .expect("the schedule is there")
    }

    /// What became of a schedule's slots, oldest first.
    pub(crate) async fn history(&self, name: &str) -> Vec<Brief> {
        let slots = self.store.slots(&named(name), 500).await;
        let mut slots: Vec<_> = slots.expect("slots").iter().map(brief).collect();
        slots.reverse();
        slots
    }

    /// The jobs of a schedule's fired slots, oldest first.
    pub(crate) async fn fired_jobs(&self, name: &str) -> Vec<JobId> {
        let slots = self.store.slots(&named(name), 500).await.expect("slots");
        slots.iter().rev().filter_map(|slot| slot.job_id).collect()
    }

    /// A worker gives a sign of life.
    pub(crate) async fn seen(&self, seen: WorkerSeen) {
        let heard = self.store.worker_seen(seen, self.time()).await;
        heard.expect("the worker is noted");
    }

    /// Why a job is not running.
    pub(crate) async fn why(&self, id: JobId) -> Option<Cause> {
        let job = self.job(id).await.expect("the job is there");
        job.waiting_reason.map(|reason| reason.cause)
    }
}
