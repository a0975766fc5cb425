//! A job's life, from stored to done.

use conveyor_model::job::Outcome;
use conveyor_model::json::JsonText;
use conveyor_model::name::LeaseToken;
use conveyor_model::new_job::NewJob;
use conveyor_model::retry::{Backoff, Growth};
use conveyor_model::state::State;
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::{Finish, FinishOutcome, FinishStatus, Lease, LeaseStatus};

use crate::support::store::{StoreExt, at, broken, job, job_at, json, lease, open, start};

#[tokio::test]
async fn a_job_is_stored_claimed_and_done() {
    let store = open().await;
    let payload = r#"{"n":18446744073709551616,  "n":1e2, "t":"д"}"#;
    let id = store
        .given(NewJob {
            payload: json(payload),
            ..job()
        })
        .await;
    assert_eq!(store.state(id).await, State::Ready);

    let taken = store.take_one(at(2)).await;
    assert_eq!(taken.id, id);
    assert_eq!(taken.payload.as_str(), payload);
    assert_eq!((taken.attempt, taken.lease_token), (1, LeaseToken(1)));
    assert_eq!(taken.lease_until, at(32));
    let running = store.show(id).await;
    assert_eq!(running.row.state, State::Running);
    assert_eq!(running.row.worker.unwrap().as_str(), "worker-1");
    assert!(store.take(1, at(2)).await.is_empty());

    let done = Finish::succeeded(lease(&taken), Some(json(r#"{"ok": 1.0}"#)));
    assert_eq!(store.end(done, at(5)).await, FinishStatus::Ok);
    let job = store.show(id).await;
    assert_eq!(job.row.state, State::Succeeded);
    assert_eq!(job.row.finished_at, Some(at(5)));
    assert_eq!(job.row.worker, None);
    assert_eq!(job.row.lease_until, None);
    assert_eq!(
        job.result.as_ref().map(JsonText::as_str),
        Some(r#"{"ok": 1.0}"#)
    );
    assert_eq!(job.payload.as_str(), payload);
    let attempts = store.attempts(id).await.unwrap();
    assert_eq!(attempts.len(), 1);
    assert_eq!(attempts[0].outcome, Some(Outcome::Succeeded));
    assert_eq!(
        (attempts[0].started_at, attempts[0].finished_at),
        (at(2), Some(at(5)))
    );
}

#[tokio::test]
async fn a_failed_attempt_is_followed_by_another_until_none_is_left() {
    let store = open().await;
    let backoff = Backoff {
        kind: Growth::Fixed,
        base_s: Span::from_secs(10),
        jitter: 0.0,
        ..Backoff::default()
    };
    let id = store
        .given(NewJob {
            max_attempts: 2,
            backoff,
            ..job()
        })
        .await;

    let first = store.take_one(start()).await;
    store
        .end(Finish::failed(lease(&first), &broken()), at(1))
        .await;
    let retrying = store.show(id).await;
    assert_eq!(retrying.row.state, State::Retrying);
    assert_eq!(retrying.row.run_at, at(11));
    assert_eq!(
        retrying
            .last_error
            .as_ref()
            .map(|error| error.class.as_str()),
        Some("Broken")
    );
    assert_eq!(store.promote(at(10), 10).await.unwrap(), 0);
    assert_eq!(store.promote(at(11), 10).await.unwrap(), 1);

    let second = store.take_one(at(12)).await;
    assert_eq!((second.attempt, second.lease_token), (2, LeaseToken(2)));
    store
        .end(Finish::failed(lease(&second), &broken()), at(13))
        .await;
    let dead = store.show(id).await;
    assert_eq!(dead.row.state, State::Dead);
    assert_eq!(dead.dead_reason.as_deref(), Some("attempts_used_up"));
    let outcomes: Vec<_> = store
        .attempts(id)
        .await
        .unwrap()
        .iter()
        .map(|a| (a.number, a.outcome))
        .collect();
    assert_eq!(
        outcomes,
        [(1, Some(Outcome::Failed)), (2, Some(Outcome::Failed))]
    );
}

#[tokio::test]
async fn a_stale_token_changes_nothing_and_leaves_no_trace() {
    let store = open().await;
    let id = store.given(job()).await;
    let zombie = lease(&store.take_one(start()).await);
    assert_eq!(store.rescue(at(31), Timestamp::MIN, 10).await.unwrap(), 1);
    store.promote(at(40), 10).await.unwrap();
    let owner = store.take_one(at(40)).await;
    assert_eq!(owner.lease_token, LeaseToken(2));
    let before = store.show(id).await;
    let attempts = store.attempts(id).await.unwrap();

    for outcome in [
        FinishOutcome::Succeeded,
        FinishOutcome::Failed,
        FinishOutcome::Timeout,
        FinishOutcome::Snooze,
        FinishOutcome::Cancelled,
        FinishOutcome::Dead,
    ] {
        let report = Finish {
            result: Some(json("1")),
            ..Finish::of(zombie, outcome)
        };
        assert_eq!(
            store.end(report, at(41)).await,
            FinishStatus::Stale,
            "{outcome:?}"
        );
    }
    let renewed = store.renew(vec![zombie], at(41)).await.unwrap();
    assert_eq!(
        (renewed[0].status, renewed[0].lease_until),
        (LeaseStatus::Lost, None)
    );
    assert!(!store.log(zombie, Vec::new(), at(41)).await.unwrap());
    let progress = conveyor_model::job::Progress {
        percent: Some(5.0),
        message: None,
    };
    assert!(!store.progress(zombie, progress, at(41)).await.unwrap());
    assert_eq!(store.hand_back(vec![zombie], at(41)).await.unwrap(), 0);

    assert_eq!(store.show(id).await, before);
    assert_eq!(store.attempts(id).await.unwrap(), attempts);
    let unknown = Lease {
        id: 999.try_into().unwrap(),
        lease_token: LeaseToken(1),
    };
    let report = Finish::of(unknown, FinishOutcome::Succeeded);
    assert_eq!(store.end(report, at(41)).await, FinishStatus::NotFound);
}

#[tokio::test]
async fn a_scheduled_job_is_not_claimed_before_its_time() {
    let store = open().await;
    let id = store.given(job_at(at(60))).await;
    assert_eq!(store.state(id).await, State::Scheduled);
    assert!(store.take(1, at(59)).await.is_empty());
    assert_eq!(store.next_due().await.unwrap(), Some(at(60)));
    assert_eq!(store.promote(at(60), 10).await.unwrap(), 1);
    assert_eq!(store.take_one(at(60)).await.id, id);
}
