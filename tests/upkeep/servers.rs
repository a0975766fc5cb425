//! Several servers on one database, and clocks that are set.

use std::collections::HashSet;

use conveyor::upkeep::{Watch, fire, realign};
use conveyor_model::schedule::{CatchUp, OverlapPolicy, ScheduleSpec, SlotStatus};
use conveyor_model::time::Span;

use super::rig::{Rig, spec};
use crate::support::service::utc;
use crate::support::store::check_sums;

fn all(cron: &str) -> ScheduleSpec {
    ScheduleSpec {
        catch_up: CatchUp::All,
        ..spec(cron)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_slot_fires_once_when_two_servers_make_the_same_pass() {
    let rig = Rig::new().await;
    for n in 0..20 {
        rig.plan(&format!("tick {n}"), spec("* * * * *")).await;
    }
    let other = rig.store.another().await;
    let (mut mine, mut theirs) = (Watch::default(), Watch::default());
    for minute in 1..6 {
        let now = utc("2026-11-30T10:00:00Z").plus(Span::from_secs(60 * minute));
        let (one, two) = tokio::join!(
            fire(&*rig.store, now, &mut mine),
            fire(&*other, now, &mut theirs)
        );
        assert_eq!(one.unwrap().jobs + two.unwrap().jobs, 20, "minute {minute}");
    }
    for n in 0..20 {
        let name = format!("tick {n}");
        assert_eq!(rig.fired(&name).await.len(), 5);
        let jobs = rig.fired_jobs(&name).await;
        assert_eq!(jobs.iter().collect::<HashSet<_>>().len(), 5);
    }
    assert_eq!(rig.store.counts(rig.time()).await.unwrap().total(), 100);
    check_sums(&rig.store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn missed_slots_are_made_up_for_once_when_two_servers_start_together() {
    let rig = Rig::new().await;
    rig.plan("tick", all("* * * * *")).await;
    let other = rig.store.another().await;
    let now = utc("2026-11-30T10:20:30Z");
    let (mut mine, mut theirs) = (Watch::default(), Watch::default());
    let (one, two) = tokio::join!(
        fire(&*rig.store, now, &mut mine),
        fire(&*other, now, &mut theirs)
    );
    assert_eq!(one.unwrap().jobs + two.unwrap().jobs, 20);
    assert_eq!(rig.fired("tick").await.len(), 20);
}

#[tokio::test]
async fn a_server_that_is_a_pass_behind_fires_nothing_again() {
    let mut rig = Rig::new().await;
    rig.plan("tick", all("* * * * *")).await;
    rig.pass_at("2026-11-30T10:02:30Z").await;
    let mut slow = Watch::default();
    let late = fire(&*rig.store, utc("2026-11-30T10:01:30Z"), &mut slow).await;
    assert_eq!(late.unwrap().jobs, 0);
    assert_eq!(rig.fired("tick").await.len(), 2);
    assert_eq!(
        rig.planned("tick").await.next_at,
        Some(utc("2026-11-30T10:03:00Z"))
    );
}

#[tokio::test]
async fn a_clock_that_is_set_back_fires_no_slot_twice() {
    let mut rig = Rig::new().await;
    rig.plan("tick", spec("* * * * *")).await;
    for minute in 1..4 {
        rig.pass_at(&format!("2026-11-30T10:0{minute}:00Z")).await;
    }
    let back = utc("2026-11-30T10:00:40Z");
    assert_eq!(realign(&*rig.store, back).await.unwrap(), 1);
    assert_eq!(
        rig.planned("tick").await.next_at,
        Some(utc("2026-11-30T10:01:00Z"))
    );
    for minute in 1..6 {
        rig.pass_at(&format!("2026-11-30T10:0{minute}:00Z")).await;
    }
    let fired = rig.fired("tick").await;
    let expected = [
        "11-30T10:01",
        "11-30T10:02",
        "11-30T10:03",
        "11-30T10:04",
        "11-30T10:05",
    ];
    assert_eq!(fired, expected);
    assert_eq!(rig.store.counts(back).await.unwrap().total(), 5);
}

#[tokio::test]
async fn a_clock_that_was_ahead_delays_nothing_when_it_is_right_again() {
    let mut rig = Rig::new().await;
    rig.plan("tick", spec("*/30 * * * *")).await;
    rig.pass_at("2026-11-30T12:00:10Z").await;
    assert_eq!(rig.fired("tick").await, ["11-30T12:00"], "the policy's one");
    realign(&*rig.store, utc("2026-11-30T10:00:40Z"))
        .await
        .unwrap();
    rig.pass_each_slot("tick", "2026-11-30T12:30:00Z").await;
    let fired = rig.fired("tick").await;
    // What was let go as missed was told so and stays so.
    let skipped: Vec<_> = rig
        .history("tick")
        .await
        .into_iter()
        .filter(|row| row.1 == SlotStatus::Skipped)
        .map(|row| row.0)
        .collect();
    assert_eq!(skipped, [utc("2026-11-30T11:30:00Z")]);
    assert_eq!(
        fired,
        ["11-30T10:30", "11-30T11:00", "11-30T12:00", "11-30T12:30"]
    );
}

#[tokio::test]
async fn the_last_job_is_not_called_off_for_a_slot_that_fired_before_the_clock_was_set_back() {
    let mut rig = Rig::new().await;
    let spec = ScheduleSpec {
        overlap: OverlapPolicy::CancelRunning,
        ..spec("* * * * *")
    };
    rig.plan("tick", spec).await;
    rig.pass_at("2026-11-30T10:01:00Z").await;
    realign(&*rig.store, utc("2026-11-30T10:00:40Z"))
        .await
        .unwrap();
    let again = rig.pass_at("2026-11-30T10:01:00Z").await;
    assert_eq!((again.jobs, again.cancelled), (0, false));
    let counts = rig.store.counts(rig.time()).await.unwrap();
    assert_eq!(counts.of(conveyor_model::state::State::Ready), 1);
}

#[tokio::test]
async fn a_start_in_good_order_moves_no_schedule() {
    let mut rig = Rig::new().await;
    rig.plan("tick", spec("* * * * *")).await;
    rig.plan("every", spec("@every 7m")).await;
    rig.pass_at("2026-11-30T10:01:00Z").await;
    let before = (rig.planned("tick").await, rig.planned("every").await);
    for now in ["2026-11-30T10:01:20Z", "2026-11-30T13:00:00Z"] {
        assert_eq!(realign(&*rig.store, utc(now)).await.unwrap(), 0, "{now}");
    }
    assert_eq!(
        (rig.planned("tick").await, rig.planned("every").await),
        before
    );
}
