//! Changing a stored job.

use conveyor::store::StoreError;
use conveyor_model::error::OperatorError;
use conveyor_model::filter::{JobFilter, Page};
use conveyor_model::name::{JobId, Tag};
use conveyor_model::new_job::{JobPatch, NewJob};
use conveyor_model::state::State;
use conveyor_model::time::Span;
use conveyor_model::worker::Finish;

use crate::support::store::{StoreExt, at, broken, check_sums, job, json, lease, open, queue};

fn tags(words: &[&str]) -> Vec<Tag> {
    words.iter().map(|word| Tag::new(*word).unwrap()).collect()
}

#[tokio::test]
async fn an_edit_changes_what_it_names_and_nothing_else() {
    let store = open().await;
    let id = store
        .given(NewJob {
            tags: tags(&["old", "both"]),
            ..job()
        })
        .await;
    let patch = JobPatch {
        payload: Some(json("null")),
        queue: Some(queue("elsewhere")),
        priority: Some(8.try_into().unwrap()),
        max_attempts: Some(4),
        timeout: Some(Span::from_secs(9)),
        tags: Some(tags(&["both", "new"])),
        run_at: None,
    };
    store.edit(id, patch, Some(1), at(1)).await.unwrap();
    let after = store.show(id).await;
    assert_eq!(after.payload.as_str(), "null");
    assert_eq!(
        (after.row.queue.as_str(), after.row.priority.get()),
        ("elsewhere", 8)
    );
    assert_eq!(
        (after.row.max_attempts, after.timeout_s),
        (4, Span::from_secs(9))
    );
    assert_eq!(
        (after.row.tags, after.row.version),
        (tags(&["both", "new"]), 2)
    );
    assert_eq!(after.row.state, State::Ready);
    for (word, found) in [("old", 0), ("both", 1), ("new", 1)] {
        let filter = JobFilter {
            tags: tags(&[word]),
            ..JobFilter::default()
        };
        assert_eq!(
            store
                .jobs(&filter, &Page::default())
                .await
                .unwrap()
                .items
                .len(),
            found,
            "{word}"
        );
    }
    check_sums(&store).await;
}

#[tokio::test]
async fn a_new_time_takes_a_job_between_scheduled_and_ready() {
    let store = open().await;
    let id = store.given(job()).await;
    let to = |secs| JobPatch {
        run_at: Some(at(secs)),
        ..JobPatch::default()
    };
    store.edit(id, to(100), None, at(1)).await.unwrap();
    assert_eq!(store.state(id).await, State::Scheduled);
    store.edit(id, to(1), None, at(1)).await.unwrap();
    assert_eq!(store.state(id).await, State::Ready);
    check_sums(&store).await;
}

#[tokio::test]
async fn a_delete_of_another_version_or_of_a_running_job_is_refused() {
    let store = open().await;
    let id = store.given(job()).await;
    let refused = store.delete(id, Some(7)).await;
    let expected = OperatorError::VersionChanged { current: 1 };
    assert_eq!(refused, Err(StoreError::Refused(expected)));
    let taken = store.take_one(at(1)).await;
    let Err(StoreError::Refused(OperatorError::Conflict { detail, .. })) =
        store.delete(id, None).await
    else {
        panic!("a running job was deleted");
    };
    assert!(
        detail.starts_with("a running job cannot be deleted"),
        "{detail}"
    );
    store
        .end(Finish::succeeded(lease(&taken), None), at(2))
        .await;
    store.delete(id, None).await.unwrap();
    assert!(matches!(
        store.delete(id, None).await,
        Err(StoreError::Refused(OperatorError::NotFound { .. }))
    ));
    check_sums(&store).await;
}

#[tokio::test]
async fn an_edit_of_another_version_or_of_a_running_job_is_refused() {
    let store = open().await;
    let id = store.given(job()).await;
    let patch = JobPatch {
        priority: Some(1.try_into().unwrap()),
        ..JobPatch::default()
    };
    let refused = store.edit(id, patch.clone(), Some(7), at(1)).await;
    let expected = OperatorError::VersionChanged { current: 1 };
    assert_eq!(refused, Err(StoreError::Refused(expected)));
    store.take_one(at(1)).await;
    let Err(StoreError::Refused(OperatorError::Conflict { detail, .. })) =
        store.edit(id, patch.clone(), None, at(1)).await
    else {
        panic!("a running job was edited");
    };
    assert!(
        detail.starts_with("a running job cannot be edited"),
        "{detail}"
    );
    let missing = store
        .edit(JobId::try_from(99).unwrap(), patch, None, at(1))
        .await;
    assert!(matches!(
        missing,
        Err(StoreError::Refused(OperatorError::NotFound { .. }))
    ));
    assert_eq!(store.show(id).await.row.priority.get(), 5);
}

#[tokio::test]
async fn an_edit_leaves_room_for_another_attempt() {
    let store = open().await;
    let id = store
        .given(NewJob {
            max_attempts: 5,
            ..job()
        })
        .await;
    for attempt in 0..3 {
        let held = store.take_one(at(attempt * 10_000)).await;
        let failed = Finish::failed(lease(&held), &broken());
        store.end(failed, at(attempt * 10_000)).await;
        store.promote(at((attempt + 1) * 10_000), 10).await.unwrap();
    }
    let most = |n| JobPatch {
        max_attempts: Some(n),
        ..JobPatch::default()
    };
    let version = store.show(id).await.row.version;
    for refused in [1, 3] {
        let Err(StoreError::Refused(OperatorError::Invalid(fault))) =
            store.edit(id, most(refused), None, at(1)).await
        else {
            panic!("{refused} was taken");
        };
        assert_eq!(fault.errors[0].pointer, "/max_attempts");
        assert!(fault.errors[0].detail.contains("at least 4"), "{fault}");
    }
    assert_eq!(store.show(id).await.row.version, version);
    store.edit(id, most(4), None, at(1)).await.unwrap();
    let last = store.take_one(at(100_000)).await;
    assert_eq!((last.attempt, last.max_attempts), (4, 4));
    store
        .end(Finish::failed(lease(&last), &broken()), at(100_001))
        .await;
    assert_eq!(store.state(id).await, State::Dead);
    store.edit(id, most(4), None, at(1)).await.unwrap();
}
