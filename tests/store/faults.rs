//! Bad commands, full disks, locks held by others.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use conveyor::store::sqlite::Hooks;
use conveyor::store::{Insert, StoreError};
use conveyor_model::new_job::NewJob;
use conveyor_model::state::State;
use conveyor_model::worker::{Finish, FinishStatus};
use tokio::sync::{Notify, Semaphore};

use crate::support::store::{
    StoreExt, at, check_sums, job, json, keyed, lease, open, open_with, start,
};

/// A job that no database takes: it has no attempts.
fn bad() -> NewJob {
    NewJob {
        max_attempts: 0,
        ..job()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_bad_command_in_a_batch_fails_alone() {
    // The first commit is held until everything else waits, so that all of it becomes one batch.
    let (held, go) = (Arc::new(Notify::new()), Arc::new(Semaphore::new(0)));
    let first = Arc::new(AtomicU32::new(0));
    let hook = {
        let (held, go, first) = (Arc::clone(&held), Arc::clone(&go), Arc::clone(&first));
        move || -> futures_util::future::BoxFuture<'static, ()> {
            let (held, go) = (Arc::clone(&held), Arc::clone(&go));
            let nth = first.fetch_add(1, Ordering::SeqCst);
            Box::pin(async move {
                if nth == 2 {
                    held.notify_one();
                    go.acquire().await.unwrap().forget();
                }
            })
        }
    };
    let store = open_with(Hooks {
        commit: Some(Box::new(hook)),
        ..Hooks::default()
    })
    .await;
    store.given(job()).await;
    let running = store.take_one(start()).await;
    let blocker = {
        let store = Arc::clone(&store.store);
        tokio::spawn(async move { store.given(job()).await })
    };
    held.notified().await;
    let insert = |jobs| {
        store.insert(
            Insert {
                jobs,
                atomic: false,
            },
            start(),
        )
    };
    let mut good = Box::pin(insert(vec![keyed("a"), job()]));
    let mut broken = Box::pin(insert(vec![keyed("b"), bad()]));
    let mut finish = Box::pin(store.end(Finish::succeeded(lease(&running), None), at(1)));
    let mut also = Box::pin(insert(vec![keyed("b")]));
    assert!(futures_util::poll!(&mut good).is_pending());
    assert!(futures_util::poll!(&mut broken).is_pending());
    assert!(futures_util::poll!(&mut finish).is_pending());
    assert!(futures_util::poll!(&mut also).is_pending());
    go.add_permits(1);
    blocker.await.unwrap();
    assert!(good.await.unwrap().iter().all(Result::is_ok));
    assert!(matches!(broken.await, Err(StoreError::Corrupt { .. })));
    assert_eq!(finish.await, FinishStatus::Ok);
    assert!(
        !also.await.unwrap()[0].as_ref().unwrap().existing,
        "nothing of the bad one was kept"
    );
    assert_eq!(store.counts(at(1)).await.unwrap().of(State::Ready), 4);
    assert_eq!(first.load(Ordering::SeqCst), 4, "it was one batch");
    check_sums(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_full_disk_is_told_and_all_goes_on_when_there_is_space_again() {
    let pages = Arc::new(AtomicU32::new(0));
    let store = open_with(Hooks {
        max_pages: Some(Arc::clone(&pages)),
        ..Hooks::default()
    })
    .await;
    let id = store.given(job()).await;
    let held = lease(&store.take_one(start()).await);
    pages.store(1, Ordering::Relaxed);
    let large = NewJob {
        payload: json(&format!("\"{}\"", "x".repeat(500_000))),
        ..job()
    };
    for _ in 0..3 {
        let insert = Insert {
            jobs: vec![large.clone()],
            atomic: false,
        };
        assert_eq!(
            store.insert(insert, start()).await,
            Err(StoreError::DiskFull)
        );
        assert!(store.health().await.unwrap().disk_full);
        assert_eq!(store.state(id).await, State::Running, "reads work");
    }
    pages.store(0, Ordering::Relaxed);
    store.given(large).await;
    assert!(!store.health().await.unwrap().disk_full);
    assert_eq!(
        store.end(Finish::succeeded(held, None), at(1)).await,
        FinishStatus::Ok
    );
    check_sums(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_lock_that_another_process_holds_is_waited_for() {
    let store = open().await;
    let mut other = store.raw().await;
    sqlx::query("BEGIN IMMEDIATE")
        .execute(&mut other)
        .await
        .unwrap();
    let mut waiting = Box::pin(store.given(job()));
    assert!(futures_util::poll!(&mut waiting).is_pending());
    // Longer than SQLite itself waits.
    let early = tokio::time::timeout(std::time::Duration::from_millis(1500), &mut waiting).await;
    assert!(early.is_err());
    sqlx::query("COMMIT").execute(&mut other).await.unwrap();
    waiting.await;
    assert_eq!(store.counts(start()).await.unwrap().of(State::Ready), 1);
}

#[tokio::test]
async fn a_closed_store_has_kept_what_it_accepted_and_answers_no_more() {
    let store = open().await;
    let pending: Vec<_> = (0..20)
        .map(|_| {
            let store = Arc::clone(&store.store);
            tokio::spawn(async move {
                store
                    .insert(
                        Insert {
                            jobs: vec![job()],
                            atomic: false,
                        },
                        start(),
                    )
                    .await
            })
        })
        .collect();
    tokio::task::yield_now().await;
    store.close().await;
    let mut stored = 0;
    for task in pending {
        stored += u64::from(task.await.unwrap().is_ok());
    }
    let insert = Insert {
        jobs: vec![job()],
        atomic: false,
    };
    assert!(matches!(
        store.insert(insert, start()).await,
        Err(StoreError::Unavailable(_))
    ));
    assert!(matches!(
        store.counts(start()).await,
        Err(StoreError::Unavailable(_))
    ));
    assert!(matches!(
        store.ping().await,
        Err(StoreError::Unavailable(_))
    ));
    store.close().await;
    let again = store.another().await;
    assert_eq!(again.counts(start()).await.unwrap().total(), stored);
}
