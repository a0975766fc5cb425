//! Jobs.

use serde_json::{Value, json};

use crate::pages::browser::Browser;
use crate::pages::scene::{Words, fill};

async fn job(browser: &Browser, id: i64) -> Value {
    browser.app.get(&format!("/jobs/{id}")).await.ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_job_is_enqueued_once_and_the_next_page_says_so_once() {
    let browser = Browser::new().await;
    let form = browser.open("/jobs/new").await.form("enqueue", &[]);
    let form = form
        .set("job[kind]", "report.build")
        .set("job[payload]", "{\"n\": 9007199254740993}")
        .set("job[queue]", "a/b c?д%25")
        .set("job[tags]", "x, y")
        .set("job[due]", "after")
        .set("job[delay]", "2")
        .set("job[delay_unit]", "h");
    let page = browser.submit(&form).await;
    assert_eq!((page.status, page.path.as_str()), (200, "/jobs/1"));
    assert!(
        page.notice().contains("Job #1 is enqueued."),
        "{}",
        page.notice()
    );
    assert_eq!(browser.open("/jobs/1").await.notice(), "");
    let stored = job(&browser, 1).await;
    assert_eq!(
        (&stored["state"], &stored["queue"], &stored["tags"]),
        (
            &json!("scheduled"),
            &json!("a/b c?д%25"),
            &json!(["x", "y"])
        )
    );
    // Sent again, as after going back, it is the same job.
    let page = browser.submit(&form).await;
    assert!(
        page.path == "/jobs/1" && page.notice().contains("#1"),
        "{page:?}"
    );
    assert_eq!(browser.app.get("/jobs").await.ok()["total"], 1);
    let another = browser
        .submit(&form.set("job[kind]", "b").set("another", "yes"))
        .await;
    assert!(another.path.starts_with("/jobs/new"), "{}", another.path);
    assert!(
        another.notice().contains("Job #2 is enqueued."),
        "{}",
        another.notice()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_typed_comes_back_with_every_fault_beside_its_field() {
    let browser = Browser::new().await;
    let typed = [
        ("job[kind]", "a b"),
        ("job[payload]", "{\"<script>\": "),
        ("job[priority]", "12"),
        ("job[max_attempts]", "many"),
        ("job[queue]", "\"q\" & <q>"),
        ("job[tags]", "x, ,y"),
        ("job[timeout]", "-1"),
    ];
    let mut form = browser.open("/jobs/new").await.form("enqueue", &[]);
    for (name, value) in typed {
        form = form.set(name, value);
    }
    let page = browser.submit(&form).await;
    page.is_whole(200, "en");
    assert!(page.path.starts_with("/jobs/new?draft="), "{}", page.path);
    let back = page.form("enqueue", &[]);
    for (name, value) in typed {
        assert_eq!(back.value(name), value, "{name}");
    }
    let faults: Vec<String> = page
        .tags("*")
        .iter()
        .filter(|tag| tag.get("aria-invalid") == Some("true"))
        .filter_map(|tag| tag.get("name").map(str::to_owned))
        .collect();
    for name in [
        "job[kind]",
        "job[payload]",
        "job[priority]",
        "job[max_attempts]",
        "job[timeout]",
    ] {
        assert!(
            faults.iter().any(|fault| fault == name),
            "{name} in {faults:?}"
        );
    }
    assert!(
        !faults
            .iter()
            .any(|fault| fault == "job[queue]" || fault == "job[tags]"),
        "{faults:?}"
    );
    assert!(page.text().contains("0 to 9"), "{}", page.text());
    assert_eq!(browser.app.get("/jobs").await.ok()["total"], 0);
    // Put right, it is taken.
    let good = back
        .set("job[kind]", "k")
        .set("job[payload]", "")
        .set("job[priority]", "9")
        .set("job[max_attempts]", "3")
        .set("job[timeout]", "0");
    assert_eq!(browser.submit(&good).await.path, "/jobs/1");
    assert_eq!(job(&browser, 1).await["queue"], "\"q\" & <q>");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_action_on_a_job_is_a_form() {
    let browser = Browser::new().await;
    let scene = fill(&browser.app, &Words::plain()).await;
    for (id, action, state, said) in [
        (scene.scheduled, "run", "ready", "is due now"),
        (scene.ready, "discard", "dead", "in the dead letter"),
        (scene.dead, "retry", "ready", "gets another attempt"),
        (scene.retrying, "cancel", "cancelled", "is called off"),
        (scene.succeeded, "retry", "ready", "gets another attempt"),
    ] {
        let path = format!("/jobs/{id}");
        let page = browser.open(&path).await;
        let page = browser
            .submit(&page.form("act", &[("action", action)]))
            .await;
        assert_eq!(page.path, path, "{action}");
        assert!(page.notice().contains(said), "{action}: {}", page.notice());
        assert_eq!(job(&browser, id).await["state"], state, "{action}");
        assert_eq!(browser.open(&path).await.notice(), "");
    }
    let path = format!("/jobs/{}", scene.running);
    let page = browser.open(&path).await;
    browser
        .submit(&page.form("act", &[("action", "cancel")]))
        .await;
    assert!(job(&browser, scene.running).await["cancel_requested_at"].is_string());
    let page = browser.open(&format!("/jobs/{}", scene.retrying)).await;
    let to = browser
        .send(&page.form("act", &[("action", "delete")]))
        .await;
    let page = browser.open(&to).await;
    assert!(
        page.notice().contains("is deleted"),
        "{to}: {}",
        page.notice()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_action_that_came_too_late_is_refused_in_words() {
    let browser = Browser::new().await;
    let id = browser.app.enqueue("k").await;
    let page = browser.open(&format!("/jobs/{id}")).await;
    let cancel = page.form("act", &[("action", "cancel")]);
    browser.submit(&cancel).await;
    let late = browser
        .submit(&page.form("act", &[("action", "discard")]))
        .await;
    assert_eq!(late.status, 200);
    assert!(
        late.notice().contains("does not allow"),
        "{}",
        late.notice()
    );
    assert!(
        late.tags("*")
            .iter()
            .any(|tag| tag.get("role") == Some("alert"))
    );
    let gone = browser.submit(&cancel.set("id", "99")).await;
    assert!(gone.notice().contains("99"), "{}", gone.notice());
    let odd = page
        .form("act", &[("action", "cancel")])
        .set("action", "explode");
    let odd = browser.submit(&odd).await;
    assert!(!odd.notice().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_job_is_changed_only_as_it_was_seen() {
    let browser = Browser::new().await;
    let exact = r#"{"n": 9007199254740993,  "n": 1e2}"#;
    let body = format!(r#"{{"kind":"k","delay_s":60,"payload":{exact}}}"#);
    let post = axum::http::Method::POST;
    browser.app.call(post, "/jobs", &body).await.ok();
    let form = browser.open("/jobs/1?edit=1").await.form("edit_job", &[]);
    let page = browser
        .submit(&form.clone().set("job[priority]", "9"))
        .await;
    assert_eq!(page.path, "/jobs/1");
    assert!(
        page.notice().contains("Job #1 is changed."),
        "{}",
        page.notice()
    );
    let stored = browser.app.get("/jobs/1").await;
    assert!(stored.text.contains(exact), "{}", stored.text);
    assert_eq!(stored.ok()["priority"], 9);
    // The version the form was read at is over.
    let late = browser.submit(&form.set("job[priority]", "1")).await;
    assert!(
        late.notice().contains("changed it meanwhile"),
        "{}",
        late.notice()
    );
    assert_eq!(late.form("edit_job", &[]).value("job[priority]"), "1");
    let form = browser.open("/jobs/1?edit=1").await.form("edit_job", &[]);
    let bad = browser.submit(&form.set("job[payload]", "[1,")).await;
    assert!(
        bad.path.starts_with("/jobs/1?edit=1&draft="),
        "{}",
        bad.path
    );
    assert_eq!(bad.form("edit_job", &[]).value("job[payload]"), "[1,");
    assert_eq!(browser.app.get("/jobs/1").await.ok()["priority"], 9);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn several_jobs_are_acted_on_at_once() {
    let browser = Browser::new().await;
    for _ in 0..3 {
        browser.app.enqueue("k").await;
    }
    let form = browser.open("/jobs").await.form("act_on", &[]);
    let mut cancel = form.clone().set("action", "cancel");
    for id in ["1", "3"] {
        cancel.fields.push(("ids[]".to_owned(), id.to_owned()));
    }
    let page = browser.submit(&cancel).await;
    assert_eq!(page.path, "/jobs");
    assert_eq!(page.notice(), "2 jobs are called off.");
    assert_eq!(job(&browser, 2).await["state"], "ready");
    assert_eq!(job(&browser, 3).await["state"], "cancelled");
    // Some refuse it.
    cancel.fields.push(("ids[]".to_owned(), "2".to_owned()));
    let page = browser.submit(&cancel).await;
    assert!(
        page.notice().contains("1 job is called off.") && page.notice().contains("refused it"),
        "{}",
        page.notice()
    );
    // What cannot be undone is not done by a slip, nor is nothing.
    let mut delete = form.clone().set("action", "delete");
    delete.fields.push(("ids[]".to_owned(), "1".to_owned()));
    let page = browser.submit(&delete).await;
    assert!(!page.notice().contains("done"), "{}", page.notice());
    assert_eq!(job(&browser, 1).await["state"], "cancelled");
    browser.submit(&delete.set("sure", "yes")).await;
    assert_eq!(browser.app.get("/jobs/1").await.status, 404);
    for empty in [form.clone(), form.set("action", "cancel")] {
        let page = browser.submit(&empty).await;
        assert!(
            !page.notice().is_empty() && !page.notice().contains("done"),
            "{}",
            page.notice()
        );
    }
}
