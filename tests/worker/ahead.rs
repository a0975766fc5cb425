//! Jobs that a pool takes before it has a slot for them, and reports that go together.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use conveyor::clock::Clock;
use conveyor::worker::{
    JobContext, Link, LinkError, LocalLink, Pool, PoolOptions, Registry, Taken,
};
use conveyor_model::job::Progress;
use conveyor_model::name::JobId;
use conveyor_model::state::State;
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::{Finish, FinishStatus, HeartbeatAnswer, Lease, NewLogLine};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::rig::{Rig, of, slots};
use crate::support::eventually::eventually;
use crate::support::store::{StoreExt, start};

/// Kinds `quick`, which is done at once, and `wait`, which is not until it is let go. The number counts
/// handlers that run just then, and the most that ever did.
fn kinds() -> (Registry, Arc<Notify>, Arc<[AtomicUsize; 2]>) {
    let let_go = Arc::new(Notify::new());
    let running: Arc<[AtomicUsize; 2]> = Arc::default();
    let mut registry = Registry::new();
    let (go, seen) = (Arc::clone(&let_go), Arc::clone(&running));
    registry
        .handle("wait", move |_: JobContext, _: BTreeMap<String, i64>| {
            let (go, seen) = (Arc::clone(&go), Arc::clone(&seen));
            async move {
                let now = seen[0].fetch_add(1, Ordering::SeqCst) + 1;
                seen[1].fetch_max(now, Ordering::SeqCst);
                go.notified().await;
                seen[0].fetch_sub(1, Ordering::SeqCst);
            }
        })
        .unwrap();
    let quick = |_: JobContext, _: BTreeMap<String, i64>| async {};
    registry.handle("quick", quick).unwrap();
    (registry, let_go, running)
}

async fn count(rig: &Rig, state: State) -> u64 {
    rig.store.counts(start()).await.unwrap().of(state)
}

#[tokio::test]
async fn what_was_taken_ahead_goes_back_at_a_stop() {
    let rig = Rig::new().await;
    let (registry, _let_go, running) = kinds();
    let patient = PoolOptions {
        ahead_for: Span::from_secs(600),
        ..slots(1)
    };
    let pool = rig.pool(registry, patient);
    for _ in 0..20 {
        let id = rig.store.given(of("quick")).await;
        rig.reaches(id, State::Succeeded).await;
    }
    for _ in 0..5 {
        rig.store.given(of("wait")).await;
    }
    let taken = async || (count(&rig, State::Running).await == 5).then_some(());
    eventually("all are taken", taken).await;
    let one = async || (running[0].load(Ordering::SeqCst) == 1).then_some(());
    eventually("one runs", one).await;
    let seen = async || rig.store.workers(start()).await.unwrap().pop();
    let worker = eventually("the worker is seen", seen).await;
    assert_eq!(worker.busy, 1, "as its page says");
    assert_eq!(running[1].load(Ordering::SeqCst), 1, "there is one slot");
    pool.stop(Span::ZERO).await;
    assert_eq!(count(&rig, State::Ready).await, 5);
    let back = rig.store.take(5, start()).await;
    assert!(
        back.iter()
            .all(|job| (job.attempt, job.crash_count) == (1, 0))
    );
}

