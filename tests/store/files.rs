//! The file itself: who may read it, whose it is, which version it has.

use std::os::unix::fs::PermissionsExt;

use conveyor::events::Events;
use conveyor::model::filter::{JobFilter, Page};
use conveyor::store::{self, StoreError, StoreOptions};

use crate::support::store::{StoreExt, job, open};

fn options(path: &std::path::Path) -> StoreOptions {
    StoreOptions {
        url: format!("sqlite:{}", path.display()),
        readers: 2,
    }
}

#[tokio::test]
async fn folder_and_files_are_for_their_user_alone() {
    let store = open().await;
    store.given(job()).await;
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = store.path.parent().unwrap();
    assert_eq!(mode(folder), 0o700);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_may_open_a_new_file_at_the_same_moment() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new.db");
        let tasks: Vec<_> = (0..6)
            .map(|_| {
                let options = options(&path);
                tokio::spawn(async move { store::open(&options, Events::default()).await })
            })
            .collect();
        for task in tasks {
            let store = task.await.unwrap().expect("each can open it");
            store.given(job()).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_file_that_somebody_writes_to_is_opened_and_read() {
    let store = open().await;
    store.given(job()).await;
    let mut other = store.raw().await;
    for sql in ["BEGIN IMMEDIATE", "UPDATE counter SET value = value"] {
        sqlx::query(sql).execute(&mut other).await.unwrap();
    }
    // No lock is needed, so none is waited for, however long the other writes.
    let beside = store::open(&options(&store.path), Events::default()).await;
    let filter = JobFilter::default();
    let list = beside.unwrap().jobs(&filter, &Page::default()).await;
    assert_eq!(list.unwrap().items.len(), 1);
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
}

#[tokio::test]
async fn a_newer_schema_and_another_programs_file_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("queue.db");
    store::open(&options(&path), Events::default())
        .await
        .unwrap()
        .close()
        .await;
    run(&path, "PRAGMA user_version = 99").await;
    let Err(StoreError::Unavailable(why)) = store::open(&options(&path), Events::default()).await
    else {
        panic!("a newer schema was opened");
    };
    assert!(
        why.contains("schema version 99") && why.contains("newer"),
        "{why}"
    );

    let foreign = folder.path().join("foreign.db");
    std::fs::File::create(&foreign).unwrap();
    run(&foreign, "CREATE TABLE theirs (x)").await;
    let Err(StoreError::Unavailable(why)) =
        store::open(&options(&foreign), Events::default()).await
    else {
        panic!("another program's file was opened");
    };
    assert!(why.contains("another program"), "{why}");
}

#[tokio::test]
async fn what_is_no_database_is_refused_and_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text.db");
    let text = "This is a letter, not a database. ".repeat(100);
    std::fs::write(&path, &text).unwrap();
    let refused = store::open(&options(&path), Events::default()).await;
    assert!(matches!(refused, Err(StoreError::Fatal(_))));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let nowhere = StoreOptions {
        url: "mysql:x".to_owned(),
        readers: 1,
    };
    assert!(matches!(
        store::open(&nowhere, Events::default()).await,
        Err(StoreError::Unavailable(_))
    ));
}

#[tokio::test]
async fn after_the_end_the_file_alone_is_the_whole_queue() {
    let store = open().await;
    store.given(job()).await;
    store
        .jobs(&JobFilter::default(), &Page::default())
        .await
        .unwrap();
    store.ping().await.unwrap();
    store.close().await;
    let copy = store.path.with_file_name("copy.db");
    std::fs::copy(&store.path, &copy).unwrap();
    let copy = store::open(&options(&copy), Events::default())
        .await
        .unwrap();
    let list = copy.jobs(&JobFilter::default(), &Page::default()).await;
    assert_eq!(list.unwrap().items.len(), 1);
}

async fn run(path: &std::path::Path, sql: &'static str) {
    use sqlx::{ConnectOptions, Connection};
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
    let mut conn = options.connect().await.unwrap();
    sqlx::query(sql).execute(&mut conn).await.unwrap();
    conn.close().await.unwrap();
}

#[tokio::test]
async fn every_write_is_synced_before_it_is_answered() {
    let store = open().await;
    store.given(job()).await;
    let mut conn = store.raw().await;
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode")
        .fetch_one(&mut conn)
        .await
        .unwrap();
    assert_eq!(mode, "wal");
}
