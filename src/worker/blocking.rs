//! The threads for work that blocks: a bounded number, so that handlers that never return cannot
//! use up the machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use super::panic::{catch, from_payload};

/// The set of threads. Cheap to clone.
#[derive(Clone)]
pub(super) struct Blocking {
    runtime: Handle,
    free: Arc<Semaphore>,
    abandoned: Arc<AtomicUsize>,
}

/// Tells whether the attempt that began a piece of work was gone before the work was done.
struct Watched {
    gone: Arc<AtomicBool>,
    abandoned: Arc<AtomicUsize>,
    done: bool,
}

impl Blocking {
    /// At most `threads` pieces of work at once, on the blocking threads of `runtime`.
    pub(super) fn new(runtime: Handle, threads: usize) -> Self {
        Blocking {
            runtime,
            free: Arc::new(Semaphore::new(threads)),
            abandoned: Arc::default(),
        }
    }

    /// The runtime whose threads these are.
    pub(super) fn handle(&self) -> Handle {
        self.runtime.clone()
    }

    /// How many pieces of work go on although their attempt is over.
    pub(super) fn abandoned(&self) -> usize {
        self.abandoned.load(Ordering::Relaxed)
    }

    pub(super) async fn run<T, F>(&self, work: F) -> T
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        // The semaphore is never closed, so a permit always comes.
        let permit = Arc::clone(&self.free).acquire_owned().await.ok();
        let gone = Arc::new(AtomicBool::new(false));
        let mut watched = Watched {
            gone: Arc::clone(&gone),
            abandoned: Arc::clone(&self.abandoned),
            done: false,
        };
        let abandoned = Arc::clone(&self.abandoned);
        let task = self.runtime.spawn_blocking(move || {
            let caught = catch(work);
            if gone.swap(true, Ordering::AcqRel) {
                abandoned.fetch_sub(1, Ordering::Relaxed);
            }
            drop(permit);
            caught
        });
        let outcome = task.await;
        watched.done = true;
        match outcome {
            Ok(Ok(value)) => value,
            // Thrown on into the attempt, without the hook's words a second time.
            Ok(Err(caught)) => std::panic::resume_unwind(Box::new(caught)),
            Err(error) => match error.try_into_panic() {
                Ok(payload) => std::panic::resume_unwind(Box::new(from_payload(payload, None))),
                // The pool's runtime has ended, and this future with it.
                Err(_) => std::future::pending().await,
            },
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if !self.done && !self.gone.swap(true, Ordering::AcqRel) {
            self.abandoned.fetch_add(1, Ordering::Relaxed);
        }
    }
}
