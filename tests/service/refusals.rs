//! What is refused, with the reason, and that nothing changed.

use conveyor_model::error::{ConflictCode, OperatorError, Thing};
use conveyor_model::name::JobId;
use conveyor_model::new_job::{JobPatch, NewJob};
use conveyor_model::operator::Operator;
use conveyor_model::queue::PauseRequest;
use conveyor_model::schedule::ScheduleSpec;
use conveyor_model::state::{Action, State};
use conveyor_model::worker::{Finish, FinishOutcome, WorkerState};

use crate::support::service::{TestService, ann, named};
use crate::support::store::{
    StoreExt, at, check_sums, job, job_at, json, kind, lease, queue, start, worker,
};

/// A job in that state; no other job is ready.
async fn in_state(service: &TestService, state: State) -> JobId {
    let store = &service.store;
    let later = state == State::Scheduled;
    let id = store
        .given(if later { job_at(at(10_000)) } else { job() })
        .await;
    let end = match state {
        State::Retrying => Some(FinishOutcome::Failed),
        State::Succeeded => Some(FinishOutcome::Succeeded),
        State::Dead => Some(FinishOutcome::Dead),
        State::Cancelled => Some(FinishOutcome::Cancelled),
        State::Running => None,
        State::Scheduled | State::Ready | State::Blocked => return id,
    };
    let taken = store.take_one(start()).await;
    assert_eq!(taken.id, id);
    if let Some(outcome) = end {
        store.end(Finish::of(lease(&taken), outcome), at(1)).await;
    }
    assert_eq!(store.state(id).await, state);
    id
}

fn sooner() -> JobPatch {
    JobPatch {
        priority: Some(9.try_into().unwrap()),
        payload: Some(json("[1]")),
        ..JobPatch::default()
    }
}

/// The reason of a refusal for the job's state.
fn reason<T: std::fmt::Debug>(answer: Result<T, OperatorError>) -> String {
    let Err(OperatorError::Conflict { code, detail }) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(code, ConflictCode::NotAllowedInState);
    detail
}

#[tokio::test]
async fn an_action_that_the_state_does_not_allow_says_why_and_changes_nothing() {
    let mut refused = Vec::new();
    for state in State::ALL
        .into_iter()
        .filter(|state| *state != State::Blocked)
    {
        let service = TestService::new().await;
        let id = in_state(&service, state).await;
        let before = service.job_detail(id).await.unwrap();
        for action in Action::ALL {
            if state.allows(action) {
                continue;
            }
            let detail = match action {
                Action::Edit => reason(service.edit(id, sooner(), None).await),
                _ => reason(service.act(id, action).await),
            };
            assert!(
                detail.starts_with(&format!("a {state} job cannot be ")),
                "{detail}"
            );
            assert_eq!(
                service.job_detail(id).await.unwrap(),
                before,
                "{action} {state}"
            );
            refused.push(detail);
        }
        check_sums(&service.store).await;
    }
    // Run 5, retry 3, cancel 3, discard 4, edit 3, delete 1.
    assert_eq!(refused.len(), 19, "{refused:#?}");
    for hint in [
        "a running job cannot be deleted; cancel it first, or wait until its attempt ends",
        "a succeeded job cannot be edited; duplicate it instead",
        "a dead job cannot be run now; retry it instead",
        "a scheduled job cannot be retried; run it now instead",
        "a ready job cannot be run now; it starts as soon as a worker is free",
    ] {
        assert!(refused.iter().any(|detail| detail == hint), "{hint}");
    }
}

#[tokio::test]
async fn an_edit_is_no_action() {
    let service = TestService::new().await;
    let id = in_state(&service, State::Ready).await;
    let detail = reason(service.act(id, Action::Edit).await);
    assert!(detail.contains("PATCH"), "{detail}");
}

#[tokio::test]
async fn an_edit_of_a_version_that_has_passed_is_refused_and_changes_nothing() {
    let service = TestService::new().await;
    let id = in_state(&service, State::Ready).await;
    let seen = service.job(id).await.unwrap().row.version;
    let first = JobPatch {
        priority: Some(1.try_into().unwrap()),
        ..JobPatch::default()
    };
    let edited = service.edit(id, first, Some(seen)).await.unwrap();
    assert!(edited.row.version > seen);
    let second = service.edit(id, sooner(), Some(seen)).await;
    let current = edited.row.version;
    assert_eq!(
        second.unwrap_err(),
        OperatorError::VersionChanged { current }
    );
    assert_eq!(service.job(id).await.unwrap(), edited);
    let third = service.edit(id, sooner(), Some(current)).await.unwrap();
    assert_eq!(
        (third.row.priority.get(), third.payload.as_str()),
        (9, "[1]")
    );
}

#[tokio::test]
async fn a_claim_between_reading_and_editing_refuses_the_edit() {
    let service = TestService::new().await;
    let id = in_state(&service, State::Ready).await;
    let seen = service.job(id).await.unwrap().row.version;
    service.store.take_one(start()).await;
    let late = service.edit(id, sooner(), Some(seen)).await;
    assert!(
        matches!(late, Err(OperatorError::VersionChanged { .. })),
        "{late:?}"
    );
    assert_eq!(service.job(id).await.unwrap().row.priority.get(), 5);
}

