//! Queues.

use axum::http::Method;
use conveyor_model::time::Span;
use serde_json::{Value, json};

use crate::support::app::TestApp;

#[tokio::test]
async fn a_paused_queue_gives_out_nothing_until_it_is_resumed() {
    let app = TestApp::new().await;
    app.enqueue("k").await;
    let note = json!({"note": "deploy", "until": "2099-01-01T00:00:00Z"});
    let paused = app.post("/queues/default/pause", &note).await;
    assert!(paused.header("etag").is_some());
    let paused = paused.ok();
    assert_eq!(
        (&paused["paused"]["by"], &paused["paused"]["note"]),
        (&json!("api"), &json!("deploy"))
    );
    assert_eq!(app.claim().await, Value::Null);
    assert_eq!(
        app.get("/jobs/1").await.ok()["waiting_reason"]["code"],
        "queue_paused"
    );
    let resumed = app.tell("/queues/default/resume").await.ok();
    assert_eq!(resumed["paused"], Value::Null);
    assert_eq!(app.claim().await["id"], 1);
    let odd = app
        .post("/queues/default/pause", &json!({"reason": "x", "note": 1}))
        .await;
    assert_eq!(odd.pointers(), ["/note", "/reason"]);
}

#[tokio::test]
async fn queues_are_listed_with_what_waits_in_them() {
    let app = TestApp::new().await;
    assert_eq!(app.get("/queues").await.ok(), json!([]));
    app.post("/jobs", &json!({"kind": "k", "queue": "b"}))
        .await
        .ok();
    app.post("/jobs", &json!({"kind": "k", "queue": "a", "delay_s": 60}))
        .await
        .ok();
    let queues = app.get("/queues").await.ok();
    assert_eq!(
        (&queues[0]["name"], &queues[0]["scheduled"]),
        (&json!("a"), &json!(1))
    );
    assert_eq!(
        (&queues[1]["name"], &queues[1]["ready"]),
        (&json!("b"), &json!(1))
    );
    let one = app.get("/queues/b").await;
    let tag = one.header("etag").unwrap();
    let known = [("if-none-match", tag)];
    assert_eq!(
        app.call_with(Method::GET, "/queues/b", "", &known)
            .await
            .status,
        304
    );
    app.get("/queues/none").await.problem(404, "not_found");
}

#[tokio::test]
async fn a_purge_deletes_what_waits_and_nothing_else() {
    let app = TestApp::new().await;
    app.enqueue("k").await;
    app.claim().await;
    app.enqueue("k").await;
    app.post("/jobs", &json!({"kind": "k", "delay_s": 60}))
        .await
        .ok();
    app.post("/jobs", &json!({"kind": "k", "queue": "other"}))
        .await
        .ok();
    assert_eq!(
        app.tell("/queues/default/purge").await.ok(),
        json!({"purged": 2})
    );
    assert_eq!(app.get("/jobs").await.ok()["total"], 2);
}

#[tokio::test]
async fn pausing_and_resuming_twice_changes_nothing_more() {
    let app = TestApp::new().await;
    app.enqueue("k").await;
    let first = app.tell("/queues/default/resume").await.ok();
    assert_eq!(first["version"], 1);
    let note = json!({"note": "deploy"});
    let paused = app.post("/queues/default/pause", &note).await.ok();
    app.clock.advance(Span::from_secs(60));
    let again = app.post("/queues/default/pause", &note).await.ok();
    assert_eq!(
        (&again["paused"], &again["version"]),
        (&paused["paused"], &json!(2))
    );
    let longer = json!({"note": "repair", "until": "2099-01-01T00:00:00Z"});
    let longer = app.post("/queues/default/pause", &longer).await.ok();
    assert_eq!(longer["version"], 3);
    assert_eq!(longer["paused"]["note"], "repair");
    assert_eq!(longer["paused"]["since"], paused["paused"]["since"]);
    assert_eq!(app.tell("/queues/default/resume").await.ok()["version"], 4);
    assert_eq!(app.tell("/queues/default/resume").await.ok()["version"], 4);
    let anew = app.post("/queues/default/pause", &note).await.ok();
    assert_ne!(anew["paused"]["since"], paused["paused"]["since"]);
}

#[tokio::test]
async fn a_pause_names_what_is_wrong_with_the_name_it_would_make() {
    let app = TestApp::new().await;
    let long = format!("/queues/{}/pause", "x".repeat(129));
    for path in [&long, "/queues/%20a/pause"] {
        assert_eq!(app.tell(path).await.pointers(), ["/name"]);
    }
    assert_eq!(app.tell("/queues/new/pause").await.status, 200);
    app.tell("/queues/%20a/resume")
        .await
        .problem(404, "not_found");
}

#[tokio::test]
async fn a_queue_is_sent_again_when_its_counts_have_changed() {
    let app = TestApp::new().await;
    app.enqueue("k").await;
    let tag = app
        .get("/queues/default")
        .await
        .header("etag")
        .unwrap()
        .to_owned();
    app.enqueue("k").await;
    let known = [("if-none-match", tag.as_str())];
    let reply = app
        .call_with(Method::GET, "/queues/default", "", &known)
        .await;
    assert_eq!((reply.status, &reply.ok()["ready"]), (200, &json!(2)));
}
