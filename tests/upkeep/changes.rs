//! What people do to schedules: edit, pause, resume, run now, remove.

use conveyor::upkeep::realign;
use conveyor_model::operator::Operator;
use conveyor_model::schedule::{CatchUp, OverlapPolicy, ScheduleSpec, SlotReason, SlotStatus};

use super::rig::{Rig, spec};
use crate::support::service::{Brief, ann, named, utc};
use crate::support::store::StoreExt;

/// A row of slots that passed while the schedule was paused.
fn paused(slot: &str, count: u64) -> Brief {
    (
        utc(slot),
        SlotStatus::Skipped,
        Some(SlotReason::Paused),
        count,
    )
}

#[tokio::test]
async fn an_edit_never_fires() {
    let mut rig = Rig::new().await;
    rig.plan("tick", spec("0 7 * * *")).await;
    // In the very second that the new expression names.
    rig.clock.set(utc("2026-11-30T10:05:00Z"));
    let edited = rig.plan("tick", spec("5 10 * * *")).await;
    assert_eq!(edited.next_at, Some(utc("2026-12-01T10:05:00Z")));
    assert_eq!(rig.pass_at("2026-11-30T10:05:00Z").await.jobs, 0);
    assert_eq!(rig.pass_at("2026-11-30T10:05:59Z").await.jobs, 0);
    // With a slot of the past that all catch-up would make up for.
    rig.clock.set(utc("2026-11-30T10:06:00Z"));
    let all = ScheduleSpec {
        catch_up: CatchUp::All,
        ..spec("* 9 * * *")
    };
    rig.plan("tick", all).await;
    assert_eq!(rig.pass_at("2026-11-30T10:06:01Z").await.jobs, 0);
    assert!(rig.history("tick").await.is_empty());
}

#[tokio::test]
async fn what_changes_nothing_leaves_a_slot_that_is_due() {
    let mut rig = Rig::new().await;
    let all = ScheduleSpec {
        catch_up: CatchUp::All,
        ..spec("* * * * *")
    };
    let made = rig.plan("tick", all.clone()).await;
    // Down for three minutes; then the program declares what it declares at each start.
    rig.clock.set(utc("2026-11-30T10:03:30Z"));
    let again = rig.plan("tick", all.clone()).await;
    assert_eq!(again, made);
    assert_eq!(rig.pass_at("2026-11-30T10:03:30Z").await.jobs, 3);
    // Another is another, and never fires by being written.
    rig.clock.set(utc("2026-11-30T10:06:30Z"));
    let other = ScheduleSpec {
        priority: 7.try_into().unwrap(),
        ..all
    };
    rig.plan("tick", other).await;
    assert_eq!(rig.pass_at("2026-11-30T10:06:30Z").await.jobs, 0);
}

#[tokio::test]
async fn run_now_makes_a_job_and_leaves_the_next_slot_where_it_is() {
    let mut rig = Rig::at(utc("2024-09-03T15:05:21.669Z")).await;
    let made = rig.plan("daily", spec("0 7 * * *")).await;
    let job = rig.run_schedule(&named("daily")).await.unwrap();
    let job = rig.store.show(job).await;
    assert_eq!(job.row.schedule, Some(named("daily")));
    assert_eq!(job.row.run_at, utc("2024-09-03T15:05:21.669Z"));
    let after = rig.planned("daily").await;
    assert_eq!((after.next_at, after.version), (made.next_at, made.version));
    assert_eq!(after.next_at, Some(utc("2024-09-04T07:00:00Z")));
    assert!(rig.history("daily").await.is_empty(), "it is no slot");
    assert_eq!(rig.pass_at("2024-09-04T07:00:00Z").await.jobs, 1);
}

#[tokio::test]
async fn a_paused_schedule_can_be_run_by_hand() {
    let rig = Rig::new().await;
    rig.plan("tick", spec("* * * * *")).await;
    rig.pause_schedule(&named("tick"), true, &ann())
        .await
        .unwrap();
    assert!(rig.run_schedule(&named("tick")).await.is_ok());
}

#[tokio::test]
async fn slots_of_a_pause_are_told_of_and_never_fire() {
    let mut rig = Rig::new().await;
    let all = ScheduleSpec {
        catch_up: CatchUp::All,
        ..spec("* * * * *")
    };
    rig.plan("tick", all).await;
    let stopped = rig
        .pause_schedule(&named("tick"), true, &ann())
        .await
        .unwrap();
    assert_eq!(
        (stopped.next_at, stopped.paused_by.as_deref()),
        (None, Some("ann"))
    );
    for minute in ["01", "02", "03"] {
        let fired = rig.pass_at(&format!("2026-11-30T10:{minute}:00Z")).await;
        assert_eq!(fired.jobs, 0);
    }
    rig.clock.set(utc("2026-11-30T10:03:30Z"));
    let resumed = rig
        .pause_schedule(&named("tick"), false, &ann())
        .await
        .unwrap();
    assert_eq!(resumed.next_at, Some(utc("2026-11-30T10:04:00Z")));
    assert_eq!(
        rig.history("tick").await,
        [paused("2026-11-30T10:03:00Z", 3)]
    );
    assert_eq!(rig.pass_at("2026-11-30T10:03:31Z").await.jobs, 0);
    assert_eq!(rig.pass_at("2026-11-30T10:04:00Z").await.jobs, 1);
}

