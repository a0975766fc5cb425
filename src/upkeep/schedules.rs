//! The scheduler: decides the slots that came due. No server leads; a slot is unique for its
//! schedule, so of several servers that decide it, one wins.

use std::collections::HashSet;

use conveyor_model::error::Invalid;
use conveyor_model::name::ScheduleName;
use conveyor_model::schedule::{OverlapPolicy, Schedule, Slot, SlotReason, SlotStatus};
use conveyor_model::time::{Span, Timestamp};

use super::decision::{Moment, decide, must_wait};
use super::window::Window;
use crate::store::{DueSchedule, SlotDecision, Store, StoreError, StoreResult};
use crate::zones::Plan;

/// Schedules looked at in one round.
const STEP: usize = 500;
/// A longer break than this between two rounds means that the process was not there: slots that came
/// meanwhile were missed.
const BREAK: Span = Span::from_secs(15);
/// A slot this young is on time in the first round: another server may be deciding it just now.
const YOUNG: Span = Span::from_secs(1);

/// What one process remembers between rounds.
#[derive(Debug, Default)]
pub struct Watch {
    last: Option<Timestamp>,
    /// Schedules whose slots wait for an earlier job.
    held: HashSet<ScheduleName>,
}

/// What a round did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fired {
    /// Jobs enqueued.
    pub jobs: usize,
    /// Whether running jobs were asked to stop.
    pub cancelled: bool,
    /// Schedules whose slots have to wait for an earlier job.
    pub held: usize,
}

/// Decides every schedule's due slots. A schedule that cannot be decided, or whose decision the store
/// refuses, is logged and set to never, so that it holds up nobody.
pub async fn fire(store: &dyn Store, now: Timestamp, watch: &mut Watch) -> StoreResult<Fired> {
    let last = watch
        .last
        .filter(|last| *last <= now && now.since(*last) <= BREAK);
    let since = last.unwrap_or_else(|| now.minus(YOUNG));
    let mut fired = Fired::default();
    let mut seen = HashSet::new();
    loop {
        // Those that have to wait stay due and must not crowd out the others.
        let limit = STEP + watch.held.len();
        let due = store.due_schedules(now, limit).await?;
        let full = due.len() == limit;
        let before = seen.len();
        for due in due {
            if seen.insert(due.name.clone()) {
                let moment = Moment {
                    now,
                    since,
                    held: false,
                };
                let never = never(&due);
                match settle(store, due, moment, watch, &mut fired).await {
                    Ok(()) => {}
                    Err(error @ (StoreError::Corrupt { .. } | StoreError::Refused(_))) => {
                        tracing::error!(schedule = %never.name, %error, "a schedule cannot be carried out; it stands still");
                        store.decide(never, now).await?;
                    }
                    Err(
                        error @ (StoreError::DiskFull
                        | StoreError::Unavailable(_)
                        | StoreError::Fatal(_)),
                    ) => return Err(error),
                }
            }
        }
        if !full || seen.len() == before {
            break;
        }
    }
    watch.held.retain(|name| seen.contains(name));
    fired.held = watch.held.len();
    watch.last = Some(now);
    Ok(fired)
}

/// Decides one schedule, unless its slots have to wait.
async fn settle(
    store: &dyn Store,
    due: DueSchedule,
    moment: Moment,
    watch: &mut Watch,
    fired: &mut Fired,
) -> StoreResult<()> {
    if must_wait(&due) {
        watch.held.insert(due.name);
        return Ok(());
    }
    let held = watch.held.remove(&due.name);
    let decision = decided(due, Moment { held, ..moment }).await;
    if carry_out(store, &decision, moment.now, fired).await? {
        return Ok(());
    }
    // Either another server was first, or the clock was set back over slots that were decided before.
    // Whatever is left of the decision is carried out; often that is only the step to the next slot.
    let rest = undecided(store, decision).await?;
    carry_out(store, &rest, moment.now, fired).await.map(drop)
}

async fn carry_out(
    store: &dyn Store,
    decision: &SlotDecision,
    now: Timestamp,
    fired: &mut Fired,
) -> StoreResult<bool> {
    let done = store.decide(decision.clone(), now).await?;
    if done {
        fired.jobs += decision.jobs.len();
        fired.cancelled |= !decision.cancel.is_empty();
    }
    Ok(done)
}

