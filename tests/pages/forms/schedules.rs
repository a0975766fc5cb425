//! Schedules.

use axum::http::Method;
use serde_json::{Value, json};

use crate::pages::browser::Browser;
use crate::pages::scene::segment;

async fn schedule(browser: &Browser, name: &str) -> Value {
    let path = format!("/schedules/{}", segment(name));
    browser.app.get(&path).await.ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_schedule_is_made_changed_run_paused_and_deleted() {
    let browser = Browser::new().await;
    for name in ["daily", "a/b c?д%25", "\"s\" <b> & '"] {
        let own = format!("/schedules/{}", segment(name));
        let form = browser
            .open("/schedules/new")
            .await
            .form("put_schedule", &[]);
        let form = form
            .set("schedule[name]", name)
            .set("schedule[cron]", "0 7 * * *")
            .set("schedule[timezone]", "Europe/Berlin")
            .set("schedule[kind]", "report.build")
            .set("schedule[payload]", "{\"n\":9007199254740993}");
        let page = browser.submit(&form).await;
        assert_eq!(page.path, own);
        page.is_whole(200, "en");
        assert!(
            page.notice()
                .contains(&format!("The schedule {name} is saved.")),
            "{}",
            page.notice()
        );
        assert_eq!(browser.open(&own).await.notice(), "");
        // The form of a new schedule never overwrites one there is.
        let again = browser
            .submit(&form.set("schedule[cron]", "1 1 * * *"))
            .await;
        assert!(!again.notice().contains("is saved"), "{}", again.notice());
        assert_eq!(schedule(&browser, name).await["cron"], "0 7 * * *");

        let edit = browser
            .open(&format!("{own}/edit"))
            .await
            .form("put_schedule", &[]);
        let page = browser
            .submit(&edit.clone().set("schedule[cron]", "0 8 * * *"))
            .await;
        assert_eq!(page.path, own);
        let kept = browser
            .app
            .get(&format!("/schedules/{}", segment(name)))
            .await;
        assert!(
            kept.text.contains("{\"n\":9007199254740993}"),
            "{}",
            kept.text
        );
        assert_eq!(kept.ok()["cron"], "0 8 * * *");
        let late = browser
            .submit(&edit.set("schedule[cron]", "0 9 * * *"))
            .await;
        assert!(
            late.notice().contains("changed it meanwhile"),
            "{}",
            late.notice()
        );

        for path in [own.as_str(), "/schedules"] {
            let this = [("schedule", name)];
            let page = browser.open(path).await;
            let page = browser.submit(&page.form("run_schedule", &this)).await;
            assert!(
                page.notice().contains("has enqueued job #"),
                "{}",
                page.notice()
            );
            let pause = page.form("pause_schedule", &this);
            assert_eq!(pause.value("paused"), "yes");
            let page = browser.submit(&pause).await;
            assert_eq!(page.path, path);
            assert!(page.notice().contains("is paused"), "{}", page.notice());
            assert_eq!(schedule(&browser, name).await["paused"], true);
            let resume = page.form("pause_schedule", &this);
            assert_eq!(resume.value("paused"), "no");
            browser.submit(&resume).await;
            assert_eq!(schedule(&browser, name).await["paused"], false);
        }
        let page = browser.open(&own).await;
        let to = browser.send(&page.form("delete_schedule", &[])).await;
        assert!(to.starts_with("/schedules"), "{to}");
        let page = browser.open(&to).await;
        assert!(
            page.notice().contains("is deleted; its jobs stay"),
            "{to}: {}",
            page.text()
        );
        assert_eq!(
            browser
                .app
                .get(&format!("/schedules/{}", segment(name)))
                .await
                .status,
            404
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_bad_schedule_comes_back_with_every_fault() {
    let browser = Browser::new().await;
    let typed = [
        ("schedule[name]", " <b>"),
        ("schedule[cron]", "61 * * * <i>"),
        ("schedule[timezone]", "Mars/\"Base\""),
        ("schedule[kind]", "a b"),
        ("schedule[payload]", "{\"</textarea>\":"),
        ("schedule[jitter]", "-5"),
        ("schedule[queue]", "x & y"),
    ];
    let mut form = browser
        .open("/schedules/new")
        .await
        .form("put_schedule", &[]);
    for (name, value) in typed {
        form = form.set(name, value);
    }
    let page = browser.submit(&form).await;
    page.is_whole(200, "en");
    assert!(
        page.path.starts_with("/schedules/new?draft="),
        "{}",
        page.path
    );
    let back = page.form("put_schedule", &[]);
    for (name, value) in typed {
        assert_eq!(back.value(name), value, "{name}");
    }
    let faulty: Vec<&str> = page
        .tags("*")
        .into_iter()
        .filter(|tag| tag.get("aria-invalid") == Some("true"))
        .filter_map(|tag| tag.get("name"))
        .collect();
    for name in [
        "schedule[cron]",
        "schedule[kind]",
        "schedule[payload]",
        "schedule[jitter]",
    ] {
        assert!(faulty.contains(&name), "{name} in {faulty:?}");
    }
    assert!(!faulty.contains(&"schedule[queue]"), "{faulty:?}");
    assert_eq!(browser.app.get("/schedules").await.ok()["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_look_at_the_fires_stores_nothing_and_keeps_what_was_typed() {
    let browser = Browser::new().await;
    let form = browser
        .open("/schedules/new")
        .await
        .form("put_schedule", &[]);
    let look = form
        .set("schedule[name]", "daily")
        .set("schedule[cron]", "30 4 1 1 *")
        .set("schedule[kind]", "k")
        .set("check", "yes");
    let page = browser.submit(&look).await;
    let back = page.form("put_schedule", &[]);
    assert_eq!(
        (back.value("schedule[name]"), back.value("schedule[cron]")),
        ("daily", "30 4 1 1 *")
    );
    assert!(
        page.text().contains("2027") || page.raw.contains("2027-01-01T04:30"),
        "{}",
        page.text()
    );
    assert_eq!(browser.app.get("/schedules/daily").await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_action_on_a_schedule_that_is_gone_says_so() {
    let browser = Browser::new().await;
    let spec = r#"{"cron":"0 7 * * *","kind":"k"}"#;
    browser
        .app
        .call(Method::PUT, "/schedules/daily", spec)
        .await
        .ok();
    let page = browser.open("/schedules").await;
    browser
        .app
        .call(Method::DELETE, "/schedules/daily", "")
        .await;
    for name in ["run_schedule", "pause_schedule"] {
        let page = browser.submit(&page.form(name, &[])).await;
        assert!(
            page.notice().contains("There is no schedule daily."),
            "{}",
            page.notice()
        );
    }
}
