//! What holds for every route.

use axum::http::Method;
use serde_json::json;

use crate::support::app::TestApp;

#[tokio::test]
async fn every_fault_of_the_framework_is_a_problem() {
    let app = TestApp::new().await;
    app.get("/nothing").await.problem(404, "no_such_route");
    let wrong = app.call(Method::PUT, "/jobs", "").await;
    wrong.problem(405, "method_not_allowed");
    let allowed = wrong.header("allow").unwrap();
    assert!(
        allowed.contains("GET") && allowed.contains("POST"),
        "{allowed}"
    );
    app.call(Method::POST, "/jobs", "{")
        .await
        .problem(400, "malformed");
    app.call(Method::POST, "/jobs", "[]")
        .await
        .problem(422, "invalid");
    for kind in ["text/plain", "application/x-www-form-urlencoded"] {
        let headers = [("content-type", kind)];
        let reply = app
            .call_with(Method::POST, "/jobs", r#"{"kind":"a"}"#, &headers)
            .await;
        reply.problem(415, "unsupported_media_type");
    }
    app.get("/jobs/x").await.problem(404, "not_found");
    app.get("/jobs/99999999999999999999")
        .await
        .problem(404, "not_found");
    app.get("/jobs/1").await.problem(404, "not_found");
    app.get("/queues/%FF").await.problem(400, "malformed");
}

#[tokio::test]
async fn a_body_beyond_its_limit_is_refused_before_it_is_kept() {
    let app = TestApp::with(|config| config.max_payload = 1000).await;
    let body = |length: usize| format!(r#"{{"kind":"a","payload":"{}"}}"#, "x".repeat(length - 2));
    assert_eq!(
        app.call(Method::POST, "/jobs", &body(1000)).await.status,
        201
    );
    app.call(Method::POST, "/jobs", &body(1001))
        .await
        .problem(413, "too_large");
    app.call(Method::POST, "/jobs", &body(200_000))
        .await
        .problem(413, "too_large");
    let long = "x".repeat(9000);
    app.get(&format!("/jobs?q={long}"))
        .await
        .problem(414, "uri_too_long");
}

#[tokio::test]
async fn a_request_keeps_the_id_it_came_with() {
    let app = TestApp::new().await;
    let named = [("x-request-id", "trace-7.a_b")];
    let reply = app.call_with(Method::GET, "/jobs/1", "", &named).await;
    assert_eq!(reply.problem(404, "not_found")["request_id"], "trace-7.a_b");
    let odd = [("x-request-id", "a b")];
    let reply = app.call_with(Method::GET, "/jobs/1", "", &odd).await;
    assert_ne!(reply.problem(404, "not_found")["request_id"], "a b");
}

#[tokio::test]
async fn every_code_explains_itself() {
    let app = TestApp::new().await;
    let problem = app.get("/jobs/1").await.problem(404, "not_found");
    let kind = problem["type"].as_str().unwrap();
    assert_eq!(kind, "/problems/not_found");
    let reply = app.visit(Method::GET, kind, "", &[]).await;
    assert_eq!(reply.status, 200);
    assert!(reply.text.starts_with("404 not_found"), "{}", reply.text);
    app.visit(Method::GET, "/problems/none", "", &[])
        .await
        .problem(404, "no_such_route");
}

#[tokio::test]
async fn an_unknown_query_parameter_is_named() {
    let app = TestApp::new().await;
    let reply = app.get("/jobs?stat=dead&limit=x&state=done").await;
    assert_eq!(reply.pointers(), ["/limit", "/state", "/stat"]);
}

#[tokio::test]
async fn a_name_may_hold_what_an_address_cannot() {
    let app = TestApp::new().await;
    let name = "a/b c?д&=+<script>";
    let job = json!({"kind": "k", "queue": name});
    assert_eq!(app.post("/jobs", &job).await.status, 201);
    let path = "/queues/a%2Fb%20c%3F%D0%B4%26%3D%2B%3Cscript%3E";
    let queue = app.get(path).await.ok();
    assert_eq!((&queue["name"], &queue["ready"]), (&json!(name), &json!(1)));
    app.tell(&format!("{path}/pause")).await.ok();
    assert!(app.get(path).await.ok()["paused"].is_object());
}
