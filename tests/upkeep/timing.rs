//! When slots come: jitter, start and end, and the nights on which clocks are moved.

use std::collections::HashSet;

use conveyor_model::cron::{DstRule, Gap, Overlap};
use conveyor_model::schedule::ScheduleSpec;
use conveyor_model::state::State;
use conveyor_model::time::Span;

use super::rig::{Rig, spec, spec_in};
use crate::support::service::utc;
use crate::support::store::StoreExt;

/// How long after its slot each of ten jobs is due, in microseconds.
async fn delays(name: &str, jitter: Span) -> Vec<i64> {
    let mut rig = Rig::new().await;
    let spec = ScheduleSpec {
        jitter_s: jitter,
        ..spec("* * * * *")
    };
    rig.plan(name, spec).await;
    rig.pass_each_slot(name, "2026-11-30T10:10:00Z").await;
    let slots = rig.history(name).await;
    let mut delays = Vec::new();
    for (slot, job) in slots.iter().zip(rig.fired_jobs(name).await) {
        let job = rig.store.show(job).await.row;
        assert!(job.state == State::Scheduled || job.run_at == slot.0);
        delays.push(job.run_at.since(slot.0).micros());
    }
    assert_eq!(delays.len(), 10);
    delays
}

#[tokio::test]
async fn jitter_delays_each_slot_within_its_bound_and_the_same_on_every_server() {
    let bound = Span::from_secs(30);
    let drawn = delays("tick", bound).await;
    assert!(
        drawn
            .iter()
            .all(|delay| (0..=bound.micros()).contains(delay))
    );
    assert_eq!(
        delays("tick", bound).await,
        drawn,
        "another server draws the same"
    );
    assert_ne!(
        delays("tock", bound).await,
        drawn,
        "another schedule does not"
    );
    let different: HashSet<_> = drawn.iter().collect();
    assert!(different.len() > 8, "{drawn:?}");
    let spread = drawn.iter().max().unwrap() - drawn.iter().min().unwrap();
    assert!(spread > bound.micros() / 3, "{drawn:?}");
}

#[tokio::test]
async fn without_jitter_a_job_is_due_at_its_slot() {
    assert!(
        delays("tick", Span::ZERO)
            .await
            .iter()
            .all(|delay| *delay == 0)
    );
}

#[tokio::test]
async fn slots_come_from_the_start_on_and_before_the_end() {
    let mut rig = Rig::new().await;
    let spec = ScheduleSpec {
        starts_at: Some(utc("2026-11-30T10:02:00Z")),
        ends_at: Some(utc("2026-11-30T10:04:00Z")),
        ..spec("* * * * *")
    };
    let made = rig.plan("tick", spec).await;
    assert_eq!(made.next_at, Some(utc("2026-11-30T10:02:00Z")));
    for minute in 1..6 {
        rig.pass_at(&format!("2026-11-30T10:0{minute}:00Z")).await;
    }
    assert_eq!(rig.fired("tick").await, ["11-30T10:02", "11-30T10:03"]);
    assert_eq!(rig.planned("tick").await.next_at, None, "it has ended");
}

#[tokio::test]
async fn a_server_that_comes_back_after_the_end_makes_up_for_no_slot_beyond_it() {
    let mut rig = Rig::new().await;
    let spec = ScheduleSpec {
        ends_at: Some(utc("2026-11-30T10:03:00Z")),
        ..spec("* * * * *")
    };
    rig.plan("tick", spec).await;
    rig.pass_at("2026-12-02T00:00:00Z").await;
    let told: u64 = rig.history("tick").await.iter().map(|row| row.3).sum();
    assert_eq!(
        (rig.fired("tick").await, told),
        (vec!["11-30T10:02".to_owned()], 2)
    );
}

