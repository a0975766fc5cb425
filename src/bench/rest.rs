//! The queue over HTTP: one job a request, many jobs a request, and workers that speak the protocol.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde::Deserialize;
use tokio::task::JoinSet;

use super::load::{Connection, bearer, get, post};
use super::number::{float, rate};
use super::payload::{self, KIND};

/// Connections that send one job a request.
const SENDERS: usize = 64;
/// Connections that send many.
const BULK_SENDERS: usize = 4;
/// Jobs of one of their requests.
const BULK: usize = 1000;
/// Workers that drain a backlog, each with a connection.
const WORKERS: usize = 8;
/// Jobs of a claim, and of a report.
const CLAIM: usize = 100;

/// How long a backlog may take.
const PATIENCE: Duration = Duration::from_mins(10);

/// Where one job is enqueued.
pub(super) const ENQUEUE: &str = "/api/v1/jobs";
/// Where the same is done without the queue.
pub(super) const NULL: &str = "/api/v1/bench/null";

/// The object that enqueues the `n`th job.
fn job(n: usize) -> String {
    format!(r#"{{"kind":"{KIND}","payload":{}}}"#, payload::text(n))
}

/// Requests a second with one job each, over many connections, for `time`.
pub(super) async fn one_by_one(
    server: SocketAddr,
    path: &'static str,
    time: Duration,
) -> anyhow::Result<f64> {
    let request = move |n| post(path, "application/json", &job(n));
    send(server, SENDERS, request, time).await
}

/// Jobs a second in large requests, for `time`.
pub(super) async fn bulk(server: SocketAddr, time: Duration) -> anyhow::Result<f64> {
    let request = |n: usize| {
        let lines: Vec<String> = (0..BULK).map(|line| job(n * BULK + line)).collect();
        post(
            "/api/v1/jobs/bulk",
            "application/x-ndjson",
            &lines.join("\n"),
        )
    };
    let requests = send(server, BULK_SENDERS, request, time).await?;
    Ok(requests * float(BULK))
}

/// Requests a second over so many connections, each of which sends its own again and again.
async fn send(
    server: SocketAddr,
    senders: usize,
    request: impl Fn(usize) -> Vec<u8>,
    time: Duration,
) -> anyhow::Result<f64> {
    let mut connections = Vec::with_capacity(senders);
    for n in 0..senders {
        let mut connection = Connection::open(server).await?;
        let request = request(n);
        connection.expect(&request).await?;
        connections.push((connection, request));
    }
    let mut sent = JoinSet::new();
    let began = Instant::now();
    for (mut connection, request) in connections {
        sent.spawn(async move {
            let mut count = 0;
            while began.elapsed() < time {
                connection.expect(&request).await?;
                count += 1;
            }
            anyhow::Ok(count)
        });
    }
    let mut total = 0;
    while let Some(count) = sent.join_next().await {
        total += count??;
    }
    Ok(rate(total, began.elapsed()))
}

/// Stores so many jobs in large requests.
pub(super) async fn fill(server: SocketAddr, jobs: usize) -> anyhow::Result<()> {
    let mut connection = Connection::open(server).await?;
    for first in (0..jobs).step_by(BULK) {
        let last = jobs.min(first + BULK);
        let lines: Vec<String> = (first..last).map(job).collect();
        let request = post(
            "/api/v1/jobs/bulk",
            "application/x-ndjson",
            &lines.join("\n"),
        );
        connection.expect(&request).await?;
    }
    Ok(())
}

/// The queue that the jobs are in.
const QUEUE: &str = "/api/v1/queues/default";

/// What is left of a queue.
#[derive(Deserialize)]
struct Left {
    ready: u64,
    running: u64,
}

/// Jobs a second that the server's own pool does of a backlog, stored while it could not.
pub(super) async fn drain_inside(server: SocketAddr, jobs: usize) -> anyhow::Result<f64> {
    let mut connection = Connection::open(server).await?;
    let tell = |what| post(&format!("{QUEUE}/{what}"), "application/json", "{}");
    connection.expect(&tell("pause")).await?;
    fill(server, jobs).await?;
    let began = Instant::now();
    connection.expect(&tell("resume")).await?;
    let look = get(QUEUE, &[("authorization", &bearer())]);
    loop {
        let answer = connection.expect(&look).await?;
        let left: Left = serde_json::from_slice(&answer.body)?;
        if left.ready + left.running == 0 {
            return Ok(rate(jobs, began.elapsed()));
        }
        anyhow::ensure!(began.elapsed() < PATIENCE, "{} jobs are left", left.ready);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Stores so many jobs a second, a few at a time, until it is dropped.
pub(super) async fn flow(server: SocketAddr, jobs: usize) -> anyhow::Result<()> {
    const TICK: Duration = Duration::from_millis(100);
    let mut connection = Connection::open(server).await?;
    let lines: Vec<String> = (0..jobs.div_ceil(10)).map(job).collect();
    let request = post(
        "/api/v1/jobs/bulk",
        "application/x-ndjson",
        &lines.join("\n"),
    );
    let mut pace = tokio::time::interval(TICK);
    loop {
        pace.tick().await;
        connection.expect(&request).await?;
    }
}

/// What a worker needs of the answer to a claim.
#[derive(Deserialize)]
struct Claim {
    jobs: Vec<Lease>,
}

#[derive(Deserialize)]
struct Lease {
    id: i64,
    lease_token: i64,
}

/// Jobs a second that workers claim and end, until none of the backlog is left.
pub(super) async fn drain(server: SocketAddr, jobs: usize) -> anyhow::Result<f64> {
    let mut workers = JoinSet::new();
    let began = Instant::now();
    for n in 0..WORKERS {
        workers.spawn(async move { work(server, n).await });
    }
    let mut ended = 0;
    while let Some(count) = workers.join_next().await {
        ended += count??;
    }
    anyhow::ensure!(ended == jobs, "of {jobs} jobs the workers ended {ended}");
    Ok(rate(ended, began.elapsed()))
}

async fn work(server: SocketAddr, n: usize) -> anyhow::Result<usize> {
    let mut connection = Connection::open(server).await?;
    let body = format!(r#"{{"worker":"bench-{n}","max":{CLAIM},"wait_s":0}}"#);
    let claim = post("/api/v1/worker/claim", "application/json", &body);
    let mut ended = 0;
    loop {
        let answer = connection.expect(&claim).await?;
        let Claim { jobs } = serde_json::from_slice(&answer.body)?;
        if jobs.is_empty() {
            return Ok(ended);
        }
        ended += jobs.len();
        let reports: Vec<String> = jobs
            .iter()
            .map(|Lease { id, lease_token }| {
                format!(r#"{{"id":{id},"lease_token":{lease_token},"outcome":"succeeded"}}"#)
            })
            .collect();
        let body = format!(
            r#"{{"worker":"bench-{n}","results":[{}]}}"#,
            reports.join(",")
        );
        let finish = post("/api/v1/worker/finish", "application/json", &body);
        connection.expect(&finish).await?;
    }
}
