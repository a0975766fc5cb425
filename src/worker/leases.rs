//! The leases a pool holds, and why an attempt has to stop.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use conveyor_model::worker::{Lease, LeaseAnswer, LeaseStatus};
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
    why: OnceLock<Stop>,
    renewed: Mutex<Instant>,
}

impl Held {
    /// Asks the handler to end. The first reason counts.
    pub(super) fn stop(&self, why: Stop) {
        if self.why.set(why).is_ok() {
            self.cancel.cancel();
        }
    }

    /// Why it was asked to end, if it was.
    pub(super) fn why(&self) -> Option<Stop> {
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
pub(super) struct Leases(Mutex<HashMap<Lease, Arc<Held>>>);

impl Leases {
    fn map(&self) -> MutexGuard<'_, HashMap<Lease, Arc<Held>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to hold a lease that lasts since then.
    pub(super) fn hold(&self, lease: Lease, journal: Arc<Journal>, since: Instant) -> Arc<Held> {
        let held = Arc::new(Held {
            lease,
            journal,
            cancel: CancellationToken::new(),
            sending: tokio::sync::Mutex::default(),
            why: OnceLock::new(),
            renewed: Mutex::new(since),
        });
        self.map().insert(lease, Arc::clone(&held));
        held
    }

    /// Lets a lease go.
    pub(super) fn release(&self, lease: &Lease) {
        self.map().remove(lease);
    }

    /// The leases held now.
    pub(super) fn all(&self) -> Vec<Arc<Held>> {
        self.map().values().map(Arc::clone).collect()
    }

    /// How many are held now.
    pub(super) fn len(&self) -> usize {
        self.map().len()
    }
}
