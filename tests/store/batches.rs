//! What shares a commit, and what does not have to wait for it.

use std::sync::Arc;
use std::time::Duration;

use conveyor::store::sqlite::Hooks;
use conveyor_model::new_job::NewJob;
use conveyor_model::state::State;
use conveyor_model::worker::LeaseStatus;
use tokio::task::{JoinSet, yield_now};
use tokio::time::timeout;

use super::gate::Gate;
use crate::support::eventually::eventually;
use crate::support::store::{
    StoreExt, TestStore, at, check_sums, claim, job, json, lease, open, open_with, start,
};

/// A job that weighs more than a whole batch.
fn heavy() -> NewJob {
    NewJob {
        payload: json(&format!("\"{}\"", "x".repeat(9 << 20))),
        ..job()
    }
}

async fn held() -> (Arc<Gate>, TestStore) {
    let gate = Arc::new(Gate::default());
    let hooks = Hooks {
        commit: Some(gate.hook()),
        ..Hooks::default()
    };
    (gate, open_with(hooks).await)
}

/// The runtime has one thread, so whatever was spawned has asked when this is over.
async fn all_have_asked() {
    for _ in 0..20 {
        yield_now().await;
    }
}

#[tokio::test]
async fn a_lease_is_renewed_before_what_else_is_being_stored() {
    let (gate, store) = held().await;
    store.given(job()).await;
    let taken = lease(&store.take_one(start()).await);
    gate.arm();
    let mut enqueued = JoinSet::new();
    for _ in 0..4 {
        let store = Arc::clone(&store.store);
        enqueued.spawn(async move { store.enqueue(heavy(), at(1)).await });
    }
    gate.reached.notified().await;
    all_have_asked().await;
    let renewed = {
        let store = Arc::clone(&store.store);
        tokio::spawn(async move { store.renew(vec![taken], at(2)).await.unwrap() })
    };
    all_have_asked().await;
    // The first job is stored, and the next commit is held up again.
    gate.next().await;
    assert!(!renewed.is_finished());
    gate.next().await;
    let answers = timeout(Duration::from_mins(1), renewed).await.unwrap();
    assert_eq!(answers.unwrap()[0].status, LeaseStatus::Held);
    let stored = store.counts(at(2)).await.unwrap().of(State::Ready);
    assert_eq!(stored, 1, "the others wait for their own commit");
    gate.let_go();
    enqueued.join_all().await;
    assert_eq!(store.counts(at(2)).await.unwrap().of(State::Ready), 4);
    check_sums(&store).await;
}

#[tokio::test]
async fn a_claim_that_is_dropped_after_its_answer_gives_its_jobs_back() {
    let store = open().await;
    let id = store.given(job()).await;
    let mut asked = Box::pin(store.claim(claim(1), at(1)));
    assert!(futures_util::poll!(&mut asked).is_pending());
    // Answered, though whoever asked has not looked.
    let running = async || (store.state(id).await == State::Running).then_some(());
    eventually("it is claimed", running).await;
    all_have_asked().await;
    drop(asked);
    let ready = async || (store.state(id).await == State::Ready).then_some(());
    eventually("it is given back", ready).await;
    let shown = store.show(id).await;
    assert_eq!((shown.row.attempt, shown.crash_count), (0, 0));
    check_sums(&store).await;
}
