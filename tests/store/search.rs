//! Lists that look for what is rare: a text, a priority, a worker.

use conveyor::store::{Claim, Insert};
use conveyor_model::filter::{JobFilter, Sort};
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;
use conveyor_model::state::State;
use conveyor_model::worker::Finish;

use super::lists::{page, walk};
use crate::support::store::{
    StoreExt, at, broken, claim, job, json, keyed, lease, open, queue, start, worker,
};

#[tokio::test]
async fn a_text_is_found_in_the_payload_the_key_and_the_last_error() {
    let store = open().await;
    let payload = store
        .given(NewJob {
            payload: json(r#"{"to":"Anna_50%\\"}"#),
            ..job()
        })
        .await;
    let key = store.given(keyed("order-ANNA")).await;
    let error = store
        .given(NewJob {
            queue: queue("failing"),
            ..job()
        })
        .await;
    let claim = Claim {
        queues: vec![queue("failing")],
        ..claim(1)
    };
    let taken = store.claim(claim, at(1)).await.unwrap();
    store
        .end(Finish::failed(lease(&taken[0]), &broken()), at(2))
        .await;
    for (text, expected) in [
        ("anna", vec![key, payload]),
        ("_50%", vec![payload]),
        ("%", vec![payload]),
        (r"\\", vec![payload]),
        ("IT BROKE", vec![error]),
        ("Broken: it", vec![error]),
        ("nowhere", vec![]),
        ("' OR 1=1 --", vec![]),
    ] {
        let filter = JobFilter {
            text: Some(text.to_owned()),
            ..JobFilter::default()
        };
        assert_eq!(walk(&store, &filter, 50).await, expected, "{text}");
    }
}

#[tokio::test]
async fn a_search_looks_at_a_bounded_number_of_jobs_and_goes_on_where_it_stopped() {
    let store = open().await;
    let needle = store
        .given(NewJob {
            payload: json(r#""needle""#),
            ..job()
        })
        .await;
    for _ in 0..5 {
        let jobs = vec![job(); 5000];
        store
            .insert(Insert { jobs, atomic: true }, start())
            .await
            .unwrap();
    }
    let filter = JobFilter {
        text: Some("needle".to_owned()),
        ..JobFilter::default()
    };
    let first = store.jobs(&filter, &page(10, None)).await.unwrap();
    assert!(first.items.is_empty() && first.search_stopped && first.total_capped);
    assert!(first.next.is_some());
    assert_eq!(walk(&store, &filter, 10).await, [needle]);
    let all = store
        .jobs(&JobFilter::default(), &page(1, None))
        .await
        .unwrap();
    assert_eq!(
        (all.total, all.total_capped),
        (25_001, false),
        "the counts know"
    );
    let oldest = JobFilter {
        to: Some(at(1)),
        ..JobFilter::default()
    };
    let all = store.jobs(&oldest, &page(1, None)).await.unwrap();
    assert_eq!(
        (all.total, all.total_capped),
        (10_000, true),
        "counting has an end"
    );
}

#[tokio::test]
async fn what_is_rare_is_found_and_counted_however_many_jobs_there_are() {
    let store = open().await;
    let urgent = |n: i64| NewJob {
        priority: n.try_into().unwrap(),
        ..job()
    };
    let first = store.given(urgent(9)).await;
    let elsewhere = NewJob {
        queue: queue("elsewhere"),
        ..urgent(1)
    };
    let second = store.given(elsewhere).await;
    store.take_one(at(1)).await;
    for _ in 0..6 {
        let jobs = vec![job(); 5000];
        store
            .insert(Insert { jobs, atomic: true }, at(60))
            .await
            .unwrap();
    }
    let rare = |n: &[i64]| JobFilter {
        priorities: n.iter().map(|n| (*n).try_into().unwrap()).collect(),
        ..JobFilter::default()
    };
    let cases = [
        (rare(&[9]), vec![first]),
        (rare(&[1, 9, 9]), vec![second, first]),
        (rare(&[3]), vec![]),
        (
            JobFilter {
                states: vec![State::Ready],
                ..rare(&[1, 9])
            },
            vec![second],
        ),
        (
            JobFilter {
                queues: vec![queue("elsewhere")],
                ..rare(&[1, 5])
            },
            vec![second],
        ),
        (
            JobFilter {
                worker: Some(worker("worker-1")),
                ..JobFilter::default()
            },
            vec![first],
        ),
        (
            JobFilter {
                to: Some(at(30)),
                sort: Sort::Oldest,
                ..rare(&[1, 5, 9])
            },
            vec![first, second],
        ),
    ];
    for (filter, expected) in cases {
        let found = store.jobs(&filter, &page(10, None)).await.unwrap();
        let ids: Vec<JobId> = found.items.iter().map(|row| row.id).collect();
        assert_eq!(ids, expected, "{filter:?}");
        assert_eq!(found.total, u64::try_from(ids.len()).unwrap(), "{filter:?}");
        assert!(!found.total_capped && !found.search_stopped, "{filter:?}");
        assert_eq!(found.next, None, "{filter:?}");
    }
    let usual = store.jobs(&rare(&[5]), &page(10, None)).await.unwrap();
    assert_eq!((usual.total, usual.total_capped), (10_000, true));
}