#[tokio::test]
async fn values_out_of_range_are_refused_with_their_fields() {
    let service = TestService::new().await;
    let wild = NewJob {
        max_attempts: 0,
        ..job()
    };
    let Err(OperatorError::Invalid(invalid)) = service.enqueue(wild).await else {
        panic!("it was taken");
    };
    assert_eq!(invalid.errors[0].pointer, "/max_attempts");
    let id = in_state(&service, State::Ready).await;
    let before = service.job(id).await.unwrap();
    let patch = JobPatch {
        max_attempts: Some(101),
        ..sooner()
    };
    let answer = service.edit(id, patch, None).await;
    assert!(
        matches!(answer, Err(OperatorError::Invalid(_))),
        "{answer:?}"
    );
    assert_eq!(service.job(id).await.unwrap(), before);
    assert_eq!(service.store.counts(start()).await.unwrap().total(), 1);
}

#[tokio::test]
async fn what_is_not_there_is_named() {
    let service = TestService::new().await;
    let id = JobId::try_from(77).unwrap();
    let none = |what, name: &str| OperatorError::not_found(what, name);
    let job = none(Thing::Job, "77");
    assert_eq!(service.job(id).await.unwrap_err(), job);
    assert_eq!(service.job_detail(id).await.unwrap_err(), job);
    assert_eq!(service.attempts(id).await.unwrap_err(), job);
    assert_eq!(service.logs(id).await.unwrap_err(), job);
    assert_eq!(service.edit(id, sooner(), None).await.unwrap_err(), job);
    assert_eq!(service.act(id, Action::Retry).await.unwrap_err(), job);
    let absent = none(Thing::Queue, "absent");
    assert_eq!(service.queue(&queue("absent")).await.unwrap_err(), absent);
    assert_eq!(
        service.resume_queue(&queue("absent")).await.unwrap_err(),
        absent
    );
    assert_eq!(
        service.purge_queue(&queue("absent")).await.unwrap_err(),
        absent
    );
    let (name, absent) = (named("absent"), none(Thing::Schedule, "absent"));
    assert_eq!(service.run_schedule(&name).await.unwrap_err(), absent);
    assert_eq!(service.slots(&name).await.unwrap_err(), absent);
    assert_eq!(
        service.delete_schedule(&name, None).await.unwrap_err(),
        absent
    );
    let paused = service.pause_schedule(&name, true, &ann()).await;
    assert_eq!(paused.unwrap_err(), absent);
    let told = service
        .tell_worker(&worker("absent"), WorkerState::Quiet)
        .await;
    assert_eq!(told.unwrap_err(), none(Thing::Worker, "absent"));
    let retried = service.retry_group("absent", None).await;
    assert_eq!(retried.unwrap_err(), none(Thing::DeadGroup, "absent"));
}

#[tokio::test]
async fn a_pause_that_would_end_in_the_past_is_refused() {
    let service = TestService::new().await;
    service.store.given(job()).await;
    let request = PauseRequest {
        note: None,
        until: Some(start()),
    };
    let answer = service
        .pause_queue(&queue("default"), request, &ann())
        .await;
    let Err(OperatorError::Invalid(invalid)) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(invalid.errors[0].pointer, "/until");
    assert_eq!(service.queue(&queue("default")).await.unwrap().paused, None);
}

#[tokio::test]
async fn a_schedule_that_cannot_be_is_refused_and_the_old_one_stays() {
    let service = TestService::new().await;
    let spec = ScheduleSpec::new("0 3 * * *", kind("report"));
    let old = service.plan("nightly", spec.clone()).await;
    let cases: [(&str, ScheduleSpec); 5] = [
        (
            "/cron",
            ScheduleSpec {
                cron: "61 * * * *".to_owned(),
                ..spec.clone()
            },
        ),
        (
            "/cron",
            ScheduleSpec {
                cron: "0 0 30 2 *".to_owned(),
                ..spec.clone()
            },
        ),
        (
            "/timezone",
            ScheduleSpec {
                timezone: "Mars/Phobos".to_owned(),
                ..spec.clone()
            },
        ),
        (
            "/max_attempts",
            ScheduleSpec {
                max_attempts: 101,
                ..spec.clone()
            },
        ),
        (
            "/ends_at",
            ScheduleSpec {
                starts_at: Some(at(10)),
                ends_at: Some(at(10)),
                ..spec.clone()
            },
        ),
    ];
    for (pointer, bad) in cases {
        let answer = service
            .put_schedule(&named("nightly"), bad, None, &ann())
            .await;
        let Err(OperatorError::Invalid(invalid)) = answer else {
            panic!("{pointer}: {answer:?}");
        };
        assert_eq!(invalid.errors[0].pointer, pointer);
    }
    let stale = service
        .put_schedule(&named("nightly"), spec, Some(old.version + 1), &ann())
        .await;
    let current = old.version;
    assert_eq!(
        stale.unwrap_err(),
        OperatorError::VersionChanged { current }
    );
    assert_eq!(service.planned("nightly").await, old);
}
