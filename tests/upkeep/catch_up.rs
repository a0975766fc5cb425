//! Slots that come on time, and what becomes of those that were missed.

use conveyor::upkeep::Fired;
use conveyor_model::schedule::{CatchUp, ScheduleSpec, SlotReason, SlotStatus};

use super::rig::{Rig, spec};
use crate::support::service::{named, utc};
use crate::support::store::{StoreExt, check_sums};

use SlotStatus::{Fired as OnTime, Late, Skipped};

fn policy(catch_up: CatchUp) -> ScheduleSpec {
    ScheduleSpec {
        catch_up,
        ..spec("* * * * *")
    }
}

#[tokio::test]
async fn a_slot_fires_when_it_comes_and_not_before_and_once() {
    let mut rig = Rig::new().await;
    rig.plan("tick", spec("* * * * *")).await;
    assert_eq!(
        rig.pass_at("2026-11-30T10:00:59.996Z").await,
        Fired::default()
    );
    assert_eq!(rig.pass_at("2026-11-30T10:01:00Z").await.jobs, 1);
    assert_eq!(rig.pass_at("2026-11-30T10:01:00Z").await.jobs, 0);
    assert_eq!(rig.pass_at("2026-11-30T10:01:01Z").await.jobs, 0);
    let slot = utc("2026-11-30T10:01:00Z");
    assert_eq!(rig.history("tick").await, [(slot, OnTime, None, 1)]);
    let job = rig.store.show(rig.fired_jobs("tick").await[0]).await;
    assert_eq!(
        (job.row.schedule, job.row.run_at),
        (Some(named("tick")), slot)
    );
    let next = rig.planned("tick").await.next_at;
    assert_eq!(next, Some(utc("2026-11-30T10:02:00Z")));
    check_sums(&rig.store).await;
}

/// A day without a server, 1440 slots: what is enqueued, and the rows.
async fn a_day_away(catch_up: CatchUp) -> (usize, Vec<crate::support::service::Brief>, Rig) {
    let mut rig = Rig::new().await;
    rig.plan("tick", policy(catch_up)).await;
    let fired = rig.pass_at("2026-12-01T10:00:30Z").await;
    let rows = rig.history("tick").await;
    assert_eq!(rig.fired_jobs("tick").await.len(), fired.jobs);
    let told: u64 = rows.iter().map(|row| row.3).sum();
    assert_eq!(told, 1440, "every slot is accounted for: {rows:?}");
    let next = rig.planned("tick").await.next_at;
    assert_eq!(next, Some(utc("2026-12-01T10:01:00Z")));
    assert_eq!(rig.pass_at("2026-12-01T10:00:31Z").await.jobs, 0);
    (fired.jobs, rows, rig)
}

#[tokio::test]
async fn missed_slots_are_let_go_and_told_of_under_skip() {
    let (jobs, rows, _) = a_day_away(CatchUp::Skip).await;
    let last = utc("2026-12-01T10:00:00Z");
    let missed = (last, Skipped, Some(SlotReason::Missed), 1440);
    assert_eq!((jobs, rows), (0, vec![missed]));
}

#[tokio::test]
async fn one_job_is_made_for_the_latest_missed_slot_under_latest() {
    let (jobs, rows, _) = a_day_away(CatchUp::Latest).await;
    let (before, last) = (utc("2026-12-01T09:59:00Z"), utc("2026-12-01T10:00:00Z"));
    let expected = vec![
        (before, Skipped, Some(SlotReason::Missed), 1439),
        // Half a minute after its slot: not late, but told why it is out of the ordinary.
        (last, OnTime, Some(SlotReason::CaughtUp), 1),
    ];
    assert_eq!((jobs, rows), (1, expected));
}

#[tokio::test]
async fn all_missed_slots_are_made_up_for_to_a_limit_under_all() {
    let (jobs, rows, rig) = a_day_away(CatchUp::All).await;
    assert_eq!((jobs, rows.len()), (100, 101));
    let dropped = utc("2026-12-01T08:20:00Z");
    let capped = (dropped, Skipped, Some(SlotReason::CatchUpCap), 1340);
    assert_eq!(rows[0], capped);
    assert!(
        rows[1..]
            .iter()
            .all(|row| row.2 == Some(SlotReason::CaughtUp))
    );
    assert_eq!((rows[1].0, rows[1].1), (utc("2026-12-01T08:21:00Z"), Late));
    check_sums(&rig.store).await;
}

#[tokio::test]
async fn a_few_missed_slots_are_all_made_up_for_oldest_first() {
    let mut rig = Rig::new().await;
    rig.plan("tick", policy(CatchUp::All)).await;
    rig.pass_at("2026-11-30T10:03:30Z").await;
    assert_eq!(
        rig.fired("tick").await,
        ["11-30T10:01", "11-30T10:02", "11-30T10:03"]
    );
    let jobs = rig.fired_jobs("tick").await;
    assert!(jobs.is_sorted(), "{jobs:?}");
    assert_eq!(rig.history("tick").await.len(), 3, "nothing was skipped");
}

#[tokio::test]
async fn a_pause_between_passes_that_is_short_misses_nothing_and_a_long_one_does() {
    for (last, jobs) in [("2026-11-30T10:00:55Z", 1), ("2026-11-30T10:00:50Z", 0)] {
        let mut rig = Rig::new().await;
        rig.plan("tick", policy(CatchUp::Skip)).await;
        rig.pass_at(last).await;
        assert_eq!(
            rig.pass_at("2026-11-30T10:01:09Z").await.jobs,
            jobs,
            "{last}"
        );
    }
}

#[tokio::test]
async fn a_slot_that_comes_as_the_server_starts_is_on_time_and_stands_for_the_missed_ones() {
    let mut rig = Rig::new().await;
    rig.plan("tick", policy(CatchUp::Latest)).await;
    rig.pass_at("2026-11-30T10:05:00.500Z").await;
    let expected = [
        (
            utc("2026-11-30T10:04:00Z"),
            Skipped,
            Some(SlotReason::Missed),
            4,
        ),
        (utc("2026-11-30T10:05:00Z"), OnTime, None, 1),
    ];
    assert_eq!(rig.history("tick").await, expected);
}

#[tokio::test]
async fn two_weeks_of_seconds_are_one_job_and_a_count() {
    let mut rig = Rig::new().await;
    rig.plan("tick", spec("*/5 * * * * *")).await;
    rig.pass_at("2026-12-14T10:00:32Z").await;
    let rows = rig.history("tick").await;
    let counts: Vec<_> = rows.iter().map(|row| (row.1, row.3)).collect();
    assert_eq!(counts, [(Skipped, 241_919), (OnTime, 1)]);
}
