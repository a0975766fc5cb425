//! How long things are kept.

use conveyor::store::{Retention, Session, WorkerSeen};
use conveyor_model::json::JsonText;
use conveyor_model::new_job::NewJob;
use conveyor_model::state::{Action, State};
use conveyor_model::time::Span;
use conveyor_model::worker::Finish;

use crate::support::store::{
    StoreExt, TestStore, at, broken, check_sums, job, keyed, lease, open, start, worker,
};

const RETENTION: Retention = Retention {
    succeeded: Span::from_secs(1000),
    dead: Span::from_secs(5000),
};

#[tokio::test]
async fn finished_jobs_go_when_their_time_is_over_and_others_stay() {
    let store = open().await;
    let done = store.given(keyed("k")).await;
    let dead = store
        .given(NewJob {
            max_attempts: 1,
            ..job()
        })
        .await;
    let taken = store.take(2, start()).await;
    store
        .end(
            Finish::succeeded(lease(&taken[0]), Some(crate::support::store::json("1"))),
            at(10),
        )
        .await;
    store
        .end(Finish::failed(lease(&taken[1]), &broken()), at(10))
        .await;
    let cancelled = store.given(job()).await;
    store
        .act(vec![cancelled], Action::Cancel, at(20))
        .await
        .unwrap();
    let waiting = store.given(job()).await;

    assert_eq!(store.prune(RETENTION, at(1010), 10).await.unwrap(), 0);
    assert_eq!(store.prune(RETENTION, at(1011), 10).await.unwrap(), 1);
    assert!(store.job(done).await.unwrap().is_none());
    assert_eq!(store.prune(RETENTION, at(5000), 10).await.unwrap(), 1);
    assert!(store.job(cancelled).await.unwrap().is_none());
    assert_eq!(store.prune(RETENTION, at(5011), 10).await.unwrap(), 1);
    assert!(store.job(dead).await.unwrap().is_none());
    assert_eq!(store.state(waiting).await, State::Ready);
    assert_eq!(store.prune(RETENTION, at(9_999_999), 10).await.unwrap(), 0);
    assert!(
        !store.enqueue(keyed("k"), at(10)).await.existing,
        "the key is free"
    );
    assert!(store.dead_groups(10).await.unwrap().is_empty());
    check_sums(&store).await;
}

/// Five jobs that died and five that succeeded.
async fn ended(store: &TestStore) {
    for n in 0..10 {
        store
            .given(NewJob {
                max_attempts: 1,
                ..job()
            })
            .await;
        let taken = store.take_one(start()).await;
        let report = if n < 5 {
            Finish::failed(lease(&taken), &broken())
        } else {
            Finish::succeeded(lease(&taken), None)
        };
        store.end(report, at(n)).await;
    }
}

#[tokio::test]
async fn neither_dead_nor_succeeded_jobs_wait_for_the_others_to_be_gone() {
    let store = open().await;
    ended(&store).await;
    let left = async || {
        let counts = store.counts(at(9000)).await.unwrap();
        (counts.of(State::Dead), counts.of(State::Succeeded))
    };
    assert_eq!(store.prune(RETENTION, at(9000), 4).await.unwrap(), 4);
    assert_eq!(left().await, (3, 3));
    assert_eq!(store.prune(RETENTION, at(9000), 5).await.unwrap(), 5);
    assert_eq!(left().await, (1, 0));
    assert_eq!(store.prune(RETENTION, at(9000), 5).await.unwrap(), 1);
    check_sums(&store).await;
}

#[tokio::test]
async fn pruning_takes_no_more_at_a_time_than_asked_and_is_not_held_up_by_dead_jobs() {
    let store = open().await;
    ended(&store).await;
    assert_eq!(store.prune(RETENTION, at(2000), 3).await.unwrap(), 3);
    assert_eq!(store.prune(RETENTION, at(2000), 3).await.unwrap(), 2);
    assert_eq!(store.prune(RETENTION, at(2000), 3).await.unwrap(), 0);
    let counts = store.counts(at(2000)).await.unwrap();
    assert_eq!(
        (counts.of(State::Dead), counts.of(State::Succeeded)),
        (5, 0)
    );
}

#[tokio::test]
async fn old_workers_sessions_and_history_go_too_but_totals_stay() {
    let store = open().await;
    let seen = WorkerSeen {
        name: worker("w"),
        queues: Vec::new(),
        kinds: None,
        slots: None,
        in_process: false,
        version: None,
    };
    store.worker_seen(seen, start()).await.unwrap();
    let session = Session {
        id_hash: [1; 32],
        actor: "ann".to_owned(),
        created_at: start(),
        seen_at: start(),
        expires_at: at(100),
    };
    store.put_session(session).await.unwrap();
    store.given(job()).await;
    let far = at(40 * 86_400);
    store.roll_up(far).await.unwrap();
    store.prune(RETENTION, far, 100).await.unwrap();
    let mut conn = store.raw().await;
    let left: (i64, i64, i64) = sqlx::query_as(
        "SELECT (SELECT count(*) FROM worker), (SELECT count(*) FROM session),
                (SELECT count(*) FROM rollup WHERE width > 0)",
    )
    .fetch_one(&mut conn)
    .await
    .unwrap();
    assert_eq!(left, (0, 0, 0));
    assert_eq!(store.totals().await.unwrap().lanes[0].enqueued, 1);
}

#[tokio::test]
async fn a_file_that_is_mostly_empty_becomes_smaller() {
    let store = open().await;
    let large = JsonText::of(&"x".repeat(500_000)).unwrap();
    for _ in 0..60 {
        store
            .given(NewJob {
                payload: large.clone(),
                ..job()
            })
            .await;
    }
    let pages = async || {
        let mut conn = store.raw().await;
        let pages: i64 = sqlx::query_scalar("PRAGMA page_count")
            .fetch_one(&mut conn)
            .await
            .unwrap();
        pages
    };
    let full = pages().await;
    let ids = store.take(60, start()).await;
    for taken in &ids {
        store
            .end(Finish::succeeded(lease(taken), None), at(1))
            .await;
    }
    assert_eq!(store.prune(RETENTION, at(2000), 100).await.unwrap(), 60);
    let (mut before, mut after) = (full, pages().await);
    assert!(after < before, "{after} of {before}");
    while after < before {
        store.prune(RETENTION, at(2000), 100).await.unwrap();
        (before, after) = (after, pages().await);
    }
    assert!(after < full / 2, "{after} of {full}");
}
