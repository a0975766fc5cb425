//! The protocol of workers in any language.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use crate::support::app::TestApp;
use conveyor_model::job::{MAX_LOG_LINE, MAX_LOG_LINES};
use conveyor_model::name::JobId;
use conveyor_model::time::Span;

#[tokio::test]
async fn a_claim_waits_for_the_first_job() {
    let app = TestApp::new().await;
    let ask = json!({"worker": "w", "wait_s": 20});
    let waiting = app.post("/worker/claim", &ask);
    let come = async {
        // Asked for while nothing is there; the other side has polled by the time this one runs.
        tokio::task::yield_now().await;
        app.enqueue("k").await
    };
    let (claimed, id) = timeout(Duration::from_secs(10), async {
        tokio::join!(waiting, come)
    })
    .await
    .expect("the claim answers as soon as there is work");
    assert_eq!(claimed.ok()["jobs"][0]["id"], id);
}

#[tokio::test]
async fn a_claim_in_vain_ends_when_its_time_is_up_or_the_server_stops() {
    let app = TestApp::new().await;
    let start = Instant::now();
    let none = app
        .post("/worker/claim", &json!({"worker": "w", "wait_s": 0.2}))
        .await
        .ok();
    assert_eq!(none, json!({"jobs": []}));
    assert!(start.elapsed() >= Duration::from_millis(200));
    let ask = json!({"worker": "w", "wait_s": 30});
    let stop = async { app.shutdown.cancel() };
    let (reply, ()) = timeout(Duration::from_secs(10), async {
        tokio::join!(app.post("/worker/claim", &ask), stop)
    })
    .await
    .expect("the stop ends the wait");
    assert!(matches!(reply.status, 200 | 503), "{}", reply.text);
}

#[tokio::test]
async fn a_job_claimed_for_a_client_that_has_gone_is_ready_again() {
    let app = TestApp::new().await;
    let ask = json!({"worker": "w", "wait_s": 30});
    let gone = timeout(Duration::from_millis(50), app.post("/worker/claim", &ask)).await;
    assert!(gone.is_err());
    app.enqueue("k").await;
    assert_eq!(app.claim().await["id"], 1);
}

#[tokio::test]
async fn a_heartbeat_renews_what_is_held_and_tells_what_is_lost() {
    let app = TestApp::new().await;
    app.enqueue("a").await;
    app.enqueue("b").await;
    let (first, second) = (app.claim().await, app.claim().await);
    app.tell(&format!("/jobs/{}/cancel", second["id"]))
        .await
        .ok();
    app.clock.advance(Span::from_secs(10));
    let beat = json!({"worker": "w", "leases": [
        {"id": first["id"], "lease_token": first["lease_token"]},
        {"id": first["id"], "lease_token": 99},
        {"id": second["id"], "lease_token": second["lease_token"]},
    ], "load": {"slots": 4, "busy": 2}});
    let reply = app.post("/worker/heartbeat", &beat).await.ok();
    let statuses: Vec<_> = (0..3)
        .map(|n| reply["leases"][n]["status"].as_str().unwrap())
        .collect();
    assert_eq!(statuses, ["held", "lost", "cancel"]);
    assert_ne!(reply["leases"][0]["lease_until"], first["lease_until"]);
    assert_eq!(reply["state"], "run");
    let workers = app.get("/workers").await.ok();
    assert_eq!(
        (&workers["items"][0]["name"], &workers["items"][0]["slots"]),
        (&json!("w"), &json!(4))
    );
}

