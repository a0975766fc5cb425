//! Several processes on one database.

use std::collections::HashMap;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::child::{Home, PATIENCE, Server};
use crate::support::eventually::within;

const JOBS: usize = 5000;
const AT_ONCE: usize = 1000;

type Calls = Arc<Mutex<HashMap<usize, u32>>>;

/// Counts the calls of each job from outside: nothing the queue says of itself is believed.
async fn target() -> (String, Calls) {
    async fn count(State(calls): State<Calls>, Path(n): Path<usize>) {
        *calls.lock().unwrap().entry(n).or_default() += 1;
    }
    let calls = Calls::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new()
        .route("/{n}", post(count))
        .with_state(Arc::clone(&calls));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (format!("http://{address}"), calls)
}

async fn enqueue_all(server: &Server, target: &str) {
    for from in (0..JOBS).step_by(AT_ONCE) {
        let jobs: Vec<Value> = (from..from + AT_ONCE)
            .map(|n| json!({"kind": "webhook.call", "payload": {"url": format!("{target}/{n}")}}))
            .collect();
        let answer = server
            .call("POST", "/jobs/bulk", &Value::from(jobs).to_string())
            .await
            .ok();
        assert_eq!(answer["created"], AT_ONCE);
    }
}

/// Every job of a list, with its pages one after the other.
async fn all(server: &Server, filter: &str) -> Vec<Value> {
    let mut jobs = Vec::new();
    let mut cursor = String::new();
    loop {
        let path = format!("/jobs?limit=200&{filter}{cursor}");
        let page = server.call("GET", &path, "").await.ok();
        jobs.extend(page["items"].as_array().unwrap().iter().cloned());
        match page["next"].as_str() {
            Some(next) => cursor = format!("&after={next}"),
            None => return jobs,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_servers_and_commands_on_one_file_run_every_job_once() {
    let home = Home::new();
    let settings = [("WORKERS", "8"), ("WEBHOOK_ALLOW_PRIVATE", "1")];
    let (mut first, mut second) = tokio::join!(home.serve(&settings), home.serve(&settings));
    let (url, calls) = target().await;
    enqueue_all(&first, &url).await;
    // A third process writes to the file while both work.
    let payload = json!({"url": format!("{url}/{JOBS}")}).to_string();
    let beside = tokio::task::block_in_place(|| {
        home.run(&["enqueue", "webhook.call", "--payload", &payload])
    });
    assert_eq!(
        (beside.code, beside.err.as_str()),
        (Some(0), ""),
        "{beside:?}"
    );
    within(PATIENCE, "all jobs are done", async || {
        let queues = second.call("GET", "/queues", "").await.ok();
        let left = ["ready", "running", "retrying", "scheduled"];
        left.iter().all(|state| queues[0][state] == 0).then_some(())
    })
    .await;
    let calls = calls.lock().unwrap().clone();
    assert_eq!(calls.len(), JOBS + 1);
    let more: Vec<_> = calls.iter().filter(|(_, times)| **times != 1).collect();
    assert!(more.is_empty(), "called more than once: {more:?}");
    let jobs = all(&first, "state=succeeded").await;
    assert_eq!(jobs.len(), JOBS + 1);
    assert!(jobs.iter().all(|job| job["attempt"] == 1));
    assert!(first.is_running() && second.is_running());
}

#[test]
fn commands_that_start_at_once_make_one_database() {
    let home = Home::new();
    let children: Vec<Child> = (0..4)
        .map(|_| {
            let mut command = home.command();
            command.args(["enqueue", "report"]);
            command.stdout(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let mut ids: Vec<String> = children
        .into_iter()
        .map(|child| child.wait_with_output().unwrap())
        .map(|output| {
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        })
        .collect();
    ids.sort();
    assert_eq!(ids, ["1", "2", "3", "4"]);
}
