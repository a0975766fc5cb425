//! Jobs whose workers are not heard of any more.

use std::sync::Arc;

use conveyor::store::{Claim, Insert};
use conveyor::upkeep::{promote, rescue};
use conveyor_model::job::Outcome;
use conveyor_model::new_job::NewJob;
use conveyor_model::retry::Backoff;
use conveyor_model::state::{Action, State};
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::{Finish, FinishStatus, LeaseStatus};

use crate::support::store::{StoreExt, at, broken, check_sums, claim, job, lease, open, start};

/// A job that waits 100 s after its first failure and twice as long after each further one.
fn patient() -> NewJob {
    NewJob {
        backoff: Backoff {
            base_s: Span::from_secs(100),
            jitter: 0.0,
            ..Backoff::default()
        },
        ..job()
    }
}

#[tokio::test]
async fn after_a_leap_of_the_clock_each_worker_has_its_time_to_renew() {
    let store = open().await;
    let short = store.given(patient()).await;
    store.take_one(start()).await;
    let long = store.given(patient()).await;
    let claim = Claim {
        lease: Span::from_secs(300),
        ..claim(1)
    };
    store.claim(claim, start()).await.unwrap();
    // An hour ahead at one step: the leases of both have run out by the clock.
    let leapt = at(3600);
    let after = |secs| leapt.plus(Span::from_secs(secs));
    assert_eq!(rescue(&*store, after(9), leapt).await.unwrap(), 0);
    assert_eq!(rescue(&*store, after(10), leapt).await.unwrap(), 1);
    assert_eq!(store.state(short).await, State::Retrying);
    assert_eq!(rescue(&*store, after(99), leapt).await.unwrap(), 0);
    assert_eq!(store.state(long).await, State::Running);
    assert_eq!(rescue(&*store, after(100), leapt).await.unwrap(), 1);
}

#[tokio::test]
async fn when_the_clock_goes_back_nothing_waits_for_the_old_time() {
    let store = open().await;
    let failed = store.given(patient()).await;
    let taken = store.take_one(at(7200)).await;
    let report = Finish::failed(lease(&taken), &broken());
    store.end(report, at(7200)).await;
    let lost = store.given(job()).await;
    store.take_one(at(7200)).await;
    // Two servers look.
    for now in [at(1), at(2)] {
        store.clock_set_back(now).await.unwrap();
    }
    let shown = store.show(failed).await;
    assert_eq!(shown.row.run_at, at(101), "the backoff as it was");
    assert_eq!(promote(&*store, at(101)).await.unwrap(), 1);
    assert_eq!(store.show(lost).await.row.lease_until, Some(at(31)));
    assert_eq!(rescue(&*store, at(32), at(1)).await.unwrap(), 1);
    check_sums(&store).await;
}

#[tokio::test]
async fn a_clock_that_goes_its_way_changes_no_lease_and_no_wait() {
    let store = open().await;
    let failed = store.given(patient()).await;
    let taken = store.take_one(at(0)).await;
    store
        .end(Finish::failed(lease(&taken), &broken()), at(0))
        .await;
    let running = store.given(job()).await;
    store.take_one(at(0)).await;
    let before = (store.show(failed).await, store.show(running).await);
    store.clock_set_back(at(10)).await.unwrap();
    assert_eq!(
        (store.show(failed).await, store.show(running).await),
        before
    );
}

#[tokio::test]
async fn a_lost_job_is_taken_back_when_its_lease_has_run_out_and_not_before() {
    let store = open().await;
    let id = store.given(patient()).await;
    store.take_one(start()).await;
    assert_eq!(rescue(&*store, at(30), Timestamp::MIN).await.unwrap(), 0);
    assert_eq!(store.state(id).await, State::Running);
    let after = at(30).plus(Span::from_micros(1));
    assert_eq!(rescue(&*store, after, Timestamp::MIN).await.unwrap(), 1);
    let lost = store.show(id).await;
    assert_eq!((lost.row.state, lost.crash_count), (State::Retrying, 1));
    assert_eq!(
        lost.row.run_at,
        after.plus(Span::from_secs(100)),
        "the backoff"
    );
    assert_eq!((lost.row.lease_until, lost.row.attempt), (None, 1));
    let attempts = store.attempts(id).await.unwrap();
    let attempt = &attempts[0];
    assert_eq!((attempts.len(), attempt.number), (1, 1));
    assert_eq!(attempt.outcome, Some(Outcome::LeaseLost));
    assert_eq!(
        (attempt.started_at, attempt.finished_at),
        (start(), Some(after))
    );
    assert_eq!(attempt.error.as_ref().unwrap().class, "LeaseLost");
    assert_eq!(
        rescue(&*store, after, Timestamp::MIN).await.unwrap(),
        0,
        "once"
    );
    check_sums(&store).await;
}

#[tokio::test]
async fn a_job_whose_worker_still_renews_is_left_alone() {
    let store = open().await;
    let live = store.given(job()).await;
    let held = lease(&store.take_one(start()).await);
    let lost = store.given(job()).await;
    store.take_one(start()).await;
    for secs in [10, 20, 30, 40] {
        let renewed = store.renew(vec![held], at(secs)).await.unwrap();
        assert_eq!(renewed[0].status, LeaseStatus::Held);
        rescue(&*store, at(secs + 5), Timestamp::MIN).await.unwrap();
    }
    assert_eq!(store.state(live).await, State::Running);
    assert_eq!(store.show(live).await.crash_count, 0);
    assert_eq!(store.state(lost).await, State::Retrying);
}