#[tokio::test]
async fn what_waits_too_long_for_its_slot_goes_back_for_others() {
    let rig = Rig::new().await;
    let (registry, let_go, running) = kinds();
    let pool = rig.pool(registry, slots(1));
    for _ in 0..20 {
        let id = rig.store.given(of("quick")).await;
        rig.reaches(id, State::Succeeded).await;
    }
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(rig.store.given(of("wait")).await);
    }
    let one = async || (running[0].load(Ordering::SeqCst) == 1).then_some(());
    eventually("one runs", one).await;
    let back = async || (count(&rig, State::Ready).await == 4).then_some(());
    eventually("the others are back", back).await;
    let other = rig.store.take_one(start()).await;
    assert_eq!((other.id, other.attempt), (ids[1], 1));
    let_go.notify_one();
    rig.reaches(ids[0], State::Succeeded).await;
    rig.reaches(ids[2], State::Running).await;
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn nothing_is_taken_ahead_with_a_job_that_crashed_its_worker() {
    let rig = Rig::new().await;
    let (registry, let_go, _) = kinds();
    let crashed = rig.store.given(of("wait")).await;
    rig.store.take_one(start()).await;
    let later = start().plus(Span::from_secs(60));
    rig.store.rescue(later, Timestamp::MIN, 1).await.unwrap();
    rig.clock.advance(Span::from_secs(600));
    rig.store.promote(rig.clock.now(), 1).await.unwrap();

    let pool = rig.pool(registry, slots(1));
    rig.reaches(crashed, State::Running).await;
    let_go.notify_one();
    for _ in 0..20 {
        let id = rig.store.given(of("quick")).await;
        rig.reaches(id, State::Succeeded).await;
    }
    let first = rig.store.given(of("wait")).await;
    for _ in 0..4 {
        rig.store.given(of("wait")).await;
    }
    rig.reaches(first, State::Running).await;
    let_go.notify_one();
    rig.reaches(first, State::Succeeded).await;
    let one = async || (count(&rig, State::Running).await == 1).then_some(());
    eventually("the next one runs", one).await;
    assert_eq!(count(&rig, State::Ready).await, 3);
    pool.stop(Span::ZERO).await;
}

/// A link that takes no report of one job, nor any that comes with it.
struct Picky {
    link: LocalLink,
    refused: JobId,
    together: AtomicUsize,
}

#[async_trait]
impl Link for Picky {
    async fn claim(&self, max: usize, stop: &CancellationToken) -> Result<Taken, LinkError> {
        self.link.claim(max, stop).await
    }

    async fn heartbeat(&self, leases: Vec<Lease>) -> Result<HeartbeatAnswer, LinkError> {
        self.link.heartbeat(leases).await
    }

    async fn finish(&self, reports: Vec<Finish>) -> Result<Vec<FinishStatus>, LinkError> {
        self.together.fetch_max(reports.len(), Ordering::SeqCst);
        if reports.iter().any(|report| report.id == self.refused) {
            return Err(LinkError("this one is not taken".to_owned()));
        }
        self.link.finish(reports).await
    }

    async fn hand_back(&self, leases: Vec<Lease>) -> Result<(), LinkError> {
        self.link.hand_back(leases).await
    }

    async fn log(&self, lease: Lease, lines: Vec<NewLogLine>) -> Result<bool, LinkError> {
        self.link.log(lease, lines).await
    }

    async fn progress(&self, lease: Lease, progress: Progress) -> Result<bool, LinkError> {
        self.link.progress(lease, progress).await
    }

    async fn gone(&self) -> Result<(), LinkError> {
        self.link.gone().await
    }

    async fn nudged(&self) {
        self.link.nudged().await;
    }
}

#[tokio::test]
async fn a_report_that_is_refused_holds_up_no_other() {
    let rig = Rig::new().await;
    let (registry, let_go, running) = kinds();
    let mut ids = Vec::new();
    for _ in 0..16 {
        ids.push(rig.store.given(of("wait")).await);
    }
    let refused = ids.remove(5);
    let link = Arc::new(Picky {
        link: rig.link(Rig::who(&registry, slots(16))),
        refused,
        together: AtomicUsize::new(0),
    });
    let clock = Arc::clone(&rig.clock);
    let pool = Pool::start(Arc::<Picky>::clone(&link), registry, clock, slots(16)).unwrap();
    let all = async || (running[0].load(Ordering::SeqCst) == 16).then_some(());
    eventually("all run", all).await;
    let_go.notify_waiters();
    for id in ids {
        rig.reaches(id, State::Succeeded).await;
    }
    assert!(link.together.load(Ordering::SeqCst) > 1);
    assert_eq!(rig.store.state(refused).await, State::Running);
    pool.stop(Span::ZERO).await;
}
