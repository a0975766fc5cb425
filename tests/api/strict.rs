//! Nothing of a request is lost without a word: what a route does not take, it refuses by name.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;

/// Every documented operation of REST: its method, its path with values in it, and what the document
/// says of it.
fn operations() -> Vec<(Method, String, Value)> {
    let document: Value = serde_json::from_str(&conveyor::http::openapi()).unwrap();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        let Some(path) = path.strip_prefix("/api/v1") else {
            continue;
        };
        let path = path
            .replace("{id}", "1")
            .replace("{name}", "a")
            .replace("{kind}", "a");
        for (method, operation) in item.as_object().unwrap() {
            let method = method.to_uppercase().parse().unwrap();
            operations.push((method, path.clone(), operation.clone()));
        }
    }
    assert!(operations.len() > 30);
    operations
}

#[tokio::test]
async fn a_query_parameter_that_is_not_taken_is_named_on_every_route() {
    let app = TestApp::new().await;
    app.enqueue("a").await;
    for (method, path, _) in operations() {
        let reply = app
            .call(method.clone(), &format!("{path}?colour=red"), "{}")
            .await;
        let named = reply.problem(422, "invalid").to_string();
        assert!(named.contains("/colour"), "{method} {path}: {named}");
    }
    let job = app.get("/jobs/1").await.ok();
    assert_eq!(
        (&job["state"], &job["version"]),
        (&json!("ready"), &json!(1))
    );
}

