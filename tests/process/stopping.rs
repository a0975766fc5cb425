//! What a signal does to a server, its jobs and whoever talks to it.

use rustix::process::Signal;
use serde_json::{Value, json};

use super::child::{Home, PATIENCE, Server, Stubborn};
use crate::support::eventually::within;
use crate::support::wire::{self, Stream};

/// One slot for commands; `grace` seconds for them to end.
async fn server(home: &Home, grace: &str) -> Server {
    home.serve(&[
        ("WORKERS", "1"),
        ("ALLOW_COMMANDS", "sh"),
        ("SHUTDOWN_GRACE_S", grace),
    ])
    .await
}

/// A job, read from the file by a command.
fn shown(home: &Home, id: i64) -> Value {
    let said = home.run(&["jobs", "show", &id.to_string(), "--output", "json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    serde_json::from_str(&said.out).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_stop_gives_running_jobs_back_and_answers_who_waits() {
    let home = Home::new();
    let work = Stubborn::new(&home, "work");
    let mut server = server(&home, "1").await;
    let id = server.enqueue(&work.job()).await;
    server.reaches(id, "running").await;
    let pid = work.begins().await;
    let waiting = server.enqueue(&work.job()).await;
    let mut stream = Stream::open(server.at, "?topics=schedules", None).await;
    let at = server.at;
    let ask = json!({"worker": "w", "lease_s": 30, "wait_s": 30, "kinds": ["none"]});
    let poll =
        tokio::spawn(
            async move { wire::try_call(at, "POST", "/worker/claim", &ask.to_string()).await },
        );
    server.seen_waiting().await;

    server.signal(Signal::TERM);
    assert_eq!(stream.expect("bye").await.data, "{}");
    assert_eq!(stream.next().await, None);
    let answer = poll.await.unwrap().expect("an answer");
    assert!(
        (answer.status == 200 && answer.body.contains(r#""jobs":[]"#)) || answer.status == 503,
        "{answer:?}"
    );
    assert_eq!(server.ended().await.code(), Some(0));

    let job = shown(&home, id);
    assert_eq!(
        (&job["state"], &job["attempt"], &job["last_error"]),
        (&json!("ready"), &json!(0), &Value::Null)
    );
    let untouched = shown(&home, waiting);
    assert_eq!(
        (&untouched["state"], &untouched["attempt"]),
        (&json!("ready"), &json!(0))
    );
    assert!(
        rustix::process::test_kill_process(pid).is_err(),
        "what the job had started goes on"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_given_back_runs_again_at_the_next_start() {
    let home = Home::new();
    let work = Stubborn::new(&home, "work");
    let id = {
        let mut server = server(&home, "0").await;
        let id = server.enqueue(&work.job()).await;
        work.begins().await;
        server.signal(Signal::INT);
        assert_eq!(server.ended().await.code(), Some(0));
        id
    };
    let server = server(&home, "0").await;
    let job = server.reaches(id, "succeeded").await;
    assert_eq!(job["attempt"], 1);
    let attempts = server
        .call("GET", &format!("/jobs/{id}/attempts"), "")
        .await
        .ok();
    let outcomes: Vec<_> = attempts
        .as_array()
        .unwrap()
        .iter()
        .map(|attempt| attempt["outcome"].as_str().unwrap())
        .collect();
    assert!(
        outcomes.contains(&"interrupted") && outcomes.contains(&"succeeded"),
        "{outcomes:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_second_signal_stops_at_once() {
    for second in [Signal::TERM, Signal::INT] {
        let home = Home::new();
        let work = Stubborn::new(&home, "work");
        // Longer than the test waits: only the second signal can end it.
        let mut server = server(&home, "3000").await;
        server.enqueue(&work.job()).await;
        let pid = work.begins().await;
        server.signal(Signal::TERM);
        server
            .tells("told to stop; running jobs get time to end")
            .await;
        assert!(server.is_running());
        server.signal(second);
        assert_eq!(server.ended().await.code(), Some(130));
        within(PATIENCE, "its command ends with it", async || {
            rustix::process::test_kill_process(pid)
                .is_err()
                .then_some(())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_that_stops_still_answers_probes_and_workers_elsewhere() {
    let home = Home::new();
    let work = Stubborn::new(&home, "work");
    let mut server = server(&home, "3000").await;
    server.enqueue(&work.job()).await;
    work.begins().await;
    let elsewhere = server.enqueue(&json!({"kind": "elsewhere"})).await;
    let claim = json!({"worker": "w", "lease_s": 30, "wait_s": 0, "kinds": ["elsewhere"]});
    let claim = claim.to_string();
    let claimed = server.call("POST", "/worker/claim", &claim).await.ok();
    let token = &claimed["jobs"][0]["lease_token"];

    server.signal(Signal::TERM);
    let probe = async |path: &str| {
        let answer = wire::send(server.at, &wire::request("GET", path, &[], "")).await;
        answer.expect("an answer").status
    };
    within(PATIENCE, "it is not ready any more", async || {
        (probe("/readyz").await == 503).then_some(())
    })
    .await;
    assert_eq!(probe("/livez").await, 200);
    let refused = server.call("POST", "/worker/claim", &claim).await;
    assert_eq!(refused.status, 503, "{refused:?}");
    let report = json!({"lease_token": token, "outcome": "succeeded"});
    let path = format!("/jobs/{elsewhere}/finish");
    let ended = server.call("POST", &path, &report.to_string()).await.ok();
    assert_eq!(ended["status"], "ok", "{ended}");
    assert_eq!(
        server
            .call("POST", "/jobs", r#"{"kind":"late"}"#)
            .await
            .status,
        201
    );
    assert!(server.is_running());
    server.signal(Signal::TERM);
    server.ended().await;
}
