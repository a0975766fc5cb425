//! A server that is killed.

use rustix::process::Signal;
use serde_json::json;

use super::child::{Home, Server, Stubborn};
use crate::support::wire;

async fn server(home: &Home) -> Server {
    home.serve(&[
        ("WORKERS", "1"),
        ("ALLOW_COMMANDS", "sh,true"),
        ("LEASE_S", "5"),
    ])
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_killed_server_loses_nothing_and_its_running_job_is_rescued() {
    let home = Home::new();
    let work = Stubborn::new(&home, "work");
    let (mut acknowledged, running) = {
        let mut server = server(&home).await;
        let running = server.enqueue(&work.job()).await;
        work.begins().await;
        // Clients that enqueue without pause: the kill falls between what was answered and what was not.
        let clients: Vec<_> = (0..4)
            .map(|_| tokio::spawn(enqueue_on(server.at)))
            .collect();
        let most = async || {
            let page = server.call("GET", "/jobs?limit=1", "").await.ok();
            (page["total"].as_u64() > Some(60)).then_some(())
        };
        crate::support::eventually::within(super::child::PATIENCE, "jobs arrive", most).await;
        server.signal(Signal::KILL);
        assert_eq!(server.ended().await.code(), None);
        let mut acknowledged = Vec::new();
        for client in clients {
            acknowledged.extend(client.await.unwrap());
        }
        (acknowledged, running)
    };
    assert!(acknowledged.len() > 30, "{}", acknowledged.len());
    acknowledged.push(running);

    let server = server(&home).await;
    for id in acknowledged {
        let job = server.reaches(id, "succeeded").await;
        let attempt = if id == running { 2 } else { 1 };
        assert_eq!(job["attempt"], attempt, "{job}");
    }
    let attempts = server
        .call("GET", &format!("/jobs/{running}/attempts"), "")
        .await
        .ok();
    let lost = attempts
        .as_array()
        .unwrap()
        .iter()
        .filter(|attempt| attempt["outcome"] == "lease_lost")
        .count();
    assert_eq!(lost, 1, "{attempts}");
}

/// Enqueues until the server is gone; answers the ids that were answered.
async fn enqueue_on(at: std::net::SocketAddr) -> Vec<i64> {
    let job = json!({"kind": "command.run", "payload": {"program": "true"}}).to_string();
    let mut ids = Vec::new();
    while let Ok(answer) = wire::try_call(at, "POST", "/jobs", &job).await {
        ids.push(answer.ok()["id"].as_i64().unwrap());
    }
    ids
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_killed_while_it_tells_the_demos_past_tells_it_whole_at_the_next_start() {
    let home = Home::new();
    let past = home.path().join("data").join("conveyor.db.past-wal");
    {
        let mut server = home.start(&["serve"], &[("SEED_DEMO", "1")]);
        crate::support::eventually::within(super::child::PATIENCE, "it tells", async || {
            let written = std::fs::metadata(&past).map_or(0, |file| file.len());
            assert!(server.is_running(), "it ended: {:?}", server.log());
            (written > 200_000).then_some(())
        })
        .await;
        server.signal(Signal::KILL);
        assert_eq!(server.ended().await.code(), None);
    }
    let total = async |server: &Server, path: &str| {
        let page = server.call("GET", path, "").await.ok();
        page["total"].as_u64().unwrap()
    };
    {
        let server = home.serve(&[("WORKERS", "0")]).await;
        assert_eq!(total(&server, "/jobs?limit=1").await, 0);
    }
    for start in ["the next", "one more"] {
        let server = home.serve(&[("SEED_DEMO", "1"), ("WORKERS", "0")]).await;
        // Traffic calls nothing off.
        let cancelled = total(&server, "/jobs?state=cancelled").await;
        let slots = total(&server, "/schedules?limit=1").await;
        assert_eq!((cancelled, slots), (9, 6), "{start}");
        let succeeded = total(&server, "/jobs?state=succeeded&limit=1").await;
        assert!((2_000..=3_000).contains(&succeeded), "{start}: {succeeded}");
    }
    assert!(!past.exists(), "nothing is left over");
}
