//! Log lines and progress of a running attempt.

use conveyor_model::job::{LogLevel, MAX_LOG_LINE, MAX_LOG_LINES, Progress};
use conveyor_model::worker::{Finish, NewLogLine};

use crate::support::store::{StoreExt, at, broken, job, lease, open, start};

fn line(message: impl Into<String>) -> NewLogLine {
    NewLogLine {
        at: None,
        level: LogLevel::Warn,
        message: message.into(),
    }
}

#[tokio::test]
async fn log_lines_are_kept_in_order_and_the_oldest_go_first() {
    let store = open().await;
    let id = store.given(job()).await;
    let held = lease(&store.take_one(start()).await);
    let long = format!("a\0b{}", "x".repeat(MAX_LOG_LINE));
    assert!(
        store
            .log(held, vec![line("first"), line(long)], at(1))
            .await
            .unwrap()
    );
    let logs = store.logs(id).await.unwrap();
    assert_eq!(
        (logs[0].message.as_str(), logs[0].at, logs[0].attempt),
        ("first", at(1), 1)
    );
    assert_eq!(logs[0].level, LogLevel::Warn);
    assert!(logs[1].message.starts_with("a\u{fffd}b") && logs[1].message.len() <= MAX_LOG_LINE + 3);

    for part in 0..3 {
        let lines = (0..600).map(|n| line(format!("{part}/{n}"))).collect();
        assert!(store.log(held, lines, at(2)).await.unwrap());
    }
    let logs = store.logs(id).await.unwrap();
    assert_eq!(logs.len(), MAX_LOG_LINES);
    assert_eq!(logs[0].message, "1/200");
    assert_eq!(logs[MAX_LOG_LINES - 1].message, "2/599");
}

#[tokio::test]
async fn progress_is_that_of_the_running_attempt_only() {
    let store = open().await;
    let id = store.given(job()).await;
    let taken = store.take_one(start()).await;
    let progress = Progress {
        percent: Some(250.0),
        message: Some("half".to_owned()),
    };
    assert!(
        store
            .progress(lease(&taken), progress, at(1))
            .await
            .unwrap()
    );
    let shown = store.show(id).await.progress.unwrap();
    assert_eq!(
        (shown.percent, shown.message.as_deref()),
        (Some(100.0), Some("half"))
    );
    store
        .end(Finish::failed(lease(&taken), &broken()), at(2))
        .await;
    assert_eq!(store.show(id).await.progress, None);
    store.promote(at(1000), 1).await.unwrap();
    store.take_one(at(1000)).await;
    assert_eq!(store.show(id).await.progress, None);
}
