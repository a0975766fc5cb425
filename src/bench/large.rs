//! The figures that need a database of millions, and hundreds who watch.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use conveyor_model::name::WorkerName;
use conveyor_model::time::Span;
use tokio::task::JoinSet;

use super::child::Server;
use super::disk::Folder;
use super::number::{millis, percentile, rate};
use super::payload::KIND;
use super::queue::{self, SLOTS};
use super::watch::{PAGES, Person, Watchers, kilobytes};
use super::{Bench, Told, outside, rest, seed};
use crate::clock::{Clock as _, SystemClock};
use crate::events::Events;
use crate::store::{self, Claim, Store, StoreOptions};

/// Jobs that the large database holds.
const MANY: usize = 5_000_000;
/// Jobs that are ready in it while claims are timed, and in the small one beside it.
const READY: [usize; 2] = [1_000_000, 10_000];
/// Claims that are timed, and the jobs of each.
const CLAIMS: usize = 50;
const CLAIMED: usize = 100;
/// Jobs that are drained while people watch.
const WATCHED: usize = 200_000;
/// Streams that watch a drain; streams that are held at once.
const STREAMS: [usize; 2] = [200, 5000];
/// Jobs a second that flow while pages are opened.
const FLOW: usize = 500;
/// How often each page is opened.
const OPENED: usize = 25;

const IN_LARGE: [&str; 5] = [
    "ready_ms_5m",
    "web.ttfb_p95_ms",
    "web.page_kb",
    "claim_ratio_1m",
    "seed_jobs_per_s",
];

impl Bench<'_> {
    /// What a large queue costs, and many who watch.
    pub(super) async fn large(&mut self) -> anyhow::Result<()> {
        if self.wants(&IN_LARGE) {
            let folder = Folder::new(&self.plan.dir)?;
            self.seed(&folder).await?;
            self.ready(&folder).await?;
            self.pages(&folder).await?;
            self.claims(&folder).await?;
        }
        self.watched().await?;
        self.streams().await
    }

    async fn seed(&mut self, folder: &Folder) -> anyhow::Result<()> {
        let _told = Told::begin("seed_jobs_per_s");
        let began = Instant::now();
        let store = open(&folder.database()).await?;
        seed::seed(&*store, MANY, SystemClock.now(), |_| {}).await?;
        store.close().await;
        self.add("seed_jobs_per_s", vec![rate(MANY, began.elapsed())]);
        Ok(())
    }

    /// How long a server takes to be ready over a large database.
    async fn ready(&mut self, folder: &Folder) -> anyhow::Result<()> {
        let start = async || {
            let server = Server::plain(folder.path()).await?;
            let ready = millis(server.ready);
            server.stop().await?;
            Ok(ready)
        };
        self.repeat("ready_ms_5m", start).await
    }

    /// How long the pages take while jobs flow, and how large they are.
    async fn pages(&mut self, folder: &Folder) -> anyhow::Result<()> {
        let names = ["web.ttfb_p95_ms", "web.page_kb"];
        if !self.wants(&names) {
            return Ok(());
        }
        let _told = Told::begin("web");
        let server = Server::bench(&folder.database(), SLOTS).await?;
        let mut flow = JoinSet::new();
        flow.spawn(rest::flow(server.address, FLOW));
        let mut person = Person::enter(server.address).await?;
        let (mut tails, mut largest) = (Vec::new(), 0.0_f64);
        for _ in 0..self.scale.runs {
            let mut first_bytes = Vec::new();
            for path in (0..OPENED).flat_map(|_| PAGES) {
                let page = person.open(path).await?;
                first_bytes.push(millis(page.first_byte));
                largest = largest.max(kilobytes(&page));
            }
            tails.push(percentile(&first_bytes, 0.95));
        }
        self.add(names[0], tails);
        self.add(names[1], vec![largest]);
        flow.shutdown().await;
        server.stop().await
    }

    /// How fast jobs are claimed out of a million among millions, against out of a few alone.
    async fn claims(&mut self, folder: &Folder) -> anyhow::Result<()> {
        if !self.wants(&["claim_ratio_1m"]) {
            return Ok(());
        }
        let _told = Told::begin("claim_ratio_1m");
        let large = filled(&folder.database(), READY[0]).await?;
        let mut ratios = Vec::new();
        for _ in 0..self.scale.runs {
            let few = Folder::new(&self.plan.dir)?;
            let small = filled(&few.database(), READY[1]).await?;
            let alone = claim(&*small).await?;
            small.close().await;
            ratios.push(claim(&*large).await? / alone);
        }
        large.close().await;
        self.add("claim_ratio_1m", ratios);
        Ok(())
    }

    /// How fast a backlog is drained while hundreds watch and somebody turns pages.
    async fn watched(&mut self) -> anyhow::Result<()> {
        let dir = self.plan.dir.clone();
        let ratio = async || {
            let alone = drain(&dir, 0, "counts", false).await?.0;
            let watched = drain(&dir, STREAMS[0], "counts,jobs", true).await?.0;
            Ok(watched / alone)
        };
        self.repeat("drain_ratio_watched", ratio).await
    }

    /// What thousands of streams cost, and how soon they hear.
    async fn streams(&mut self) -> anyhow::Result<()> {
        let names = [
            "sse.clients",
            "sse.p99_ms",
            "sse.kib_per_client",
            "sse.claim_ratio",
        ];
        if !self.wants(&names) {
            return Ok(());
        }
        let _told = Told::begin("sse");
        more_files();
        let alone = drain(&self.plan.dir, 0, "counts", false).await?.0;
        let (crowded, heard, kib) = drain(&self.plan.dir, STREAMS[1], "counts", false).await?;
        let clients = super::number::float(STREAMS[1]);
        self.add(names[0], vec![clients]);
        self.add(names[1], vec![percentile(&heard, 0.99)]);
        if let Some(kib) = kib {
            self.add(names[2], vec![kib / clients]);
        }
        self.add(names[3], vec![crowded / alone]);
        Ok(())
    }
}

