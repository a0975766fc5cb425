//! Many jobs in one request.

use std::fmt::Write as _;

use axum::http::Method;
use serde_json::json;

use crate::support::app::TestApp;

#[tokio::test]
async fn one_bad_job_does_not_spoil_the_others() {
    let app = TestApp::new().await;
    let body = r#"[{"kind":"a"},{"kind":"","priority":99},{"kind":"b","idempotency_key":"k"},{"kind":"b","idempotency_key":"k"},7]"#;
    let reply = app.call(Method::POST, "/jobs/bulk", body).await.ok();
    assert_eq!(
        (&reply["created"], &reply["existing"], &reply["failed"]),
        (&json!(2), &json!(1), &json!(2))
    );
    let items = reply["items"].as_array().unwrap();
    let statuses: Vec<_> = items
        .iter()
        .map(|item| item["status"].as_str().unwrap())
        .collect();
    assert_eq!(
        statuses,
        ["created", "invalid", "created", "existing", "invalid"]
    );
    assert_eq!(items[2]["id"], items[3]["id"]);
    assert_eq!(items[1]["index"], 1);
    let errors = items[1]["problem"]["errors"].as_array().unwrap();
    assert_eq!(
        (errors[0]["pointer"].as_str(), errors.len()),
        (Some("/kind"), 2)
    );
}

#[tokio::test]
async fn all_or_none_names_every_fault_and_stores_nothing() {
    let app = TestApp::new().await;
    let body = r#"[{"kind":"a"},{"kind":""},{"kind":"b","priority":-1}]"#;
    let reply = app.call(Method::POST, "/jobs/bulk?atomic=true", body).await;
    assert_eq!(reply.pointers(), ["/1/kind", "/2/priority"]);
    assert_eq!(app.get("/jobs").await.ok()["total"], 0);
    let good = app
        .call(
            Method::POST,
            "/jobs/bulk?atomic=1",
            r#"[{"kind":"a"},{"kind":"b"}]"#,
        )
        .await;
    assert_eq!(good.ok()["created"], 2);
    let reused =
        r#"[{"kind":"a"},{"kind":"a","idempotency_key":"k"},{"kind":"b","idempotency_key":"k"}]"#;
    let reply = app
        .call(Method::POST, "/jobs/bulk?atomic=true", reused)
        .await;
    assert!((400..500).contains(&reply.status), "{}", reply.text);
    assert_eq!(app.get("/jobs").await.ok()["total"], 2);
}

#[tokio::test]
async fn lines_are_jobs_too() {
    let app = TestApp::new().await;
    let lines = "{\"kind\":\"a\"}\n\n{\"kind\":\"b\",\"payload\":1e2}\r\n{broken\n";
    let ndjson = [("content-type", "application/x-ndjson")];
    let reply = app
        .call_with(Method::POST, "/jobs/bulk", lines, &ndjson)
        .await
        .ok();
    assert_eq!(
        (&reply["created"], &reply["failed"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(reply["items"][2]["problem"]["code"], "malformed");
}

#[tokio::test]
async fn ten_thousand_jobs_are_taken_and_one_more_is_not() {
    let app = TestApp::new().await;
    let ndjson = [("content-type", "application/x-ndjson")];
    let lines = |count: usize| {
        (0..count).fold(String::new(), |mut text, n| {
            let _ = writeln!(text, "{{\"kind\":\"k\",\"payload\":{n}}}");
            text
        })
    };
    let all = app
        .call_with(Method::POST, "/jobs/bulk", &lines(10_000), &ndjson)
        .await;
    assert_eq!(all.ok()["created"], 10_000);
    let more = app
        .call_with(Method::POST, "/jobs/bulk", &lines(10_001), &ndjson)
        .await;
    more.problem(413, "too_large");
    let page = app.get("/jobs?limit=1").await.ok();
    assert_eq!(
        (&page["total"], &page["total_capped"]),
        (&json!(10_000), &json!(false))
    );
}

#[tokio::test]
async fn a_body_that_is_no_list_is_told_apart_from_one_that_is_no_json() {
    let app = TestApp::new().await;
    app.call(Method::POST, "/jobs/bulk", "[{")
        .await
        .problem(400, "malformed");
    app.call(Method::POST, "/jobs/bulk", "{}")
        .await
        .problem(422, "invalid");
    assert_eq!(
        app.call(Method::POST, "/jobs/bulk", "[]").await.ok()["items"],
        json!([])
    );
    let reply = app
        .call(Method::POST, "/jobs/bulk?atomic=maybe", "[]")
        .await;
    assert_eq!(reply.pointers(), ["/atomic"]);
}

#[tokio::test]
async fn a_fault_of_an_item_speaks_of_the_item_and_of_the_line_of_the_body() {
    let app = TestApp::new().await;
    let ndjson = [("content-type", "application/x-ndjson")];
    let lines = "{\"kind\":\"a\"}\n\n{\"kind\": nope}\n7\n";
    let reply = app
        .call_with(Method::POST, "/jobs/bulk", lines, &ndjson)
        .await
        .ok();
    let detail = |n: usize| {
        reply["items"][n]["problem"]["detail"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(
        detail(1).starts_with("the item is not valid JSON"),
        "{}",
        detail(1)
    );
    assert!(detail(1).contains("at line 3 column 11"), "{}", detail(1));
    assert_eq!(detail(2), "the item must be a JSON object");
}
