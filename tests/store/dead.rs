//! The dead letter by cause.

use conveyor_model::filter::{JobFilter, Page};
use conveyor_model::job::Failure;
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;
use conveyor_model::state::Action;
use conveyor_model::worker::Finish;

use crate::support::store::{StoreExt, TestStore, at, check_sums, job, kind, lease, open, start};

async fn dies(store: &TestStore, kind_name: &str, message: &str, secs: i64) -> JobId {
    let id = store
        .given(NewJob {
            kind: kind(kind_name),
            max_attempts: 1,
            ..job()
        })
        .await;
    let taken = store.take_one(start()).await;
    let error = Failure::new("Timeout", message);
    store
        .end(Finish::failed(lease(&taken), &error), at(secs))
        .await;
    id
}

#[tokio::test]
async fn dead_jobs_of_one_cause_stand_together() {
    let store = open().await;
    let first = dies(&store, "call", "no answer within 10 s", 1).await;
    dies(&store, "mail", "no answer within 10 s", 2).await;
    let last = dies(&store, "call", "no answer within 30 s", 3).await;
    let groups = store.dead_groups(10).await.unwrap();
    assert_eq!(groups.len(), 2);
    let group = &groups[0];
    assert_eq!(
        (group.kind.as_str(), group.class.as_str(), group.count),
        ("call", "Timeout", 2)
    );
    assert_eq!(
        (group.first_at, group.last_at, group.sample),
        (at(1), at(3), Some(last))
    );
    assert_eq!(
        store.dead_group(&group.fingerprint).await.unwrap().as_ref(),
        Some(group)
    );
    assert_eq!(store.dead_group("none").await.unwrap(), None);
    assert_eq!(store.dead_groups(1).await.unwrap().len(), 1);

    let jobs = |after| store.dead_jobs(&group.fingerprint, after, 10);
    assert_eq!(jobs(None).await.unwrap(), [first, last]);
    assert_eq!(jobs(Some(first)).await.unwrap(), [last]);
    let filter = JobFilter {
        dead_group: Some(group.fingerprint.clone()),
        ..JobFilter::default()
    };
    let page = store.jobs(&filter, &Page::default()).await.unwrap();
    assert_eq!((page.items.len(), page.total), (2, 2));
    check_sums(&store).await;
}

#[tokio::test]
async fn a_group_goes_when_its_last_job_is_retried_or_deleted() {
    let store = open().await;
    let first = dies(&store, "call", "refused", 1).await;
    let last = dies(&store, "call", "refused", 2).await;
    store.act(vec![last], Action::Retry, at(3)).await.unwrap();
    let group = store.dead_groups(10).await.unwrap().remove(0);
    assert_eq!(
        (group.count, group.sample),
        (1, Some(first)),
        "another stands for it"
    );
    store.act(vec![first], Action::Delete, at(3)).await.unwrap();
    assert!(store.dead_groups(10).await.unwrap().is_empty());
    check_sums(&store).await;
}

#[tokio::test]
async fn a_discarded_job_says_so() {
    let store = open().await;
    let id = store.given(job()).await;
    store.act(vec![id], Action::Discard, at(1)).await.unwrap();
    let shown = store.show(id).await;
    assert_eq!(shown.dead_reason.as_deref(), Some("discarded"));
    assert_eq!(store.dead_groups(10).await.unwrap()[0].class, "Discarded");
    check_sums(&store).await;
}
