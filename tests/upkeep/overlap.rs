//! A slot that comes while the job of an earlier one is not finished.

use conveyor_model::job::Claimed;
use conveyor_model::schedule::{CatchUp, OverlapPolicy, ScheduleSpec, SlotReason, SlotStatus};
use conveyor_model::state::State;
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::Finish;

use super::rig::{Rig, spec};
use crate::support::service::utc;
use crate::support::store::{StoreExt, check_sums, lease};

use SlotStatus::{Fired as OnTime, Late, Skipped};

const OVERLAP: Option<SlotReason> = Some(SlotReason::Overlap);

fn policy(cron: &str, overlap: OverlapPolicy) -> ScheduleSpec {
    ScheduleSpec {
        overlap,
        ..spec(cron)
    }
}

/// A server whose schedule for each minute has fired once, at 10:01.
async fn fired_once(overlap: OverlapPolicy) -> Rig {
    let mut rig = Rig::new().await;
    rig.plan("tick", policy("* * * * *", overlap)).await;
    assert_eq!(rig.pass_at("2026-11-30T10:01:00Z").await.jobs, 1);
    rig
}

async fn succeed(rig: &Rig, job: &Claimed, now: Timestamp) {
    rig.store
        .end(Finish::succeeded(lease(job), None), now)
        .await;
}

#[tokio::test]
async fn under_allow_a_slot_fires_whatever_else_runs() {
    let mut rig = fired_once(OverlapPolicy::Allow).await;
    rig.store.take_one(rig.time()).await;
    assert_eq!(rig.pass_at("2026-11-30T10:02:00Z").await.jobs, 1);
    assert_eq!(rig.pass_at("2026-11-30T10:03:00Z").await.jobs, 1);
    assert_eq!(rig.fired("tick").await.len(), 3);
}

#[tokio::test]
async fn under_skip_a_slot_is_let_go_while_the_last_job_is_not_done() {
    let mut rig = fired_once(OverlapPolicy::Skip).await;
    assert_eq!(
        rig.pass_at("2026-11-30T10:02:00Z").await.jobs,
        0,
        "it waits"
    );
    let job = rig.store.take_one(rig.time()).await;
    assert_eq!(rig.pass_at("2026-11-30T10:03:00Z").await.jobs, 0, "it runs");
    succeed(&rig, &job, rig.time()).await;
    assert_eq!(rig.pass_at("2026-11-30T10:04:00Z").await.jobs, 1);
    let expected = [
        (utc("2026-11-30T10:01:00Z"), OnTime, None, 1),
        (utc("2026-11-30T10:02:00Z"), Skipped, OVERLAP, 1),
        (utc("2026-11-30T10:03:00Z"), Skipped, OVERLAP, 1),
        (utc("2026-11-30T10:04:00Z"), OnTime, None, 1),
    ];
    assert_eq!(rig.history("tick").await, expected);
}

#[tokio::test]
async fn a_job_of_25_seconds_on_a_schedule_of_10_runs_twice_a_minute_under_skip() {
    let mut rig = Rig::at(utc("2026-11-30T09:59:59Z")).await;
    rig.plan("tick", policy("*/10 * * * * *", OverlapPolicy::Skip))
        .await;
    let mut running: Option<(Claimed, Timestamp)> = None;
    for second in 0..60 {
        let now = utc("2026-11-30T10:00:00Z").plus(Span::from_secs(second));
        if let Some((job, end)) = running.take() {
            if end <= now {
                succeed(&rig, &job, now).await;
            } else {
                running = Some((job, end));
            }
        }
        rig.pass(now).await;
        if let Some(job) = rig.store.take(5, now).await.pop() {
            assert!(running.is_none(), "two at once");
            running = Some((job, now.plus(Span::from_secs(25))));
        }
    }
    let seconds: Vec<(u8, SlotStatus)> = rig
        .history("tick")
        .await
        .iter()
        .map(|row| (row.0.civil().second, row.1))
        .collect();
    let expected = [
        (0, OnTime),
        (10, Skipped),
        (20, Skipped),
        (30, OnTime),
        (40, Skipped),
        (50, Skipped),
    ];
    assert_eq!(seconds, expected);
}