#[tokio::test]
async fn a_stale_report_changes_nothing_and_spoils_nothing() {
    let app = TestApp::new().await;
    app.enqueue("a").await;
    app.enqueue("b").await;
    let (first, second) = (app.claim().await, app.claim().await);
    let report = json!({"worker": "w", "results": [
        {"id": first["id"], "lease_token": 99, "outcome": "succeeded", "result": "zombie"},
        {"id": second["id"], "lease_token": second["lease_token"], "outcome": "succeeded", "result": [1]},
        {"id": 77, "lease_token": 1, "outcome": "failed"},
    ]});
    let reply = app.post("/worker/finish", &report).await.ok();
    let statuses: Vec<_> = (0..3)
        .map(|n| reply["results"][n]["status"].as_str().unwrap())
        .collect();
    assert_eq!(statuses, ["stale", "ok", "not_found"]);
    let running = app.get(&format!("/jobs/{}", first["id"])).await.ok();
    assert_eq!(
        (&running["state"], &running["result"]),
        (&json!("running"), &Value::Null)
    );
    let stale = json!({"lease_token": 99, "outcome": "succeeded"});
    app.post("/jobs/1/finish", &stale)
        .await
        .problem(409, "stale_lease");
    app.post("/jobs/77/finish", &stale)
        .await
        .problem(404, "not_found");
    for path in ["/worker/log", "/worker/progress"] {
        let body = if path == "/worker/log" {
            json!({"id": 1, "lease_token": 99, "lines": [{"message": "x"}]})
        } else {
            json!({"id": 1, "lease_token": 99, "percent": 5})
        };
        app.post(path, &body).await.problem(409, "stale_lease");
    }
}

#[tokio::test]
async fn progress_is_shown_on_the_running_job() {
    let app = TestApp::new().await;
    app.enqueue("a").await;
    let job = app.claim().await;
    let told =
        json!({"id": 1, "lease_token": job["lease_token"], "percent": 42.5, "message": "half"});
    app.post("/worker/progress", &told).await.ok();
    let shown = app.get("/jobs/1").await.ok();
    assert_eq!(
        shown["progress"],
        json!({"percent": 42.5, "message": "half"})
    );
    let odd = json!({"id": 1, "lease_token": job["lease_token"], "percent": 101});
    assert_eq!(
        app.post("/worker/progress", &odd).await.pointers(),
        ["/percent"]
    );
}

#[tokio::test]
async fn a_worker_that_leaves_is_shown_no_more() {
    let app = TestApp::new().await;
    let ask = json!({"worker": "w", "kinds": ["a"]});
    app.post("/worker/claim", &ask).await.ok();
    let shown = async || app.get("/workers").await.ok()["total"].clone();
    assert_eq!(shown().await, 1);
    for _ in 0..2 {
        app.post("/worker/leave", &json!({"worker": "w"}))
            .await
            .ok();
        assert_eq!(shown().await, 0);
    }
    app.post("/worker/claim", &ask).await.ok();
    assert_eq!(shown().await, 1, "it may come back at once");
    let odd = app.post("/worker/leave", &json!({"name": "w"})).await;
    assert_eq!(odd.pointers(), ["/worker", "/name"]);
}

#[tokio::test]
async fn every_bad_field_of_the_protocol_is_named() {
    let app = TestApp::new().await;
    let claim = json!({"max": 1001, "wait_s": 31, "lease_s": 4, "who": "w"});
    assert_eq!(
        app.post("/worker/claim", &claim).await.pointers(),
        ["/worker", "/max", "/wait_s", "/lease_s", "/who"]
    );
    let finish =
        json!({"worker": "w", "results": [{"id": 1, "lease_token": 1, "outcome": "done"}, {}]});
    let pointers = app.post("/worker/finish", &finish).await.pointers();
    assert_eq!(pointers[0], "/results/0/outcome");
    assert!(
        pointers.contains(&"/results/1/id".to_owned()),
        "{pointers:?}"
    );
    assert!(
        app.post("/worker/heartbeat", &json!({}))
            .await
            .pointers()
            .contains(&"/worker".to_owned())
    );
    assert_eq!(
        app.post("/worker/log", &json!({"lines": 1, "x": 2}))
            .await
            .pointers(),
        ["/id", "/lease_token", "/x"]
    );
}

#[tokio::test]
async fn a_claimed_job_has_every_field_of_a_job() {
    let app = TestApp::new().await;
    let job = json!({
        "kind": "k", "payload": {"n": 1}, "idempotency_key": "key", "tags": ["t"], "meta": {"a": "b"},
        "backoff": {"kind": "fixed", "base_s": 1, "jitter": 0},
    });
    app.post("/jobs", &job).await.ok();
    let first = app.claim().await;
    let failed = json!({
        "lease_token": first["lease_token"], "outcome": "failed",
        "error": {"class": "Broken", "message": "it broke"},
    });
    app.post("/jobs/1/finish", &failed).await.ok();
    app.tell("/jobs/1/run").await.ok();
    let mut claimed = app.claim().await;
    assert_eq!(claimed["last_error"]["class"], "Broken");
    let token = claimed.as_object_mut().unwrap().remove("lease_token");
    assert_eq!(token, Some(json!(2)));
    let mut shown = app.get("/jobs/1").await.ok();
    shown.as_object_mut().unwrap().remove("attempts");
    assert_eq!(claimed, shown);
}

