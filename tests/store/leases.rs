//! Leases: kept, lost, given back.

use conveyor_model::job::Outcome;
use conveyor_model::name::LeaseToken;
use conveyor_model::new_job::NewJob;
use conveyor_model::state::{Action, State};
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::{Finish, FinishOutcome, FinishStatus, LeaseStatus};

use crate::support::store::{StoreExt, TestStore, at, broken, check_sums, job, lease, open, start};

/// The outcome and number of each of a job's attempts.
async fn history(
    store: &TestStore,
    id: conveyor_model::name::JobId,
) -> Vec<(u32, Option<Outcome>)> {
    let attempts = store.attempts(id).await.unwrap();
    attempts
        .iter()
        .map(|attempt| (attempt.number, attempt.outcome))
        .collect()
}

#[tokio::test]
async fn a_renewed_lease_lasts_as_long_again_as_it_was_claimed_for() {
    let store = open().await;
    let id = store.given(job()).await;
    let held = lease(&store.take_one(start()).await);
    let answers = store.renew(vec![held], at(20)).await.unwrap();
    assert_eq!((answers[0].id, answers[0].status), (id, LeaseStatus::Held));
    assert_eq!(answers[0].lease_until, Some(at(50)));
    assert_eq!(store.next_due().await.unwrap(), Some(at(50)));
    assert_eq!(store.rescue(at(49), Timestamp::MIN, 10).await.unwrap(), 0);
    // Late, but nobody has taken the job away.
    let late = store.renew(vec![held], at(60)).await.unwrap();
    assert_eq!(late[0].lease_until, Some(at(90)));
    assert_eq!(store.rescue(at(61), Timestamp::MIN, 10).await.unwrap(), 0);
}

#[tokio::test]
async fn a_job_whose_lease_ran_out_waits_and_is_tried_again() {
    let store = open().await;
    let id = store.given(job()).await;
    store.take_one(start()).await;
    assert_eq!(
        store.rescue(at(30), Timestamp::MIN, 10).await.unwrap(),
        0,
        "not before its end"
    );
    assert_eq!(store.rescue(at(31), Timestamp::MIN, 10).await.unwrap(), 1);
    let job = store.show(id).await;
    assert_eq!((job.row.state, job.crash_count), (State::Retrying, 1));
    assert!(job.row.run_at > at(31));
    assert_eq!(job.last_error.unwrap().class, "LeaseLost");
    assert_eq!(history(&store, id).await, [(1, Some(Outcome::LeaseLost))]);
    assert_eq!(store.totals().await.unwrap().leases_expired, 1);
    check_sums(&store).await;
}

#[tokio::test]
async fn a_job_that_takes_its_process_with_it_three_times_is_dead() {
    let store = open().await;
    let id = store.given(job()).await;
    let mut now = 0;
    for crash in 1..=3 {
        now += 10_000;
        store.promote(at(now), 10).await.unwrap();
        assert_eq!(store.take_one(at(now)).await.attempt, crash);
        assert_eq!(
            store
                .rescue(at(now + 31), Timestamp::MIN, 10)
                .await
                .unwrap(),
            1
        );
    }
    let dead = store.show(id).await;
    assert_eq!((dead.row.state, dead.row.attempt), (State::Dead, 3));
    assert_eq!(dead.dead_reason.as_deref(), Some("crash_loop"));

    // A person may try again, and gets three crashes again.
    store
        .act(vec![id], Action::Retry, at(now + 40))
        .await
        .unwrap();
    store.take_one(at(now + 40)).await;
    store
        .rescue(at(now + 80), Timestamp::MIN, 10)
        .await
        .unwrap();
    assert_eq!(store.state(id).await, State::Retrying);
    check_sums(&store).await;
}

#[tokio::test]
async fn the_last_attempt_lost_is_the_end() {
    let store = open().await;
    let id = store
        .given(NewJob {
            max_attempts: 1,
            ..job()
        })
        .await;
    store.take_one(start()).await;
    store.rescue(at(31), Timestamp::MIN, 10).await.unwrap();
    let dead = store.show(id).await;
    assert_eq!(dead.row.state, State::Dead);
    assert_eq!(dead.dead_reason.as_deref(), Some("attempts_used_up"));
}

#[tokio::test]
async fn rescue_is_not_held_up_by_leases_that_hold() {
    let store = open().await;
    for _ in 0..20 {
        store.given(job()).await;
    }
    let taken = store.take(20, start()).await;
    let kept: Vec<_> = taken[..15].iter().map(lease).collect();
    store.renew(kept, at(25)).await.unwrap();
    assert_eq!(store.rescue(at(31), Timestamp::MIN, 3).await.unwrap(), 3);
    assert_eq!(store.rescue(at(31), Timestamp::MIN, 3).await.unwrap(), 2);
    assert_eq!(store.rescue(at(31), Timestamp::MIN, 3).await.unwrap(), 0);
}

