//! Lists: filters, pages, totals, search.

use std::collections::BTreeSet;

use conveyor_model::filter::{Cursor, JobFilter, Page, Sort};
use conveyor_model::name::{JobId, ScheduleName, Tag};
use conveyor_model::new_job::NewJob;
use conveyor_model::state::State;
use conveyor_model::worker::Finish;

use crate::support::store::{
    StoreExt, TestStore, at, broken, job, job_at, json, kind, lease, open, queue, worker,
};

pub(super) fn page(limit: u32, after: Option<JobId>) -> Page {
    Page {
        limit,
        after: after.map(Cursor),
    }
}

/// Every id of a filter, page by page.
pub(super) async fn walk(store: &TestStore, filter: &JobFilter, limit: u32) -> Vec<JobId> {
    let mut ids = Vec::new();
    let mut after = None;
    loop {
        let found = store.jobs(filter, &page(limit, after)).await.unwrap();
        assert!(found.items.len() <= usize::try_from(limit).unwrap());
        ids.extend(found.items.iter().map(|row| row.id));
        match found.next {
            Some(Cursor(next)) => after = Some(next),
            None => return ids,
        }
    }
}

#[tokio::test]
async fn pages_hold_every_job_once_in_both_orders() {
    let store = open().await;
    let mut ids = Vec::new();
    for n in 0..23 {
        ids.push(
            store
                .given(NewJob {
                    queue: queue(&format!("q{}", n % 3)),
                    ..job()
                })
                .await,
        );
    }
    store.take(7, at(1)).await;
    let oldest = JobFilter {
        sort: Sort::Oldest,
        ..JobFilter::default()
    };
    assert_eq!(walk(&store, &oldest, 5).await, ids);
    ids.reverse();
    assert_eq!(walk(&store, &JobFilter::default(), 5).await, ids);
    let in_all = JobFilter {
        states: State::ALL.to_vec(),
        ..JobFilter::default()
    };
    assert_eq!(
        walk(&store, &in_all, 4).await,
        ids,
        "merged from many places"
    );
    let first = store.jobs(&in_all, &page(4, None)).await.unwrap();
    assert_eq!((first.total, first.total_capped), (23, false));
    let last = store.jobs(&in_all, &page(200, None)).await.unwrap();
    assert_eq!((last.items.len(), last.next), (23, None));
}

