//! apalis on SQLite. Its `setup` turns syncing off on one connection of the pool it is given, so
//! it gets a pool of its own, and the queue another on which every commit is synced.

use std::task::{Context, Poll};
use std::time::Duration;

use apalis::prelude::{
    BackendExt, BoxDynError, Data, PollSnapshot, PollStrategy, TaskSink, WorkerBuilder,
    WorkerBuilderExt,
};
use apalis_sqlite::{Config, SqliteConnectOptions, SqlitePool, SqlitePoolOptions, SqliteStorage};
use measure::{Asked, Failure, Order, Peer, Watch};
use sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
use tokio::time::{Interval, MissedTickBehavior, interval};

const QUEUE: &str = "mail";
const CONCURRENCY: usize = 64;
/// Jobs fetched by one statement.
const BATCH: usize = 500;
/// Between two looks at an empty queue.
const POLL: Duration = Duration::from_millis(100);

/// Wakes the worker regularly. Its own `poll_with_interval` leaves the next wake-up unarmed when one
/// falls due while jobs are fetched; a disk that syncs slowly then has it sleep until its heartbeat.
struct Every(Interval);

impl Every {
    fn new(period: Duration) -> Self {
        let mut ticks = interval(period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self(ticks)
    }
}

impl PollStrategy for Every {
    fn poll_drive(&mut self, cx: &mut Context<'_>, _: &PollSnapshot) -> Poll<Option<()>> {
        let mut due = Poll::Pending;
        // Until a tick is pending, nothing would wake us for it.
        while self.0.poll_tick(cx).is_ready() {
            due = Poll::Ready(Some(()));
        }
        due
    }
}

#[derive(Clone)]
struct Apalis {
    pool: SqlitePool,
}

impl Apalis {
    async fn open(store: &str) -> Result<Self, Failure> {
        let options = SqliteConnectOptions::new()
            .filename(store)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full);
        let first = SqlitePool::connect_with(options.clone()).await?;
        SqliteStorage::setup(&first).await?;
        first.close().await;
        // SQLite has one writer at a time; more connections would wait for each other's locks.
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .connect_with(options)
            .await?;
        Ok(Self { pool })
    }

    fn storage(&self) -> SqliteStorage<Order> {
        let config = Config::default().queue(QUEUE).batch_size(BATCH);
        SqliteStorage::new(&self.pool).with_config(config)
    }
}

async fn handle(order: Order, watch: Data<Watch>) -> Result<(), BoxDynError> {
    watch.started(&order);
    watch.finished();
    Ok(())
}

impl Peer for Apalis {
    async fn enqueue(&self, order: Order) -> Result<(), Failure> {
        Ok(self.storage().push(order).await?)
    }

    async fn bulk(&self, orders: Vec<Order>) -> Result<(), Failure> {
        Ok(self.storage().push_bulk(orders).await?)
    }

    async fn work(&self, watch: Watch) -> Result<(), Failure> {
        let worker = WorkerBuilder::new("peer")
            .backend(self.storage().poll_with_strategy(Every::new(POLL)))
            .data(watch)
            .concurrency(CONCURRENCY)
            .build(handle);
        tokio::spawn(async move {
            if let Err(error) = worker.run().await {
                eprintln!("the worker ended: {error}");
                std::process::exit(1);
            }
        });
        Ok(())
    }

    async fn empty(&self) -> Result<bool, Failure> {
        let unfinished = "select not exists \
            (select 1 from Jobs where status in ('Pending', 'Queued', 'Running', 'Failed'))";
        Ok(sqlx::query_scalar(unfinished).fetch_one(&self.pool).await?)
    }
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let asked = Asked::from_args()?;
    if asked.is_settings() {
        println!(
            r#"{{"settings":"apalis-sqlite 1.0.0, push_bulk, batch_size {BATCH}, concurrency {CONCURRENCY}, poll {} ms"}}"#,
            POLL.as_millis()
        );
        return Ok(());
    }
    let peer = Apalis::open(&asked.store).await?;
    println!("{}", measure::run(peer, &asked).await?);
    // Closing would wait for what no longer matters.
    std::process::exit(0);
}
