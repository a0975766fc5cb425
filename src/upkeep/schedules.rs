//! The scheduler: decides the slots that came due. No server leads; a slot is unique for its
//! schedule, so of several servers that decide it, one wins.

use std::collections::HashSet;

use conveyor_model::error::Invalid;
use conveyor_model::name::ScheduleName;
use conveyor_model::schedule::{OverlapPolicy, Schedule, Slot, SlotReason, SlotStatus};
use conveyor_model::time::{Span, Timestamp};

use super::decision::{Moment, decide, must_wait};
use super::window::Window;
use crate::store::{Decided, DueSchedule, SlotDecision, Store, StoreError, StoreResult};
use crate::zones::Plan;

/// Schedules read at once.
const STEP: usize = 500;
/// A longer break than this between two rounds means that the process was not there: slots that came
/// meanwhile were missed.
const BREAK: Span = Span::from_secs(15);
/// A slot this young is on time in the first round: another server may be deciding it just now.
const YOUNG: Span = Span::from_secs(1);

/// Tries at one schedule in one round. Each but the first follows a job of it that began or ended in the
/// middle; what still cannot be settled then is left for the next round.
const TRIES: usize = 8;

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
/// refuses, is made to stand still, so that it holds up nobody.
pub async fn fire(store: &dyn Store, now: Timestamp, watch: &mut Watch) -> StoreResult<Fired> {
    let last = watch
        .last
        .filter(|last| *last <= now && now.since(*last) <= BREAK);
    let since = last.unwrap_or_else(|| now.minus(YOUNG));
    let moment = Moment { now, since };
    let mut fired = Fired::default();
    let (mut seen, mut held) = (HashSet::new(), HashSet::new());
    loop {
        // Those that have to wait stay due and must not crowd out the others.
        let limit = STEP + watch.held.union(&held).count();
        let due = store.due_schedules(now, limit).await?;
        let full = due.len() == limit;
        let before = seen.len();
        for due in due {
            if !seen.insert(due.name.clone()) {
                continue;
            }
            let (name, version) = (due.name.clone(), due.version);
            match settle(store, due, moment, &mut fired).await {
                Ok(Settled::Decided) => {}
                Ok(Settled::Waits) => {
                    held.insert(name);
                }
                Ok(Settled::Faulty(why)) => stop(store, &name, version, &why).await?,
                Err(error @ (StoreError::Corrupt { .. } | StoreError::Refused(_))) => {
                    stop(store, &name, version, &error.to_string()).await?;
                }
                Err(
                    error @ (StoreError::DiskFull
                    | StoreError::Unavailable(_)
                    | StoreError::Fatal(_)),
                ) => return Err(error),
            }
        }
        if !full || seen.len() == before {
            break;
        }
    }
    fired.held = held.len();
    watch.held = held;
    watch.last = Some(now);
    Ok(fired)
}

/// What became of one schedule in a round.
enum Settled {
    /// Its due slots are decided.
    Decided,
    /// They wait for its earlier job.
    Waits,
    /// It cannot be used, for this reason.
    Faulty(String),
}

/// Decides one schedule, unless its slots have to wait.
async fn settle(
    store: &dyn Store,
    mut due: DueSchedule,
    moment: Moment,
    fired: &mut Fired,
) -> StoreResult<Settled> {
    for _ in 0..TRIES {
        if must_wait(&due) {
            if !due.waiting {
                store.hold(&due.name, due.version, due.next_at).await?;
            }
            return Ok(Settled::Waits);
        }
        let decision = match decided(due.clone(), moment).await {
            Ok(decision) => decision,
            Err(why) => return Ok(Settled::Faulty(why)),
        };
        let mut outcome = carry_out(store, &decision, moment.now, fired).await?;
        if outcome == Decided::TooLate {
            // Either another server was first, or the clock was set back over slots that were decided
            // before. Whatever is left of the decision is carried out; often that is only the step to
            // the next slot.
            let rest = undecided(store, decision).await?;
            outcome = carry_out(store, &rest, moment.now, fired).await?;
        }
        match outcome {
            Decided::Done { .. } | Decided::TooLate => break,
            Decided::Overtaken { busy } => due.busy = busy,
        }
    }
    Ok(Settled::Decided)
}

async fn carry_out(
    store: &dyn Store,
    decision: &SlotDecision,
    now: Timestamp,
    fired: &mut Fired,
) -> StoreResult<Decided> {
    let outcome = store.decide(decision.clone(), now).await?;
    if let Decided::Done { cancelled } = outcome {
        fired.jobs += decision.jobs.len();
        fired.cancelled |= cancelled > 0;
    }
    Ok(outcome)
}

/// The decision without the slots that are decided already, and without their jobs.
async fn undecided(store: &dyn Store, decision: SlotDecision) -> StoreResult<SlotDecision> {
    let among: Vec<Timestamp> = decision.slots.iter().map(|slot| slot.slot).collect();
    let known = store.decided(&decision.name, &among).await?;
    let fires = decision.jobs.len();
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
        // Where the slot that was to fire is decided already, nothing hangs on its jobs any more.
        busy: decision.busy.filter(|_| kept.len() == fires),
        cancel: decision.cancel && !kept.is_empty(),
        slots,
        jobs: kept,
        ..decision
    })
}

/// Makes a schedule stand still until somebody changes it.
async fn stop(store: &dyn Store, name: &ScheduleName, version: i64, why: &str) -> StoreResult<()> {
    tracing::error!(schedule = %name, why, "a schedule cannot be carried out; it stands still");
    store.stand_still(name, version, why).await
}

/// The decision on one schedule, made off the async threads: after a long break there may be a
/// million slots to count. An error says why there can be none.
async fn decided(due: DueSchedule, moment: Moment) -> Result<SlotDecision, String> {
    let outcome = tokio::task::spawn_blocking(move || {
        // After the clock was set back, the due slot may lie before the beginning.
        let anchor = due.anchor.min(due.next_at);
        let plan = Plan::of(due.name.as_str(), &due.spec, anchor)?;
        let window = Window::new(&plan, due.next_at, moment.now);
        Ok::<_, Invalid>(decide(&due, &window, moment))
    })
    .await;
    match outcome {
        Ok(decision) => decision.map_err(|invalid| invalid.to_string()),
        Err(error) => Err(error.to_string()),
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
        busy: None,
        slots: vec![row],
        jobs: Vec::new(),
        cancel: false,
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
            busy: None,
            slots: Vec::new(),
            jobs: Vec::new(),
            cancel: false,
            next_at: next,
        };
        let outcome = store.decide(decision, now).await?;
        moved += usize::from(matches!(outcome, Decided::Done { .. }));
    }
    Ok(moved)
}