/// The decision without the slots that are decided already, and without their jobs.
async fn undecided(store: &dyn Store, decision: SlotDecision) -> StoreResult<SlotDecision> {
    let among: Vec<Timestamp> = decision.slots.iter().map(|slot| slot.slot).collect();
    let known = store.decided(&decision.name, &among).await?;
    let mut jobs = decision.jobs.into_iter();
    let (mut slots, mut kept) = (Vec::new(), Vec::new());
    for slot in decision.slots {
        let job = match slot.status {
            SlotStatus::Fired | SlotStatus::Late => jobs.next(),
            SlotStatus::Skipped => None,
        };
        if !known.contains(&slot.slot) {
            slots.push(slot);
            kept.extend(job);
        }
    }
    Ok(SlotDecision {
        cancel: if kept.is_empty() {
            Vec::new()
        } else {
            decision.cancel
        },
        slots,
        jobs: kept,
        ..decision
    })
}

/// The decision that a schedule stands still until somebody changes it.
fn never(due: &DueSchedule) -> SlotDecision {
    SlotDecision {
        name: due.name.clone(),
        version: due.version,
        slots: Vec::new(),
        jobs: Vec::new(),
        cancel: Vec::new(),
        next_at: None,
    }
}

/// The decision on one schedule, made off the async threads: after a long break there may be a
/// million slots to count.
async fn decided(due: DueSchedule, moment: Moment) -> SlotDecision {
    let never = never(&due);
    let outcome = tokio::task::spawn_blocking(move || {
        // After the clock was set back, the due slot may lie before the beginning.
        let anchor = due.anchor.min(due.next_at);
        let plan = Plan::of(due.name.as_str(), &due.spec, anchor)?;
        let window = Window::new(&plan, due.next_at, moment.now);
        Ok::<_, Invalid>(decide(&due, &window, moment))
    })
    .await;
    match outcome {
        Ok(Ok(decision)) => decision,
        Ok(Err(invalid)) => {
            tracing::error!(schedule = %never.name, %invalid, "a schedule cannot be read; it stands still");
            never
        }
        Err(error) => {
            tracing::error!(schedule = %never.name, %error, "a schedule could not be decided; it stands still");
            never
        }
    }
}

/// Notes the slots that a change of a schedule leaves undecided, as one skipped row: those of a pause,
/// and those that had come when it was changed. `old` is the schedule before the change, `new` after.
pub async fn note_left(
    store: &dyn Store,
    old: &Schedule,
    new: &Schedule,
    now: Timestamp,
) -> StoreResult<()> {
    let Ok(plan) = Plan::of_stored(old, now) else {
        return Ok(());
    };
    let (first, reason) = match old.spec.overlap {
        _ if old.spec.paused => (plan.next_after(old.updated_at), SlotReason::Paused),
        OverlapPolicy::QueueOne => (old.next_at, SlotReason::Overlap),
        OverlapPolicy::Allow | OverlapPolicy::Skip | OverlapPolicy::CancelRunning => {
            (old.next_at, SlotReason::Missed)
        }
    };
    let Some(first) = first.filter(|first| *first <= now) else {
        return Ok(());
    };
    let counted = tokio::task::spawn_blocking(move || {
        let window = Window::new(&plan, first, now);
        Some((window.count, window.latest.back().copied()?))
    })
    .await;
    let Ok(Some((count, slot))) = counted else {
        return Ok(());
    };
    let row = Slot {
        slot,
        status: SlotStatus::Skipped,
        reason: Some(reason),
        count,
        job_id: None,
        at: now,
    };
    let decision = SlotDecision {
        name: new.name.clone(),
        version: new.version,
        slots: vec![row],
        jobs: Vec::new(),
        cancel: Vec::new(),
        next_at: new.next_at,
    };
    store.decide(decision, now).await.map(drop)
}

/// After the clock was set back: schedules go on at their next slot by the new time instead of
/// waiting for the old one. Slots that were decided already stay decided. Answers how many moved.
pub async fn realign(store: &dyn Store, now: Timestamp) -> StoreResult<usize> {
    let mut moved = 0;
    for schedule in store.schedules().await? {
        let plan = Plan::of_stored(&schedule, now);
        let (Some(stored), Ok(plan)) = (schedule.next_at, plan) else {
            continue;
        };
        let next = plan.next_after(now);
        if next.is_none_or(|next| next >= stored) {
            continue;
        }
        let decision = SlotDecision {
            name: schedule.name,
            version: schedule.version,
            slots: Vec::new(),
            jobs: Vec::new(),
            cancel: Vec::new(),
            next_at: next,
        };
        moved += usize::from(store.decide(decision, now).await?);
    }
    Ok(moved)
}
