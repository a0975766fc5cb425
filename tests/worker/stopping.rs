//! How a pool stops, and what it does when it is told to be quiet.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use conveyor::clock::ManualClock;
use conveyor::worker::{JobContext, Link, Pool, PoolIdentity, Registry, RemoteLink};
use conveyor_model::job::Outcome;
use conveyor_model::state::State;
use conveyor_model::time::Span;
use conveyor_model::worker::WorkerState;
use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::rig::{Rig, of, slots};
use super::silent::{Silent, Stuck};
use crate::support::eventually::eventually;
use crate::support::store::{StoreExt, start};

/// A kind `wait` that tells when it begins and ends when it is let go.
fn waiting() -> (Registry, Arc<Notify>, Arc<Notify>) {
    let (running, let_go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let mut registry = Registry::new();
    let (begun, go) = (Arc::clone(&running), Arc::clone(&let_go));
    registry
        .handle("wait", move |_: JobContext, _: BTreeMap<String, i64>| {
            let (begun, go) = (Arc::clone(&begun), Arc::clone(&go));
            async move {
                begun.notify_one();
                go.notified().await;
            }
        })
        .unwrap();
    (registry, running, let_go)
}

#[tokio::test]
async fn a_stop_gives_running_jobs_back_without_spending_their_attempt() {
    let rig = Rig::new().await;
    let (registry, running, _let_go) = waiting();
    let pool = rig.pool(registry, slots(1));
    let (id, next) = (
        rig.store.given(of("wait")).await,
        rig.store.given(of("wait")).await,
    );
    running.notified().await;
    pool.stop(Span::from_millis(20)).await;
    let job = rig.store.show(id).await;
    assert_eq!((job.row.state, job.row.attempt), (State::Ready, 0));
    let attempts = rig.store.attempts(id).await.unwrap();
    assert_eq!(attempts[0].outcome, Some(Outcome::Interrupted));
    let untouched = rig.store.show(next).await;
    assert_eq!(
        (untouched.row.state, untouched.row.attempt),
        (State::Ready, 0)
    );
    assert!(rig.store.workers(start()).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_handler_that_hears_of_the_stop_first_does_not_end_its_job() {
    let rig = Rig::new().await;
    let mut registry = Registry::new();
    registry
        .handle(
            "quick",
            |job: JobContext, _: BTreeMap<String, i64>| async move {
                job.cancelled().cancelled().await;
                conveyor::worker::Outcome::Cancel
            },
        )
        .unwrap();
    let pool = rig.pool(registry, slots(32));
    let mut ids = Vec::new();
    for _ in 0..32 {
        ids.push(rig.store.given(of("quick")).await);
    }
    eventually("all run", async || (pool.busy() == 32).then_some(())).await;
    pool.stop(Span::ZERO).await;
    for id in ids {
        let job = rig.store.show(id).await;
        assert_eq!((job.row.state, job.row.attempt), (State::Ready, 0));
    }
}

#[tokio::test]
async fn a_stop_waits_for_jobs_that_end_within_the_grace() {
    let rig = Rig::new().await;
    let (registry, running, let_go) = waiting();
    let pool = rig.pool(registry, slots(1));
    let id = rig.store.given(of("wait")).await;
    running.notified().await;
    let stopping = tokio::spawn(pool.stop(Span::from_secs(60)));
    let_go.notify_one();
    stopping.await.unwrap();
    assert_eq!(rig.store.state(id).await, State::Succeeded);
}

#[tokio::test]
async fn a_handler_hears_that_the_process_begins_to_stop() {
    let rig = Rig::new().await;
    let running = Arc::new(Notify::new());
    let begun = Arc::clone(&running);
    let mut registry = Registry::new();
    registry
        .handle(
            "careful",
            move |job: JobContext, _: BTreeMap<String, i64>| {
                let begun = Arc::clone(&begun);
                async move {
                    begun.notify_one();
                    job.stopping().cancelled().await;
                    conveyor::worker::Outcome::Snooze(Span::ZERO)
                }
            },
        )
        .unwrap();
    let pool = rig.pool(registry, slots(1));
    let id = rig.store.given(of("careful")).await;
    running.notified().await;
    pool.stop(Span::from_secs(60)).await;
    let job = rig.store.show(id).await;
    assert_eq!((job.row.state, job.row.attempt), (State::Ready, 0));
}

#[tokio::test]
async fn a_quiet_pool_takes_nothing_until_it_is_told_to_run() {
    let rig = Rig::new().await;
    let (registry, running, let_go) = waiting();
    let options = slots(1);
    let who = Rig::who(&registry, options);
    let name = who.name.clone();
    let options = conveyor::worker::PoolOptions {
        lease: Span::from_millis(150),
        ..options
    };
    let pool = rig.pool_as(who, registry, options);
    eventually("the pool is known", async || {
        rig.store
            .tell_worker(&name, WorkerState::Quiet)
            .await
            .unwrap()
            .then_some(())
    })
    .await;
    eventually("the pool has heard it", async || {
        (pool.told() == WorkerState::Quiet).then_some(())
    })
    .await;
    // A claim that was under way may still take the first job.
    let probe = rig.store.given(of("wait")).await;
    let id = rig.store.given(of("wait")).await;
    let_go.notify_one();
    assert_eq!(rig.store.state(id).await, State::Ready);
    rig.store
        .tell_worker(&name, WorkerState::Run)
        .await
        .unwrap();
    running.notified().await;
    let_go.notify_one();
    rig.reaches(probe, State::Succeeded).await;
    let_go.notify_one();
    rig.reaches(id, State::Succeeded).await;
    rig.store
        .tell_worker(&name, WorkerState::Stop)
        .await
        .unwrap();
    pool.told_to_stop().await;
    pool.stop(Span::ZERO).await;
}

/// Stops a pool whose server is silent; it ends long before the test loses patience.
async fn stops(pool: Pool, grace: Span) {
    let stopped = timeout(Duration::from_mins(1), pool.stop(grace)).await;
    assert!(
        stopped.is_ok(),
        "it waits for a server that does not answer"
    );
}

/// A pool of one slot that has these jobs of a silent server.
fn pool_of(server: Arc<Silent>, registry: Registry) -> Pool {
    let link = RemoteLink::new(server, Rig::who(&registry, slots(1)));
    let clock = Arc::new(ManualClock::new(start()));
    Pool::start(Arc::new(link), registry, clock, slots(1)).unwrap()
}

#[tokio::test]
async fn an_idle_pool_waits_neither_for_a_claim_nor_for_its_grace() {
    let (registry, _, _) = waiting();
    let server = Arc::new(Silent::default());
    let pool = pool_of(Arc::clone(&server), registry);
    server.claiming.notified().await;
    stops(pool, Span::from_secs(3600)).await;
}

#[tokio::test]
async fn a_pool_ends_after_its_grace_though_nobody_takes_its_jobs_back() {
    let rig = Rig::new().await;
    rig.store.given(of("wait")).await;
    let (registry, running, _let_go) = waiting();
    let server = Arc::new(Silent::default());
    *server.jobs.lock().unwrap() = rig.store.take(1, start()).await;
    let pool = pool_of(server, registry);
    running.notified().await;
    stops(pool, Span::from_millis(20)).await;
}

#[tokio::test]
async fn the_grace_runs_while_a_claim_is_on_its_way() {
    let (registry, _, _) = waiting();
    let clock = Arc::new(ManualClock::new(start()));
    let link = Arc::new(Stuck::default());
    let pool = Pool::start(Arc::<Stuck>::clone(&link), registry, clock, slots(1)).unwrap();
    link.claiming.notified().await;
    stops(pool, Span::from_millis(20)).await;
}

#[tokio::test]
async fn nothing_is_claimed_once_the_database_cannot_be_trusted() {
    let rig = Rig::new().await;
    let id = rig.store.given(of("wait")).await;
    let link = rig.link(PoolIdentity {
        kinds: None,
        ..Rig::who(&Registry::new(), slots(1))
    });
    rig.shutdown.fail("the disk gave an error");
    let stop = CancellationToken::new();
    let mut claim = link.claim(1, &stop);
    assert!(futures_util::poll!(&mut claim).is_pending());
    stop.cancel();
    assert_eq!(claim.await.unwrap().jobs, []);
    assert_eq!(rig.store.state(id).await, State::Ready);
}

#[tokio::test]
async fn the_grace_ends_when_nothing_counts_any_more() {
    let rig = Rig::new().await;
    rig.store.given(of("wait")).await;
    let (registry, running, _let_go) = waiting();
    let pool = rig.pool(registry, slots(1));
    running.notified().await;
    let failure = rig.shutdown.clone();
    let stopping = pool.stop_early(Span::from_secs(3600), failure.failed());
    let stopped = timeout(Duration::from_mins(1), async {
        tokio::join!(stopping, async {
            rig.shutdown.fail("the disk gave an error");
        })
    });
    assert!(
        stopped.await.is_ok(),
        "it waits for jobs that cannot report"
    );
}
