//! The hub through which a committed change reaches whoever watches: the live streams of the dashboard,
//! and the worker pool of this process when a running job is to stop.
//!
//! The store publishes after its commit, never before. Wake-ups are hints: whoever waits also polls.

use std::sync::Arc;

use conveyor_model::event::Event;
use tokio::sync::{Notify, broadcast};

/// How many commits a slow watcher may fall behind before it has to start over.
const BUFFER: usize = 1024;

/// More changes than this in one commit are not told one by one: to read again is less work for
/// everybody, and a busy queue does not pay for being watched.
pub const BURST: usize = 500;

/// What one commit changed.
#[derive(Clone, Debug)]
pub enum Changes {
    /// These things.
    Each(Arc<[Arc<Event>]>),
    /// More than [`BURST`].
    Many,
}

/// The hub. Cheap to clone; all clones are one hub.
#[derive(Clone, Debug)]
pub struct Events {
    changes: broadcast::Sender<Changes>,
    cancels: Arc<Notify>,
}

impl Default for Events {
    fn default() -> Self {
        Events {
            changes: broadcast::channel(BUFFER).0,
            cancels: Arc::default(),
        }
    }
}

impl Events {
    /// Whether anybody would hear a change: spares the making of events nobody hears.
    pub fn watched(&self) -> bool {
        self.changes.receiver_count() > 0
    }

    /// Tells every watcher what a commit changed.
    pub fn publish(&self, changes: Changes) {
        if self.watched() {
            // An error means that the last watcher has just left.
            let _ = self.changes.send(changes);
        }
    }

    /// Hears every change from here on; `Lagged` means some were missed.
    pub fn watch(&self) -> broadcast::Receiver<Changes> {
        self.changes.subscribe()
    }

    /// Tells the pool of this process that a running job may have been asked to stop.
    pub fn cancel_asked(&self) {
        self.cancels.notify_one();
    }

    /// The signal of [`Events::cancel_asked`]; kept for one listener that is not listening just then.
    pub fn cancels(&self) -> Arc<Notify> {
        Arc::clone(&self.cancels)
    }
}