/// The slots that fire in a zone from one instant to another.
async fn fires(zone: &str, cron: &str, dst: DstRule, from: &str, until: &str) -> Vec<String> {
    let mut rig = Rig::at(utc(from)).await;
    let spec = ScheduleSpec {
        dst,
        ..spec_in(zone, cron)
    };
    rig.plan("tick", spec).await;
    rig.pass_each_slot("tick", until).await;
    rig.fired("tick").await
}

const BERLIN: &str = "Europe/Berlin";
/// Two nights around the one on which Berlin's clocks jump from 02:00 to 03:00.
const SPRING: (&str, &str) = ("2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z");
/// Two nights around the one on which they go back from 03:00 to 02:00.
const AUTUMN: (&str, &str) = ("2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z");

#[tokio::test]
async fn a_time_that_the_clock_jumps_over_fires_once_after_the_jump() {
    let rule = DstRule::default();
    let fired = fires(BERLIN, "30 2 * * *", rule, SPRING.0, SPRING.1).await;
    assert_eq!(fired, ["03-29T01:00", "03-30T00:30"]);
    let fired = fires(
        "America/New_York",
        "0 2 * * *",
        rule,
        "2026-03-08T00:00:00Z",
        "2026-03-09T12:00:00Z",
    )
    .await;
    assert_eq!(fired, ["03-08T07:00", "03-09T06:00"]);
}

#[tokio::test]
async fn a_time_that_the_clock_jumps_over_may_be_let_go() {
    let rule = DstRule {
        gap: Gap::Skip,
        ..DstRule::default()
    };
    let fired = fires(BERLIN, "30 2 * * *", rule, SPRING.0, SPRING.1).await;
    assert_eq!(fired, ["03-30T00:30"]);
}

#[tokio::test]
async fn a_time_that_the_clock_shows_twice_fires_as_the_schedule_says() {
    for (overlap, expected) in [
        (Overlap::First, vec!["10-25T00:30", "10-26T01:30"]),
        (Overlap::Last, vec!["10-25T01:30", "10-26T01:30"]),
        (
            Overlap::Both,
            vec!["10-25T00:30", "10-25T01:30", "10-26T01:30"],
        ),
    ] {
        let rule = DstRule {
            overlap,
            ..DstRule::default()
        };
        let fired = fires(BERLIN, "30 2 * * *", rule, AUTUMN.0, AUTUMN.1).await;
        assert_eq!(fired, expected, "{overlap:?}");
    }
}

#[tokio::test]
async fn an_interval_follows_real_time_through_both_nights() {
    for (from, until) in [
        ("2026-03-29T00:10:00Z", "2026-03-29T02:30:00Z"),
        ("2026-10-25T00:10:00Z", "2026-10-25T02:30:00Z"),
    ] {
        let fired = fires(BERLIN, "*/30 * * * *", DstRule::default(), from, until).await;
        let times: Vec<&str> = fired.iter().map(|text| &text[6..]).collect();
        assert_eq!(
            times,
            ["00:30", "01:00", "01:30", "02:00", "02:30"],
            "{from}"
        );
    }
}

#[tokio::test]
async fn a_missed_night_of_the_repeated_hour_is_made_up_for_once() {
    let mut rig = Rig::at(utc(AUTUMN.0)).await;
    rig.plan("tick", spec_in(BERLIN, "30 2 * * *")).await;
    // The server comes back in the second pass of the hour.
    assert_eq!(rig.pass_at("2026-10-25T01:45:00Z").await.jobs, 1);
    assert_eq!(rig.fired("tick").await, ["10-25T00:30"]);
    assert_eq!(
        rig.planned("tick").await.next_at,
        Some(utc("2026-10-26T01:30:00Z"))
    );
}

#[tokio::test]
async fn every_two_hours_are_two_real_hours() {
    let fired = fires(
        "America/New_York",
        "@every 2h",
        DstRule::default(),
        "2026-03-08T04:00:00Z",
        "2026-03-08T10:00:00Z",
    )
    .await;
    assert_eq!(fired, ["03-08T06:00", "03-08T08:00", "03-08T10:00"]);
}
