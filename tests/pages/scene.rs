//! A queue in which every page has something to show.

use axum::http::Method;
use conveyor_model::filter::percent_encode;
use serde_json::{Value, json};

use crate::support::app::TestApp;

/// What stands wherever a text is free.
#[derive(Clone, Debug)]
pub(super) struct Words {
    /// A name: of a queue, a tag, a schedule, a worker.
    pub(super) name: String,
    /// A longer text: a note, an error, a payload's string.
    pub(super) text: String,
}

impl Words {
    pub(super) fn new(name: &str, text: &str) -> Self {
        Words {
            name: name.to_owned(),
            text: text.to_owned(),
        }
    }

    pub(super) fn plain() -> Self {
        Words::new("mail", "smtp-7")
    }
}

/// The jobs of the scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    pub(super) dead: i64,
    pub(super) running: i64,
    pub(super) succeeded: i64,
    pub(super) retrying: i64,
    pub(super) ready: i64,
    pub(super) scheduled: i64,
}

/// A text as one segment of a path.
pub(super) fn segment(name: &str) -> String {
    let mut encoded = String::new();
    percent_encode(name, &mut encoded);
    encoded
}

/// Fills a queue.
pub(super) async fn fill(app: &TestApp, words: &Words) -> Scene {
    let dead = enqueue(app, words, &json!({"max_attempts": 1})).await;
    finish(app, words, "failed").await;
    let retrying = enqueue(app, words, &json!({})).await;
    finish(app, words, "failed").await;
    let succeeded = enqueue(app, words, &json!({})).await;
    finish(app, words, "succeeded").await;
    let running = enqueue(app, words, &json!({})).await;
    let job = claim(app, words).await;
    let mut lease = json!({"id": job["id"], "lease_token": job["lease_token"]});
    lease["percent"] = json!(42);
    lease["message"] = json!(words.text.chars().take(100).collect::<String>());
    app.post("/worker/progress", &lease).await.ok();
    let ready = enqueue(app, words, &json!({})).await;
    let scheduled = enqueue(app, words, &json!({"delay_s": 3600})).await;
    let name = segment(&words.name);
    let note: String = words.text.chars().take(200).collect();
    app.post(&format!("/queues/{name}/pause"), &json!({"note": note}))
        .await
        .ok();
    let schedule = json!({
        "cron": "30 2 * * 0", "timezone": "Europe/Berlin", "kind": "report.build",
        "queue": words.name, "payload": payload(words),
    });
    app.call(
        Method::PUT,
        &format!("/schedules/{name}"),
        &schedule.to_string(),
    )
    .await
    .ok();
    app.tell(&format!("/schedules/{name}/run")).await.ok();
    Scene {
        dead,
        running,
        succeeded,
        retrying,
        ready,
        scheduled,
    }
}

fn payload(words: &Words) -> Value {
    json!({"text": words.text, words.name.clone(): [1, true, null]})
}

async fn enqueue(app: &TestApp, words: &Words, more: &Value) -> i64 {
    let mut job = json!({
        "kind": "email.send", "queue": words.name, "tags": [words.name.chars().take(64).collect::<String>()],
        "payload": payload(words),
    });
    for (name, value) in more.as_object().unwrap() {
        job[name] = value.clone();
    }
    let stored = app.post("/jobs", &job).await.ok();
    stored["id"].as_i64().unwrap()
}

async fn claim(app: &TestApp, words: &Words) -> Value {
    let ask = json!({"worker": words.name, "lease_s": 3600});
    let claimed = app.post("/worker/claim", &ask).await.ok();
    let job = claimed["jobs"][0].clone();
    assert!(job.is_object(), "no job is ready");
    let lines = json!([{"level": "warn", "message": words.text}]);
    let log = json!({"id": job["id"], "lease_token": job["lease_token"], "lines": lines});
    app.post("/worker/log", &log).await.ok();
    job
}

async fn finish(app: &TestApp, words: &Words, outcome: &str) {
    let job = claim(app, words).await;
    let mut report = json!({"lease_token": job["lease_token"], "outcome": outcome});
    if outcome == "failed" {
        let text = &words.text;
        report["error"] = json!({"message": text, "class": words.name, "backtrace": text});
    } else {
        report["result"] = payload(words);
    }
    app.post(&format!("/jobs/{}/finish", job["id"]), &report)
        .await
        .ok();
}

/// The address of every page that shows something of the scene.
pub(super) fn pages(words: &Words, scene: Scene) -> Vec<String> {
    let name = segment(&words.name);
    let Scene {
        dead,
        running,
        succeeded,
        retrying,
        ready,
        scheduled,
    } = scene;
    let mut pages: Vec<String> = [
        "/",
        "/?range=24h",
        "/jobs",
        "/jobs?state=dead",
        "/jobs/new",
        "/queues",
        "/schedules",
        "/schedules/new",
        "/workers",
        "/dead",
        "/help",
        "/login",
    ]
    .map(str::to_owned)
    .to_vec();
    pages.push(format!("/schedules/{name}"));
    pages.push(format!("/schedules/{name}/edit"));
    pages.push(format!("/jobs?queue={name}&tag={name}"));
    pages.push(format!("/jobs?q={name}"));
    pages.push(format!("/jobs/new?copy={dead}"));
    pages.push(format!("/jobs/{scheduled}?edit=1"));
    for id in [dead, running, succeeded, retrying, ready, scheduled] {
        pages.push(format!("/jobs/{id}"));
    }
    pages
}