#[tokio::test]
async fn under_queue_one_a_slot_waits_for_the_last_job_and_further_ones_are_let_go() {
    let mut rig = fired_once(OverlapPolicy::QueueOne).await;
    let job = rig.store.take_one(rig.time()).await;
    for minute in ["02", "03", "04"] {
        let fired = rig.pass_at(&format!("2026-11-30T10:{minute}:00Z")).await;
        assert_eq!((fired.jobs, fired.held), (0, 1), "{minute}");
    }
    assert_eq!(rig.history("tick").await.len(), 1, "nothing is decided yet");
    succeed(&rig, &job, rig.time()).await;
    let fired = rig.pass_at("2026-11-30T10:04:10Z").await;
    assert_eq!((fired.jobs, fired.held), (1, 0));
    let expected = [
        (utc("2026-11-30T10:01:00Z"), OnTime, None, 1),
        (utc("2026-11-30T10:02:00Z"), Late, OVERLAP, 1),
        (utc("2026-11-30T10:04:00Z"), Skipped, OVERLAP, 2),
    ];
    assert_eq!(rig.history("tick").await, expected);
}

#[tokio::test]
async fn every_slot_that_queue_one_lets_go_is_counted_however_many_there_are() {
    let mut rig = Rig::new().await;
    rig.plan("tick", policy("* * * * * *", OverlapPolicy::QueueOne))
        .await;
    rig.pass_at("2026-11-30T10:00:31Z").await;
    let job = rig.store.take_one(rig.time()).await;
    rig.pass_at("2026-11-30T10:00:32Z").await;
    succeed(&rig, &job, utc("2026-11-30T10:10:31Z")).await;
    rig.pass_at("2026-11-30T10:10:31Z").await;
    let told: u64 = rig.history("tick").await.iter().map(|row| row.3).sum();
    assert_eq!(told, 601, "{:?}", rig.history("tick").await);
    assert_eq!(rig.fired_jobs("tick").await.len(), 2);
}

#[tokio::test]
async fn under_cancel_running_the_last_job_is_called_off() {
    let mut rig = fired_once(OverlapPolicy::CancelRunning).await;
    let fired = rig.pass_at("2026-11-30T10:02:00Z").await;
    assert_eq!((fired.jobs, fired.cancelled), (1, true));
    let jobs = rig.fired_jobs("tick").await;
    assert_eq!(
        rig.store.state(jobs[0]).await,
        State::Cancelled,
        "it waited"
    );
    let running = rig.store.take_one(rig.time()).await;
    assert_eq!(running.id, jobs[1]);
    let now = utc("2026-11-30T10:03:00Z");
    assert!(rig.pass(now).await.cancelled);
    let asked = rig.store.show(running.id).await.row;
    assert_eq!(
        (asked.state, asked.cancel_requested_at),
        (State::Running, Some(now))
    );
    let newest = rig.fired_jobs("tick").await[2];
    assert_eq!(rig.store.state(newest).await, State::Ready);
    check_sums(&rig.store).await;
}

#[tokio::test]
async fn nothing_is_called_off_when_nothing_is_unfinished() {
    let mut rig = fired_once(OverlapPolicy::CancelRunning).await;
    let job = rig.store.take_one(rig.time()).await;
    succeed(&rig, &job, rig.time()).await;
    let fired = rig.pass_at("2026-11-30T10:02:00Z").await;
    assert_eq!((fired.jobs, fired.cancelled), (1, false));
    assert_eq!(rig.store.state(job.id).await, State::Succeeded);
}

#[tokio::test]
async fn of_several_missed_slots_one_becomes_a_job_where_no_two_may_be() {
    for (overlap, chosen) in [
        (OverlapPolicy::Skip, "11-30T10:01"),
        (OverlapPolicy::QueueOne, "11-30T10:01"),
        (OverlapPolicy::CancelRunning, "11-30T10:03"),
    ] {
        let mut rig = Rig::new().await;
        let spec = ScheduleSpec {
            catch_up: CatchUp::All,
            ..policy("* * * * *", overlap)
        };
        rig.plan("tick", spec).await;
        assert_eq!(
            rig.pass_at("2026-11-30T10:03:30Z").await.jobs,
            1,
            "{overlap:?}"
        );
        assert_eq!(rig.fired("tick").await, [chosen], "{overlap:?}");
        let told: u64 = rig.history("tick").await.iter().map(|row| row.3).sum();
        assert_eq!(told, 3, "{overlap:?}");
    }
}

#[tokio::test]
async fn a_schedule_that_waits_holds_up_no_other() {
    let mut rig = fired_once(OverlapPolicy::QueueOne).await;
    rig.plan("other", spec("* * * * *")).await;
    let fired = rig.pass_at("2026-11-30T10:02:00Z").await;
    assert_eq!((fired.jobs, fired.held), (1, 1));
    assert_eq!(rig.fired("other").await, ["11-30T10:02"]);
}

#[tokio::test]
async fn a_job_of_another_schedule_is_no_overlap() {
    let mut rig = fired_once(OverlapPolicy::Allow).await;
    rig.plan("other", policy("* * * * *", OverlapPolicy::Skip))
        .await;
    assert_eq!(rig.pass_at("2026-11-30T10:02:00Z").await.jobs, 2);
}
