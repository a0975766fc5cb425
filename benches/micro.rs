//! Small pieces by themselves, so that a regression is found by kind: `cargo bench --bench micro`.
//!
//! What goes to the store includes its sync, so those times hold for one disk and hour only.

#![expect(
    clippy::unwrap_used,
    reason = "a measurement that cannot be made ends with a panic"
)]

use std::sync::Arc;

use conveyor::clock::{Clock, SystemClock};
use conveyor::events::Events;
use conveyor::model::cron::{Cron, DstRule};
use conveyor::model::filter::JobFilter;
use conveyor::model::name::WorkerName;
use conveyor::model::new_job::NewJob;
use conveyor::model::time::{Span, Timestamp};
use conveyor::model::worker::{Finish, Lease};
use conveyor::store::{self, Claim, Insert, Store, StoreOptions};
use divan::{Bencher, black_box};
use tokio::runtime::Runtime;

fn main() {
    divan::main();
}

/// A new store in a folder that is deleted at the end, and what it runs on.
struct Fixture {
    runtime: Runtime,
    store: Arc<dyn Store>,
    _folder: tempfile::TempDir,
}

impl Fixture {
    fn new() -> Self {
        // Beside the binary and not in the folder for temporary files, which may be in memory.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let runtime = Runtime::new().unwrap();
        let options = StoreOptions {
            url: format!("sqlite:{}", folder.path().join("micro.db").display()),
            readers: 1,
        };
        let opened = store::open(&options, Events::default());
        let store = runtime.block_on(opened).unwrap();
        Fixture {
            runtime,
            store,
            _folder: folder,
        }
    }

    fn insert(&self, jobs: Vec<NewJob>) {
        let insert = Insert {
            jobs,
            atomic: false,
        };
        let stored = self.store.insert(insert, SystemClock.now());
        self.runtime.block_on(stored).unwrap();
    }

    fn claim(&self, max: usize) -> Vec<Finish> {
        let claim = Claim {
            worker: WorkerName::new("micro-1").unwrap(),
            queues: Vec::new(),
            kinds: None,
            max,
            lease: Span::from_secs(60),
        };
        let claimed = self.store.claim(claim, SystemClock.now());
        let claimed = self.runtime.block_on(claimed).unwrap();
        assert_eq!(claimed.len(), max);
        let lease = |job: conveyor::model::job::Claimed| Lease {
            id: job.id,
            lease_token: job.lease_token,
        };
        let leases = claimed.into_iter().map(lease);
        leases.map(|lease| Finish::succeeded(lease, None)).collect()
    }

    fn finish(&self, reports: Vec<Finish>) {
        let finished = self.store.finish(reports, SystemClock.now());
        self.runtime.block_on(finished).unwrap();
    }
}

fn jobs(count: usize) -> Vec<NewJob> {
    let job = |n: usize| {
        let payload = serde_json::json!({ "order": n, "customer": "c-48213 Marie Lefevre",
            "articles": ["lamp-3400-black", "cable-2m"], "express": false });
        conveyor::job("micro.noop", &payload).unwrap()
    };
    (0..count).map(job).collect()
}

#[divan::bench(args = [1, 100, 1000])]
fn enqueue(bencher: Bencher, count: usize) {
    let fixture = Fixture::new();
    bencher
        .counter(count)
        .with_inputs(|| jobs(count))
        .bench_values(|jobs| fixture.insert(jobs));
}

#[divan::bench(args = [1, 64, 1000])]
fn claim(bencher: Bencher, count: usize) {
    let fixture = Fixture::new();
    bencher
        .counter(count)
        .with_inputs(|| fixture.insert(jobs(count)))
        .bench_values(|()| fixture.claim(count));
}

#[divan::bench(args = [1, 64, 1000])]
fn finish(bencher: Bencher, count: usize) {
    let fixture = Fixture::new();
    bencher
        .counter(count)
        .with_inputs(|| {
            fixture.insert(jobs(count));
            fixture.claim(count)
        })
        .bench_values(|reports| fixture.finish(reports));
}

#[divan::bench(args = ["*/5 * * * *", "30 3 * * 1-5", "0 0 29 2 *"])]
fn cron_next(bencher: Bencher, text: &str) {
    let cron = Cron::parse(text, "micro").unwrap();
    let zone = conveyor::zones::zone("Europe/Berlin").unwrap();
    let from = Timestamp::from_secs(1_790_000_000);
    bencher.bench(|| cron.next_after(black_box(from), &zone, DstRule::default(), from));
}

#[divan::bench(args = ["", "state:dead kind:mail.send timeout", "queue:mail tag:eu priority:9 c-48213"])]
fn filter(text: &str) -> JobFilter {
    JobFilter::from_search(black_box(text)).unwrap()
}
