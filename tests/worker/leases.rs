//! Leases: kept under load, lost without harm.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use conveyor::clock::{Clock, ManualClock, SystemClock};
use conveyor::shutdown::Shutdown;
use conveyor::upkeep;
use conveyor::worker::{
    JobContext, Link, LocalLink, Pool, PoolIdentity, PoolOptions, Registry, Taken,
};
use conveyor_model::job::Outcome;
use conveyor_model::state::State;
use conveyor_model::time::{Span, Timestamp};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::rig::{Rig, of, slots};
use super::silent::Stuck;
use crate::support::eventually::eventually;
use crate::support::store::{StoreExt, claim, start};

/// Two handlers compute without a pause for several leases, on every thread of their runtime, while
/// a reaper looks for expired leases all the time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handlers_that_never_yield_keep_their_leases() {
    let rig = Rig::new().await;
    let runs = Arc::new(AtomicUsize::new(0));
    let mut registry = Registry::new();
    let counted = Arc::clone(&runs);
    registry
        .handle("busy", move |_: JobContext, _: BTreeMap<String, i64>| {
            let counted = Arc::clone(&counted);
            async move {
                counted.fetch_add(1, Ordering::Relaxed);
                let begun = Instant::now();
                while begun.elapsed() < Duration::from_millis(1500) {
                    std::hint::spin_loop();
                }
            }
        })
        .unwrap();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let options = PoolOptions {
        lease: Span::from_millis(600),
        ..slots(2)
    };
    let link = LocalLink::new(
        Arc::clone(&rig.store.store),
        Arc::clone(&clock),
        rig.store.events.clone(),
        Shutdown::new(),
        Rig::who(&registry, options),
    );
    let mut ids = Vec::new();
    for _ in 0..2 {
        ids.push(rig.store.enqueue(of("busy"), clock.now()).await.id);
    }
    let pool = Pool::start(Arc::new(link), registry, Arc::clone(&clock), options).unwrap();
    eventually("both are done", async || {
        upkeep::rescue(&*rig.store, clock.now(), Timestamp::MIN)
            .await
            .unwrap();
        let counts = rig.store.counts(clock.now()).await.unwrap();
        (counts.of(State::Succeeded) == 2).then_some(())
    })
    .await;
    assert_eq!(runs.load(Ordering::Relaxed), 2);
    for id in ids {
        let attempts = rig.store.attempts(id).await.unwrap();
        assert_eq!(attempts.len(), 1);
        assert_eq!(attempts[0].outcome, Some(Outcome::Succeeded));
    }
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn a_handler_whose_lease_was_lost_is_stopped_and_its_report_refused() {
    let rig = Rig::new().await;
    let (running, stopped) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let mut registry = Registry::new();
    let (begun, ended) = (Arc::clone(&running), Arc::clone(&stopped));
    registry
        .handle("long", move |job: JobContext, _: BTreeMap<String, i64>| {
            let (begun, ended) = (Arc::clone(&begun), Arc::clone(&ended));
            async move {
                begun.notify_one();
                job.cancelled().cancelled().await;
                ended.store(true, Ordering::Relaxed);
                Ok::<_, String>("too late")
            }
        })
        .unwrap();
    let mut who = Rig::who(&registry, slots(1));
    who.lease = Span::from_secs(30);
    // Heartbeats come each 100 ms, while the lease runs by the clock that stands still.
    let options = PoolOptions {
        lease: Span::from_millis(300),
        ..slots(1)
    };
    let pool = rig.pool_as(who, registry, options);
    let id = rig.store.given(of("long")).await;
    running.notified().await;
    rig.store
        .rescue(start().plus(Span::from_secs(31)), Timestamp::MIN, 10)
        .await
        .unwrap();
    eventually("the handler ends", async || {
        (stopped.load(Ordering::Relaxed) && pool.busy() == 0).then_some(())
    })
    .await;
    let job = rig.store.show(id).await;
    assert_eq!((job.row.state, job.result), (State::Retrying, None));
    let attempts = rig.store.attempts(id).await.unwrap();
    assert_eq!(attempts.len(), 1);
    assert_eq!(attempts[0].outcome, Some(Outcome::LeaseLost));
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn a_pool_that_cannot_renew_stops_its_handlers() {
    let rig = Rig::new().await;
    let (running, stopped) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let mut registry = Registry::new();
    let (begun, ended) = (Arc::clone(&running), Arc::clone(&stopped));
    registry
        .handle("long", move |job: JobContext, _: BTreeMap<String, i64>| {
            let (begun, ended) = (Arc::clone(&begun), Arc::clone(&ended));
            async move {
                begun.notify_one();
                job.cancelled().cancelled().await;
                ended.notify_one();
            }
        })
        .unwrap();
    let options = PoolOptions {
        lease: Span::from_millis(300),
        ..slots(1)
    };
    let _pool = rig.pool(registry, options);
    rig.store.given(of("long")).await;
    running.notified().await;
    rig.store.close().await;
    stopped.notified().await;
}

/// As many jobs as there are slots killed their worker. After their rescue they do not stand first in
/// line again.
#[tokio::test]
async fn jobs_that_kill_their_worker_do_not_block_the_queue() {
    let rig = Rig::new().await;
    for _ in 0..4 {
        rig.store.given(of("killer")).await;
    }
    assert_eq!(rig.store.claim(claim(4), start()).await.unwrap().len(), 4);
    let mut fast = Vec::new();
    for _ in 0..100 {
        fast.push(rig.store.given(of("fast")).await);
    }
    let later = start().plus(Span::from_secs(31));
    rig.clock.set(later);
    assert_eq!(
        upkeep::rescue(&*rig.store, later, Timestamp::MIN)
            .await
            .unwrap(),
        4
    );
    upkeep::promote(&*rig.store, later).await.unwrap();
    let mut registry = Registry::new();
    registry
        .handle("fast", async |_: JobContext, _: BTreeMap<String, i64>| {})
        .unwrap();
    registry
        .handle("killer", async |_: JobContext, _: BTreeMap<String, i64>| {
            std::future::pending::<()>().await;
        })
        .unwrap();
    let pool = rig.pool(registry, slots(4));
    for id in fast {
        rig.reaches(id, State::Succeeded).await;
    }
    let counts = rig.store.counts(later).await.unwrap();
    assert_eq!(counts.of(State::Retrying), 4);
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn a_lease_lasts_since_the_claim_was_asked_for() {
    let rig = Rig::new().await;
    let id = rig.store.given(of("a")).await;
    let mut other = rig.store.raw().await;
    sqlx::query("BEGIN IMMEDIATE")
        .execute(&mut other)
        .await
        .unwrap();
    let link = rig.link(PoolIdentity {
        kinds: None,
        ..Rig::who(&Registry::new(), slots(1))
    });
    let stop = CancellationToken::new();
    let mut claim = link.claim(1, &stop);
    // The store cannot commit before the other lets go.
    assert!(futures_util::poll!(&mut claim).is_pending());
    let asked = Instant::now();
    sqlx::query("COMMIT").execute(&mut other).await.unwrap();
    let taken = claim.await.unwrap();
    assert_eq!(taken.jobs[0].id, id);
    assert!(taken.since <= asked);
}

#[tokio::test]
async fn an_attempt_whose_lease_is_over_since_its_claim_is_stopped() {
    let rig = Rig::new().await;
    rig.store.given(of("a")).await;
    // A minute, longer than this test waits.
    let options = PoolOptions {
        lease: Span::from_secs(60),
        ..slots(1)
    };
    let stopped = Arc::new(Notify::new());
    let heard = Arc::clone(&stopped);
    let begun = Arc::new(Notify::new());
    let begins = Arc::clone(&begun);
    let mut registry = Registry::new();
    registry
        .handle("a", move |job: JobContext, _: BTreeMap<String, i64>| {
            let (begins, heard) = (Arc::clone(&begins), Arc::clone(&heard));
            async move {
                begins.notify_one();
                job.cancelled().cancelled().await;
                heard.notify_one();
            }
        })
        .unwrap();
    // Not over yet, or the handler might never begin.
    let claimed = Instant::now().checked_sub(Duration::from_secs(55));
    let link = Arc::new(Stuck::default());
    *link.taken.lock().unwrap() = Some(Taken {
        jobs: rig.store.take(1, start()).await,
        since: claimed.unwrap(),
    });
    let clock = Arc::new(ManualClock::new(start()));
    let pool = Pool::start(Arc::<Stuck>::clone(&link), registry, clock, options).unwrap();
    begun.notified().await;
    let beats = async {
        loop {
            link.nudge.notify_one();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::select! {
        () = stopped.notified() => {}
        () = beats => {}
        () = tokio::time::sleep(Duration::from_secs(40)) => panic!("it goes on without a lease"),
    }
    pool.stop(Span::ZERO).await;
}
