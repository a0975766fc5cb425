//! The demo (`SEED_DEMO=1`): a queue that looks as if a small shop had used it for an hour, and goes
//! on doing so. The jobs are of the real kinds and do their work, against endpoints of this server,
//! the outbox and pictures drawn at the start; nothing leaves the machine.
//!
//! In order: [`register`] adds the kinds that only the demo has; [`seed`] tells the hour before the
//! first start to an empty store, before a pool could take its jobs; [`routes()`] are the endpoints to
//! be served; [`start`] lets orders flow.

pub(crate) mod dice;
mod history;
mod kinds;
mod ledger;
mod life;
mod orders;
mod pictures;
mod routes;
mod scenes;
mod schedules;
mod traffic;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use conveyor_model::operator::Operator;
use conveyor_model::time::Timestamp;
use futures_util::future::BoxFuture;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::events::Events;
use crate::store::{Store, StoreResult};
use crate::worker::handlers::files::{FileFault, Folder};

pub use kinds::register;
pub use routes::routes;

/// What the demo needs of the server.
#[derive(Clone)]
pub struct Demo {
    /// Takes its orders.
    pub operator: Arc<dyn Operator>,
    /// Tells whether somebody watches.
    pub events: Events,
    /// The server's own address as its jobs call it; see [`hooks_at`].
    pub hooks: String,
    /// The usual pause between two orders while somebody watches; see [`PAUSE`].
    pub pause: Duration,
}

/// The pause that suits a person who watches.
pub const PAUSE: Duration = Duration::from_millis(1_200);

/// The address at which a server that listens on `listener` reaches itself.
pub fn hooks_at(listener: SocketAddr) -> String {
    let ip = match listener.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}", SocketAddr::new(ip, listener.port()))
}

/// Draws the demo's pictures into the files folder, unless they are there. It blocks.
pub fn draw_pictures(files: &Folder) -> Result<(), FileFault> {
    pictures::draw(files)
}

/// Tells the hour before `now` to a store that has never held a job; does nothing to another. The whole
/// of it comes into the store at once: who is stopped in the middle has told nothing, and the next start
/// begins anew. Answers whether it did. To be called before anything claims from the store.
pub async fn seed(store: &dyn Store, hooks: &str, now: Timestamp) -> StoreResult<bool> {
    if store.recent(now).await?.ever_enqueued > 0 {
        return Ok(false);
    }
    let hooks = hooks.to_owned();
    let tell = move |past: Arc<dyn Store>| -> BoxFuture<'static, StoreResult<()>> {
        Box::pin(async move { history::tell(&*past, &hooks, now).await })
    };
    store.fill(Box::new(tell)).await
}

/// Lets orders flow until `stop` fires. `now` is the seed of chance.
pub fn start(demo: Demo, now: Timestamp, stop: CancellationToken) -> JoinHandle<()> {
    tokio::spawn(traffic::flow(demo, now.micros().unsigned_abs(), stop))
}
