//! The OpenAPI document agrees with the contract and with the answers.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;

/// Every route of the contract.
const ROUTES: &str = "
    get /api/v1/jobs
    post /api/v1/jobs
    post /api/v1/jobs/bulk
    get /api/v1/jobs/{id}
    patch /api/v1/jobs/{id}
    delete /api/v1/jobs/{id}
    get /api/v1/jobs/{id}/attempts
    get /api/v1/jobs/{id}/logs
    post /api/v1/jobs/{id}/retry
    post /api/v1/jobs/{id}/run
    post /api/v1/jobs/{id}/cancel
    post /api/v1/jobs/{id}/discard
    post /api/v1/jobs/{id}/duplicate
    post /api/v1/jobs/{id}/finish
    get /api/v1/queues
    get /api/v1/queues/{name}
    post /api/v1/queues/{name}/pause
    post /api/v1/queues/{name}/resume
    post /api/v1/queues/{name}/purge
    get /api/v1/schedules
    get /api/v1/schedules/{name}
    put /api/v1/schedules/{name}
    patch /api/v1/schedules/{name}
    delete /api/v1/schedules/{name}
    post /api/v1/schedules/{name}/run
    post /api/v1/schedules/{name}/pause
    post /api/v1/schedules/{name}/resume
    get /api/v1/schedules/{name}/slots
    post /api/v1/cron/preview
    post /api/v1/worker/claim
    post /api/v1/worker/heartbeat
    post /api/v1/worker/finish
    post /api/v1/worker/log
    post /api/v1/worker/progress
    post /api/v1/worker/leave
    get /api/v1/workers
    get /api/v1/kinds
    get /api/v1/kinds/{kind}
    get /api/v1/stats
    get /api/v1/stats/series
    get /api/v1/events
    get /livez
    get /readyz
    get /metrics
";

fn document() -> Value {
    serde_json::from_str(&conveyor::http::openapi()).expect("JSON")
}

#[tokio::test]
async fn the_document_names_exactly_the_routes_of_the_contract() {
    let document = document();
    let mut found = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        found.extend(
            item.as_object()
                .unwrap()
                .keys()
                .map(|method| format!("{method} {path}")),
        );
    }
    let expected: BTreeSet<String> = ROUTES
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    assert_eq!(found, expected);
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let app = TestApp::new().await;
    let served = app.visit(Method::GET, "/openapi.json", "", &[]).await.ok();
    assert_eq!(served, document);
}

#[tokio::test]
async fn every_documented_route_is_closed_without_the_token() {
    let app = TestApp::new().await;
    for line in ROUTES
        .lines()
        .map(str::trim)
        .filter(|line| line.contains("/api/"))
    {
        let (method, path) = line.split_once(' ').unwrap();
        let method: Method = method.to_uppercase().parse().unwrap();
        let path = path
            .replace("{id}", "1")
            .replace("{name}", "a")
            .replace("{kind}", "a");
        let reply = app.visit(method, &path, "", &[]).await;
        reply.problem(401, "unauthorized");
        assert_eq!(reply.header("www-authenticate"), Some("Bearer"), "{line}");
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_code_is_named() {
    let document = document();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let text = document.to_string();
    for part in text.split("\"#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(schemas.contains_key(name), "{name}");
    }
    let description = document["info"]["description"].as_str().unwrap();
    for code in [
        "malformed",
        "stale_lease",
        "idempotency_key_reused",
        "disk_full",
        "unknown_host",
    ] {
        assert!(description.contains(&format!("`{code}`")), "{code}");
    }
}

/// The properties of a schema, those of the schemas it is made of included.
fn properties(document: &Value, schema: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap();
        names.extend(properties(
            document,
            &document["components"]["schemas"][name],
        ));
    }
    if let Some(own) = schema["properties"].as_object() {
        names.extend(own.keys().cloned());
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        names.extend(properties(document, part));
    }
    names
}

#[tokio::test]
async fn answers_have_the_fields_that_are_documented() {
    let app = TestApp::new().await;
    let document = document();
    let fields_of = |name: &str| properties(&document, &document["components"]["schemas"][name]);
    let keys = |value: &Value| -> BTreeSet<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    app.enqueue("k").await;
    let shown = app.get("/jobs/1").await.ok();
    assert_eq!(keys(&shown), fields_of("JobWithAttempts"));
    assert_eq!(
        keys(&app.get("/jobs").await.ok()["items"][0]),
        fields_of("JobRow")
    );
    assert_eq!(keys(&app.claim().await), fields_of("ClaimedJob"));
    let spec = json!({"cron": "0 7 * * *", "kind": "k"}).to_string();
    let made = app.call(Method::PUT, "/schedules/s", &spec).await.ok();
    assert_eq!(keys(&made), fields_of("Schedule"));
    assert_eq!(keys(&app.get("/queues").await.ok()[0]), fields_of("Queue"));
    assert_eq!(keys(&app.get("/stats").await.ok()), fields_of("Overview"));
    assert_eq!(keys(&app.get("/jobs/9").await.json()), {
        let mut names = fields_of("Problem");
        names.remove("errors");
        names
    });
}
