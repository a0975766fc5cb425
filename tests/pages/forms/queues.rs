//! Queues, workers and the dead letter.

use serde_json::{Value, json};

use crate::pages::browser::Browser;
use crate::pages::scene::{Words, fill};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_queue_is_paused_resumed_and_purged() {
    let browser = Browser::new().await;
    for name in ["mail", "a/b c?д%25", "\"q\" <b> & '"] {
        browser
            .app
            .post("/jobs", &json!({"kind": "k", "queue": name}))
            .await
            .ok();
        let own = [("queue", name)];
        let queue = async || {
            let path = format!("/queues/{}", crate::pages::scene::segment(name));
            browser.app.get(&path).await.ok()
        };
        let form = browser.open("/queues").await.form("pause_queue", &own);
        let note = "deploy <b>today</b>";
        let page = browser
            .submit(&form.set("note", note).set("until", "60"))
            .await;
        assert_eq!(page.path, "/queues");
        assert!(
            page.notice()
                .contains(&format!("The queue {name} is paused.")),
            "{}",
            page.notice()
        );
        assert!(page.text().contains(note), "{}", page.text());
        let paused = queue().await["paused"].clone();
        assert_eq!(paused["note"], note);
        assert!(paused["until"].is_string() && paused["by"].is_string());
        assert_eq!(browser.open("/queues").await.notice(), "");

        let page = browser.open("/queues").await;
        assert!(!page.has_form("pause_queue", &own));
        let page = browser.submit(&page.form("resume_queue", &own)).await;
        assert!(
            page.notice().contains("gives out jobs again"),
            "{}",
            page.notice()
        );
        assert_eq!(queue().await["paused"], Value::Null);

        let purge = page.form("purge_queue", &own);
        let page = browser
            .submit(&purge.clone().set("typed", "something else"))
            .await;
        assert!(!page.notice().contains("purged"), "{}", page.notice());
        assert_eq!(queue().await["ready"], 1);
        let page = browser.submit(&purge.set("typed", name)).await;
        assert!(
            page.notice().contains("is purged: 1 job deleted"),
            "{}",
            page.notice()
        );
        assert_eq!(queue().await["ready"], 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_worker_is_told_what_to_do() {
    let browser = Browser::new().await;
    let words = Words::new("w 1/2 <b>", "x");
    fill(&browser.app, &words).await;
    for (state, said) in [
        ("quiet", "told to take no new jobs"),
        ("run", "takes jobs"),
        ("stop", "ends after its jobs"),
    ] {
        let page = browser.open("/workers").await;
        let form = page.form("tell_worker", &[("worker", &words.name), ("state", state)]);
        let page = browser.submit(&form).await;
        assert_eq!(page.path, "/workers");
        assert!(page.notice().contains(said), "{}", page.notice());
        assert!(page.notice().contains(&words.name), "{}", page.notice());
        let workers = browser.app.get("/workers").await.ok();
        assert!(
            workers.to_string().contains(&format!("\"{state}\"")),
            "{workers}"
        );
    }
    let form = browser.open("/workers").await.form("tell_worker", &[]);
    let page = browser.submit(&form.set("worker", "nobody")).await;
    assert!(page.notice().contains("nobody"), "{}", page.notice());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn dead_jobs_are_retried_and_deleted_by_cause() {
    let browser = Browser::new().await;
    let fail = async |class: &str| {
        let job = json!({"kind": "k", "max_attempts": 1});
        browser.app.post("/jobs", &job).await.ok();
        let job = browser.app.claim().await;
        let report = json!({
            "lease_token": job["lease_token"], "outcome": "failed",
            "error": {"class": class, "message": "<b>no</b> answer"},
        });
        let path = format!("/jobs/{}/finish", job["id"]);
        browser.app.post(&path, &report).await.ok();
    };
    let dead = async || browser.app.get("/jobs?state=dead").await.ok()["total"].clone();
    for class in ["Away", "Away", "Away", "Odd"] {
        fail(class).await;
    }
    let page = browser.open("/dead").await;
    assert!(page.text().contains("<b>no</b> answer"), "{}", page.text());
    let one = browser
        .submit(&page.form("act", &[("action", "retry")]))
        .await;
    assert!(
        one.path == "/dead" && one.notice().contains("gets another attempt"),
        "{}",
        one.notice()
    );
    assert_eq!(dead().await, 3);
    let group = page.form("retry_group", &[("most", "0")]);
    let page = browser.submit(&group).await;
    assert!(
        page.notice().contains("2 jobs get another attempt"),
        "{}",
        page.notice()
    );
    assert_eq!(dead().await, 1);
    let page = browser.submit(&page.form("delete_group", &[])).await;
    assert!(
        page.notice().contains("1 job is deleted"),
        "{}",
        page.notice()
    );
    assert_eq!(dead().await, 0);
    let late = browser.submit(&group).await;
    assert!(!late.notice().is_empty(), "{}", late.text());
}
