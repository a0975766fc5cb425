//! What every peer written in Rust shares: the job, the phases, the clock and the line of JSON.
//!
//! A program is started as `PEER PHASE JOBS LIMIT STORE`: LIMIT is the seconds after which a phase
//! stops early, STORE the peer's file. It prints one JSON object and ends.

mod order;
mod phases;
mod watch;

use std::time::Duration;

pub use order::Order;
pub use watch::Watch;

/// Whatever a peer's library fails with.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A peer: a queue in a file, with its own worker.
pub trait Peer: Clone + Send + Sync + 'static {
    /// Stores one job; answers when the peer says that it is stored.
    fn enqueue(&self, job: Order) -> impl Future<Output = Result<(), Failure>> + Send;

    /// Stores many jobs by one call.
    fn bulk(&self, jobs: Vec<Order>) -> impl Future<Output = Result<(), Failure>> + Send;

    /// Starts a worker, which runs until the program ends and tells `watch` of each handler.
    fn work(&self, watch: Watch) -> impl Future<Output = Result<(), Failure>> + Send;

    /// Whether no job waits or runs.
    fn empty(&self) -> impl Future<Output = Result<bool, Failure>> + Send;
}

/// What the command line asks for.
pub struct Asked {
    phase: String,
    jobs: u32,
    limit: Duration,
    /// The peer's file.
    pub store: String,
}

impl Asked {
    /// Reads the command line.
    pub fn from_args() -> Result<Self, Failure> {
        let mut args = std::env::args().skip(1);
        let mut next = || args.next().ok_or("usage: PEER PHASE JOBS LIMIT STORE");
        Ok(Self {
            phase: next()?,
            jobs: next()?.parse()?,
            limit: Duration::from_secs_f64(next()?.parse()?),
            store: next()?,
        })
    }

    /// Whether only the settings are to be printed, for which no store exists.
    pub fn is_settings(&self) -> bool {
        self.phase == "settings"
    }
}

/// Runs the phase and gives the line to print.
pub async fn run<P: Peer>(peer: P, asked: &Asked) -> Result<String, Failure> {
    let Asked { jobs, limit, .. } = *asked;
    let result = match asked.phase.as_str() {
        "enqueue_1" => phases::enqueue(&peer, jobs, limit, 1).await?,
        "enqueue_64" => phases::enqueue(&peer, jobs, limit, 64).await?,
        "bulk" => phases::bulk(&peer, jobs, limit).await?,
        "drain" => phases::drain(&peer, jobs, limit).await?,
        "latency" => phases::latency(&peer, jobs).await?,
        other => return Err(format!("there is no phase {other}").into()),
    };
    Ok(result.to_string())
}
