//! How a stream ends.

use std::time::Duration;

use axum::http::Method;
use tokio::time::timeout;

use super::server::start;
use crate::support::eventually::eventually;
use crate::support::wire::Stream;

#[tokio::test]
async fn a_stop_ends_every_stream_with_a_word() {
    let served = start().await;
    let mut streams = Vec::new();
    for topics in ["jobs", "counts,workers", "job:1"] {
        streams.push(served.hear(topics).await);
    }
    served.app.shutdown.cancel();
    for stream in &mut streams {
        let last = loop {
            let event = stream.next().await.expect("a word of farewell");
            if event.name != "counts" {
                break event;
            }
        };
        assert_eq!((last.name.as_str(), last.id), ("bye", None));
        assert_eq!(stream.next().await, None);
    }
    timeout(Duration::from_secs(30), served.serving)
        .await
        .expect("nothing is left to wait for")
        .unwrap();
}

#[tokio::test]
async fn a_stream_ends_when_its_session_has_ended() {
    let served = start().await;
    let cookie = served.app.log_in().await;
    let query = "?topics=schedules";
    let mut stream = Stream::open_with(served.at, query, &[("Cookie", &cookie)]).await;
    let own = ("sec-fetch-site", "same-origin");
    let out = served
        .app
        .visit(Method::POST, "/logout", "", &[("cookie", &cookie), own])
        .await;
    assert_eq!(out.status, 303);
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(15)).await;
    tokio::time::resume();
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn a_reader_that_leaves_is_forgotten() {
    let served = start().await;
    let stream = served.hear("jobs").await;
    assert_eq!(served.streams().await, 1);
    drop(stream);
    eventually("its place is free", async || {
        (served.streams().await == 0).then_some(())
    })
    .await;
}