#[tokio::test]
async fn a_job_given_back_is_ready_at_once_and_has_lost_no_attempt() {
    let store = open().await;
    let id = store
        .given(NewJob {
            max_attempts: 1,
            ..job()
        })
        .await;
    let held = lease(&store.take_one(start()).await);
    assert_eq!(store.hand_back(vec![held], at(5)).await.unwrap(), 1);
    assert_eq!(store.state(id).await, State::Ready);
    let again = store.take_one(at(5)).await;
    assert_eq!((again.attempt, again.lease_token), (1, LeaseToken(2)));
    assert_eq!(
        history(&store, id).await,
        [(1, Some(Outcome::Interrupted)), (1, None)]
    );
    assert_eq!(
        store
            .end(Finish::of(held, FinishOutcome::Succeeded), at(6))
            .await,
        FinishStatus::Stale
    );
    check_sums(&store).await;
}

#[tokio::test]
async fn a_snoozed_job_comes_back_later_and_has_lost_no_attempt() {
    let store = open().await;
    let id = store
        .given(NewJob {
            max_attempts: 1,
            ..job()
        })
        .await;
    let held = lease(&store.take_one(start()).await);
    let snooze = Finish {
        snooze: Some(Span::from_secs(60)),
        ..Finish::of(held, FinishOutcome::Snooze)
    };
    assert_eq!(store.end(snooze, at(1)).await, FinishStatus::Ok);
    let job = store.show(id).await;
    assert_eq!((job.row.state, job.row.run_at), (State::Scheduled, at(61)));
    store.promote(at(61), 1).await.unwrap();
    assert_eq!(store.take_one(at(61)).await.attempt, 1);
    assert_eq!(
        history(&store, id).await,
        [(1, Some(Outcome::Snoozed)), (1, None)]
    );
    check_sums(&store).await;
}

#[tokio::test]
async fn a_running_job_is_cancelled_when_its_worker_answers_or_its_lease_ends() {
    let store = open().await;
    let ids: Vec<_> = [
        store.given(job()).await,
        store.given(job()).await,
        store.given(job()).await,
    ]
    .into();
    let taken = store.take(3, start()).await;
    store.act(ids.clone(), Action::Cancel, at(1)).await.unwrap();
    let shown = store.show(ids[0]).await;
    assert_eq!(
        (shown.row.state, shown.row.cancel_requested_at),
        (State::Running, Some(at(1)))
    );
    let leases: Vec<_> = taken.iter().map(lease).collect();
    let answers = store.renew(leases, at(2)).await.unwrap();
    assert!(
        answers
            .iter()
            .all(|answer| answer.status == LeaseStatus::Cancel)
    );

    store
        .end(Finish::failed(lease(&taken[0]), &broken()), at(3))
        .await;
    store
        .end(
            Finish::of(lease(&taken[1]), FinishOutcome::Succeeded),
            at(3),
        )
        .await;
    store.rescue(at(100), Timestamp::MIN, 10).await.unwrap();
    assert_eq!(store.state(ids[0]).await, State::Cancelled);
    assert_eq!(
        store.state(ids[1]).await,
        State::Succeeded,
        "a success is a success"
    );
    assert_eq!(store.state(ids[2]).await, State::Cancelled);
    assert_eq!(
        history(&store, ids[0]).await,
        [(1, Some(Outcome::Cancelled))]
    );
    check_sums(&store).await;
}

#[tokio::test]
async fn a_worker_may_say_that_no_further_attempt_makes_sense_or_when_the_next_one_does() {
    let store = open().await;
    let dead = store.given(job()).await;
    let later = store.given(job()).await;
    let taken = store.take(2, start()).await;
    let error = Some(broken());
    let report = Finish {
        error: error.clone(),
        ..Finish::of(lease(&taken[0]), FinishOutcome::Dead)
    };
    store.end(report, at(1)).await;
    let wait = Finish {
        error,
        retry_in: Some(Span::from_secs(500)),
        ..Finish::of(lease(&taken[1]), FinishOutcome::Timeout)
    };
    store.end(wait, at(1)).await;
    assert_eq!(store.state(dead).await, State::Dead);
    assert_eq!(history(&store, dead).await, [(1, Some(Outcome::Dead))]);
    assert_eq!(store.show(later).await.row.run_at, at(501));
    assert_eq!(history(&store, later).await, [(1, Some(Outcome::Timeout))]);
}

#[tokio::test]
async fn of_two_reports_of_one_attempt_in_one_batch_the_first_counts() {
    let store = open().await;
    let id = store.given(job()).await;
    let held = lease(&store.take_one(start()).await);
    let reports = vec![
        Finish::failed(held, &broken()),
        Finish::of(held, FinishOutcome::Succeeded),
        Finish::failed(held, &broken()),
    ];
    let statuses = store.finish(reports, at(1)).await.unwrap();
    assert_eq!(
        statuses
            .iter()
            .filter(|status| **status == FinishStatus::Ok)
            .count(),
        1
    );
    assert_eq!(statuses[0], FinishStatus::Ok);
    assert_eq!(store.state(id).await, State::Retrying);
    check_sums(&store).await;
}
