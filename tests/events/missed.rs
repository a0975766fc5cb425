//! What a reader that comes back is told of the time between.

use super::server::{Served, id_of, start};
use crate::support::store::{StoreExt, job};
use crate::support::wire::{self, Stream};

/// The jobs that are told, up to `last`.
async fn told_until(stream: &mut Stream, last: i64) -> Vec<i64> {
    let mut told = Vec::new();
    while told.last() != Some(&last) {
        told.extend(id_of(&stream.expect("job").await));
    }
    told
}

/// Asks from `last` on: the answer is one `resync`, and then the stream goes on as any other.
async fn resyncs(served: &Served, last: &str, next: i64) {
    let mut stream = served.hear_after("jobs", last).await;
    let event = stream.next().await.unwrap();
    assert_eq!(
        (event.name.as_str(), event.id),
        ("resync", None),
        "{last:?}"
    );
    served.publish(next);
    assert_eq!(id_of(&stream.expect("job").await), Some(next), "{last:?}");
}

#[tokio::test]
async fn exactly_what_was_missed_is_told_again() {
    let served = start().await;
    let mut watching = served.hear("jobs").await;
    let heard = served.publish_all(1..20, &mut watching).await;
    let mut all: Vec<i64> = (1..20).collect();
    // From the last, the middle and the first on; what the rounds before told is past as well.
    for (place, now) in [(18, 100), (9, 101), (0, 102)] {
        let last = heard[place].id.as_deref().unwrap();
        let mut back = served.hear_after("jobs", last).await;
        served.publish(now);
        all.push(now);
        assert_eq!(told_until(&mut back, now).await, all[place + 1..]);
        told_until(&mut watching, now).await;
    }
}

#[tokio::test]
async fn what_was_missed_is_told_only_of_the_topics_asked_for() {
    let served = start().await;
    let mut watching = served.hear("jobs").await;
    let before = served.publish_all(1..2, &mut watching).await;
    served.publish_all(2..6, &mut watching).await;
    let last = before[0].id.as_deref().unwrap();
    let mut back = served.hear_after("job:4,job:9", last).await;
    assert_eq!(id_of(&back.expect("job").await), Some(4));
    served.publish(8);
    served.publish(9);
    assert_eq!(id_of(&back.expect("job").await), Some(9));
}

#[tokio::test]
async fn whoever_was_away_too_long_reads_everything_anew() {
    let served = start().await;
    let mut watching = served.hear("jobs").await;
    let before = served.publish_all(1..2, &mut watching).await;
    served.publish_all(2..5000, &mut watching).await;
    resyncs(&served, before[0].id.as_deref().unwrap(), 6000).await;
}

#[tokio::test]
async fn an_id_of_another_start_or_of_nobody_is_not_believed() {
    let (earlier, served) = (start().await, start().await);
    let mut there = earlier.hear("jobs").await;
    let foreign = earlier.publish_all(1..9, &mut there).await;
    let foreign = foreign[0].id.clone().unwrap();
    let mut here = served.hear("jobs").await;
    let own = served.publish_all(1..9, &mut here).await;
    let own = own[7].id.clone().unwrap();
    let epoch = own.split_once('-').unwrap().0;
    assert_ne!(Some(epoch), foreign.split_once('-').map(|(epoch, _)| epoch));
    let ids = [
        foreign.as_str(),
        &format!("{epoch}-999999"),
        &format!("{epoch}-99999999999999999999999"),
        &format!("{epoch}-18446744073709551615"),
        &format!("{epoch}--1"),
        &format!("{epoch}-"),
        epoch,
        "-",
        "0",
        "null",
        "; drop table",
    ];
    for (next, id) in (100..).zip(ids) {
        resyncs(&served, id, next).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_another_process_does_lets_readers_read_again() {
    let served = start().await;
    let mut stream = served.hear("jobs").await;
    // The counts come once a second, beside the look at what others did.
    let mut counts = served.hear("counts").await;
    counts.expect("counts").await;
    let own = served.enqueue(r#"{"kind":"k"}"#).await;
    assert_eq!(
        id_of(&stream.next().await.unwrap()),
        Some(own),
        "what the server does itself is told as it is"
    );
    let other = served.app.store.another().await;
    other.given(job()).await;
    let heard = stream.expect("resync").await;
    assert_eq!((heard.data.as_str(), heard.id), ("{}", None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_burst_is_one_word_to_read_again_and_ends_no_stream() {
    let served = start().await;
    let mut streams = [
        served.hear("jobs").await,
        served.hear("job:1,schedules").await,
    ];
    let jobs = vec![serde_json::json!({"kind": "k"}); 3000];
    let body = serde_json::Value::from(jobs).to_string();
    let answer = wire::call(served.at, "POST", "/jobs/bulk", &body)
        .await
        .ok();
    assert_eq!(answer["created"], 3000);
    for stream in &mut streams {
        assert_eq!(stream.next().await.unwrap().name, "resync");
    }
    let next = served.enqueue(r#"{"kind":"k"}"#).await;
    assert_eq!(id_of(&streams[0].expect("job").await), Some(next));
}
