//! What a stream tells, to whom, and how.

use serde_json::json;

use super::server::{id_of, start};
use crate::support::app::{TOKEN, TestApp};
use crate::support::wire::{self, Stream};

#[tokio::test]
async fn changes_come_in_order_under_numbers_that_grow_by_one() {
    let served = start().await;
    let mut stream = served.hear("jobs").await;
    let mut heard = Vec::new();
    for n in 0..5 {
        let secret = format!(r#"{{"kind":"k","payload":{{"secret":"s3cr3t-{n}"}}}}"#);
        let id = served.enqueue(&secret).await;
        let event = stream.expect("job").await;
        assert_eq!(
            event.json(),
            json!({"id": id, "state": "ready", "queue": "default", "kind": "k", "version": 1})
        );
        assert!(!event.data.contains("s3cr3t"));
        heard.push(event);
    }
    let epoch = |n: usize| heard[n].id.as_deref().unwrap().split_once('-').unwrap().0;
    for n in 1..heard.len() {
        assert!(heard[n - 1].number() < heard[n].number(), "{heard:?}");
        assert_eq!(epoch(n - 1), epoch(n));
    }
}

#[tokio::test]
async fn a_stream_tells_only_what_it_was_asked_for() {
    let served = start().await;
    let own = served.enqueue(r#"{"kind":"k","queue":"a,b"}"#).await;
    let mut jobs = served.hear("queue:a%2Cb").await;
    let mut one = served.hear(&format!("job:{own}")).await;
    let mut queues = served.hear("queues").await;
    let mut schedules = served.hear("schedules").await;
    let mut counts = served.hear("counts").await;
    // Others first: had they been told, they would be heard first.
    served.enqueue(r#"{"kind":"k","queue":"a"}"#).await;
    let other = served.enqueue(r#"{"kind":"k","queue":"a,b"}"#).await;
    let call = async |method: &str, path: &str, body: &str| {
        wire::call(served.at, method, path, body).await.ok()
    };
    call("POST", &format!("/jobs/{own}/cancel"), "").await;
    call("POST", "/queues/a/pause", "{}").await;
    let schedule = r#"{"cron":"0 7 * * *","kind":"report"}"#;
    call("PUT", "/schedules/daily", schedule).await;
    assert_eq!(id_of(&jobs.expect("job").await), Some(other));
    let end = one.expect("job").await;
    assert_eq!(
        (id_of(&end), &end.json()["state"]),
        (Some(own), &json!("cancelled"))
    );
    assert_eq!(queues.expect("queue").await.json(), json!({"queue": "a"}));
    assert_eq!(
        schedules.expect("schedule").await.json(),
        json!({"schedule": "daily"})
    );
    for _ in 0..2 {
        // At most one a second, and only counts.
        let event = counts.expect("counts").await;
        if event.json()["jobs"]["cancelled"] == 1 {
            return;
        }
    }
}

#[tokio::test]
async fn what_is_no_topic_is_named_before_a_stream_opens() {
    let served = start().await;
    let ask =
        async |query: &str| wire::call(served.at, "GET", &format!("/events{query}"), "").await;
    for (query, pointer) in [
        ("?topics=everything", "/topics"),
        ("?topics=job:x", "/topics"),
        ("?topic=jobs", "/topic"),
    ] {
        let answer = ask(query).await;
        assert_eq!(answer.status, 422, "{answer:?}");
        assert!(answer.body.contains(pointer), "{answer:?}");
    }
    assert_eq!(served.streams().await, 0);
}

#[tokio::test]
async fn a_stream_is_neither_kept_nor_compressed_on_its_way() {
    let served = start().await;
    let token = format!("Bearer {TOKEN}");
    let headers = [
        ("Authorization", token.as_str()),
        ("Accept-Encoding", "gzip, br"),
    ];
    let stream = Stream::open_with(served.at, "", &headers).await;
    for header in [
        "content-type: text/event-stream\r\n",
        "cache-control: no-store\r\n",
        "x-accel-buffering: no\r\n",
    ] {
        assert!(stream.head.contains(header), "{header} in {}", stream.head);
    }
    assert!(!stream.head.contains("content-encoding"));
}

#[tokio::test]
async fn a_stream_needs_a_token_or_a_session_of_its_own_page() {
    let served = start().await;
    let cookie = served.app.log_in().await;
    for (headers, status) in [
        (&[][..], 401),
        (&[("Authorization", "Bearer wrong")], 401),
        (&[("Cookie", "conveyor=wrong")], 401),
        (
            &[
                ("Cookie", cookie.as_str()),
                ("Authorization", "Bearer wrong"),
            ],
            401,
        ),
        (
            &[
                ("Cookie", cookie.as_str()),
                ("Sec-Fetch-Site", "cross-site"),
            ],
            403,
        ),
        (
            &[
                ("Cookie", cookie.as_str()),
                ("Origin", "http://evil.example"),
            ],
            403,
        ),
    ] {
        let request = wire::request("GET", "/api/v1/events", headers, "");
        let answer = wire::send(served.at, &request).await.unwrap();
        assert_eq!(answer.status, status, "{headers:?} {answer:?}");
        assert!(!answer.body.contains("retry:"), "{answer:?}");
    }
    Stream::open_with(served.at, "", &[("Cookie", &cookie)]).await;
}

#[tokio::test]
async fn more_streams_than_allowed_are_refused_until_one_ends() {
    let app = TestApp::with(|config| config.max_streams = 2).await;
    let served = super::server::serve(app);
    let first = served.hear("jobs").await;
    let _second = served.hear("jobs").await;
    let refused = wire::call(served.at, "GET", "/events", "").await;
    assert!(
        refused.status == 429 || refused.status == 503,
        "{refused:?}"
    );
    assert!(refused.head.contains("retry-after: "), "{refused:?}");
    assert!(refused.body.contains("too_many_streams"), "{refused:?}");
    drop(first);
    crate::support::eventually::eventually("a place is free", async || {
        (served.streams().await == 1).then_some(())
    })
    .await;
    served.hear("jobs").await;
}
