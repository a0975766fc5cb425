//! The queue over HTTP: one job a request, many jobs a request, and workers that speak the protocol.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde::Deserialize;
use tokio::task::JoinSet;

use super::load::{Connection, bearer, get, post};
use super::number::{Bounds, float, millis, rate};
use super::payload::{self, KIND};

/// Connections that send one job a request.
pub(super) const SENDERS: usize = 64;
/// Connections that send many.
pub(super) const BULK_SENDERS: usize = 4;
/// Jobs of one of their requests.
const BULK: usize = 1000;
/// Workers that drain a backlog, each with a connection.
const WORKERS: usize = 8;
/// Jobs of a claim, and of a report.
const CLAIM: usize = 100;

/// How long a backlog may take.
pub(super) const PATIENCE: Duration = Duration::from_mins(10);

/// Where one job is enqueued.
pub(super) const ENQUEUE: &str = "/api/v1/jobs";
/// Where workers claim.
const CLAIMS: &str = "/api/v1/worker/claim";
/// Where the same as at [`ENQUEUE`] is done without the queue.
pub(super) const NULL: &str = "/api/v1/bench/null";

/// The object that enqueues the `n`th job.
fn job(n: usize) -> String {
    format!(r#"{{"kind":"{KIND}","payload":{}}}"#, payload::text(n))
}

/// Requests a second with one job each, over so many connections.
pub(super) async fn one_by_one(
    server: SocketAddr,
    path: &'static str,
    senders: usize,
    bounds: Bounds,
) -> anyhow::Result<f64> {
    let request = move |n| post(path, "application/json", &job(n));
    send(server, senders, request, bounds).await
}

/// Jobs a second in large requests, over so many connections.
pub(super) async fn bulk(
    server: SocketAddr,
    senders: usize,
    bounds: Bounds,
) -> anyhow::Result<f64> {
    let requests = Bounds {
        count: bounds.count.div_ceil(BULK),
        ..bounds
    };
    let requests = send(server, senders, |n| lines(n * BULK, BULK), requests).await?;
    Ok(requests * float(BULK))
}

/// The request that stores so many jobs, from the `first` on.
fn lines(first: usize, count: usize) -> Vec<u8> {
    let lines: Vec<String> = (first..first + count).map(job).collect();
    let lines = lines.join("\n");
    post("/api/v1/jobs/bulk", "application/x-ndjson", &lines)
}

/// Requests a second over so many connections, each of which sends its own again and again.
async fn send(
    server: SocketAddr,
    senders: usize,
    request: impl Fn(usize) -> Vec<u8>,
    bounds: Bounds,
) -> anyhow::Result<f64> {
    let mut connections = Vec::with_capacity(senders);
    for n in 0..senders {
        let mut connection = Connection::open(server).await?;
        let request = request(n);
        connection.expect(&request).await?;
        connections.push((connection, request));
    }
    let mut sent = JoinSet::new();
    let turns = bounds.begin();
    for (mut connection, request) in connections {
        let turns = turns.clone();
        sent.spawn(async move {
            let mut count = 0;
            while turns.take().is_some() {
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
    Ok(turns.rate(total))
}

/// Stores so many jobs in large requests.
pub(super) async fn fill(server: SocketAddr, jobs: usize) -> anyhow::Result<()> {
    let mut connection = Connection::open(server).await?;
    for first in (0..jobs).step_by(BULK) {
        let request = lines(first, BULK.min(jobs - first));
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
    let tell = |what| post(&format!("{QUEUE}/{what}"), "application/json", "{}");
    let mut pausing = Connection::open(server).await?;
    pausing.expect(&tell("pause")).await?;
    fill(server, jobs).await?;
    // To fill may take longer than the server keeps a connection that says nothing.
    let mut connection = Connection::open(server).await?;
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
    let request = lines(0, jobs.div_ceil(10));
    let mut pace = tokio::time::interval(TICK);
    loop {
        pace.tick().await;
        connection.expect(&request).await?;
    }
}

/// What a worker needs of the answer to a claim.
#[derive(Deserialize)]
struct Claim {
    jobs: Vec<Given>,
}

#[derive(Deserialize)]
struct Given {
    id: i64,
    lease_token: i64,
    payload: Ordered,
}

/// What a handler reads of a payload.
#[derive(Deserialize)]
struct Ordered {
    order: usize,
}

/// Jobs a second that workers claim and end: of the whole backlog, or of what has ended when `limit`
/// is over.
pub(super) async fn drain(server: SocketAddr, jobs: usize, limit: Duration) -> anyhow::Result<f64> {
    let mut workers = JoinSet::new();
    let began = Instant::now();
    for n in 0..WORKERS {
        workers.spawn(async move { work(server, n, began, limit).await });
    }
    let mut ended = 0;
    while let Some(count) = workers.join_next().await {
        ended += count??;
    }
    let took = began.elapsed();
    let complete = ended == jobs || took >= limit;
    anyhow::ensure!(complete, "of {jobs} jobs the workers ended {ended}");
    Ok(rate(ended, took))
}

async fn work(
    server: SocketAddr,
    n: usize,
    began: Instant,
    limit: Duration,
) -> anyhow::Result<usize> {
    let mut connection = Connection::open(server).await?;
    let body = format!(r#"{{"worker":"bench-{n}","max":{CLAIM},"wait_s":0}}"#);
    let claim = post(CLAIMS, "application/json", &body);
    let mut ended = 0;
    while began.elapsed() < limit {
        let answer = connection.expect(&claim).await?;
        let Claim { jobs } = serde_json::from_slice(&answer.body)?;
        if jobs.is_empty() {
            break;
        }
        ended += jobs.len();
        connection.expect(&finish(n, &jobs)).await?;
    }
    Ok(ended)
}

/// The request by which a worker tells that jobs ended well.
fn finish(worker: usize, jobs: &[Given]) -> Vec<u8> {
    let report = |job: &Given| {
        let (id, token) = (job.id, job.lease_token);
        format!(r#"{{"id":{id},"lease_token":{token},"outcome":"succeeded"}}"#)
    };
    let reports: Vec<String> = jobs.iter().map(report).collect();
    let results = reports.join(",");
    let body = format!(r#"{{"worker":"bench-{worker}","results":[{results}]}}"#);
    post("/api/v1/worker/finish", "application/json", &body)
}

/// Milliseconds from the request that enqueues a job to the moment when a worker that waited has it,
/// of so many jobs, `pace` apart.
pub(super) async fn latency(
    server: SocketAddr,
    times: usize,
    pace: Duration,
) -> anyhow::Result<Vec<f64>> {
    let mut worker = JoinSet::new();
    worker.spawn(starts(server, times));
    let mut connection = Connection::open(server).await?;
    // The worker waits before the first is timed.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut pace = tokio::time::interval(pace);
    pace.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut called = Vec::with_capacity(times);
    for n in 0..times {
        let request = post(ENQUEUE, "application/json", &job(n));
        pace.tick().await;
        called.push(Instant::now());
        connection.expect(&request).await?;
    }
    let started = tokio::time::timeout(PATIENCE, worker.join_next()).await?;
    let started = started.context("a worker was lost")???;
    let mut waits = vec![0.0; times];
    for (n, at) in started {
        let (Some(wait), Some(called)) = (waits.get_mut(n), called.get(n)) else {
            anyhow::bail!("a job came that was not enqueued");
        };
        *wait = millis(at.saturating_duration_since(*called));
    }
    Ok(waits)
}

/// The numbers of so many jobs, and when a worker that takes one at a time had them.
async fn starts(server: SocketAddr, times: usize) -> anyhow::Result<Vec<(usize, Instant)>> {
    let mut connection = Connection::open(server).await?;
    let body = r#"{"worker":"bench-0","max":1,"wait_s":10}"#;
    let claim = post(CLAIMS, "application/json", body);
    let mut started = Vec::with_capacity(times);
    while started.len() < times {
        let answer = connection.expect(&claim).await?;
        let now = Instant::now();
        let Claim { jobs } = serde_json::from_slice(&answer.body)?;
        let orders = jobs.iter().map(|job| job.payload.order);
        started.extend(orders.map(|order| (payload::number(order), now)));
        if !jobs.is_empty() {
            connection.expect(&finish(0, &jobs)).await?;
        }
    }
    Ok(started)
}
