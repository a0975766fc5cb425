//! A slot that waits for the schedule's earlier job is seen, and outlives the server that noted it.

use conveyor::upkeep::Watch;
use conveyor_model::job::Claimed;
use conveyor_model::schedule::{CatchUp, OverlapPolicy, ScheduleSpec, SlotReason, SlotStatus};
use conveyor_model::worker::Finish;

use super::rig::{Rig, spec};
use crate::support::service::utc;
use crate::support::store::{StoreExt, lease};

/// A server with a schedule whose slot of 10:02 waits for the job of 10:01, which runs.
async fn waiting() -> (Rig, Claimed) {
    let mut rig = Rig::new().await;
    let spec = ScheduleSpec {
        overlap: OverlapPolicy::QueueOne,
        catch_up: CatchUp::Skip,
        ..spec("* * * * *")
    };
    rig.plan("tick", spec).await;
    rig.pass_at("2026-11-30T10:01:00Z").await;
    let job = rig.store.take_one(rig.time()).await;
    rig.pass_at("2026-11-30T10:02:00Z").await;
    (rig, job)
}

async fn succeed(rig: &Rig, job: &Claimed) {
    let report = Finish::succeeded(lease(job), None);
    rig.store.end(report, rig.time()).await;
}

#[tokio::test]
async fn the_slot_that_waits_is_shown_until_it_fires() {
    let (mut rig, job) = waiting().await;
    let slot = Some(utc("2026-11-30T10:02:00Z"));
    assert_eq!(rig.planned("tick").await.waiting_slot, slot);
    rig.pass_at("2026-11-30T10:03:00Z").await;
    assert_eq!(rig.planned("tick").await.waiting_slot, slot, "the first");
    succeed(&rig, &job).await;
    rig.pass_at("2026-11-30T10:03:20Z").await;
    assert_eq!(rig.planned("tick").await.waiting_slot, None);
}

#[tokio::test]
async fn a_slot_that_waits_fires_even_when_the_job_ended_while_no_server_ran() {
    let (mut rig, job) = waiting().await;
    succeed(&rig, &job).await;
    // Another process: it remembers nothing, and lets go of what it takes for missed.
    rig.watch = Watch::default();
    assert_eq!(rig.pass_at("2026-11-30T10:04:30Z").await.jobs, 1);
    let overlap = Some(SlotReason::Overlap);
    let expected = [
        (utc("2026-11-30T10:01:00Z"), SlotStatus::Fired, None, 1),
        (utc("2026-11-30T10:02:00Z"), SlotStatus::Late, overlap, 1),
        (utc("2026-11-30T10:04:00Z"), SlotStatus::Skipped, overlap, 2),
    ];
    assert_eq!(rig.history("tick").await, expected);
}

#[tokio::test]
async fn of_very_many_slots_the_one_that_waited_is_the_one_that_fires() {
    let mut rig = Rig::new().await;
    let spec = ScheduleSpec {
        overlap: OverlapPolicy::QueueOne,
        ..spec("* * * * * *")
    };
    rig.plan("tick", spec).await;
    rig.pass_at("2026-11-30T10:00:31Z").await;
    let job = rig.store.take_one(rig.time()).await;
    rig.pass_at("2026-11-30T10:00:32Z").await;
    let slot = utc("2026-11-30T10:00:32Z");
    assert_eq!(rig.planned("tick").await.waiting_slot, Some(slot));
    succeed(&rig, &job).await;
    rig.pass_at("2026-11-30T10:10:31Z").await;
    let fired = rig.history("tick").await[1];
    assert_eq!((fired.0, fired.1), (slot, SlotStatus::Late));
}

#[tokio::test]
async fn a_schedule_that_is_changed_has_no_slot_that_waits() {
    let (rig, _) = waiting().await;
    let changed = rig.plan("tick", spec("*/5 * * * *")).await;
    assert_eq!(changed.waiting_slot, None);
}