#[tokio::test]
async fn a_report_of_one_may_be_the_object_of_a_batch() {
    let app = TestApp::new().await;
    app.enqueue("a").await;
    let token = app.claim().await["lease_token"].clone();
    let report =
        |id: i64| json!({"worker": "w", "id": id, "lease_token": token, "outcome": "succeeded"});
    let wrong = app.post("/jobs/1/finish", &report(2)).await;
    assert_eq!(wrong.pointers(), ["/id"]);
    assert_eq!(
        app.post("/jobs/1/finish", &report(1)).await.ok()["status"],
        "ok"
    );
}

#[tokio::test]
async fn a_timeout_is_told_apart_from_other_failures() {
    let app = TestApp::new().await;
    app.enqueue("a").await;
    let token = app.claim().await["lease_token"].clone();
    let late = json!({"lease_token": token, "outcome": "timeout", "retry_in_s": 60});
    app.post("/jobs/1/finish", &late).await.ok();
    let shown = app.get("/jobs/1").await.ok();
    assert_eq!(
        (&shown["state"], &shown["attempts"][0]["outcome"]),
        (&json!("retrying"), &json!("timeout"))
    );
}

#[tokio::test]
async fn what_is_told_of_no_job_is_not_told_of_a_stale_lease() {
    let app = TestApp::new().await;
    let line = json!({"id": 987_654, "lease_token": 1, "lines": [{"message": "x"}]});
    app.post("/worker/log", &line)
        .await
        .problem(404, "not_found");
    let percent = json!({"id": 987_654, "lease_token": 1, "percent": 1});
    app.post("/worker/progress", &percent)
        .await
        .problem(404, "not_found");
}

#[tokio::test]
async fn progress_that_is_left_out_keeps_its_value() {
    let app = TestApp::new().await;
    app.enqueue("a").await;
    let token = app.claim().await["lease_token"].clone();
    let tell = async |mut told: Value| {
        told["id"] = json!(1);
        told["lease_token"] = token.clone();
        app.post("/worker/progress", &told).await
    };
    tell(json!({"percent": 50, "message": "half"})).await.ok();
    tell(json!({"percent": 75})).await.ok();
    tell(json!({"message": null})).await.ok();
    let shown = app.get("/jobs/1").await.ok();
    assert_eq!(
        shown["progress"],
        json!({"percent": 75.0, "message": "half"})
    );
    assert_eq!(tell(json!({})).await.pointers(), [""]);
}

#[tokio::test]
async fn what_does_not_go_with_an_outcome_is_refused() {
    let app = TestApp::new().await;
    app.enqueue("a").await;
    let token = app.claim().await["lease_token"].clone();
    let failed = json!({"lease_token": token, "outcome": "failed", "result": 1, "snooze_s": 1});
    let reply = app.post("/jobs/1/finish", &failed).await;
    assert_eq!(reply.pointers(), ["/result", "/snooze_s"]);
    assert_eq!(app.get("/jobs/1").await.ok()["state"], "running");
}

#[tokio::test]
async fn all_log_lines_that_are_kept_come_in_one_request_however_small_payloads_are() {
    let app = TestApp::with(|config| config.max_payload = 1000).await;
    app.enqueue("a").await;
    let token = app.claim().await["lease_token"].clone();
    // Each byte takes six in JSON.
    let longest = "\u{1}".repeat(MAX_LOG_LINE);
    let lines = vec![json!({"message": longest}); MAX_LOG_LINES];
    let told = json!({"id": 1, "lease_token": token, "lines": lines});
    app.post("/worker/log", &told).await.ok();
    let kept = app.store.logs(JobId::try_from(1).unwrap()).await.unwrap();
    assert_eq!(kept.len(), MAX_LOG_LINES);
    assert!(kept.iter().all(|line| line.message == longest));
}
