//! The built-in kinds in a real pool on a real store.

use std::sync::Arc;

use conveyor::clock::{Clock, SystemClock};
use conveyor::worker::Registry;
use conveyor::worker::handlers::{HandlerConfig, register};
use conveyor_model::job::Job;
use conveyor_model::json::JsonText;
use conveyor_model::new_job::NewJob;
use conveyor_model::state::{Action, State};
use serde_json::{Value, json};

use super::support::serve;
use crate::support::eventually::eventually;
use crate::support::pool;
use crate::support::store::{StoreExt, TestStore, open};

struct Plant {
    store: TestStore,
    pool: conveyor::worker::Pool,
    temp: tempfile::TempDir,
}

impl Plant {
    async fn new(change: impl FnOnce(&mut HandlerConfig)) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let mut config = HandlerConfig::new(temp.path(), "a@example.com".parse().unwrap());
        change(&mut config);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let mut registry = Registry::new();
        register(&mut registry, &config, &clock).unwrap();
        let store = open().await;
        let pool = pool::start(&store, registry, 4);
        Plant { store, pool, temp }
    }

    async fn enqueue(&self, kind: &str, payload: Value) -> conveyor_model::name::JobId {
        let job = NewJob::new(kind.parse().unwrap(), JsonText::of(&payload).unwrap());
        self.store.enqueue(job, SystemClock.now()).await.id
    }

    async fn ends(&self, id: conveyor_model::name::JobId) -> Job {
        let ended = async || {
            let job = self.store.show(id).await;
            let over = job.row.state.is_final() || job.row.state == State::Retrying;
            over.then_some(job)
        };
        eventually("the job ends", ended).await
    }

    async fn runs(&self, kind: &str, payload: Value) -> Job {
        let id = self.enqueue(kind, payload).await;
        self.ends(id).await
    }
}

fn class(job: &Job) -> &str {
    &job.last_error.as_ref().unwrap().class
}

#[tokio::test]
async fn each_kind_does_its_work_and_leaves_a_result() {
    let address = serve(axum::Router::new().fallback(|| async { "hi" })).await;
    let plant = Plant::new(|config| {
        config.allow_private = "127.0.0.1".parse().unwrap();
        config.allow_commands = vec!["cat".to_owned()];
    })
    .await;
    let files = plant.temp.path().join("files");
    std::fs::create_dir(&files).unwrap();
    image::RgbImage::new(8, 4)
        .save(files.join("a.png"))
        .unwrap();
    let result = async |kind: &str, payload| {
        let job = plant.runs(kind, payload).await;
        assert_eq!(
            job.row.state,
            State::Succeeded,
            "{kind}: {:?}",
            job.last_error
        );
        serde_json::from_str::<Value>(job.result.unwrap().as_str()).unwrap()
    };
    let hook = result("webhook.call", json!({"url": format!("http://{address}/")})).await;
    assert_eq!(
        (&hook["status"], &hook["body"]),
        (&json!(200), &json!("hi"))
    );
    let mail = json!({"to": "b@example.com", "subject": "s", "text": "t"});
    let mail = result("email.send", mail).await;
    assert!(
        plant
            .temp
            .path()
            .join(mail["path"].as_str().unwrap())
            .is_file()
    );
    let picture = result("image.resize", json!({"source": "a.png", "width": 4})).await;
    assert_eq!(
        (&picture["width"], &picture["height"]),
        (&json!(4), &json!(2))
    );
    assert!(files.join(picture["path"].as_str().unwrap()).is_file());
    let command = json!({"program": "cat", "note": [1, 2]});
    assert_eq!(result("command.run", command.clone()).await, command);
    plant.pool.stop(conveyor_model::time::Span::ZERO).await;
}

#[tokio::test]
async fn a_job_that_cannot_succeed_dies_at_once_and_one_that_may_is_tried_again() {
    let plant = Plant::new(|config| config.allow_commands = vec!["true".to_owned()]).await;
    for (kind, payload, expected) in [
        (
            "webhook.call",
            json!({"url": "http://127.0.0.1/"}),
            "Blocked",
        ),
        ("webhook.call", json!({"url": 1}), "InvalidPayload"),
        ("email.send", json!({"to": "x"}), "InvalidPayload"),
        ("image.resize", json!({"source": "none.png"}), "NotFound"),
        (
            "command.run",
            json!({"program": "sh", "args": ["-c", "id"]}),
            "NotAllowed",
        ),
    ] {
        let job = plant.runs(kind, payload).await;
        assert_eq!(
            (job.row.state, class(&job)),
            (State::Dead, expected),
            "{kind}"
        );
        assert_eq!(job.row.attempt, 1);
    }
    let open = Plant::new(|config| config.allow_private = "1".parse().unwrap()).await;
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", closed.local_addr().unwrap());
    drop(closed);
    let job = open.runs("webhook.call", json!({"url": url})).await;
    assert_eq!(
        (job.row.state, class(&job)),
        (State::Retrying, "ConnectionRefused")
    );
}

#[tokio::test]
async fn a_call_that_a_person_cancels_is_cancelled_at_once() {
    let hang = || async { std::future::pending::<()>().await };
    let address = serve(axum::Router::new().fallback(hang)).await;
    let plant = Plant::new(|config| config.allow_private = "1".parse().unwrap()).await;
    let payload = json!({"url": format!("http://{address}/")});
    let id = plant.enqueue("webhook.call", payload).await;
    let running = async || (plant.store.state(id).await == State::Running).then_some(());
    eventually("the job runs", running).await;
    plant
        .store
        .act(vec![id], Action::Cancel, SystemClock.now())
        .await
        .unwrap();
    plant.store.events.cancel_asked();
    assert_eq!(plant.ends(id).await.row.state, State::Cancelled);
}

#[tokio::test]
async fn commands_are_off_unless_programs_are_listed() {
    let plant = Plant::new(|_| {}).await;
    let id = plant
        .enqueue("command.run", json!({"program": "true"}))
        .await;
    let other = plant.runs("email.send", json!({})).await;
    assert_eq!(other.row.state, State::Dead);
    assert_eq!(plant.store.state(id).await, State::Ready);
}
