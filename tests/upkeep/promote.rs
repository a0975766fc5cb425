//! Jobs whose time has come.

use conveyor::store::Insert;
use conveyor::upkeep::{end_pauses, promote};
use conveyor_model::new_job::NewJob;
use conveyor_model::queue::Pause;
use conveyor_model::retry::Backoff;
use conveyor_model::state::State;
use conveyor_model::time::Span;
use conveyor_model::worker::Finish;

use crate::support::store::{
    StoreExt, at, broken, check_sums, job, job_at, lease, open, queue, start,
};

#[tokio::test]
async fn a_scheduled_job_becomes_ready_when_it_is_due_and_not_before() {
    let store = open().await;
    let due = at(60).plus(Span::from_micros(1));
    let id = store.given(job_at(due)).await;
    assert_eq!(promote(&*store, at(60)).await.unwrap(), 0);
    assert!(store.take(1, at(60)).await.is_empty());
    assert_eq!(store.state(id).await, State::Scheduled);
    assert_eq!(promote(&*store, due).await.unwrap(), 1);
    assert_eq!(store.state(id).await, State::Ready);
    assert_eq!(promote(&*store, due).await.unwrap(), 0, "once");
    check_sums(&store).await;
}

#[tokio::test]
async fn a_retrying_job_becomes_ready_when_its_delay_is_over_and_not_before() {
    let store = open().await;
    let id = store
        .given(NewJob {
            backoff: Backoff {
                base_s: Span::from_secs(40),
                jitter: 0.0,
                ..Backoff::default()
            },
            ..job()
        })
        .await;
    let taken = store.take_one(start()).await;
    store
        .end(Finish::failed(lease(&taken), &broken()), at(10))
        .await;
    assert_eq!(store.show(id).await.row.run_at, at(50));
    assert_eq!(promote(&*store, at(49)).await.unwrap(), 0);
    assert_eq!(store.state(id).await, State::Retrying);
    assert_eq!(promote(&*store, at(50)).await.unwrap(), 1);
    assert_eq!(store.take_one(at(50)).await.attempt, 2);
    check_sums(&store).await;
}

#[tokio::test]
async fn many_due_jobs_all_become_ready_in_one_call() {
    let store = open().await;
    let jobs = vec![job_at(at(5)); 2500];
    let later = store.given(job_at(at(500))).await;
    store
        .insert(Insert { jobs, atomic: true }, start())
        .await
        .unwrap();
    assert_eq!(promote(&*store, at(5)).await.unwrap(), 2500);
    let counts = store.counts(at(5)).await.unwrap();
    assert_eq!(
        (counts.of(State::Ready), counts.of(State::Scheduled)),
        (2500, 1)
    );
    assert_eq!(store.state(later).await, State::Scheduled);
    check_sums(&store).await;
}

#[tokio::test]
async fn jobs_that_are_over_or_run_are_not_made_ready() {
    let store = open().await;
    let running = store.given(job()).await;
    let done = store.given(job()).await;
    let taken = store.take(2, start()).await;
    store
        .end(Finish::succeeded(lease(&taken[1]), None), at(1))
        .await;
    let called_off = store.given(job_at(at(5))).await;
    let cancel = conveyor_model::state::Action::Cancel;
    store.act(vec![called_off], cancel, at(2)).await.unwrap();
    assert_eq!(promote(&*store, at(1_000_000)).await.unwrap(), 0);
    for (id, state) in [
        (running, State::Running),
        (done, State::Succeeded),
        (called_off, State::Cancelled),
    ] {
        assert_eq!(store.state(id).await, state);
    }
}

#[tokio::test]
async fn due_jobs_of_a_paused_queue_become_ready_and_wait_there() {
    let store = open().await;
    let id = store.given(job_at(at(5))).await;
    let pause = Pause {
        by: "ann".to_owned(),
        note: None,
        since: start(),
        until: Some(at(100)),
    };
    store
        .set_pause(&queue("default"), Some(pause), start())
        .await
        .unwrap();
    assert_eq!(promote(&*store, at(6)).await.unwrap(), 1);
    assert_eq!(store.state(id).await, State::Ready);
    assert!(store.take(1, at(6)).await.is_empty());
    assert_eq!(end_pauses(&*store, at(99)).await.unwrap(), 0);
    assert_eq!(end_pauses(&*store, at(100)).await.unwrap(), 1);
    assert_eq!(end_pauses(&*store, at(100)).await.unwrap(), 0, "once");
    assert_eq!(store.take_one(at(100)).await.id, id);
}
