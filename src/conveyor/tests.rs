//! What a queue does when its database cannot be trusted any more.

use std::sync::Arc;
use std::time::Duration;

use conveyor_model::time::Span;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::{Conveyor, Options};
use crate::clock::SystemClock;
use crate::http::HttpConfig;
use crate::shutdown::Shutdown;
use crate::store::Retention;
use crate::worker::{JobContext, Registry};

#[tokio::test]
async fn a_stop_after_a_fault_of_the_disk_does_not_wait_for_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let hour = Span::from_secs(3600);
    let options = Options {
        database: format!("sqlite:{}", folder.path().join("jobs.db").display()),
        queues: Vec::new(),
        slots: 1,
        lease: hour,
        grace: hour,
        retention: Retention {
            succeeded: hour,
            dead: hour,
        },
        http: HttpConfig::new("a-token-for-tests-0123456789"),
    };
    let running = Arc::new(Notify::new());
    let begun = Arc::clone(&running);
    let mut registry = Registry::new();
    registry
        .handle("wait", move |_: JobContext, (): ()| {
            let begun = Arc::clone(&begun);
            async move {
                begun.notify_one();
                std::future::pending::<()>().await;
            }
        })
        .unwrap();
    let shutdown = Shutdown::new();
    let clock = Arc::new(SystemClock);
    let queue = Conveyor::open(options, registry, clock, shutdown.clone())
        .await
        .unwrap();
    queue.start().unwrap();
    queue.enqueue("wait", &()).await.unwrap();
    running.notified().await;
    shutdown.fail("the disk gave an error");
    let stopped = timeout(Duration::from_mins(1), queue.stop()).await;
    assert!(stopped.is_ok(), "it waits for jobs that cannot report");
}

#[tokio::test]
async fn nothing_goes_on_when_it_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Conveyor::builder().data_dir(folder.path());
    let queue = queue.slots(0).build().await.unwrap();
    queue.start().unwrap();
    let store = Arc::downgrade(queue.store());
    drop(queue);
    let ended = async {
        while store.strong_count() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(timeout(Duration::from_mins(1), ended).await.is_ok());
}