#[tokio::test]
async fn the_third_crash_is_the_last_and_failures_between_do_not_count() {
    let store = open().await;
    let id = store.given(patient()).await;
    let mut now = start();
    for (attempt, crashes) in [(1, true), (2, false), (3, true), (4, true)] {
        promote(&*store, now).await.unwrap();
        let taken = store.take_one(now).await;
        assert_eq!(taken.attempt, attempt);
        let over = now.plus(Span::from_secs(31));
        if crashes {
            assert_eq!(rescue(&*store, over, Timestamp::MIN).await.unwrap(), 1);
        } else {
            store
                .end(Finish::failed(lease(&taken), &broken()), over)
                .await;
        }
        now = now.plus(Span::from_secs(10_000));
    }
    let dead = store.show(id).await;
    assert_eq!((dead.row.state, dead.crash_count), (State::Dead, 3));
    assert_eq!(dead.dead_reason.as_deref(), Some("crash_loop"));
    assert!(
        dead.row.max_attempts > dead.row.attempt,
        "attempts were left"
    );
    check_sums(&store).await;
}

#[tokio::test]
async fn jobs_that_hang_do_not_stand_in_the_way_of_those_behind_them() {
    let store = open().await;
    let mut hang = Vec::new();
    for _ in 0..4 {
        hang.push(store.given(patient()).await);
    }
    store.take(4, start()).await;
    let behind = store.given(job()).await;
    rescue(&*store, at(31), Timestamp::MIN).await.unwrap();
    promote(&*store, at(31)).await.unwrap();
    let next = store.take(4, at(31)).await;
    let ids: Vec<_> = next.iter().map(|job| job.id).collect();
    assert_eq!(ids, [behind]);
}

#[tokio::test]
async fn a_job_that_was_asked_to_stop_is_cancelled_when_its_worker_is_lost() {
    let store = open().await;
    let id = store.given(job()).await;
    store.take_one(start()).await;
    store.act(vec![id], Action::Cancel, at(1)).await.unwrap();
    rescue(&*store, at(31), Timestamp::MIN).await.unwrap();
    assert_eq!(store.state(id).await, State::Cancelled);
}

#[tokio::test]
async fn more_lost_jobs_than_one_step_takes_are_all_taken_back() {
    let store = open().await;
    let jobs = vec![job(); 2300];
    store
        .insert(Insert { jobs, atomic: true }, start())
        .await
        .unwrap();
    assert_eq!(store.take(2300, start()).await.len(), 2300);
    assert_eq!(rescue(&*store, at(31), Timestamp::MIN).await.unwrap(), 2300);
    let counts = store.counts(at(31)).await.unwrap();
    assert_eq!(
        (counts.of(State::Running), counts.of(State::Retrying)),
        (0, 2300)
    );
    check_sums(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_a_rescue_and_a_report_that_race_one_wins_and_the_other_changes_nothing() {
    let store = open().await;
    let other = store.another().await;
    for round in 0..20 {
        let base = 1000 * round;
        let id = store.enqueue(patient(), at(base)).await.id;
        let taken = store.take_one(at(base)).await;
        let report = Finish::succeeded(lease(&taken), None);
        let mine = Arc::clone(&store.store);
        let reaper =
            tokio::spawn(
                async move { rescue(&*mine, at(base + 31), Timestamp::MIN).await.unwrap() },
            );
        let status = other.end(report, at(base + 31)).await;
        let rescued = reaper.await.unwrap();
        let shown = store.show(id).await;
        let attempts = store.attempts(id).await.unwrap();
        assert_eq!(attempts.len(), 1);
        if status == FinishStatus::Ok {
            assert_eq!((rescued, shown.row.state), (0, State::Succeeded));
            assert_eq!(attempts[0].outcome, Some(Outcome::Succeeded));
        } else {
            assert_eq!((rescued, shown.row.state), (1, State::Retrying));
            assert_eq!(attempts[0].outcome, Some(Outcome::LeaseLost));
            store
                .act(vec![id], Action::Discard, at(base + 32))
                .await
                .unwrap();
        }
    }
    check_sums(&store).await;
}

#[tokio::test]
async fn more_damaged_jobs_than_are_looked_at_at_once_keep_no_other_from_being_taken_back() {
    let store = open().await;
    let jobs = vec![job(); 2_200];
    store
        .insert(Insert { jobs, atomic: true }, start())
        .await
        .unwrap();
    let last = store.given(job()).await;
    store.take(2_201, start()).await;
    let mut conn = store.raw().await;
    sqlx::query("UPDATE job SET crash_count = -1 WHERE id <> ?")
        .bind(last.get())
        .execute(&mut conn)
        .await
        .unwrap();
    assert_eq!(rescue(&*store, at(31), Timestamp::MIN).await.unwrap(), 1);
    assert_eq!(store.state(last).await, State::Retrying);
    check_sums(&store).await;
}
