//! Forms that would lead away, and forms from away.

use axum::http::Method;

use crate::pages::browser::Browser;
use crate::pages::html::Form;

const AWAY: [&str; 9] = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/a\r\nSet-Cookie: x=y",
    "",
    "evil",
];

/// Every action that says itself where to come back to.
const ACTIONS: [(&str, &[(&str, &str)]); 10] = [
    ("act", &[("id", "1"), ("action", "cancel")]),
    ("act_on", &[("ids[]", "1"), ("action", "cancel")]),
    (
        "pause_queue",
        &[("queue", "default"), ("note", ""), ("until", "")],
    ),
    ("resume_queue", &[("queue", "default")]),
    ("purge_queue", &[("queue", "default"), ("typed", "default")]),
    ("run_schedule", &[("schedule", "none")]),
    ("pause_schedule", &[("schedule", "none"), ("paused", "yes")]),
    ("delete_schedule", &[("schedule", "none")]),
    ("retry_group", &[("fingerprint", "none"), ("most", "0")]),
    ("tell_worker", &[("worker", "none"), ("state", "quiet")]),
];

fn form(name: &str, fields: &[(&str, &str)]) -> Form {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Form {
        action: format!("/rpc/{name}"),
        fields: fields.iter().map(own).collect(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_form_leads_away_from_this_site() {
    let browser = Browser::new().await;
    browser.app.enqueue("k").await;
    for (name, fields) in ACTIONS {
        for away in AWAY {
            let to = browser
                .send(&form(name, fields).set("return_to", away))
                .await;
            assert_eq!(to, "/", "{name} {away:?}");
        }
        let to = browser
            .send(&form(name, fields).set("return_to", "/jobs?q=%D0%B4"))
            .await;
        assert_eq!(to, "/jobs?q=%D0%B4", "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_action_is_done_by_a_link_or_for_another_site() {
    let browser = Browser::new().await;
    browser.app.enqueue("k").await;
    let page = browser.open("/jobs/1").await;
    let cancel = page.form("act", &[("action", "cancel")]);
    let session = browser.app.log_in().await;
    let own = [("cookie", session.as_str()), ("accept", "text/html")];
    let link = format!("{}?id=1&action=cancel", cancel.action);
    let reply = browser.app.visit(Method::GET, &link, "", &own).await;
    assert!(
        reply.status == 404 || reply.status == 405,
        "{}",
        reply.status
    );
    let form = ("content-type", "application/x-www-form-urlencoded");
    for origin in [
        "http://evil.example",
        "null",
        "http://localhost.evil.example",
    ] {
        let headers = [own[0], own[1], form, ("origin", origin)];
        let reply = browser
            .app
            .visit(Method::POST, &cancel.action, "id=1&action=cancel", &headers)
            .await;
        assert_eq!(reply.status, 403, "{origin}");
    }
    assert_eq!(browser.app.get("/jobs/1").await.ok()["state"], "ready");
}
