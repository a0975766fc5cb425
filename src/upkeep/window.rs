//! The slots of a schedule that came due since it was last decided.

use std::collections::VecDeque;

use conveyor_model::schedule::CATCH_UP_CAP;
use conveyor_model::time::Timestamp;

use crate::zones::Plan;

/// How many of the latest slots are kept; the rest are only counted.
const KEPT: usize = CATCH_UP_CAP + 100;
/// How many are counted one by one. A schedule for each second has as many in two weeks.
const COUNTED: u64 = 1_250_000;

/// Slots that are due.
#[derive(Debug)]
pub(super) struct Window {
    /// How many there are.
    pub(super) count: u64,
    /// The latest of them, oldest first.
    pub(super) latest: VecDeque<Timestamp>,
    /// The first slot that is not due yet.
    pub(super) next: Option<Timestamp>,
}

impl Window {
    /// The slots of `plan` from `first` to `now`. Beyond [`COUNTED`] the count is an estimate from
    /// the distance of those before.
    pub(super) fn new(plan: &Plan, first: Timestamp, now: Timestamp) -> Self {
        let mut window = Window {
            count: 0,
            latest: VecDeque::with_capacity(KEPT),
            next: Some(first),
        };
        while let Some(slot) = window.next.filter(|slot| *slot <= now) {
            if window.count == COUNTED {
                return window.estimated(plan, slot, now);
            }
            window.push(slot);
            window.next = plan.next_after(slot);
        }
        window
    }

    fn push(&mut self, slot: Timestamp) {
        if self.latest.len() == KEPT {
            self.latest.pop_front();
        }
        self.latest.push_back(slot);
        self.count += 1;
    }

    /// Leaps over most of what is left and goes on near `now`.
    fn estimated(self, plan: &Plan, slot: Timestamp, now: Timestamp) -> Self {
        let oldest = self.latest.front().copied().unwrap_or(slot);
        let stride = slot.since(oldest).micros();
        let near = Timestamp::from_micros(now.micros() - stride).max(slot);
        let leapt = near.since(slot).micros() / (stride / i64::try_from(KEPT).unwrap_or(1)).max(1);
        let mut tail = match plan.next_after(near) {
            Some(first) => Window::new(plan, first, now),
            None => Window {
                count: 0,
                latest: VecDeque::new(),
                next: None,
            },
        };
        if tail.latest.is_empty() {
            tail.latest = self.latest;
        }
        tail.count += self.count + u64::try_from(leapt).unwrap_or(0);
        tail
    }
}
