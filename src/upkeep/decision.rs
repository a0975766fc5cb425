//! What becomes of a schedule's due slots: pure rules, from catch-up to overlap.
//!
//! A slot is *on time* when this process was there as it came; the others were *missed*. Catch-up
//! decides which missed slots are made up for, overlap which of all these become jobs.

use conveyor_model::new_job::{Due, NewJob};
use conveyor_model::schedule::{
    CATCH_UP_CAP, CatchUp, OverlapPolicy, Slot, SlotReason, SlotStatus,
};
use conveyor_model::time::{Span, Timestamp};

use super::window::Window;
use crate::store::{DueSchedule, SlotDecision};

/// A job enqueued longer than this after its slot is late.
const LATE: Span = Span::from_secs(60);

/// The circumstances of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// The time.
    pub(super) now: Timestamp,
    /// Since when this process has looked at schedules without a break.
    pub(super) since: Timestamp,
}

/// A slot that may fire, and why it would be out of the ordinary.
#[derive(Clone, Copy)]
struct Candidate {
    slot: Timestamp,
    reason: Option<SlotReason>,
}

/// Whether the due slots have to wait until the schedule's earlier job is done.
pub(super) fn must_wait(due: &DueSchedule) -> bool {
    match due.spec.overlap {
        OverlapPolicy::QueueOne => due.busy,
        OverlapPolicy::Allow | OverlapPolicy::Skip | OverlapPolicy::CancelRunning => false,
    }
}

/// Decides the slots in `window`.
pub(super) fn decide(due: &DueSchedule, window: &Window, moment: Moment) -> SlotDecision {
    let mut decision = SlotDecision {
        name: due.name.clone(),
        version: due.version,
        busy: match due.spec.overlap {
            OverlapPolicy::Skip | OverlapPolicy::QueueOne => Some(due.busy),
            OverlapPolicy::Allow | OverlapPolicy::CancelRunning => None,
        },
        slots: Vec::new(),
        jobs: Vec::new(),
        cancel: false,
        next_at: window.next,
    };
    let mut let_go = LetGo::default();
    let candidates = if due.waiting {
        vec![waited(due, window, &mut let_go)]
    } else {
        catch_up(due.spec.catch_up, window, moment, &mut let_go)
    };
    for candidate in overlap(due, candidates, &mut decision, &mut let_go) {
        decision.slots.push(fired(candidate, moment.now));
        decision.jobs.push(job(due, candidate.slot));
    }
    decision.slots.extend(let_go.rows(moment.now));
    decision.slots.sort_by_key(|slot| slot.slot);
    decision
}

/// Slots that are skipped, gathered into one row for each reason.
#[derive(Default)]
struct LetGo(Vec<(SlotReason, u64, Timestamp)>);

impl LetGo {
    fn add(&mut self, reason: SlotReason, count: u64, latest: Timestamp) {
        match self.0.iter_mut().find(|(known, ..)| *known == reason) {
            Some((_, all, last)) => {
                *all += count;
                *last = latest.max(*last);
            }
            None => self.0.push((reason, count, latest)),
        }
    }

    fn rows(self, now: Timestamp) -> impl Iterator<Item = Slot> {
        self.0.into_iter().map(move |(reason, count, slot)| Slot {
            slot,
            status: SlotStatus::Skipped,
            reason: Some(reason),
            count,
            job_id: None,
            at: now,
        })
    }
}

/// The slot that waited for the schedule's earlier job: it was not missed, whoever was there, and those
/// that came after it are let go.
fn waited(due: &DueSchedule, window: &Window, let_go: &mut LetGo) -> Candidate {
    if window.count > 1
        && let Some(latest) = window.latest.back()
    {
        let_go.add(SlotReason::Overlap, window.count - 1, *latest);
    }
    Candidate {
        slot: due.next_at,
        reason: Some(SlotReason::Overlap),
    }
}

/// The slots that may fire, oldest first. The rest goes to `let_go`.
fn catch_up(
    policy: CatchUp,
    window: &Window,
    moment: Moment,
    let_go: &mut LetGo,
) -> Vec<Candidate> {
    let on_time = |slot: &Timestamp| *slot > moment.since && moment.now.since(*slot) <= LATE;
    let split = window.latest.partition_point(|slot| !on_time(slot));
    let (missed, prompt) = (
        window.latest.iter().take(split),
        window.latest.iter().skip(split),
    );
    let made_up = match policy {
        CatchUp::Skip => 0,
        CatchUp::Latest => usize::from(split == window.latest.len()).min(split),
        CatchUp::All => split.min(CATCH_UP_CAP),
    };
    let dropped = window.count - u64::try_from(window.latest.len() - split + made_up).unwrap_or(0);
    if let Some(latest) = missed.clone().rev().nth(made_up).copied()
        && dropped > 0
    {
        let reason = match policy {
            CatchUp::Skip | CatchUp::Latest => SlotReason::Missed,
            CatchUp::All => SlotReason::CatchUpCap,
        };
        let_go.add(reason, dropped, latest);
    }
    let late = missed.skip(split - made_up).map(|slot| Candidate {
        slot: *slot,
        reason: Some(SlotReason::CaughtUp),
    });
    late.chain(prompt.map(|slot| Candidate {
        slot: *slot,
        reason: None,
    }))
    .collect()
}

/// The candidates that become jobs under the overlap policy.
fn overlap(
    due: &DueSchedule,
    candidates: Vec<Candidate>,
    decision: &mut SlotDecision,
    let_go: &mut LetGo,
) -> Vec<Candidate> {
    let fires = match due.spec.overlap {
        OverlapPolicy::Allow => return candidates,
        OverlapPolicy::Skip | OverlapPolicy::QueueOne if due.busy => None,
        OverlapPolicy::Skip | OverlapPolicy::QueueOne => candidates.first().copied(),
        OverlapPolicy::CancelRunning => candidates.last().copied(),
    };
    decision.cancel = due.spec.overlap == OverlapPolicy::CancelRunning && fires.is_some();
    let firing = fires.map(|candidate| candidate.slot);
    for candidate in candidates {
        if Some(candidate.slot) != firing {
            let_go.add(SlotReason::Overlap, 1, candidate.slot);
        }
    }
    fires.into_iter().collect()
}

fn fired(candidate: Candidate, now: Timestamp) -> Slot {
    let late = now.since(candidate.slot) > LATE;
    Slot {
        slot: candidate.slot,
        status: if late {
            SlotStatus::Late
        } else {
            SlotStatus::Fired
        },
        // Late for another reason: the clock or the machine stood still.
        reason: candidate.reason.or(late.then_some(SlotReason::CaughtUp)),
        count: 1,
        job_id: None,
        at: now,
    }
}

/// The job of a slot. Its delay within the jitter is hashed from schedule and slot, so that every
/// server draws the same.
fn job(due: &DueSchedule, slot: Timestamp) -> NewJob {
    let jitter = due.spec.jitter_s.micros();
    let due_at = if jitter == 0 {
        Due::Now
    } else {
        let draw = i64::try_from(hash(due.name.as_str(), slot) >> 1).unwrap_or(0);
        Due::At(slot.plus(Span::from_micros(draw % (jitter + 1))))
    };
    NewJob {
        due: due_at,
        ..due.spec.job(&due.name)
    }
}

/// 64-bit FNV-1a of a schedule's name and a slot, its bits mixed once more: FNV leaves the last bytes
/// in the low bits.
fn hash(name: &str, slot: Timestamp) -> u64 {
    let bytes = name.bytes().chain(slot.micros().to_be_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
