//! effectum on SQLite, as shipped: its connection asks for `synchronous=NORMAL` and, by a slip in
//! the pragma's name, keeps SQLite's rollback journal. It offers no way to choose otherwise.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use effectum::{Job, JobRunner, Queue, RunningJob, Worker};
use measure::{Asked, Failure, Order, Peer, Watch};

const KIND: &str = "mail";
/// The best of 64, 256 and 1024 tried: what finishes together is committed together.
const CONCURRENCY: u16 = 256;

#[derive(Clone)]
struct Effectum {
    queue: Arc<Queue>,
    // A worker stops when it is dropped.
    worker: Arc<OnceLock<Worker>>,
}

fn job(order: &Order) -> Result<Job, Failure> {
    Ok(Job::builder(KIND).json_payload(order)?.build())
}

async fn handle(job: RunningJob, watch: Watch) -> Result<(), effectum::Error> {
    watch.started(&job.json_payload()?);
    watch.finished();
    Ok(())
}

impl Peer for Effectum {
    async fn enqueue(&self, order: Order) -> Result<(), Failure> {
        self.queue.add_job(job(&order)?).await?;
        Ok(())
    }

    async fn bulk(&self, orders: Vec<Order>) -> Result<(), Failure> {
        let jobs = orders.iter().map(job).collect::<Result<_, _>>()?;
        self.queue.add_jobs(jobs).await?;
        Ok(())
    }

    async fn work(&self, watch: Watch) -> Result<(), Failure> {
        let worker = Worker::builder(&self.queue, watch)
            .jobs([JobRunner::builder(KIND, handle).build()])
            .max_concurrency(CONCURRENCY)
            .build()
            .await?;
        self.worker
            .set(worker)
            .map_err(|_| "one worker a program".into())
    }

    async fn empty(&self) -> Result<bool, Failure> {
        let active = self.queue.num_active_jobs().await?;
        Ok(active.pending == 0 && active.running == 0)
    }
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let asked = Asked::from_args()?;
    if asked.is_settings() {
        println!(r#"{{"settings":"effectum 0.7.0, add_jobs, max_concurrency {CONCURRENCY}"}}"#);
        return Ok(());
    }
    let queue = Arc::new(Queue::new(Path::new(&asked.store)).await?);
    let peer = Effectum {
        queue,
        worker: Arc::default(),
    };
    println!("{}", measure::run(peer, &asked).await?);
    // Closing would wait for what no longer matters.
    std::process::exit(0);
}
