//! Queues: counts, ages, pauses, purges.

use conveyor_model::event::Event;
use conveyor_model::new_job::NewJob;
use conveyor_model::queue::{Pause, Queue};
use conveyor_model::time::Span;
use conveyor_model::worker::Finish;

use crate::support::store::{
    StoreExt, TestStore, at, broken, check_sums, job, job_at, lease, only, open, queue, start,
};

async fn shown(store: &TestStore, name: &str, secs: i64) -> Queue {
    let queues = store.queues(at(secs)).await.unwrap();
    queues
        .into_iter()
        .find(|queue| queue.name.as_str() == name)
        .expect("the queue is listed")
}

#[tokio::test]
async fn a_queue_shows_its_jobs_and_how_long_the_oldest_has_waited() {
    let store = open().await;
    store.given(job()).await;
    store
        .enqueue(
            NewJob {
                priority: 9.try_into().unwrap(),
                ..job()
            },
            at(5),
        )
        .await;
    store.given(job_at(at(500))).await;
    for _ in 0..2 {
        store
            .enqueue(
                NewJob {
                    priority: 8.try_into().unwrap(),
                    ..job()
                },
                at(5),
            )
            .await;
    }
    store
        .given(NewJob {
            queue: queue("other"),
            ..job()
        })
        .await;
    let taken = store.take(2, at(6)).await;
    store
        .end(Finish::failed(lease(&taken[0]), &broken()), at(7))
        .await;
    let shown = shown(&store, "default", 10).await;
    assert_eq!(
        (
            shown.ready,
            shown.running,
            shown.scheduled,
            shown.retrying,
            shown.dead
        ),
        (2, 1, 1, 1, 0)
    );
    assert_eq!(shown.oldest_ready_age_s, Some(Span::from_secs(10)));
    assert!(
        (shown.rate_in - 5.0 / 300.0).abs() < 1e-9,
        "{}",
        shown.rate_in
    );
    assert!(
        (shown.rate_out - 1.0 / 300.0).abs() < 1e-9,
        "{}",
        shown.rate_out
    );
    assert_eq!(shown.recent.len(), 15);
    assert_eq!(shown.recent.iter().sum::<u64>(), 1);
    assert_eq!(shown.version, 1);
}

#[tokio::test]
async fn a_pause_says_who_why_and_until_when_and_ends_by_itself() {
    let store = open().await;
    let mut heard = store.events.watch();
    let pause = Pause {
        by: "ann".to_owned(),
        note: Some("too hot".to_owned()),
        since: start(),
        until: Some(at(60)),
    };
    store
        .set_pause(&queue("new"), Some(pause.clone()), start())
        .await
        .unwrap();
    assert_eq!(shown(&store, "new", 1).await.paused, Some(pause));
    assert_eq!(
        only(heard.recv().await.unwrap()),
        Event::Queue {
            queue: queue("new")
        }
    );
    assert_eq!(store.next_due().await.unwrap(), Some(at(60)));
    assert_eq!(store.end_pauses(at(59)).await.unwrap(), 0);
    assert_eq!(store.end_pauses(at(60)).await.unwrap(), 1);
    assert_eq!(store.end_pauses(at(61)).await.unwrap(), 0);
    let after = shown(&store, "new", 61).await;
    assert_eq!((after.paused, after.version), (None, 2));
}

#[tokio::test]
async fn a_purge_deletes_what_waits_and_leaves_what_runs_and_what_is_over() {
    let store = open().await;
    for _ in 0..6 {
        store
            .given(NewJob {
                queue: queue("q"),
                ..job()
            })
            .await;
    }
    store
        .given(NewJob {
            queue: queue("q"),
            ..job_at(at(500))
        })
        .await;
    store.given(job()).await;
    let taken = store.take(2, at(1)).await;
    store
        .end(Finish::succeeded(lease(&taken[0]), None), at(2))
        .await;
    assert_eq!(store.purge(&queue("q"), 3, at(3)).await.unwrap(), 3);
    assert_eq!(store.purge(&queue("q"), 100, at(3)).await.unwrap(), 2);
    assert_eq!(store.purge(&queue("nothing"), 100, at(3)).await.unwrap(), 0);
    let counts = store.counts(at(3)).await.unwrap();
    assert_eq!(counts.total(), 3);
    check_sums(&store).await;
}

#[tokio::test]
async fn a_job_waits_from_when_it_is_there_not_from_a_time_before() {
    let store = open().await;
    store.enqueue(job(), at(1000)).await;
    store.enqueue(job_at(start()), at(1060)).await;
    let age = async || shown(&store, "default", 1100).await.oldest_ready_age_s;
    assert_eq!(age().await, Some(Span::from_secs(100)));
    store.take(1, at(1100)).await;
    assert_eq!(
        age().await,
        Some(Span::from_secs(100)),
        "the older time goes first"
    );
    store.take(1, at(1100)).await;
    assert_eq!(age().await, None);
    let recent = store.recent(at(1100)).await.unwrap();
    assert_eq!(recent.oldest_ready, None);
}
