//! Schedules and cron.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;

const DAILY: &str = r#"{"cron":"0 7 * * *","kind":"report","payload":{"n":18446744073709551616}}"#;

#[tokio::test]
async fn a_schedule_is_made_replaced_changed_and_removed() {
    let app = TestApp::new().await;
    let put = async |body: &str, headers: &[(&str, &str)]| {
        app.call_with(Method::PUT, "/schedules/daily%20report", body, headers)
            .await
    };
    let made = put(DAILY, &[("if-none-match", "*")]).await;
    assert_eq!(
        (made.status, made.header("location")),
        (201, Some("/api/v1/schedules/daily%20report"))
    );
    assert!(
        made.text
            .contains(r#""payload":{"n":18446744073709551616}"#),
        "{}",
        made.text
    );
    let tag = made.header("etag").unwrap().to_owned();
    let schedule = made.ok();
    assert_eq!(
        (&schedule["timezone"], &schedule["catch_up"]),
        (&json!("UTC"), &json!("latest"))
    );
    assert!(schedule["next_at"].is_string() && schedule["description"].is_string());
    put(DAILY, &[("if-none-match", "*")])
        .await
        .problem(412, "version_changed");
    let replaced = put(DAILY, &[("if-match", tag.as_str())]).await;
    assert_eq!(replaced.status, 200);
    put(DAILY, &[("if-match", "\"99\"")])
        .await
        .problem(412, "version_changed");

    let patch = r#"{"timezone":"Europe/Berlin"}"#;
    let patched = app
        .call(Method::PATCH, "/schedules/daily%20report", patch)
        .await
        .ok();
    assert_eq!(
        (&patched["timezone"], &patched["cron"]),
        (&json!("Europe/Berlin"), &json!("0 7 * * *"))
    );
    let gone = app
        .call_with(
            Method::DELETE,
            "/schedules/daily%20report",
            "",
            &[("if-match", "\"99\"")],
        )
        .await;
    gone.problem(412, "version_changed");
    assert_eq!(
        app.call(Method::DELETE, "/schedules/daily%20report", "")
            .await
            .status,
        204
    );
    app.get("/schedules/daily%20report")
        .await
        .problem(404, "not_found");
    app.call(Method::DELETE, "/schedules/daily%20report", "")
        .await
        .problem(404, "not_found");
}

#[tokio::test]
async fn a_schedule_that_cannot_be_kept_is_told_why() {
    let app = TestApp::new().await;
    let put = async |body: Value| {
        app.call(Method::PUT, "/schedules/s", &body.to_string())
            .await
    };
    assert_eq!(
        put(json!({"overlap": "never", "x": 1})).await.pointers(),
        ["/cron", "/kind", "/overlap", "/x"]
    );
    assert_eq!(
        put(json!({"cron": "61 * * * *", "kind": "k"}))
            .await
            .pointers(),
        ["/cron"]
    );
    assert_eq!(
        put(json!({"cron": "0 0 30 2 *", "kind": "k"}))
            .await
            .pointers(),
        ["/cron"]
    );
    assert_eq!(
        put(json!({"cron": "* * * * *", "kind": "k", "timezone": "Mars"}))
            .await
            .pointers(),
        ["/timezone"]
    );
    let blank = app.call(Method::PUT, "/schedules/%20a", DAILY).await;
    assert_eq!(blank.pointers(), ["/name"]);
}

#[tokio::test]
async fn a_schedule_runs_pauses_and_resumes_on_demand() {
    let app = TestApp::new().await;
    app.call(Method::PUT, "/schedules/s", DAILY).await.ok();
    let before = app.get("/schedules/s").await.ok();
    let run = app.tell("/schedules/s/run").await;
    assert_eq!(
        (run.status, run.header("location")),
        (201, Some("/api/v1/jobs/1"))
    );
    assert_eq!(run.ok()["schedule"], "s");
    assert_eq!(
        app.get("/schedules/s").await.ok()["next_at"],
        before["next_at"]
    );
    let paused = app.tell("/schedules/s/pause").await.ok();
    assert_eq!(
        (&paused["paused"], &paused["paused_by"]),
        (&json!(true), &json!("api"))
    );
    assert_eq!(app.tell("/schedules/s/resume").await.ok()["paused"], false);
    assert_eq!(app.get("/schedules/s/slots").await.ok(), json!([]));
    for path in ["/schedules/none/run", "/schedules/none/pause"] {
        app.tell(path).await.problem(404, "not_found");
    }
    let page = app.get("/schedules?limit=1").await.ok();
    assert_eq!(
        (&page["total"], &page["next"], &page["items"][0]["name"]),
        (&json!(1), &Value::Null, &json!("s"))
    );
}

#[tokio::test]
async fn an_expression_is_explained() {
    let app = TestApp::new().await;
    let ask = json!({"cron": "0 9 * * MON-FRI", "timezone": "Europe/Berlin", "from": "2026-11-30T00:00:00Z", "n": 2, "lang": "en"});
    let preview = app.post("/cron/preview", &ask).await.ok();
    assert_eq!(
        preview["next"],
        json!(["2026-11-30T08:00:00Z", "2026-12-01T08:00:00Z"])
    );
    assert!(preview["description"].as_str().unwrap().len() > 5 && preview["notes"].is_array());
    let skips = json!({
        "cron": "30 2 * * *", "timezone": "Europe/Berlin", "from": "2027-03-27T00:00:00Z", "n": 5,
        "dst": {"gap": "skip", "overlap": "first"}, "starts_at": "2027-03-27T12:00:00Z",
        "ends_at": "2027-03-30T00:30:00Z", "name": "nightly"
    });
    let preview = app.post("/cron/preview", &skips).await.ok();
    assert_eq!(preview["next"], json!(["2027-03-29T00:30:00Z"]));
    let bad = app
        .post(
            "/cron/preview",
            &json!({"cron": "0 25 * * *", "timezone": "UTC", "n": 1}),
        )
        .await;
    let problem = bad.problem(422, "invalid");
    assert_eq!(problem["errors"][0]["pointer"], "/cron");
    assert_eq!(problem["errors"][0]["position"], 3);
    let odd = app
        .post(
            "/cron/preview",
            &json!({"cron": "* * * * *", "n": 101, "tz": "UTC"}),
        )
        .await;
    assert_eq!(odd.pointers(), ["/n", "/tz"]);
}

#[tokio::test]
async fn a_condition_on_a_schedule_that_is_not_there_has_failed() {
    let app = TestApp::new().await;
    for tag in ["\"1\"", "*"] {
        let guard = [("if-match", tag)];
        app.call_with(Method::PUT, "/schedules/new", DAILY, &guard)
            .await
            .problem(412, "version_changed");
        app.call_with(Method::PATCH, "/schedules/new", DAILY, &guard)
            .await
            .problem(404, "not_found");
    }
    app.get("/schedules/new").await.problem(404, "not_found");
}

#[tokio::test]
async fn a_schedule_that_is_over_before_it_begins_is_refused() {
    let app = TestApp::new().await;
    let ends = |at: &str| json!({"cron": "0 7 * * *", "kind": "k", "ends_at": at}).to_string();
    let put = async |body: &str| app.call(Method::PUT, "/schedules/s", body).await;
    assert_eq!(
        put(&ends("2020-01-01T00:00:00Z")).await.pointers(),
        ["/ends_at"]
    );
    let soon = ends("2026-10-01T00:00:00Z");
    assert_eq!(put(&soon).await.status, 201);
    app.clock
        .advance(conveyor_model::time::Span::from_secs(90 * 86_400));
    assert_eq!(put(&soon).await.status, 200, "it is over, but as it was");
    let patch = app
        .call(Method::PATCH, "/schedules/s", r#"{"priority":3}"#)
        .await;
    assert_eq!(patch.ok()["priority"], 3);
}

#[tokio::test]
async fn a_preview_says_what_its_times_do_not() {
    let app = TestApp::new().await;
    let notes = async |ask: Value| app.post("/cron/preview", &ask).await.ok()["notes"].to_string();
    let hashed = json!({"cron": "H 3 * * *"});
    assert!(notes(hashed).await.contains("give the name"));
    let named = json!({"cron": "H 3 * * *", "name": "nightly"});
    assert_eq!(notes(named).await, "[]");
    let word = json!({"cron": "0 3 * MAR THU"});
    assert!(!notes(word).await.contains("give the name"));
    let last = json!({"cron": "* * * * *", "from": "9999-12-31T23:59:00Z"});
    assert!(notes(last).await.contains("does not fire any more"));
}
