//! What a worker tells of itself.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;

use crate::Order;

/// What a worker tells: each handler's start and end. Clones are the same watch.
#[derive(Clone, Debug)]
pub struct Watch(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    goal: u32,
    keep: bool,
    first: OnceLock<Instant>,
    done: AtomicU32,
    starts: Mutex<Vec<(u32, Instant)>>,
    ended: Notify,
}

impl Watch {
    /// Ends after `goal` handlers; with `keep`, remembers when each started.
    pub(crate) fn new(goal: u32, keep: bool) -> Self {
        Self(Arc::new(Inner {
            goal,
            keep,
            first: OnceLock::new(),
            done: AtomicU32::new(0),
            starts: Mutex::new(Vec::new()),
            ended: Notify::new(),
        }))
    }

    /// A handler has started.
    pub fn started(&self, job: &Order) {
        let now = Instant::now();
        self.0.first.get_or_init(|| now);
        if self.0.keep {
            let mut starts = self.0.starts.lock().unwrap_or_else(PoisonError::into_inner);
            starts.push((job.number(), now));
        }
    }

    /// A handler has ended.
    pub fn finished(&self) {
        if self.0.done.fetch_add(1, Ordering::AcqRel) + 1 == self.0.goal {
            self.0.ended.notify_one();
        }
    }

    /// Waits for the last handler.
    pub(crate) async fn ended(&self) {
        self.0.ended.notified().await;
    }

    pub(crate) fn done(&self) -> u32 {
        self.0.done.load(Ordering::Acquire)
    }

    /// When the first handler started.
    pub(crate) fn first(&self) -> Option<Instant> {
        self.0.first.get().copied()
    }

    /// Each job's number and the start of its handler.
    pub(crate) fn starts(&self) -> Vec<(u32, Instant)> {
        self.0
            .starts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