#[tokio::test]
async fn a_pause_without_a_slot_leaves_no_row() {
    let rig = Rig::new().await;
    rig.plan("tick", spec("* * * * *")).await;
    rig.pause_schedule(&named("tick"), true, &ann())
        .await
        .unwrap();
    rig.wait(20);
    rig.pause_schedule(&named("tick"), false, &ann())
        .await
        .unwrap();
    assert!(rig.history("tick").await.is_empty());
}

#[tokio::test]
async fn a_pause_that_an_edit_ends_is_told_of_as_well() {
    let mut rig = Rig::new().await;
    rig.plan("tick", spec("* * * * *")).await;
    rig.pause_schedule(&named("tick"), true, &ann())
        .await
        .unwrap();
    rig.clock.set(utc("2026-11-30T10:03:30Z"));
    let resumed = rig.plan("tick", spec("*/10 * * * *")).await;
    assert_eq!(resumed.next_at, Some(utc("2026-11-30T10:10:00Z")));
    assert_eq!(
        rig.history("tick").await,
        [paused("2026-11-30T10:03:00Z", 3)]
    );
    assert_eq!(rig.pass_at("2026-11-30T10:04:00Z").await.jobs, 0);
}

#[tokio::test]
async fn an_edit_within_a_pause_hides_none_of_its_slots() {
    let rig = Rig::new().await;
    let stopped = ScheduleSpec {
        paused: true,
        ..spec("* * * * *")
    };
    rig.plan("tick", stopped.clone()).await;
    rig.clock.set(utc("2026-11-30T10:02:30Z"));
    let other = ScheduleSpec {
        priority: 9.try_into().unwrap(),
        ..stopped
    };
    rig.plan("tick", other).await;
    rig.clock.set(utc("2026-11-30T10:05:30Z"));
    rig.pause_schedule(&named("tick"), false, &ann())
        .await
        .unwrap();
    let told: u64 = rig.history("tick").await.iter().map(|row| row.3).sum();
    assert_eq!(told, 5, "{:?}", rig.history("tick").await);
}

#[tokio::test]
async fn pausing_twice_changes_nothing() {
    let rig = Rig::new().await;
    rig.plan("tick", spec("* * * * *")).await;
    let first = rig
        .pause_schedule(&named("tick"), true, &ann())
        .await
        .unwrap();
    rig.wait(600);
    let bob = conveyor_model::operator::Actor("bob".to_owned());
    let second = rig
        .pause_schedule(&named("tick"), true, &bob)
        .await
        .unwrap();
    assert_eq!(second, first);
}

#[tokio::test]
async fn a_removed_schedule_fires_no_more() {
    let mut rig = Rig::new().await;
    rig.plan("tick", spec("* * * * *")).await;
    rig.delete_schedule(&named("tick"), None).await.unwrap();
    assert_eq!(rig.pass_at("2026-11-30T10:01:00Z").await.jobs, 0);
}

#[tokio::test]
async fn an_every_keeps_its_beat_when_something_else_is_edited_and_when_a_server_starts() {
    let mut rig = Rig::new().await;
    rig.plan("tick", spec("0 3 * * *")).await;
    rig.clock.set(utc("2026-11-30T10:02:45Z"));
    let every = rig.plan("tick", spec("@every 5m")).await;
    let beat = Some(utc("2026-11-30T10:07:45Z"));
    assert_eq!(every.next_at, beat, "a new expression counts from now");
    rig.wait(60);
    realign(&*rig.store, rig.time()).await.unwrap();
    assert_eq!(rig.planned("tick").await.next_at, beat, "after a start");
    let urgent = ScheduleSpec {
        priority: 9.try_into().unwrap(),
        ..spec("@every 5m")
    };
    assert_eq!(
        rig.plan("tick", urgent).await.next_at,
        beat,
        "after an edit"
    );
    rig.pass_each_slot("tick", "2026-11-30T10:18:00Z").await;
    let slots: Vec<_> = rig.history("tick").await.iter().map(|row| row.0).collect();
    let expected = [
        "2026-11-30T10:07:45Z",
        "2026-11-30T10:12:45Z",
        "2026-11-30T10:17:45Z",
    ];
    assert_eq!(slots, expected.map(utc));
}

#[tokio::test]
async fn a_slot_that_waits_for_the_last_job_is_told_of_when_an_edit_drops_it() {
    let mut rig = Rig::new().await;
    let one = ScheduleSpec {
        overlap: OverlapPolicy::QueueOne,
        ..spec("* * * * *")
    };
    rig.plan("tick", one.clone()).await;
    rig.pass_at("2026-11-30T10:01:00Z").await;
    assert_eq!(rig.pass_at("2026-11-30T10:02:00Z").await.held, 1);
    rig.clock.set(utc("2026-11-30T10:02:30Z"));
    let urgent = ScheduleSpec {
        priority: 9.try_into().unwrap(),
        ..one
    };
    rig.plan("tick", urgent).await;
    let dropped = (
        utc("2026-11-30T10:02:00Z"),
        SlotStatus::Skipped,
        Some(SlotReason::Overlap),
        1,
    );
    assert_eq!(rig.history("tick").await[1..], [dropped]);
    assert_eq!(rig.pass_at("2026-11-30T10:02:31Z").await.jobs, 0);
}
