//! Statistics, probes, metrics.

use axum::http::Method;
use conveyor_model::time::Span;
use serde_json::{Value, json};

use crate::support::app::{Reply, TOKEN, TestApp};

async fn scrape(app: &TestApp) -> String {
    let token = format!("Bearer {TOKEN}");
    let reply = app
        .visit(Method::GET, "/metrics", "", &[("authorization", &token)])
        .await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(
        reply.header("content-type"),
        Some("text/plain; version=0.0.4; charset=utf-8")
    );
    reply.text
}

async fn probe(app: &TestApp, path: &str) -> Reply {
    app.visit(Method::GET, path, "", &[("host", "10.0.0.9:8085")])
        .await
}

#[tokio::test]
async fn the_numbers_of_the_overview_and_the_charts_are_there() {
    let app = TestApp::new().await;
    app.enqueue("a").await;
    let stats = app.get("/stats?range=5m").await.ok();
    assert_eq!(stats["counts"]["jobs"]["ready"], 1);
    assert_eq!(stats["ever_enqueued"], 1);
    let series = app.get("/stats/series?queue=default").await.ok();
    assert_eq!(series["step_s"], 60);
    let sum = |series: &Value, field: &str| -> u64 {
        let points = series["points"].as_array().unwrap().iter();
        points.filter_map(|point| point[field].as_u64()).sum()
    };
    assert_eq!(sum(&series, "enqueued"), 1);
    let one = app.get("/stats/series?metric=enqueued&step=10").await.ok();
    assert_eq!(
        (&one["metric"], &one["step_s"], sum(&one, "value")),
        (&json!("enqueued"), &json!(10), 1)
    );
    let odd = app.get("/stats/series?metric=cpu&step=7&range=2h").await;
    assert_eq!(odd.pointers(), ["/metric", "/range", "/step"]);
    let kinds = app.get("/kinds").await.ok();
    assert_eq!(kinds["items"][0]["kind"], "a");
    assert_eq!(app.get("/kinds/a").await.ok()["jobs"]["ready"], 1);
    app.get("/kinds/b").await.problem(404, "not_found");
}

#[tokio::test]
async fn probes_are_open_and_tell_nothing_more() {
    let app = TestApp::new().await;
    assert_eq!(probe(&app, "/livez").await.text, "ok\n");
    let ready = probe(&app, "/readyz").await;
    assert_eq!((ready.status, ready.text.as_str()), (200, "ready\n"));
    probe(&app, "/readyz?verbose")
        .await
        .problem(401, "unauthorized");
    let token = format!("Bearer {TOKEN}");
    let verbose = app
        .visit(
            Method::GET,
            "/readyz?verbose",
            "",
            &[("authorization", &token)],
        )
        .await
        .ok();
    assert_eq!(
        (&verbose["ready"], &verbose["database"]),
        (&json!(true), &json!(true))
    );
    app.clock.advance(Span::from_secs(31));
    assert_eq!(probe(&app, "/readyz").await.status, 503);
}

#[tokio::test]
async fn a_server_that_stops_is_alive_but_not_ready() {
    let app = TestApp::new().await;
    app.readiness.drain();
    assert_eq!(probe(&app, "/readyz").await.status, 503);
    assert_eq!(probe(&app, "/livez").await.status, 200);
}

