//! Storing jobs: one, many, and the same again under a key.

use std::collections::HashSet;
use std::sync::Arc;

use conveyor::store::Insert;
use conveyor_model::error::OperatorError;
use conveyor_model::name::Tag;
use conveyor_model::new_job::{Due, NewJob};
use conveyor_model::retry::Backoff;
use conveyor_model::state::{Action, State};
use conveyor_model::time::Span;

use crate::support::store::{StoreExt, at, check_sums, job, json, keyed, kind, open, queue, start};

fn all(jobs: Vec<NewJob>) -> Insert {
    Insert {
        jobs,
        atomic: false,
    }
}

#[tokio::test]
async fn everything_a_job_was_given_is_kept() {
    let store = open().await;
    let new = NewJob {
        kind: kind("email.send"),
        payload: json(r#"{"a":1,  "a":2, "u":"é\u00e9😀"}"#),
        queue: queue("post/ü"),
        priority: 9.try_into().unwrap(),
        due: Due::After(Span::from_millis(1500)),
        max_attempts: 3,
        timeout: Span::ZERO,
        backoff: Backoff {
            jitter: 0.5,
            ..Backoff::default()
        },
        tags: vec![Tag::new("a b").unwrap(), Tag::new("<t>").unwrap()],
        meta: [("k\"".to_owned(), "v\n".to_owned())].into(),
        ..keyed("the key")
    };
    let id = store.given(new.clone()).await;
    let job = store.show(id).await;
    assert_eq!(job.row.kind, new.kind);
    assert_eq!(job.payload, new.payload);
    assert_eq!(job.row.queue, new.queue);
    assert_eq!(job.row.priority, new.priority);
    assert_eq!(job.row.run_at, start().plus(Span::from_millis(1500)));
    assert_eq!((job.row.max_attempts, job.timeout_s), (3, Span::ZERO));
    assert_eq!(job.backoff, new.backoff);
    assert_eq!(job.row.tags, new.tags);
    assert_eq!(job.meta, new.meta);
    assert_eq!(job.row.idempotency_key, new.idempotency_key);
    assert_eq!(job.row.state, State::Scheduled);
    assert_eq!((job.row.created_at, job.row.version), (start(), 1));
    check_sums(&store).await;
}

#[tokio::test]
async fn jobs_of_one_request_have_growing_ids_in_its_order() {
    let store = open().await;
    for count in [1, 3, 37, 999] {
        let jobs = (0..count)
            .map(|n| NewJob {
                payload: json(&n.to_string()),
                ..job()
            })
            .collect();
        let answers = store.insert(all(jobs), start()).await.unwrap();
        let ids: Vec<i64> = answers
            .into_iter()
            .map(|answer| answer.unwrap().id.get())
            .collect();
        assert!(ids.is_sorted_by(|a, b| a < b));
        for (n, id) in ids.iter().enumerate().step_by(97) {
            let shown = store.show((*id).try_into().unwrap()).await;
            assert_eq!(shown.payload.as_str(), n.to_string());
        }
    }
    check_sums(&store).await;
}

#[tokio::test]
async fn an_id_is_never_used_twice() {
    let store = open().await;
    let first = store.given(job()).await;
    store
        .act(vec![first], Action::Delete, start())
        .await
        .unwrap();
    store.close().await;
    let again = store.another().await;
    assert!(again.given(job()).await > first);
}

#[tokio::test]
async fn a_repeated_request_answers_the_job_it_has() {
    let store = open().await;
    let first = store.enqueue(keyed("k"), start()).await;
    assert!(!first.existing);
    let taken = store.take_one(at(1)).await;
    assert_eq!(taken.id, first.id);
    let second = store.enqueue(keyed("k"), at(100)).await;
    assert_eq!((second.id, second.existing), (first.id, true));
    // Byte for byte: the composed and the decomposed letter are two keys.
    assert!(!store.enqueue(keyed("\u{e9}"), start()).await.existing);
    assert!(!store.enqueue(keyed("e\u{301}"), start()).await.existing);
    assert!(!store.enqueue(keyed("😀"), start()).await.existing);
    assert!(
        !store
            .enqueue(keyed(&"x".repeat(255)), start())
            .await
            .existing
    );
}

#[tokio::test]
async fn a_different_request_under_a_key_is_refused_and_says_what_differs() {
    let store = open().await;
    let first = store.given(keyed("k")).await;
    let other = NewJob {
        payload: json("{ }"),
        priority: 1.try_into().unwrap(),
        due: Due::After(Span::from_secs(5)),
        max_attempts: 2,
        tags: vec![Tag::new("t").unwrap()],
        ..keyed("k")
    };
    let answers = store
        .insert(all(vec![other, keyed("k")]), at(1))
        .await
        .unwrap();
    let Err(OperatorError::KeyReused { job, differs }) = &answers[0] else {
        panic!("{answers:?}");
    };
    assert_eq!(*job, first);
    assert_eq!(
        differs,
        &["delay_s", "max_attempts", "payload", "priority", "tags"].map(str::to_owned)
    );
    assert_eq!(answers[1].as_ref().unwrap().id, first);
}

#[tokio::test]
async fn an_edited_job_still_answers_the_request_that_made_it() {
    let store = open().await;
    let id = store.given(keyed("k")).await;
    let patch = conveyor_model::new_job::JobPatch {
        payload: Some(json("[1]")),
        ..Default::default()
    };
    store.edit(id, patch, None, at(1)).await.unwrap();
    assert_eq!(store.enqueue(keyed("k"), at(2)).await.id, id);
}

#[tokio::test]
async fn a_key_is_free_again_when_its_job_is_gone() {
    let store = open().await;
    let first = store.given(keyed("k")).await;
    store.act(vec![first], Action::Delete, at(1)).await.unwrap();
    let second = store.enqueue(keyed("k"), at(2)).await;
    assert!(!second.existing);
    assert_ne!(second.id, first);
}

#[tokio::test]
async fn repeated_keys_in_one_request_make_one_job_each() {
    let store = open().await;
    let jobs = (0..1000)
        .map(|n| keyed(&format!("key {}", n % 990)))
        .collect();
    let answers = store.insert(all(jobs), start()).await.unwrap();
    let answers: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    assert_eq!(answers.iter().filter(|answer| answer.existing).count(), 10);
    assert_eq!(
        answers
            .iter()
            .map(|answer| answer.id)
            .collect::<HashSet<_>>()
            .len(),
        990
    );
    assert_eq!(answers[990].id, answers[0].id);
    assert_eq!(store.counts(start()).await.unwrap().of(State::Ready), 990);
    check_sums(&store).await;
}

#[tokio::test]
async fn all_or_none_stores_none_when_one_is_refused() {
    let store = open().await;
    let first = store.given(keyed("taken")).await;
    let different = NewJob {
        payload: json("1"),
        ..keyed("taken")
    };
    let jobs = vec![keyed("new"), different.clone(), job()];
    let answers = store
        .insert(Insert { jobs, atomic: true }, at(1))
        .await
        .unwrap();
    assert!(matches!(answers[0], Err(OperatorError::Conflict { .. })));
    assert!(matches!(&answers[1], Err(OperatorError::KeyReused { job, .. }) if *job == first));
    assert!(matches!(answers[2], Err(OperatorError::Conflict { .. })));
    assert_eq!(store.counts(at(1)).await.unwrap().total(), 1);
    assert!(
        !store.enqueue(keyed("new"), at(2)).await.existing,
        "the key was not taken"
    );

    let jobs = vec![different, job()];
    let answers = store.insert(all(jobs), at(1)).await.unwrap();
    assert!(
        answers[0].is_err() && answers[1].is_ok(),
        "without it each stands for itself"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_at_once_under_one_key_make_one_job() {
    let store = Arc::new(open().await);
    for round in 0..20 {
        let tasks: Vec<_> = (0..50)
            .map(|_| {
                let store = Arc::clone(&store);
                tokio::spawn(async move {
                    store
                        .enqueue(keyed(&format!("round {round}")), start())
                        .await
                })
            })
            .collect();
        let mut ids = HashSet::new();
        let mut created = 0;
        for task in tasks {
            let answer = task.await.unwrap();
            ids.insert(answer.id);
            created += usize::from(!answer.existing);
        }
        assert_eq!((ids.len(), created), (1, 1), "round {round}");
    }
    check_sums(&store).await;
}
