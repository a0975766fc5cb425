//! Rows that hold what no version of the program wrote harm nobody but themselves.

use conveyor::store::StoreError;
use conveyor_model::filter::{JobFilter, Page};
use conveyor_model::new_job::NewJob;
use conveyor_model::time::Timestamp;

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
    assert_eq!(store.recent(at(1)).await.unwrap().ready.len(), 1);
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

#[tokio::test]
async fn due_schedules_that_cannot_be_read_are_put_aside_however_many_they_are() {
    let store = open().await;
    let spec = conveyor_model::schedule::ScheduleSpec::new("* * * * *", kind("k"));
    let put = async |name: &str, due| {
        let name = conveyor_model::name::ScheduleName::new(name).unwrap();
        let put = store.put_schedule(&name, spec.clone(), Some(due), "ann", None, at(0));
        put.await.unwrap();
    };
    for n in 0..7 {
        put(&format!("bad {n}"), at(1)).await;
    }
    put("good", at(2)).await;
    damage(
        &store,
        "UPDATE schedule SET spec = '{}' WHERE next_at = (SELECT min(next_at) FROM schedule)",
    )
    .await;
    // What is not even a name, nor text.
    damage(
        &store,
        "UPDATE schedule SET name = char(10) WHERE name = 'bad 1'",
    )
    .await;
    damage(
        &store,
        "UPDATE schedule SET name = CAST(x'ff00' AS TEXT) WHERE name = 'bad 2'",
    )
    .await;
    let due = store.due_schedules(at(2), 3).await.unwrap();
    let names: Vec<&str> = due.iter().map(|due| due.name.as_str()).collect();
    assert_eq!(names, ["good"]);
    let stopped = store.recent(at(2)).await.unwrap().stopped;
    let names: Vec<&str> = stopped.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["bad 0", "bad 3", "bad 4", "bad 5", "bad 6"]);
    assert!(
        stopped[0].1.contains("schedule bad 0 is damaged"),
        "{stopped:?}"
    );
    assert_eq!(store.next_due().await.unwrap(), Some(at(2)));
}

#[tokio::test]
async fn expired_leases_that_cannot_be_ended_are_put_off_and_keep_no_other_waiting() {
    let store = open().await;
    let mut ids = Vec::new();
    for _ in 0..8 {
        ids.push(store.given(job()).await);
    }
    store.take(8, at(0)).await;
    for sql in [
        // They cannot be read.
        "UPDATE job SET id = -id WHERE id < 4",
        "UPDATE job SET crash_count = -1 WHERE id = 4",
        // What follows from their end cannot be written.
        "UPDATE job SET lane = 99 WHERE id = 5",
        "INSERT INTO attempt (id, token, number, worker, started_at, finished_at, outcome)
             SELECT id, token, 1, worker, 0, 0, 'failed' FROM job WHERE id = 6",
    ] {
        damage(&store, sql).await;
    }
    assert_eq!(store.rescue(at(31), Timestamp::MIN, 2).await.unwrap(), 2);
    assert_eq!(store.rescue(at(31), Timestamp::MIN, 2).await.unwrap(), 0);
    for id in &ids[6..] {
        assert_eq!(
            store.state(*id).await,
            conveyor_model::state::State::Retrying
        );
    }
    assert_eq!(store.totals().await.unwrap().leases_expired, 2);
    // Mended, the job is taken back within the hour.
    damage(&store, "UPDATE job SET crash_count = 0 WHERE id = 4").await;
    assert_eq!(store.rescue(at(3600), Timestamp::MIN, 10).await.unwrap(), 0);
    assert_eq!(store.rescue(at(3632), Timestamp::MIN, 10).await.unwrap(), 1);
}
