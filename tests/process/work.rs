//! `conveyor work`: a worker of its own, which runs each job by a command.

use conveyor::clock::{Clock, SystemClock};
use conveyor::events::Events;
use conveyor::store::{self, StoreOptions};
use conveyor_model::worker::WorkerState;
use rustix::process::Signal;
use serde_json::json;

use super::child::{Home, PATIENCE, Process, Server};
use crate::support::eventually::{eventually, within};

/// Writes what it reads, with a word of its own.
const ECHO: &str = "printf '{\"read\":'; cat; printf '}'";

async fn runs_and_stops(server: &Server, mut worker: Process) {
    worker.tells("ready to run jobs").await;
    let other = json!({"kind": "echo", "payload": 1, "queue": "other"});
    let other = server.enqueue(&other).await;
    let job = json!({"kind": "echo", "payload": {"n": [1, 2]}, "queue": "mine"});
    let id = server.enqueue(&job).await;
    let done = server.reaches(id, "succeeded").await;
    assert_eq!(done["result"], json!({"read": {"n": [1, 2]}}), "{done}");
    assert!(!done["attempts"][0]["worker"].is_null(), "{done}");
    // It takes no other queue, and what it does not take stays.
    server.reaches(other, "ready").await;
    worker.signal(Signal::TERM);
    assert_eq!(worker.ended().await.code(), Some(0), "{:?}", worker.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_worker_runs_the_jobs_of_its_queues_from_the_file() {
    let home = Home::new();
    let server = home.serve(&[("WORKERS", "0")]).await;
    let arguments = ["work", "--exec", ECHO, "--kind", "echo", "--queue", "mine"];
    runs_and_stops(&server, home.start(&arguments, &[])).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_worker_without_a_server_does_what_a_server_does_for_it() {
    let home = Home::new();
    let later = ["enqueue", "echo", "--payload", "1", "--delay", "1"];
    assert_eq!(home.run(&later).out.trim(), "1");
    let mut worker = home.start(&["work", "--exec", ECHO], &[]);
    let succeeded = async || {
        let shown = home.run(&["jobs", "show", "1"]).out;
        shown.contains("succeeded").then_some(())
    };
    eventually("what was to run later has run", succeeded).await;
    worker.signal(Signal::TERM);
    assert_eq!(worker.ended().await.code(), Some(0), "{:?}", worker.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_worker_runs_the_jobs_of_its_queues_from_a_server() {
    let home = Home::new();
    let server = home.serve(&[("WORKERS", "0")]).await;
    let (url, elsewhere) = (
        format!("http://{}", server.at),
        home.path().join("elsewhere"),
    );
    let settings = [
        ("DATA_DIR", elsewhere.to_str().unwrap()),
        ("QUEUES", "mine"),
    ];
    let arguments = ["work", "--exec", ECHO, "--url", &url];
    runs_and_stops(&server, home.start(&arguments, &settings)).await;
    assert!(!elsewhere.join("conveyor.db").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_worker_of_a_server_tells_it_of_a_timeout() {
    let home = Home::new();
    let server = home.serve(&[("WORKERS", "0")]).await;
    let url = format!("http://{}", server.at);
    let _worker = home.start(&["work", "--exec", "sleep 300", "--url", &url], &[]);
    let id = server
        .enqueue(&json!({"kind": "slow", "timeout_s": 0.1}))
        .await;
    let job = server.reaches(id, "retrying").await;
    assert_eq!(job["attempts"][0]["outcome"], "timeout", "{job}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_worker_on_the_file_can_be_told_to_stop() {
    let home = Home::new();
    let settings = [("LEASE_S", "5")];
    let mut process = home.start(&["work", "--exec", ECHO], &settings);
    process.tells("ready to run jobs").await;
    let file = home.path().join("data").join("conveyor.db");
    let options = StoreOptions {
        url: format!("sqlite:{}", file.display()),
        readers: 1,
    };
    let store = store::open(&options, Events::default()).await.unwrap();
    let worker = within(PATIENCE, "the worker is known", async || {
        store.workers(SystemClock.now()).await.unwrap().pop()
    })
    .await;
    // Only then the page offers to stop it.
    assert!(!worker.in_process);
    assert!(
        store
            .tell_worker(&worker.name, WorkerState::Stop)
            .await
            .unwrap()
    );
    assert_eq!(process.ended().await.code(), Some(0), "{:?}", process.log());
    store.close().await;
}