#[tokio::test]
async fn a_page_stays_in_place_while_jobs_arrive() {
    let store = open().await;
    for _ in 0..10 {
        store.given(job()).await;
    }
    let first = store
        .jobs(&JobFilter::default(), &page(5, None))
        .await
        .unwrap();
    for _ in 0..20 {
        store.given(job()).await;
    }
    let Some(Cursor(after)) = first.next else {
        panic!("there is a second page")
    };
    let second = store
        .jobs(&JobFilter::default(), &page(5, Some(after)))
        .await
        .unwrap();
    let ids: Vec<i64> = first
        .items
        .iter()
        .chain(&second.items)
        .map(|row| row.id.get())
        .collect();
    assert_eq!(ids, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(second.next, None);
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "most of it is a table")]
async fn every_part_of_a_filter_must_hold() {
    let store = open().await;
    let tag = |word: &str| Tag::new(word).unwrap();
    let schedule = ScheduleName::new("nightly").unwrap();
    let a = store
        .given(NewJob {
            kind: kind("a"),
            queue: queue("q1"),
            tags: vec![tag("x"), tag("y")],
            ..job()
        })
        .await;
    let b = store
        .given(NewJob {
            kind: kind("b"),
            priority: 9.try_into().unwrap(),
            schedule: Some(schedule.clone()),
            ..job()
        })
        .await;
    let c = store
        .given(NewJob {
            kind: kind("a"),
            tags: vec![tag("y")],
            ..job()
        })
        .await;
    let later = store.enqueue(job_at(at(9000)), at(5000)).await.id;
    store.take_one(at(1)).await;
    let ids = |ids: &[JobId]| ids.iter().copied().collect::<BTreeSet<_>>();
    let some = JobFilter::default;
    for (name, filter, expected) in [
        (
            "state",
            JobFilter {
                states: vec![State::Scheduled],
                ..some()
            },
            ids(&[later]),
        ),
        (
            "states",
            JobFilter {
                states: vec![State::Ready, State::Running],
                ..some()
            },
            ids(&[a, b, c]),
        ),
        (
            "kind",
            JobFilter {
                kinds: vec![kind("a")],
                ..some()
            },
            ids(&[a, c]),
        ),
        (
            "queue",
            JobFilter {
                queues: vec![queue("q1"), queue("none")],
                ..some()
            },
            ids(&[a]),
        ),
        (
            "kind and queue",
            JobFilter {
                kinds: vec![kind("a")],
                queues: vec![queue("default")],
                ..some()
            },
            ids(&[c]),
        ),
        (
            "tag",
            JobFilter {
                tags: vec![tag("y")],
                ..some()
            },
            ids(&[a, c]),
        ),
        (
            "tags",
            JobFilter {
                tags: vec![tag("x"), tag("y")],
                ..some()
            },
            ids(&[a, c]),
        ),
        (
            "tag and queue",
            JobFilter {
                tags: vec![tag("y")],
                queues: vec![queue("q1")],
                ..some()
            },
            ids(&[a]),
        ),
        (
            "priority",
            JobFilter {
                priorities: vec![9.try_into().unwrap()],
                ..some()
            },
            ids(&[b]),
        ),
        (
            "schedule",
            JobFilter {
                schedule: Some(schedule.clone()),
                ..some()
            },
            ids(&[b]),
        ),
        (
            "schedule and kind",
            JobFilter {
                schedule: Some(schedule),
                kinds: vec![kind("a")],
                ..some()
            },
            ids(&[]),
        ),
        (
            "worker",
            JobFilter {
                worker: Some(worker("worker-1")),
                ..some()
            },
            ids(&[b]),
        ),
        (
            "no worker",
            JobFilter {
                worker: Some(worker("worker-2")),
                ..some()
            },
            ids(&[]),
        ),
        (
            "id",
            JobFilter {
                id: Some(c),
                ..some()
            },
            ids(&[c]),
        ),
        (
            "id and state",
            JobFilter {
                id: Some(c),
                states: vec![State::Dead],
                ..some()
            },
            ids(&[]),
        ),
        (
            "from",
            JobFilter {
                from: Some(at(4000)),
                ..some()
            },
            ids(&[later]),
        ),
        (
            "to",
            JobFilter {
                to: Some(at(4000)),
                ..some()
            },
            ids(&[a, b, c]),
        ),
        (
            "nothing",
            JobFilter {
                kinds: vec![kind("z")],
                ..some()
            },
            ids(&[]),
        ),
    ] {
        for limit in [1, 50] {
            let found: BTreeSet<_> = walk(&store, &filter, limit).await.into_iter().collect();
            assert_eq!(found, expected, "{name}");
        }
        let found = store.jobs(&filter, &page(50, None)).await.unwrap();
        assert_eq!(
            found.total,
            u64::try_from(expected.len()).unwrap(),
            "{name}"
        );
        assert!(!found.search_stopped && !found.total_capped, "{name}");
    }
}

#[tokio::test]
async fn a_row_shows_the_beginning_of_the_payload() {
    let store = open().await;
    let long = format!("\"{}\"", "д".repeat(500));
    let id = store
        .given(NewJob {
            payload: json(&long),
            ..job()
        })
        .await;
    let row = store.job_row(id).await.unwrap().unwrap();
    assert_eq!(row.payload_preview.chars().count(), 200);
    assert!(row.payload_preview.ends_with('…'));
    let short = store.given(job()).await;
    assert_eq!(
        store.job_row(short).await.unwrap().unwrap().payload_preview,
        "{}"
    );
    assert_eq!(
        store.job_row(JobId::try_from(99).unwrap()).await.unwrap(),
        None
    );
}

#[tokio::test]
async fn the_latest_runs_of_a_kind_are_listed_oldest_first() {
    let store = open().await;
    for n in 0..25 {
        let id = store.enqueue(job(), at(n)).await.id;
        let taken = store.take_one(at(n)).await;
        let report = if n % 5 == 0 {
            Finish::failed(lease(&taken), &broken())
        } else {
            Finish::succeeded(lease(&taken), None)
        };
        store.end(report, at(n + 1)).await;
        assert_eq!(taken.id, id);
    }
    let runs = store.recent_runs(&kind("test")).await.unwrap();
    assert_eq!(runs.len(), 20);
    let ids: Vec<i64> = runs.iter().map(|run| run.id.get()).collect();
    assert_eq!(ids, (6..=25).collect::<Vec<i64>>());
    assert!(
        runs.iter()
            .all(|run| run.succeeded == (run.id.get() % 5 != 1))
    );
    assert!(
        runs.iter()
            .all(|run| run.took == conveyor_model::time::Span::from_secs(1))
    );
}
