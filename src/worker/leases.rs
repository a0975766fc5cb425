//! The leases a pool holds, and why an attempt has to stop.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use conveyor_model::worker::{Lease, LeaseAnswer, LeaseStatus};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::journal::Journal;

/// Why an attempt has to stop before its handler is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A person cancelled the job.
    Cancelled,
    /// The lease is lost, or could not be renewed for its whole length.
    Lost,
    /// The process stops.
    Interrupted,
}

/// A lease at work.
pub(super) struct Held {
    pub(super) lease: Lease,
    pub(super) journal: Arc<Journal>,
    /// Fires when the handler is to end.
    pub(super) cancel: CancellationToken,
    /// Held while lines are on their way, so that the last ones do not overtake them.
    pub(super) sending: tokio::sync::Mutex<()>,
    why: OnceLock<(Stop, Instant)>,
    begun: OnceLock<(Instant, Option<Duration>)>,
    over: OnceLock<Over>,
    renewed: Mutex<Instant>,
}

/// How an attempt came to be over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// Its handler ended or was dropped.
    ByItself,
    /// Its handler did not let go; whether another task took over its slot.
    Stuck { replaced: bool },
}

impl Held {
    /// Asks the handler to end. The first reason counts.
    pub(super) fn stop(&self, why: Stop) {
        if self.why.set((why, Instant::now())).is_ok() {
            self.cancel.cancel();
        }
    }

    /// Its handler begins, and has so long.
    pub(super) fn begin(&self, limit: Option<Duration>) {
        // A lease has one attempt.
        let _ = self.begun.set((Instant::now(), limit));
    }

    /// When its handler began and how long it has, once it has begun.
    pub(super) fn begun(&self) -> Option<(Instant, Option<Duration>)> {
        self.begun.get().copied()
    }

    /// Says that the attempt is over; an error tells how it was before.
    pub(super) fn over(&self, over: Over) -> Result<(), Over> {
        self.over
            .set(over)
            .map_err(|_| self.over.get().copied().unwrap_or(over))
    }

    /// Whether the attempt is over.
    pub(super) fn is_over(&self) -> bool {
        self.over.get().is_some()
    }

    /// Why it was asked to end, if it was.
    pub(super) fn why(&self) -> Option<Stop> {
        self.stopped().map(|(why, _)| why)
    }

    /// The same with when that was.
    pub(super) fn stopped(&self) -> Option<(Stop, Instant)> {
        self.why.get().copied()
    }

    /// Takes the answer to a renewal that was sent at `sent`.
    pub(super) fn answered(&self, answer: &LeaseAnswer, sent: Instant) {
        let renewed = || *self.renewed.lock().unwrap_or_else(PoisonError::into_inner) = sent;
        match answer.status {
            LeaseStatus::Held => renewed(),
            LeaseStatus::Lost => self.stop(Stop::Lost),
            LeaseStatus::Cancel => {
                renewed();
                self.stop(Stop::Cancelled);
            }
        }
    }

    /// Whether it was last renewed longer than `length` ago: somebody else may hold the job by now.
    pub(super) fn is_overdue(&self, length: Duration) -> bool {
        let renewed = *self.renewed.lock().unwrap_or_else(PoisonError::into_inner);
        renewed.elapsed() >= length
    }
}

/// All leases of a pool.
#[derive(Default)]
pub(super) struct Leases {
    held: Mutex<HashMap<Lease, Arc<Held>>>,
    /// Fires when the last one is let go.
    empty: Notify,
}

impl Leases {
    fn map(&self) -> MutexGuard<'_, HashMap<Lease, Arc<Held>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to hold a lease that lasts since then.
    pub(super) fn hold(&self, lease: Lease, journal: Arc<Journal>, since: Instant) -> Arc<Held> {
        let held = Arc::new(Held {
            lease,
            journal,
            cancel: CancellationToken::new(),
            sending: tokio::sync::Mutex::default(),
            why: OnceLock::new(),
            begun: OnceLock::new(),
            over: OnceLock::new(),
            renewed: Mutex::new(since),
        });
        self.map().insert(lease, Arc::clone(&held));
        held
    }

    /// Lets a lease go.
    pub(super) fn release(&self, lease: &Lease) {
        let mut map = self.map();
        map.remove(lease);
        if map.is_empty() {
            drop(map);
            self.empty.notify_waiters();
        }
    }

    /// Waits until none is held.
    pub(super) async fn none_left(&self) {
        loop {
            let mut empty = std::pin::pin!(self.empty.notified());
            // Enabled before the look, so that the last one is not missed.
            empty.as_mut().enable();
            if self.map().is_empty() {
                return;
            }
            empty.await;
        }
    }

    /// The leases held now.
    pub(super) fn all(&self) -> Vec<Arc<Held>> {
        self.map().values().map(Arc::clone).collect()
    }
}
