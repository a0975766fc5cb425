//! The hub through which a committed change reaches whoever watches: the live streams of the dashboard,
//! and the worker pool of this process when a running job is to stop.
//!
//! The store publishes after its commit, never before. Wake-ups are hints: whoever waits also polls.

use std::sync::Arc;

use conveyor_model::event::Event;
use tokio::sync::{Notify, broadcast};

/// How many events a slow watcher may fall behind before it has to start over.
const BUFFER: usize = 4096;

/// The hub. Cheap to clone; all clones are one hub.
#[derive(Clone, Debug)]
pub struct Events {
    changes: broadcast::Sender<Arc<Event>>,
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

    /// Tells every watcher of a change.
    pub fn publish(&self, event: Event) {
        if self.watched() {
            // An error means that the last watcher has just left.
            let _ = self.changes.send(Arc::new(event));
        }
    }

    /// Hears every change from here on; `Lagged` means some were missed.
    pub fn watch(&self) -> broadcast::Receiver<Arc<Event>> {
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