#[tokio::test]
async fn metrics_count_what_the_queue_did() {
    let app = TestApp::new().await;
    app.post("/jobs", &json!({"kind": "k", "queue": "a\"b\\n"}))
        .await
        .ok();
    app.enqueue("webhook.call").await;
    let spec = json!({"cron": "0 7 * * *", "kind": "k"}).to_string();
    app.call(Method::PUT, "/schedules/s", &spec).await.ok();
    app.claim().await;
    let job = app.claim().await;
    let report = json!({"lease_token": job["lease_token"], "outcome": "succeeded"});
    app.post(&format!("/jobs/{}/finish", job["id"]), &report)
        .await
        .ok();
    let text = scrape(&app).await;
    for line in [
        r#"conveyor_jobs_enqueued_total{kind="webhook.call",queue="default"} 1"#,
        r#"conveyor_jobs_enqueued_total{kind="k",queue="a\"b\\n"} 1"#,
        "# TYPE conveyor_job_run_duration_seconds histogram",
        r#"conveyor_job_run_duration_seconds_count{kind="webhook.call",outcome="succeeded",queue="default"} 1"#,
        "# TYPE conveyor_job_wait_duration_seconds histogram",
        "# TYPE conveyor_http_request_duration_seconds histogram",
        r#"conveyor_http_requests_total{method="POST",route="/api/v1/jobs",status="2xx"} 2"#,
        r#"conveyor_workers{state="run"} 1"#,
        r#"conveyor_http_request_duration_seconds_count{method="POST",route="/api/v1/jobs",status="2xx"} 2"#,
        r#"conveyor_webhook_deliveries_total{outcome="succeeded"} 1"#,
        r#"conveyor_schedule_lag_seconds{schedule="s"} 0"#,
        r#"conveyor_db_pool_connections{pool="readers",state="busy"}"#,
        r#"conveyor_job_attempts_bucket{kind="webhook.call",le="1"} 1"#,
        "conveyor_claim_duration_seconds_count 2",
        r#"conveyor_claim_batch_size_bucket{le="0"} 0"#,
        r#"conveyor_claim_batch_size_bucket{le="1"} 2"#,
        r#"conveyor_db_query_duration_seconds_count{op="enqueue"} 2"#,
        r#"conveyor_db_query_duration_seconds_count{op="finish"} 1"#,
        "conveyor_sse_clients 0",
        "conveyor_db_size_bytes ",
        "conveyor_leases_expired_total 0",
        "process_resident_memory_bytes",
    ] {
        let (labels_either_way, start) = (line.contains("kind="), line);
        let found = text
            .lines()
            .any(|row| row.starts_with(start) || (labels_either_way && same(row, start)));
        assert!(found, "{line}\nis not in\n{text}");
    }
    assert!(!text.contains(r#"state="succeeded""#));
    let built = text
        .lines()
        .find(|line| line.starts_with("conveyor_build_info{"));
    assert!(
        built.unwrap().contains(r#"commit="unknown""#),
        "a test is no release"
    );
}

/// Whether two sample lines say the same with their labels in any order.
fn same(row: &str, wanted: &str) -> bool {
    let parts = |line: &str| {
        let (name, rest) = line.split_once('{')?;
        let (labels, value) = rest.rsplit_once('}')?;
        let mut labels: Vec<String> = labels
            .split("\",")
            .map(|label| label.trim_end_matches('"').to_owned())
            .collect();
        labels.sort();
        Some((name.to_owned(), labels, value.to_owned()))
    };
    parts(row).is_some() && parts(row) == parts(wanted)
}

#[tokio::test]
async fn series_stay_few_however_many_queues_there_are() {
    let app = TestApp::new().await;
    app.post("/jobs", &json!({"kind": "k", "queue": "zzz"}))
        .await
        .ok();
    let mut lines = String::new();
    for n in 0..1000 {
        lines.push_str(
            &json!({"kind": format!("kind{n:04}"), "queue": format!("queue{n:04}")}).to_string(),
        );
        lines.push('\n');
    }
    let ndjson = [("content-type", "application/x-ndjson")];
    app.call_with(Method::POST, "/jobs/bulk", &lines, &ndjson)
        .await
        .ok();
    let text = scrape(&app).await;
    let jobs = text
        .lines()
        .filter(|line| line.starts_with("conveyor_jobs{"))
        .count();
    assert_eq!(jobs, 201 * 5);
    for name in ["zzz", "queue0000"] {
        let has = text.contains(&format!(r#"conveyor_jobs{{queue="{name}","#));
        assert!(has, "{name}, which was there first, has no series");
    }
    assert!(text.lines().count() < 30_000, "{}", text.lines().count());
}

#[tokio::test]
async fn metrics_have_a_door_of_their_own() {
    let app = TestApp::with(|config| {
        config.metrics_token = Some(conveyor::http::TokenHash::of("scrape-token-0123456"));
    })
    .await;
    let get = async |path: &str, token: &str| {
        app.visit(
            Method::GET,
            path,
            "",
            &[("authorization", &format!("Bearer {token}"))],
        )
        .await
        .status
    };
    assert_eq!(get("/metrics", "scrape-token-0123456").await, 200);
    assert_eq!(get("/metrics", TOKEN).await, 200);
    assert_eq!(get("/metrics", "other").await, 401);
    assert_eq!(get("/api/v1/jobs", "scrape-token-0123456").await, 401);
    let open = TestApp::with(|config| config.metrics_public = true).await;
    assert_eq!(
        open.visit(Method::GET, "/metrics", "", &[]).await.status,
        200
    );
}
