//! Claims that wait for a job to become ready.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use conveyor::events::Events;
use conveyor::store::sqlite::Hooks;
use conveyor::store::{Claim, StoreError, StoreResult};
use conveyor_model::job::Claimed;
use conveyor_model::queue::Pause;
use conveyor_model::state::State;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::support::store::{
    StoreExt, TestStore, at, claim, job, job_at, kind, lease, open, open_at, start,
};

type Waiter = BoxFuture<'static, StoreResult<Vec<Claimed>>>;

/// A claim that the store has heard and that waits.
async fn waiting(store: &TestStore, claim: Claim) -> Waiter {
    let kept = Arc::clone(&store.store);
    let mut waiter = async move { kept.claim_when_ready(claim, start()).await }.boxed();
    assert!(futures_util::poll!(&mut waiter).is_pending());
    // Whatever is answered after it was heard after it.
    assert!(store.take(0, start()).await.is_empty());
    assert!(futures_util::poll!(&mut waiter).is_pending(), "it waits");
    waiter
}

fn ids(answer: StoreResult<Vec<Claimed>>) -> Vec<conveyor_model::name::JobId> {
    answer.unwrap().iter().map(|job| job.id).collect()
}

#[tokio::test]
async fn a_job_is_taken_in_the_commit_that_stores_it() {
    let folder = tempfile::tempdir().unwrap();
    let commits = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&commits);
    let hooks = Hooks {
        commit: Some(Box::new(move || {
            counted.fetch_add(1, Ordering::Relaxed);
            std::future::ready(()).boxed()
        })),
        ..Hooks::default()
    };
    let store = open_at(&folder.path().join("queue.db"), Events::default(), hooks).await;
    let kept = Arc::clone(&store);
    let waiter = tokio::spawn(async move { kept.claim_when_ready(claim(4), start()).await });
    while commits.load(Ordering::Relaxed) == 0 {
        tokio::task::yield_now().await;
    }
    let id = store.given(job_at(at(7))).await;
    assert_eq!(store.state(id).await, State::Scheduled);
    let before = commits.load(Ordering::Relaxed);

    let insert = conveyor::store::Insert {
        jobs: vec![job(), job()],
        atomic: false,
    };
    let stored = store.insert(insert, at(5)).await.unwrap();
    let stored: Vec<_> = stored.into_iter().map(|job| job.unwrap().id).collect();
    let taken = waiter.await.unwrap().unwrap();
    assert_eq!(commits.load(Ordering::Relaxed), before + 1);
    assert_eq!(taken.iter().map(|job| job.id).collect::<Vec<_>>(), stored);
    let (first, length) = (&taken[0], claim(4).lease);
    assert_eq!(first.started_at, Some(at(5)), "not before it was there");
    assert_eq!(first.lease_until, at(5).plus(length));
    assert_eq!(first.attempt, 1);
    store.close().await;
}

#[tokio::test]
async fn what_is_out_of_reach_goes_on_waiting() {
    let store = open().await;
    let other = Claim {
        kinds: Some(vec![kind("other")]),
        ..claim(1)
    };
    let mut other = waiting(&store, other).await;
    let mut any = waiting(&store, claim(1)).await;
    store.given(job_at(at(60))).await;
    assert!(futures_util::poll!(&mut any).is_pending(), "it is not due");
    let id = store.given(job()).await;
    assert_eq!(ids(any.await), [id]);
    assert!(futures_util::poll!(&mut other).is_pending());

    let pause = Pause {
        by: "a test".to_owned(),
        note: None,
        since: start(),
        until: None,
    };
    let queue = store.show(id).await.row.queue;
    store.set_pause(&queue, Some(pause), start()).await.unwrap();
    let mut any = waiting(&store, claim(1)).await;
    store.given(job()).await;
    // Another write, by which all who could be answered before it have been.
    store.promote(start(), 1).await.unwrap();
    assert!(futures_util::poll!(&mut any).is_pending(), "it is paused");
    store.set_pause(&queue, None, start()).await.unwrap();
    assert!(ids(any.await).is_empty(), "it is to ask again");
}

#[tokio::test]
async fn whatever_else_makes_a_job_ready_has_it_asked_again() {
    let store = open().await;
    let waiter = waiting(&store, claim(1)).await;
    store.given(job_at(at(60))).await;
    store.promote(at(60), 1).await.unwrap();
    assert!(ids(waiter.await).is_empty());

    let taken = store.take_one(at(60)).await;
    let waiter = waiting(&store, claim(1)).await;
    store.hand_back(vec![lease(&taken)], at(61)).await.unwrap();
    assert!(ids(waiter.await).is_empty());
}

#[tokio::test]
async fn who_stops_waiting_loses_no_job_and_takes_none_from_others() {
    let store = open().await;
    drop(waiting(&store, claim(1)).await);
    let id = store.given(job()).await;
    assert_eq!(store.state(id).await, State::Ready);
    store.take_one(start()).await;

    let (first, second) = (
        waiting(&store, claim(1)).await,
        waiting(&store, claim(1)).await,
    );
    let third = waiting(&store, claim(1)).await;
    drop(second);
    let (a, b) = (store.given(job()).await, store.given(job()).await);
    assert_eq!(ids(first.await), [a], "who waits longest goes first");
    assert_eq!(ids(third.await), [b]);
}

#[tokio::test]
async fn a_store_that_is_closed_keeps_nobody_waiting() {
    let store = open().await;
    let waiter = waiting(&store, claim(1)).await;
    store.close().await;
    assert!(matches!(waiter.await, Err(StoreError::Unavailable(_))));
}
