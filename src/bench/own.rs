//! Our own rows of the table of queues: the phases of `benches/peers`, with its counts and limits, by
//! the library in one process and over HTTP.

use std::path::Path;
use std::time::Duration;

use super::child::Server;
use super::disk::Folder;
use super::number::{Bounds, float};
use super::queue::SLOTS;
use super::row::{Latency, Row};
use super::{inproc, latency, outside, rest};

/// The names of our rows.
pub(super) const IN_PROCESS: &str = "conveyor";
pub(super) const OVER_REST: &str = "conveyor-rest";

/// After these the peers stop too (`ENQUEUE_S`, `DRAIN_S` and `DEEP_DRAIN_S` of `driver/phases.py`).
const ENQUEUE: Duration = Duration::from_secs(5);
const DRAIN: Duration = Duration::from_secs(30);
const DEEP_DRAIN: Duration = Duration::from_secs(20);
/// The time between two jobs whose start is timed.
const PACE: Duration = Duration::from_millis(20);
/// Timed jobs that do not count.
const WARM: usize = 25;

/// How much is done for a row, as a peer does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// Jobs of a phase.
    pub(super) jobs: usize,
    /// Jobs of the deep backlog, or none.
    pub(super) deep: usize,
    /// Jobs whose start is timed.
    pub(super) timed: usize,
}

impl Terms {
    fn enqueues(self) -> Bounds {
        Bounds {
            count: self.jobs,
            time: ENQUEUE,
        }
    }
}

/// What the queue does inside the caller's process.
pub(super) async fn in_process(dir: &Path, terms: Terms) -> anyhow::Result<Row> {
    let Terms { jobs, deep, timed } = terms;
    let mut row = row(IN_PROCESS);
    row.embedded = true;
    row.settings = format!("in one process, {SLOTS} slots, WAL, synchronous=FULL");
    row.enqueue_1 = Some(inproc::enqueue(dir, 1, terms.enqueues()).await?);
    row.enqueue_64 = Some(inproc::enqueue(dir, 64, terms.enqueues()).await?);
    row.bulk = Some(inproc::bulk(dir, jobs).await?);
    row.drain = Some(inproc::drain(dir, jobs, DRAIN).await?);
    let waits = latency::measure(dir, WARM + timed, 0.0).await?;
    row.latency_ms = waits.get(WARM..).map(Latency::of);
    row.rss_mb = pool_memory(dir, jobs).await?;
    if deep > 0 {
        row.deep_backlog = Some(float(deep));
        row.deep_drain = Some(inproc::drain(dir, deep, DEEP_DRAIN).await?);
    }
    Ok(row)
}

/// The same over sockets: callers and workers that ask a server.
pub(super) async fn over_rest(dir: &Path, terms: Terms) -> anyhow::Result<Row> {
    let Terms { jobs, deep, timed } = terms;
    let mut row = Row {
        settings: "REST; 8 workers that claim 100; memory of the server alone".to_owned(),
        ..row(OVER_REST)
    };
    row.enqueue_1 = Some(one_by_one(dir, 1, terms.enqueues()).await?);
    row.enqueue_64 = Some(one_by_one(dir, rest::SENDERS, terms.enqueues()).await?);
    let (folder, server) = open(dir, 0).await?;
    row.bulk = Some(rest::bulk(server.address, 1, terms.enqueues()).await?);
    close(folder, server).await?;
    let (rate, memory) = drain(dir, jobs, DRAIN).await?;
    (row.drain, row.rss_mb) = (Some(rate), memory);
    let (folder, server) = open(dir, 0).await?;
    let waits = rest::latency(server.address, WARM + timed, PACE).await?;
    row.latency_ms = waits.get(WARM..).map(Latency::of);
    close(folder, server).await?;
    if deep > 0 {
        let (rate, memory) = drain(dir, deep, DEEP_DRAIN).await?;
        row.deep_backlog = Some(float(deep));
        (row.deep_drain, row.deep_rss_mb) = (Some(rate), memory);
    }
    Ok(row)
}

fn row(name: &str) -> Row {
    Row {
        peer: name.to_owned(),
        durable: "yes".to_owned(),
        synced: true,
        ..Row::default()
    }
}

async fn open(dir: &Path, slots: usize) -> anyhow::Result<(Folder, Server)> {
    let folder = Folder::new(dir)?;
    let server = Server::bench(&folder.database(), slots).await?;
    Ok((folder, server))
}

/// Ends the server before its folder goes.
async fn close(folder: Folder, server: Server) -> anyhow::Result<()> {
    server.stop().await?;
    drop(folder);
    Ok(())
}

async fn one_by_one(dir: &Path, senders: usize, bounds: Bounds) -> anyhow::Result<f64> {
    let (folder, server) = open(dir, 0).await?;
    let stored = rest::one_by_one(server.address, rest::ENQUEUE, senders, bounds).await?;
    close(folder, server).await?;
    Ok(stored)
}

/// Jobs a second that workers do over HTTP, and the most memory of the server.
async fn drain(dir: &Path, jobs: usize, limit: Duration) -> anyhow::Result<(f64, Option<f64>)> {
    let (folder, server) = open(dir, 0).await?;
    rest::fill(server.address, jobs).await?;
    let ended = rest::drain(server.address, jobs, limit).await?;
    let memory = outside::memory_mb(server.id()?);
    close(folder, server).await?;
    Ok((ended, memory.map(|(_, most)| most)))
}

/// The most memory of a process whose own pool drains a backlog. Ours has measured much else by now
/// and holds memory of that, so it is a server that does it.
async fn pool_memory(dir: &Path, jobs: usize) -> anyhow::Result<Option<f64>> {
    let (folder, server) = open(dir, SLOTS).await?;
    rest::drain_inside(server.address, jobs).await?;
    let memory = outside::memory_mb(server.id()?);
    close(folder, server).await?;
    Ok(memory.map(|(_, most)| most))
}
