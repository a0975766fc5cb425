//! The figures that need a database of millions, and hundreds who watch.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use conveyor_model::name::WorkerName;
use conveyor_model::time::Span;
use tokio::task::JoinSet;

use super::child::Server;
use super::disk::Folder;
use super::number::{float, millis, percentile, rate};
use super::payload::KIND;
use super::queue::{self, SLOTS};
use super::watch::{PAGES, Person, Watchers, kilobytes};
use super::{Bench, Told, outside, rest, seed};
use crate::clock::{Clock as _, SystemClock};
use crate::events::Events;
use crate::store::{self, Claim, Store, StoreOptions};

/// Jobs that are ready in the small database.
const FEW: usize = 10_000;
/// Claims that are timed, and the jobs of each.
const CLAIMS: usize = 50;
const CLAIMED: usize = 100;
/// Streams that watch a drain.
const AUDIENCE: usize = 200;
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
    /// Jobs that are ready in the large database while claims are timed.
    fn ready_jobs(&self) -> usize {
        // Enough for the claims of every run.
        (self.plan.large / 5).max(self.scale.runs * CLAIMS * CLAIMED)
    }

    /// Jobs that are drained while people watch.
    fn watched_jobs(&self) -> usize {
        self.plan.large / 25
    }

    /// Streams that are held at once.
    fn crowd(&self) -> usize {
        self.plan.large / 1000
    }

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
        seed::seed(&*store, self.plan.large, SystemClock.now(), |_| {}).await?;
        store.close().await;
        self.add(
            "seed_jobs_per_s",
            vec![rate(self.plan.large, began.elapsed())],
        );
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
        let large = filled(&folder.database(), self.ready_jobs()).await?;
        let mut ratios = Vec::new();
        for _ in 0..self.scale.runs {
            let few = Folder::new(&self.plan.dir)?;
            let small = filled(&few.database(), FEW).await?;
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
        let jobs = self.watched_jobs();
        let ratio = async || {
            let alone = drain(&dir, jobs, 0, "counts").await?.rate;
            let watched = drain(&dir, jobs, AUDIENCE, "counts,jobs").await?.rate;
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
        let (jobs, crowd) = (self.watched_jobs(), self.crowd());
        let alone = drain(&self.plan.dir, jobs, 0, "counts").await?;
        let crowded = drain(&self.plan.dir, jobs, crowd, "counts").await?;
        self.add(names[0], vec![float(crowd)]);
        // Counts come once a second: a drain that is over sooner tells nothing.
        if !crowded.heard.is_empty() {
            self.add(names[1], vec![percentile(&crowded.heard, 0.99)]);
        }
        if let Some(kib) = crowded.kib {
            self.add(names[2], vec![kib / float(crowd)]);
        }
        self.add(names[3], vec![crowded.rate / alone.rate]);
        Ok(())
    }
}

/// A drain before live streams.
struct Drain {
    /// Jobs a second.
    rate: f64,
    /// How late the streams heard of it, each time, in milliseconds.
    heard: Vec<f64>,
    /// The memory they took.
    kib: Option<f64>,
}

/// Drains so many jobs in a new server before so many streams; if these hear of each job, also before a
/// person who turns pages.
async fn drain(
    dir: &Path,
    jobs: usize,
    streams: usize,
    topics: &'static str,
) -> anyhow::Result<Drain> {
    let folder = Folder::new(dir)?;
    let server = Server::bench(&folder.database(), SLOTS).await?;
    let id = server.id()?;
    let before = outside::memory_mb(id);
    let watchers = Watchers::open(server.address, streams, topics).await?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let kib = before
        .zip(outside::memory_mb(id))
        .map(|(before, after)| (after.0 - before.0) * 1024.0);
    let mut people = JoinSet::new();
    if topics.contains("jobs") {
        // A job that is shown has to be there.
        rest::fill(server.address, 2000).await?;
        let person = Person::enter(server.address).await?;
        people.spawn(person.browse());
    }
    watchers.heard();
    let rate = rest::drain_inside(server.address, jobs).await?;
    let heard = watchers.heard();
    people.shutdown().await;
    drop(watchers);
    server.stop().await?;
    Ok(Drain { rate, heard, kib })
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
