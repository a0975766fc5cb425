//! Schedules that stand still or have a slot that waits say so wherever they are shown.

use axum::http::Method;
use conveyor::upkeep::{Watch, fire};
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::Finish;
use serde_json::json;

use super::browser::Browser;
use crate::support::app::TestApp;
use crate::support::store::{StoreExt, job, lease, start};

async fn put(app: &TestApp, name: &str, overlap: &str) {
    let body = json!({"cron": "@every 10m", "kind": "report", "overlap": overlap}).to_string();
    let path = format!("/schedules/{name}");
    app.call(Method::PUT, &path, &body).await.ok();
}

/// A pass of the scheduler so many minutes after the beginning.
async fn pass(app: &TestApp, minutes: i64) -> Timestamp {
    let now = start().plus(Span::from_secs(60 * minutes));
    app.clock.set(now);
    let mut watch = Watch::default();
    fire(&*app.store, now, &mut watch).await.unwrap();
    now
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_schedule_that_cannot_be_carried_out_says_so_and_why() {
    let browser = Browser::new().await;
    browser.app.store.given(job()).await;
    put(&browser.app, "nightly", "allow").await;
    let mut conn = browser.app.store.raw().await;
    sqlx::query("UPDATE schedule SET spec = json_set(spec, '$.timezone', 'Mars/Phobos')")
        .execute(&mut conn)
        .await
        .unwrap();
    pass(&browser.app, 10).await;
    for (lang, fault, still) in [
        ("en", "This schedule cannot be carried out", "stands still"),
        ("ru", "Расписание нельзя выполнить", "остановлено"),
    ] {
        browser.set("lang", lang);
        let overview = browser.open("/").await;
        assert!(overview.text().contains(fault), "{}", overview.text());
        assert!(overview.text().contains("Mars/Phobos"));
        assert!(overview.links().iter().any(|to| to == "/schedules/nightly"));
        for path in ["/schedules", "/schedules/nightly"] {
            let page = browser.open(path).await;
            page.is_whole(200, lang);
            assert!(page.text().contains(still), "{path}: {}", page.text());
        }
        let page = browser.open("/schedules/nightly").await;
        assert!(page.text().contains("Mars/Phobos"), "{}", page.text());
    }
    let shown = browser.app.get("/schedules/nightly").await.ok();
    assert_eq!(shown["next_at"], json!(null));
    let fault = shown["fault"].as_str().unwrap();
    assert!(fault.contains("Mars/Phobos"), "{fault}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_slot_that_waits_for_the_job_before_is_shown() {
    let browser = Browser::new().await;
    put(&browser.app, "often", "queue_one").await;
    let job = browser
        .app
        .store
        .take_one(pass(&browser.app, 10).await)
        .await;
    let now = pass(&browser.app, 20).await;
    let shown = async || browser.app.get("/schedules/often").await.ok();
    assert_eq!(shown().await["waiting_slot"], now.to_string());
    for (lang, waits) in [
        ("en", "waits for the previous job"),
        ("ru", "ждёт прошлую задачу"),
    ] {
        browser.set("lang", lang);
        for path in ["/schedules", "/schedules/often"] {
            let page = browser.open(path).await;
            page.is_whole(200, lang);
            assert!(page.text().contains(waits), "{path}: {}", page.text());
        }
    }
    let report = Finish::succeeded(lease(&job), None);
    browser.app.store.end(report, now).await;
    pass(&browser.app, 20).await;
    assert_eq!(shown().await["waiting_slot"], json!(null));
}
