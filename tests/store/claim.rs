//! Who gets which job, and in which order.

use conveyor::store::Claim;
use conveyor_model::name::{JobId, Priority};
use conveyor_model::new_job::{Due, NewJob};
use conveyor_model::queue::Pause;
use conveyor_model::time::Span;

use crate::support::store::{
    StoreExt, at, check_sums, claim, job, kind, open, queue, start, worker,
};

fn priority(n: i64) -> Priority {
    Priority::try_from(n).unwrap()
}

fn pause(until: Option<i64>) -> Pause {
    Pause {
        by: "ann".to_owned(),
        note: None,
        since: start(),
        until: until.map(at),
    }
}

#[tokio::test]
async fn jobs_are_claimed_by_priority_then_time_then_id_across_queues_and_kinds() {
    let store = open().await;
    let mut expected = Vec::new();
    for (rank, (queue_name, kind_name, level, due)) in [
        ("b", "x", 9, 5),
        ("a", "y", 9, 7),
        ("a", "x", 5, 1),
        ("b", "y", 5, 2),
        ("c", "z", 5, 2),
        ("a", "x", 5, 3),
        ("a", "x", 0, 0),
    ]
    .into_iter()
    .enumerate()
    {
        expected.push((rank, queue_name, kind_name, level, due));
    }
    let mut shuffled = expected.clone();
    shuffled.reverse();
    // The two that differ in their id alone are stored in their order.
    shuffled.swap(2, 3);
    let mut ids = vec![None; expected.len()];
    for (rank, queue_name, kind_name, level, due) in shuffled {
        let new = NewJob {
            queue: queue(queue_name),
            kind: kind(kind_name),
            priority: priority(level),
            due: Due::At(at(due)),
            ..job()
        };
        ids[rank] = Some(store.enqueue(new, at(10)).await.id);
    }
    let ids: Vec<JobId> = ids.into_iter().flatten().collect();
    let mut taken: Vec<JobId> = store
        .take(3, at(10))
        .await
        .iter()
        .map(|job| job.id)
        .collect();
    taken.extend(store.take(100, at(10)).await.iter().map(|job| job.id));
    assert_eq!(taken, ids);
    check_sums(&store).await;
}

#[tokio::test]
async fn a_claim_takes_only_from_its_queues_and_kinds() {
    let store = open().await;
    for (queue_name, kind_name) in [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")] {
        store
            .given(NewJob {
                queue: queue(queue_name),
                kind: kind(kind_name),
                ..job()
            })
            .await;
    }
    let some = Claim {
        queues: vec![queue("b"), queue("nowhere")],
        kinds: Some(vec![kind("y")]),
        ..claim(10)
    };
    let taken = store.claim(some, at(1)).await.unwrap();
    assert_eq!(taken.len(), 1);
    assert_eq!(
        (taken[0].queue.as_str(), taken[0].kind.as_str()),
        ("b", "y")
    );
    let nothing = Claim {
        kinds: Some(Vec::new()),
        ..claim(10)
    };
    assert!(store.claim(nothing, at(1)).await.unwrap().is_empty());
    assert_eq!(store.take(10, at(1)).await.len(), 3);
}

#[tokio::test]
async fn a_paused_queue_gives_nothing_until_it_is_resumed_or_its_pause_ends() {
    let store = open().await;
    store
        .given(NewJob {
            queue: queue("slow"),
            ..job()
        })
        .await;
    let other = store.given(job()).await;
    store
        .set_pause(&queue("slow"), Some(pause(Some(60))), at(1))
        .await
        .unwrap();
    assert_eq!(store.take_one(at(1)).await.id, other);
    assert!(store.take(1, at(59)).await.is_empty());
    assert_eq!(store.take(1, at(60)).await.len(), 1, "the pause has ended");

    store
        .given(NewJob {
            queue: queue("slow"),
            ..job()
        })
        .await;
    store
        .set_pause(&queue("slow"), Some(pause(None)), at(61))
        .await
        .unwrap();
    assert!(store.take(1, at(9999)).await.is_empty());
    store.set_pause(&queue("slow"), None, at(62)).await.unwrap();
    assert_eq!(store.take(1, at(62)).await.len(), 1);
}

#[tokio::test]
async fn more_lanes_than_one_statement_merges_are_claimed_in_order() {
    let store = open().await;
    let jobs: Vec<NewJob> = (0..300)
        .map(|n| NewJob {
            queue: queue(&format!("q{n}")),
            priority: priority(n % 10),
            ..job()
        })
        .collect();
    let insert = conveyor::store::Insert { jobs, atomic: true };
    store.insert(insert, start()).await.unwrap();
    let mut priorities = Vec::new();
    loop {
        let taken = store.take(7, at(1)).await;
        if taken.is_empty() {
            break;
        }
        priorities.extend(taken.iter().map(|job| job.priority));
    }
    assert_eq!(priorities.len(), 300);
    assert!(priorities.is_sorted_by(|a, b| a >= b), "{priorities:?}");
}

#[tokio::test]
async fn each_claim_names_its_worker_and_lease() {
    let store = open().await;
    for _ in 0..3 {
        store.given(job()).await;
    }
    let short = Claim {
        worker: worker("w-short"),
        lease: Span::from_secs(5),
        ..claim(1)
    };
    let long = Claim {
        worker: worker("w-long"),
        lease: Span::from_secs(60),
        ..claim(2)
    };
    let (short, long) = tokio::join!(store.claim(short, at(0)), store.claim(long, at(0)));
    let (short, long) = (short.unwrap(), long.unwrap());
    assert_eq!((short.len(), long.len()), (1, 2));
    assert_eq!(short[0].lease_until, at(5));
    assert_eq!(long[0].lease_until, at(60));
    let shown = store.show(short[0].id).await;
    assert_eq!(shown.row.worker, Some(worker("w-short")));
    assert_eq!(store.claim(claim(0), at(0)).await.unwrap(), []);
}
