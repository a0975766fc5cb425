//! The line in which jobs that were taken wait for a slot.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Instant;

use conveyor_model::job::Claimed;
use tokio::sync::Notify;

use super::leases::Held;

/// A job that was taken and waits for its slot.
pub(super) struct Waiting {
    pub(super) job: Claimed,
    pub(super) held: Arc<Held>,
    /// Since when.
    pub(super) since: Instant,
}

/// The line, and how many slots are at work.
pub(super) struct Line {
    state: Mutex<State>,
    slots: usize,
    /// Wakes a slot without a job.
    job: Notify,
    /// Wakes who fills the line.
    low: Notify,
    /// With so many jobs in line, it is to be filled.
    mark: AtomicUsize,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Waiting>,
    busy: usize,
    closed: bool,
}

impl Line {
    /// An empty line before so many free slots.
    pub(super) fn new(slots: usize) -> Self {
        Line {
            state: Mutex::default(),
            slots,
            job: Notify::new(),
            low: Notify::new(),
            mark: AtomicUsize::new(0),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Slots in all.
    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    /// Slots at work.
    pub(super) fn busy(&self) -> usize {
        self.state().busy
    }

    /// Free slots, and jobs in line.
    pub(super) fn free_and_waiting(&self) -> (usize, usize) {
        let state = self.state();
        (self.slots.saturating_sub(state.busy), state.jobs.len())
    }

    /// Adds jobs, the first to go first.
    pub(super) fn push(&self, jobs: impl Iterator<Item = Waiting>) {
        let free = {
            let mut state = self.state();
            state.jobs.extend(jobs);
            state.jobs.len().min(self.slots.saturating_sub(state.busy))
        };
        for _ in 0..free {
            self.job.notify_one();
        }
    }

    /// The next job for a slot, which is at work from then on; none when there will be no more.
    pub(super) async fn next(&self) -> Option<Waiting> {
        loop {
            if let Poll::Ready(next) = self.look() {
                return next;
            }
            let mut news = std::pin::pin!(self.job.notified());
            // Enabled before the second look, so that each of several jobs finds a slot of its own.
            news.as_mut().enable();
            if let Poll::Ready(next) = self.look() {
                return next;
            }
            news.await;
        }
    }

    /// The next job; none when there will be no more.
    fn look(&self) -> Poll<Option<Waiting>> {
        let mut state = self.state();
        let Some(next) = state.jobs.pop_front() else {
            return if state.closed {
                Poll::Ready(None)
            } else {
                Poll::Pending
            };
        };
        state.busy += 1;
        let low = state.jobs.len() <= self.mark.load(Ordering::Relaxed);
        drop(state);
        if low {
            self.low.notify_one();
        }
        Poll::Ready(Some(next))
    }

    /// A slot is done with its job.
    pub(super) fn freed(&self) {
        let low = {
            let mut state = self.state();
            state.busy = state.busy.saturating_sub(1);
            state.jobs.len() <= self.mark.load(Ordering::Relaxed)
        };
        if low {
            self.low.notify_one();
        }
    }

    /// Waits until there are no more than `mark` jobs in line, or a slot without one. It may wake up too
    /// early.
    pub(super) async fn low(&self, mark: usize) {
        self.mark.store(mark, Ordering::Relaxed);
        self.low.notified().await;
    }

    /// Since when a job waits that has no free slot.
    pub(super) fn held_up_since(&self) -> Option<Instant> {
        let state = self.state();
        let free = self.slots.saturating_sub(state.busy);
        let first = state.jobs.front().filter(|_| state.jobs.len() > free);
        first.map(|first| first.since)
    }

    /// Takes the jobs that have no free slot out of the line.
    pub(super) fn take_back(&self) -> VecDeque<Waiting> {
        let mut state = self.state();
        let free = self.slots.saturating_sub(state.busy);
        let keep = free.min(state.jobs.len());
        state.jobs.split_off(keep)
    }

    /// Ends the line; answers the jobs that had no slot yet.
    pub(super) fn close(&self) -> VecDeque<Waiting> {
        let mut state = self.state();
        state.closed = true;
        let rest = std::mem::take(&mut state.jobs);
        drop(state);
        self.job.notify_waiters();
        rest
    }
}
