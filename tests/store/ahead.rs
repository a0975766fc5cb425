//! How many ready jobs go before one, at the workers that could take it.

use conveyor::store::WorkerSeen;
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;
use conveyor_model::queue::Pause;
use conveyor_model::worker::Worker;

use crate::support::service::anybody;
use crate::support::store::{StoreExt, TestStore, at, job, kind, open, queue, start};

/// The workers that were seen.
async fn takers(store: &TestStore, seen: Vec<WorkerSeen>) -> Vec<Worker> {
    for seen in seen {
        store.worker_seen(seen, start()).await.unwrap();
    }
    store.workers(start()).await.unwrap()
}

async fn ahead(store: &TestStore, id: JobId, takers: &[Worker]) -> u64 {
    let takers: Vec<&Worker> = takers.iter().collect();
    store.ahead_of(id, &takers, at(1)).await.unwrap()
}

fn of(priority: i64, of: &str, from: &str) -> NewJob {
    NewJob {
        priority: priority.try_into().unwrap(),
        kind: kind(of),
        queue: queue(from),
        ..job()
    }
}

#[tokio::test]
async fn a_job_knows_how_many_go_before_it() {
    let store = open().await;
    let low = store.given(of(1, "test", "default")).await;
    for n in 0..5 {
        store.given(of(5, &format!("k{}", n % 2), "default")).await;
    }
    let last = store.given(of(5, "test", "default")).await;
    let all = takers(&store, vec![anybody("w")]).await;
    assert_eq!(ahead(&store, low, &all).await, 6);
    assert_eq!(ahead(&store, last, &all).await, 5);
    assert_eq!(ahead(&store, JobId::try_from(99).unwrap(), &all).await, 0);
    assert_eq!(ahead(&store, last, &[]).await, 0, "nobody takes any");
}

#[tokio::test]
async fn only_jobs_that_its_workers_take_go_before_a_job() {
    let store = open().await;
    store.given(of(9, "nobody", "default")).await;
    store.given(of(9, "test", "elsewhere")).await;
    store.given(of(9, "other", "default")).await;
    store.given(of(5, "test", "default")).await;
    let id = store.given(of(5, "test", "default")).await;
    let narrow = WorkerSeen {
        queues: vec![queue("default")],
        kinds: Some(vec![kind("test"), kind("other")]),
        ..anybody("narrow")
    };
    let wide = WorkerSeen {
        kinds: Some(vec![kind("test")]),
        ..anybody("wide")
    };
    let mine = takers(&store, vec![narrow]).await;
    assert_eq!(ahead(&store, id, &mine).await, 2);
    let mine = takers(&store, vec![wide]).await;
    assert_eq!(
        ahead(&store, id, &mine).await,
        3,
        "each taken by one of them"
    );
}

#[tokio::test]
async fn jobs_in_a_paused_queue_go_before_no_other() {
    let store = open().await;
    store.given(of(9, "test", "paused")).await;
    let id = store.given(of(5, "test", "default")).await;
    let all = takers(&store, vec![anybody("w")]).await;
    assert_eq!(ahead(&store, id, &all).await, 1);
    let pause = Pause {
        by: "ann".to_owned(),
        note: None,
        since: start(),
        until: Some(at(2)),
    };
    let paused = queue("paused");
    store
        .set_pause(&paused, Some(pause), start())
        .await
        .unwrap();
    assert_eq!(ahead(&store, id, &all).await, 0);
    let takers: Vec<&Worker> = all.iter().collect();
    let later = store.ahead_of(id, &takers, at(2)).await;
    assert_eq!(later, Ok(1), "the pause has ended");
}