#[tokio::test]
async fn a_field_that_is_not_taken_is_named_on_every_route_without_a_body() {
    let app = TestApp::new().await;
    app.enqueue("a").await;
    let schedule = r#"{"cron":"0 7 * * *","kind":"k"}"#;
    app.call(Method::PUT, "/schedules/a", schedule).await.ok();
    let bodiless = operations()
        .into_iter()
        .filter(|(method, _, of)| *method != Method::GET && of["requestBody"].is_null());
    for (method, path, _) in bodiless {
        let send = async |body: &str, kind: &str| {
            let headers = [("content-type", kind)];
            app.call_with(method.clone(), &path, body, &headers).await
        };
        let reply = send(r#"{"reason":"x"}"#, "application/json").await;
        assert_eq!(reply.pointers(), ["/reason"], "{method} {path}");
        send("garbage", "text/plain")
            .await
            .problem(415, "unsupported_media_type");
        send("garbage", "application/json")
            .await
            .problem(400, "malformed");
        send("[]", "application/json").await.problem(422, "invalid");
    }
    let job = app.get("/jobs/1").await.ok();
    assert_eq!(
        (&job["state"], &job["version"]),
        (&json!("ready"), &json!(1))
    );
    let empty = app.call(Method::POST, "/jobs/1/cancel", "{}").await;
    assert_eq!(empty.ok()["state"], "cancelled");
}

#[tokio::test]
async fn a_key_in_the_header_of_many_jobs_is_refused() {
    let app = TestApp::new().await;
    let key = [("idempotency-key", "k")];
    let reply = app
        .call_with(Method::POST, "/jobs/bulk", r#"[{"kind":"a"}]"#, &key)
        .await;
    assert_eq!(reply.pointers(), ["/idempotency_key"]);
    assert_eq!(app.get("/jobs").await.ok()["total"], 0);
}

#[tokio::test]
async fn a_compressed_body_is_refused_by_its_name() {
    let app = TestApp::new().await;
    for path in ["/jobs", "/jobs/bulk", "/worker/finish", "/jobs/1/cancel"] {
        let coded = [("content-encoding", "gzip")];
        let reply = app
            .call_with(Method::POST, path, r#"{"kind":"a"}"#, &coded)
            .await;
        let problem = reply.problem(415, "unsupported_media_type");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("Content-Encoding gzip"), "{detail}");
    }
    let plain = [("content-encoding", "identity")];
    let reply = app
        .call_with(Method::POST, "/jobs", r#"{"kind":"a"}"#, &plain)
        .await;
    assert_eq!(reply.status, 201);
}

/// Requests with a value of the wrong sort in each place there is.
const ODD: &[(&str, &str)] = &[
    (
        "/jobs",
        r#"{"kind":1,"priority":1.5,"tags":"a","meta":{"a":{}},"backoff":{"kind":"foo"}}"#,
    ),
    (
        "/jobs",
        r#"{"kind":"a","tags":["a",1],"timeout_s":"1","max_attempts":true,"run_at":5}"#,
    ),
    (
        "/jobs",
        r#"{"kind":"a","payload":{"a":"\ud800"},"queue":"\ud800"}"#,
    ),
    ("/jobs", r#"{"kind":"a","payload":"#),
    ("/jobs/bulk", r#"{"kind":"a"}"#),
    (
        "/worker/claim",
        r#"{"worker":1,"queues":[1],"kinds":{},"max":"x","wait_s":[],"lease_s":{}}"#,
    ),
    (
        "/worker/heartbeat",
        r#"{"worker":"w","leases":[{"id":"x","token":1},7],"load":5}"#,
    ),
    (
        "/worker/heartbeat",
        r#"{"worker":"w","load":{"slots":-1,"busy":1e9999}}"#,
    ),
    (
        "/worker/finish",
        r#"{"worker":"w","results":[1,{"id":0,"lease_token":"x","outcome":"done"}]}"#,
    ),
    ("/worker/finish", r#"{"worker":"w","results":{}}"#),
    (
        "/worker/log",
        r#"{"id":1,"lease_token":1,"lines":["x",{"level":"loud","message":1,"at":0}]}"#,
    ),
    (
        "/worker/progress",
        r#"{"id":1,"lease_token":1,"percent":"x","message":1}"#,
    ),
    ("/queues/a/pause", r#"{"note":1,"until":[]}"#),
    (
        "/cron/preview",
        r#"{"cron":1,"n":"x","lang":"de","dst":{"gap":"x","overlap":"y","z":1}}"#,
    ),
    (
        "/cron/preview",
        r#"{"cron":"* * * * *","dst":"x","from":"now"}"#,
    ),
    (
        "/jobs/1/finish",
        r#"{"lease_token":null,"outcome":1,"error":"x"}"#,
    ),
];

#[tokio::test]
async fn no_refusal_speaks_in_words_of_the_program() {
    let app = TestApp::new().await;
    for (path, body) in ODD {
        let reply = app.call(Method::POST, path, body).await;
        assert!(
            matches!(reply.status, 400 | 422),
            "{path} {body}: {}",
            reply.text
        );
        for word in [
            "invalid type",
            "invalid value",
            "invalid length",
            "expected one of",
            "variant",
            "struct",
            "sequence",
            "i64",
            "u32",
            "f64",
            "usize",
            "EOF",
            "missing field",
            "unknown field",
        ] {
            // The id of the request is made of random digits and letters.
            let told = reply
                .text
                .split("\"request_id\"")
                .next()
                .unwrap_or_default();
            assert!(!told.contains(word), "{path} {body}: {told}");
        }
    }
    for query in [
        "/stats/series?step=x&range=x&from=x",
        "/jobs?priority=x&limit=x&id=x&include=x",
    ] {
        let text = app.get(query).await.problem(422, "invalid").to_string();
        assert!(!text.contains("digit"), "{text}");
    }
}

#[tokio::test]
async fn a_fault_within_a_value_has_its_whole_place() {
    let app = TestApp::new().await;
    let pointers =
        async |path: &str, body: &str| app.call(Method::POST, path, body).await.pointers();
    let job =
        r#"{"kind":"a","tags":["a","b"," c"],"meta":{"x":"y","a/b":1},"backoff":{"base_s":-1}}"#;
    assert_eq!(
        pointers("/jobs", job).await,
        ["/backoff/base_s", "/tags/2", "/meta/a~1b"]
    );
    let lines = r#"{"id":1,"lease_token":1,"lines":[{"message":"x"},{"level":"info"},{"message":"x","to":1}]}"#;
    assert_eq!(
        pointers("/worker/log", lines).await,
        ["/lines/1/message", "/lines/2/to"]
    );
    let beat = r#"{"worker":"w","leases":[{"id":1,"lease_token":1},{"id":0}],"load":{"jobs":1}}"#;
    assert_eq!(
        pointers("/worker/heartbeat", beat).await,
        ["/leases/1/id", "/leases/1/lease_token", "/load/jobs"]
    );
    let dst = r#"{"cron":"* * * * *","dst":{"gap":"x","overlap":"y","z":1}}"#;
    assert_eq!(
        pointers("/cron/preview", dst).await,
        ["/dst/gap", "/dst/overlap", "/dst/z"]
    );
    let snooze = r#"{"lease_token":1,"outcome":"snooze","snooze_s":-1}"#;
    assert_eq!(pointers("/jobs/1/finish", snooze).await, ["/snooze_s"]);
}

#[tokio::test]
async fn a_change_of_nothing_is_refused_or_changes_nothing() {
    let app = TestApp::new().await;
    let job = json!({"kind": "a", "tags": ["x"], "priority": 7});
    app.post("/jobs", &job).await.ok();
    let schedule = r#"{"cron":"0 7 * * *","kind":"k"}"#;
    app.call(Method::PUT, "/schedules/a", schedule).await.ok();
    for path in ["/jobs/1", "/schedules/a"] {
        for body in ["", "{}"] {
            let reply = app.call(Method::PATCH, path, body).await;
            assert_eq!(reply.pointers(), [""], "{path} {body}");
        }
    }
    let nulls = r#"{"run_at":null,"tags":null,"priority":null}"#;
    let reply = app.call(Method::PATCH, "/jobs/1", nulls).await;
    assert_eq!(reply.pointers(), ["/priority", "/run_at", "/tags"]);
    let nulls = r#"{"cron":null,"timezone":null,"starts_at":null}"#;
    let reply = app.call(Method::PATCH, "/schedules/a", nulls).await;
    assert_eq!(reply.pointers(), ["/cron", "/timezone"]);
    let same = app
        .call(Method::PATCH, "/jobs/1", r#"{"priority":7}"#)
        .await;
    assert_eq!(same.ok()["version"], 1);
    let other = app
        .call(Method::PATCH, "/jobs/1", r#"{"priority":8}"#)
        .await;
    assert_eq!(other.ok()["version"], 2);
}