/// Drains a backlog in a new server before so many streams; answers how fast, when the streams heard of
/// it in milliseconds, and how much memory they took in KiB.
async fn drain(
    dir: &Path,
    streams: usize,
    topics: &'static str,
    paging: bool,
) -> anyhow::Result<(f64, Vec<f64>, Option<f64>)> {
    let folder = Folder::new(dir)?;
    let server = Server::bench(&folder.database(), SLOTS).await?;
    let memory = |server: &Server| anyhow::Ok(outside::memory_mb(server.id()?));
    let before = memory(&server)?;
    let watchers = Watchers::open(server.address, streams, topics).await?;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let after = memory(&server)?;
    let took = before.zip(after).map(|(b, a)| (a.0 - b.0) * 1024.0);
    let mut people = JoinSet::new();
    if paging {
        // A job that is shown has to be there.
        rest::fill(server.address, 2000).await?;
        let person = Person::enter(server.address).await?;
        people.spawn(person.browse());
    }
    watchers.heard();
    let rate = rest::drain_inside(server.address, WATCHED).await?;
    let heard = watchers.heard();
    people.shutdown().await;
    drop(watchers);
    server.stop().await?;
    Ok((rate, heard, took))
}

async fn open(database: &str) -> anyhow::Result<Arc<dyn Store>> {
    let options = StoreOptions {
        url: database.to_owned(),
        readers: 1,
    };
    Ok(store::open(&options, Events::default()).await?)
}

/// The store of a database with so many jobs more.
async fn filled(database: &str, jobs: usize) -> anyhow::Result<Arc<dyn Store>> {
    let store = open(database).await?;
    for first in (0..jobs).step_by(queue::BATCH) {
        let insert = store::Insert {
            jobs: queue::jobs(first, queue::BATCH.min(jobs - first))?,
            atomic: true,
        };
        store.insert(insert, SystemClock.now()).await?;
    }
    Ok(store)
}

/// Jobs a second that are claimed, a hundred at a time.
async fn claim(store: &dyn Store) -> anyhow::Result<f64> {
    let claim = Claim {
        worker: WorkerName::new("bench-1")?,
        queues: Vec::new(),
        kinds: Some(vec![KIND.parse()?]),
        max: CLAIMED,
        lease: Span::from_secs(3600),
    };
    let began = Instant::now();
    let mut claimed = 0;
    for _ in 0..CLAIMS {
        claimed += store.claim(claim.clone(), SystemClock.now()).await?.len();
    }
    anyhow::ensure!(
        claimed == CLAIMS * CLAIMED,
        "only {claimed} jobs were ready"
    );
    Ok(rate(claimed, began.elapsed()))
}

/// Lets this process have as many connections open as the system allows.
fn more_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(Resource::Nofile).maximum;
    let limit = Rlimit {
        current: maximum,
        maximum,
    };
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "the limit of open files stays as it is");
    }
}
