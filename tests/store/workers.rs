//! Workers and sessions.

use conveyor::store::{Session, WorkerSeen};
use conveyor_model::worker::{WorkerHealth, WorkerState};

use crate::support::store::{StoreExt, TestStore, at, job, kind, open, queue, start, worker};

fn seen(name: &str) -> WorkerSeen {
    WorkerSeen {
        name: worker(name),
        queues: vec![queue("a")],
        kinds: Some(vec![kind("x")]),
        slots: Some(4),
        in_process: true,
        version: Some("1.2".to_owned()),
    }
}

/// How many bytes the log has grown to, which each write makes longer.
async fn written(store: &TestStore) -> u64 {
    store.health().await.unwrap().wal_bytes
}

#[tokio::test]
async fn a_sign_of_life_with_nothing_new_is_not_written() {
    let store = open().await;
    store.worker_seen(seen("idle"), start()).await.unwrap();
    let before = written(&store).await;
    for secs in [20, 40, 800] {
        store.worker_seen(seen("idle"), at(secs)).await.unwrap();
        let shown = &store.workers(at(secs)).await.unwrap()[0];
        assert_eq!(
            (shown.seen_at, shown.health),
            (at(secs), WorkerHealth::Fresh)
        );
        assert_eq!(store.counts(at(secs)).await.unwrap().workers, 1);
    }
    assert_eq!(written(&store).await, before);

    store.worker_seen(seen("idle"), at(901)).await.unwrap();
    let after = written(&store).await;
    assert!(after > before, "from time to time it is");
    let news = WorkerSeen {
        slots: Some(5),
        ..seen("idle")
    };
    store.worker_seen(news, at(902)).await.unwrap();
    assert!(written(&store).await > after, "so is what is new");
    store.worker_seen(seen("idle"), at(10)).await.unwrap();
    assert_eq!(store.workers(at(10)).await.unwrap()[0].seen_at, at(10));
    store.worker_gone(&worker("idle")).await.unwrap();
    assert_eq!(store.counts(at(10)).await.unwrap().workers, 0);
}

#[tokio::test]
async fn another_process_sees_which_workers_live() {
    let store = open().await;
    store.worker_seen(seen("ours"), start()).await.unwrap();
    let other = store.another().await;
    other.worker_seen(seen("theirs"), at(30)).await.unwrap();
    store.worker_seen(seen("ours"), at(40)).await.unwrap();
    let shown = other.workers(at(45)).await.unwrap();
    let heard: Vec<_> = shown.iter().map(|worker| worker.seen_at).collect();
    assert_eq!(heard, [at(40), at(30)]);
}

#[tokio::test]
async fn a_worker_is_shown_with_its_jobs_and_how_lately_it_was_heard_of() {
    let store = open().await;
    assert_eq!(
        store.worker_seen(seen("worker-1"), start()).await.unwrap(),
        WorkerState::Run
    );
    let quiet = WorkerSeen {
        slots: None,
        version: None,
        ..seen("worker-1")
    };
    store.worker_seen(quiet, at(5)).await.unwrap();
    store.given(job()).await;
    let id = store.take_one(at(6)).await.id;
    let workers = store.workers(at(10)).await.unwrap();
    assert_eq!(workers.len(), 1);
    let shown = &workers[0];
    assert_eq!(
        (
            shown.queues.len(),
            shown.kinds.len(),
            shown.slots,
            shown.busy
        ),
        (1, 1, Some(4), 1)
    );
    assert_eq!((shown.started_at, shown.seen_at), (start(), at(5)));
    assert_eq!((shown.jobs[0].id, shown.jobs[0].started_at), (id, at(6)));
    assert_eq!(
        (shown.health, shown.in_process),
        (WorkerHealth::Fresh, true)
    );
    assert_eq!(shown.version.as_deref(), Some("1.2"));
    assert_eq!(
        store.workers(at(100)).await.unwrap()[0].health,
        WorkerHealth::Lost
    );
    assert_eq!(store.counts(at(10)).await.unwrap().workers, 1);
    assert_eq!(store.counts(at(100)).await.unwrap().workers, 0);
    assert!(
        store.workers(at(90_000)).await.unwrap().is_empty(),
        "not after a day"
    );
}

#[tokio::test]
async fn a_worker_hears_at_its_next_sign_of_life_what_it_was_told() {
    let store = open().await;
    assert!(
        !store
            .tell_worker(&worker("w"), WorkerState::Quiet)
            .await
            .unwrap()
    );
    store.worker_seen(seen("w"), start()).await.unwrap();
    assert!(
        store
            .tell_worker(&worker("w"), WorkerState::Quiet)
            .await
            .unwrap()
    );
    assert_eq!(
        store.worker_seen(seen("w"), at(5)).await.unwrap(),
        WorkerState::Quiet
    );
    store.worker_gone(&worker("w")).await.unwrap();
    assert!(store.workers(at(6)).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_session_is_kept_until_it_ends() {
    let store = open().await;
    let session = Session {
        id_hash: [7; 32],
        actor: "ann".to_owned(),
        created_at: start(),
        seen_at: start(),
        expires_at: at(100),
    };
    store.put_session(session.clone()).await.unwrap();
    assert_eq!(store.session([7; 32]).await.unwrap(), Some(session.clone()));
    assert_eq!(store.session([8; 32]).await.unwrap(), None);
    let later = Session {
        seen_at: at(50),
        expires_at: at(150),
        ..session
    };
    store.put_session(later.clone()).await.unwrap();
    assert_eq!(store.session([7; 32]).await.unwrap(), Some(later));
    store.end_session([7; 32]).await.unwrap();
    assert_eq!(store.session([7; 32]).await.unwrap(), None);
}
