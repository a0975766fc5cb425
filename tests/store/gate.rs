//! A place in the writer's work where a test holds it up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Notify, Semaphore};

/// Holds the writer up at one place until the test lets it go.
#[derive(Default)]
pub(super) struct Gate {
    /// Told each time the writer has come to it.
    pub(super) reached: Notify,
    open: Semaphore2,
    armed: AtomicBool,
}

struct Semaphore2(Semaphore);

impl Default for Semaphore2 {
    fn default() -> Self {
        Semaphore2(Semaphore::new(0))
    }
}

impl Gate {
    pub(super) fn hook(self: &Arc<Self>) -> conveyor::store::sqlite::Hook {
        let gate = Arc::clone(self);
        Box::new(move || {
            let gate = Arc::clone(&gate);
            Box::pin(async move {
                if gate.armed.load(Ordering::SeqCst) {
                    gate.reached.notify_one();
                    gate.open.0.acquire().await.unwrap().forget();
                }
            })
        })
    }

    pub(super) fn arm(&self) {
        self.armed.store(true, Ordering::SeqCst);
    }

    /// Lets the writer go on, and waits until it has come here again.
    pub(super) async fn next(&self) {
        self.open.0.add_permits(1);
        self.reached.notified().await;
    }

    pub(super) fn let_go(&self) {
        self.armed.store(false, Ordering::SeqCst);
        self.open.0.add_permits(1);
    }
}
