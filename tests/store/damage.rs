//! Rows that hold what no version of the program wrote harm nobody but themselves.

use conveyor::store::StoreError;
use conveyor_model::filter::{JobFilter, Page};
use conveyor_model::new_job::NewJob;

use crate::support::store::{StoreExt, TestStore, at, job, kind, open, queue};

async fn damage(store: &TestStore, sql: &'static str) {
    let mut conn = store.raw().await;
    sqlx::query(sql).execute(&mut conn).await.unwrap();
}

#[tokio::test]
async fn a_list_leaves_a_damaged_job_out_and_the_job_says_what_is_wrong() {
    let store = open().await;
    let bad = store.given(job()).await;
    let good = store.given(job()).await;
    damage(&store, "UPDATE job_body SET tags = '[\"\", 5' WHERE id = 1").await;
    let page = store
        .jobs(&JobFilter::default(), &Page::default())
        .await
        .unwrap();
    assert_eq!(
        page.items.iter().map(|row| row.id).collect::<Vec<_>>(),
        [good]
    );
    let Err(StoreError::Corrupt { what, .. }) = store.job(bad).await else {
        panic!("it was read")
    };
    assert!(what.contains("tags of 1"), "{what}");
    assert_eq!(
        store
            .take(5, at(1))
            .await
            .iter()
            .map(|job| job.id)
            .collect::<Vec<_>>(),
        [good]
    );
}

#[tokio::test]
async fn a_damaged_name_spoils_neither_the_overview_nor_the_other_kinds() {
    let store = open().await;
    store
        .given(NewJob {
            kind: kind("bad"),
            queue: queue("bad"),
            ..job()
        })
        .await;
    store.given(job()).await;
    damage(
        &store,
        "UPDATE lane SET kind = 'no kind' WHERE kind = 'bad'",
    )
    .await;
    damage(
        &store,
        "UPDATE queue SET name = char(10) WHERE name = 'bad'",
    )
    .await;
    damage(
        &store,
        "UPDATE lane SET queue = char(10) WHERE queue = 'bad'",
    )
    .await;
    assert_eq!(store.kind_counts().await.unwrap().len(), 1);
    assert_eq!(store.queues(at(1)).await.unwrap().len(), 1);
    assert_eq!(store.recent(at(1)).await.unwrap().ready_kinds.len(), 1);
    let page = store
        .jobs(&JobFilter::default(), &Page::default())
        .await
        .unwrap();
    assert_eq!(page.items.len(), 1);
    let again = store.another().await;
    assert_eq!(
        again.take(5, at(1)).await.len(),
        1,
        "the other job can be had"
    );
}

#[tokio::test]
async fn a_damaged_schedule_or_worker_is_left_out() {
    let store = open().await;
    let spec = conveyor_model::schedule::ScheduleSpec::new("* * * * *", kind("k"));
    for name in ["a", "b"] {
        let name = conveyor_model::name::ScheduleName::new(name).unwrap();
        store
            .put_schedule(&name, spec.clone(), Some(at(1)), "ann", None, at(0))
            .await
            .unwrap();
    }
    damage(&store, "UPDATE schedule SET spec = '{}' WHERE name = 'a'").await;
    assert_eq!(store.schedules().await.unwrap().len(), 1);
    assert_eq!(store.due_schedules(at(1), 10).await.unwrap().len(), 1);
}
