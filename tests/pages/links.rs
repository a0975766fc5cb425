//! Links lead somewhere, whatever the names in them.

use std::collections::BTreeSet;

use super::browser::Browser;
use super::scene::{Words, fill, pages, segment};

/// Opens every link of every page once.
async fn all_lead_somewhere(words: &Words) {
    let browser = Browser::new().await;
    let mut seen = BTreeSet::new();
    let mut found = BTreeSet::new();
    for path in pages(words, fill(&browser.app, words).await) {
        let page = browser.open(&path).await;
        found.extend(page.links());
        seen.insert(path);
    }
    assert!(found.len() > 20, "{found:?}");
    for path in found.difference(&seen) {
        // The one that is no page.
        if path == "/openapi.json" {
            continue;
        }
        let page = browser.open(path).await;
        page.is_whole(200, page.tags("html")[0].get("lang").unwrap_or_default());
        browser.set("lang", "en");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_link_leads_to_a_page() {
    all_lead_somewhere(&Words::plain()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_link_leads_to_a_page_whatever_the_names() {
    for name in [
        "a/b c?д%25",
        "100% #1 & more=+",
        "../../jobs",
        "\"quoted\" \\ ;,|",
    ] {
        all_lead_somewhere(&Words::new(name, "x")).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_link_with_a_strange_name_finds_just_that() {
    let browser = Browser::new().await;
    let name = "a/b c?д%25";
    let scene = fill(&browser.app, &Words::new(name, "x")).await;
    browser
        .app
        .post(
            "/jobs",
            &serde_json::json!({"kind": "other.kind", "queue": "a"}),
        )
        .await
        .ok();
    let queues = browser.open("/queues").await;
    let of_queue = queues
        .links()
        .into_iter()
        .find(|link| link.starts_with("/jobs?") && link.contains(&segment(name)))
        .expect("a link to its jobs");
    let jobs = browser.open(&of_queue).await;
    assert!(
        jobs.links().contains(&format!("/jobs/{}", scene.ready)),
        "{of_queue}"
    );
    assert!(!jobs.text().contains("other.kind"), "{}", jobs.text());
    let schedules = browser.open("/schedules").await;
    let own = format!("/schedules/{}", segment(name));
    assert!(schedules.links().contains(&own), "{:?}", schedules.links());
    let page = browser.open(&own).await;
    assert_eq!(super::html::inside(&page.pieces, "h1")[0].trim(), name);
    let edit = browser.open(&format!("{own}/edit")).await;
    assert_eq!(edit.form("put_schedule", &[]).value("schedule[name]"), name);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn numbers_beyond_what_a_browser_can_count_stay_exact() {
    let browser = Browser::new().await;
    let exact = r#"{"id":9007199254740993,"big":18446744073709551617,"f":0.10000000000000000555}"#;
    let call = async |method: axum::http::Method, path: &str, body: &str| {
        browser.app.call(method, path, body).await.ok()
    };
    let post = axum::http::Method::POST;
    call(
        post.clone(),
        "/jobs",
        &format!(r#"{{"kind":"k","payload":{exact}}}"#),
    )
    .await;
    let job = browser.app.claim().await;
    let report = format!(
        r#"{{"lease_token":{},"outcome":"succeeded","result":{exact}}}"#,
        job["lease_token"]
    );
    call(post.clone(), "/jobs/1/finish", &report).await;
    call(
        post,
        "/jobs",
        &format!(r#"{{"kind":"k","payload":{exact},"delay_s":60}}"#),
    )
    .await;
    let schedule = format!(r#"{{"cron":"0 7 * * *","kind":"k","payload":{exact}}}"#);
    call(axum::http::Method::PUT, "/schedules/daily", &schedule).await;
    for path in [
        "/jobs",
        "/jobs/1",
        "/jobs/2",
        "/jobs/2?edit=1",
        "/jobs/new?copy=1",
        "/schedules/daily",
        "/schedules/daily/edit",
    ] {
        let text = browser.open(path).await.text();
        for number in ["9007199254740993", "18446744073709551617"] {
            assert!(text.contains(number), "{number} on {path}: {text}");
        }
        for double in [
            "9007199254740992",
            "9007199254740994",
            "18446744073709552000",
        ] {
            assert!(!text.contains(double), "{double} on {path}");
        }
    }
    let form = browser.open("/jobs/2?edit=1").await.form("edit_job", &[]);
    assert_eq!(form.value("job[payload]"), exact);
}
