//! Runs jobs: a [`Pool`] takes them over a [`Link`] to the queue and gives each to its [`Handler`].
//!
//! One attempt, from claim to report: the `dispatcher` claims for all free slots at once, and for more when
//! handlers are quick (`ahead`), and puts the jobs in `line`; a `slot` takes the next one and runs its handler
//! on the pool's own threads, under the job's timeout, with its panics caught (`attempt`); meanwhile the
//! `heartbeat` thread keeps its lease and tells when it is lost or a person asked to cancel; log lines and
//! progress gather in its `journal` and go out in batches; its report (`reports`) ends the lease.

pub mod command;
pub mod handler;
pub mod handlers;
pub mod link;
pub mod pool;
pub mod registry;
pub mod remote;

mod ahead;
mod attempt;
mod blocking;
mod context;
mod dispatcher;
mod heartbeat;
mod journal;
mod leases;
mod line;
mod local;
mod name;
mod panic;
mod reports;
mod slot;

pub use context::JobContext;
pub use handler::{Handler, IntoOutcome, Outcome};
pub use link::{Link, LinkError, Taken};
pub use local::{LocalLink, PoolIdentity};
pub use name::worker_name;
pub use pool::{Pool, PoolOptions};
pub use registry::{Registry, RegistryError};
pub use remote::RemoteLink;
