//! What a person may do with a job in each state.

use conveyor_model::error::{ConflictCode, OperatorError, Thing};
use conveyor_model::job::Outcome;
use conveyor_model::name::{JobId, Tag};
use conveyor_model::new_job::NewJob;
use conveyor_model::state::{Action, State};
use conveyor_model::worker::{Finish, FinishOutcome};

use crate::support::store::{
    StoreExt, TestStore, at, broken, check_sums, job, job_at, json, keyed, lease, open, start,
};

/// A job in that state; every other job of the store is out of the way.
async fn in_state(store: &TestStore, state: State) -> JobId {
    let new = match state {
        State::Scheduled => job_at(at(10_000)),
        _ => NewJob {
            max_attempts: 2,
            ..keyed(&format!("{state} {}", fresh()))
        },
    };
    let id = store.given(new).await;
    let end = match state {
        State::Retrying => Some(FinishOutcome::Failed),
        State::Succeeded => Some(FinishOutcome::Succeeded),
        State::Dead => Some(FinishOutcome::Dead),
        State::Cancelled => Some(FinishOutcome::Cancelled),
        State::Running | State::Scheduled | State::Ready | State::Blocked => None,
    };
    if end.is_some() || state == State::Running {
        let taken = store.take(1000, start()).await;
        let mine = taken.iter().find(|job| job.id == id).unwrap();
        if let Some(outcome) = end {
            store.end(Finish::of(lease(mine), outcome), at(1)).await;
        }
    }
    if state == State::Blocked {
        let mut conn = store.raw().await;
        for sql in [
            "UPDATE job SET state = 'blocked' WHERE id = ?",
            "UPDATE job_count SET n = n - 1 WHERE state = 'ready' AND lane = (SELECT lane FROM job WHERE id = ?)",
            "INSERT INTO job_count (lane, state, n) SELECT lane, 'blocked', 1 FROM job WHERE id = ?
             ON CONFLICT DO UPDATE SET n = n + 1",
        ] {
            sqlx::query(sql)
                .bind(id.get())
                .execute(&mut conn)
                .await
                .unwrap();
        }
    }
    assert_eq!(store.state(id).await, state);
    id
}

fn fresh() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

async fn act(store: &TestStore, id: JobId, action: Action) -> Result<JobId, OperatorError> {
    store.act(vec![id], action, at(50)).await.unwrap().remove(0)
}

#[tokio::test]
async fn each_action_is_done_where_the_table_allows_it_and_refused_with_a_reason_elsewhere() {
    let store = open().await;
    for action in Action::ALL {
        for state in State::ALL {
            if action == Action::Edit {
                continue;
            }
            let id = in_state(&store, state).await;
            let answer = act(&store, id, action).await;
            if !state.allows(action) {
                let Err(OperatorError::Conflict { code, detail }) = answer else {
                    panic!("{action} in {state}: {answer:?}");
                };
                assert_eq!(code, ConflictCode::NotAllowedInState);
                assert!(
                    detail.contains(&format!("a {state} job cannot be ")),
                    "{detail}"
                );
                assert_eq!(store.state(id).await, state);
                continue;
            }
            let answered = answer.unwrap_or_else(|error| panic!("{action} in {state}: {error}"));
            if action == Action::Delete {
                assert!(store.job(id).await.unwrap().is_none());
                continue;
            }
            let after = store.state(id).await;
            match action {
                Action::Run | Action::Retry => {
                    assert_eq!(after, State::Ready, "{action} in {state}");
                }
                Action::Cancel if state == State::Running => assert_eq!(after, State::Running),
                Action::Cancel => assert_eq!(after, State::Cancelled),
                Action::Discard => assert_eq!(after, State::Dead),
                Action::Duplicate => {
                    assert_eq!(after, state);
                    assert_ne!(answered, id);
                    assert_eq!(store.state(answered).await, State::Ready);
                }
                Action::Edit | Action::Delete => unreachable!("handled above"),
            }
        }
    }
    check_sums(&store).await;
}

#[tokio::test]
async fn a_running_job_cannot_be_deleted_and_is_told_why() {
    let store = open().await;
    let id = in_state(&store, State::Running).await;
    let Err(error) = act(&store, id, Action::Delete).await else {
        panic!("deleted")
    };
    assert_eq!(
        error.to_string(),
        "a running job cannot be deleted; cancel it first, or wait until its attempt ends"
    );
    let missing = act(&store, 12_345.try_into().unwrap(), Action::Run).await;
    assert_eq!(missing, Err(OperatorError::not_found(Thing::Job, 12_345)));
}

#[tokio::test]
async fn a_retry_grants_an_attempt_where_none_is_left() {
    let store = open().await;
    let id = store
        .given(NewJob {
            max_attempts: 1,
            ..job()
        })
        .await;
    let first = store.take_one(start()).await;
    store
        .end(Finish::failed(lease(&first), &broken()), at(1))
        .await;
    assert_eq!(store.state(id).await, State::Dead);
    act(&store, id, Action::Retry).await.unwrap();
    let retried = store.show(id).await;
    assert_eq!((retried.row.attempt, retried.row.max_attempts), (1, 2));
    assert_eq!(
        (retried.row.run_at, retried.row.finished_at),
        (at(50), None)
    );
    assert_eq!(store.take_one(at(50)).await.attempt, 2);
    check_sums(&store).await;
}

#[tokio::test]
async fn a_retried_success_keeps_the_record_of_its_first_attempt() {
    let store = open().await;
    let id = in_state(&store, State::Succeeded).await;
    act(&store, id, Action::Retry).await.unwrap();
    store.take_one(at(60)).await;
    let attempts = store.attempts(id).await.unwrap();
    let outcomes: Vec<_> = attempts
        .iter()
        .map(|attempt| (attempt.number, attempt.outcome))
        .collect();
    assert_eq!(outcomes, [(1, Some(Outcome::Succeeded)), (2, None)]);
    assert_eq!(attempts[0].finished_at, Some(at(1)));
}

#[tokio::test]
async fn a_duplicate_has_everything_but_the_key() {
    let store = open().await;
    let new = NewJob {
        payload: json(r#"{"n":0.1000000000000000055511151231257827}"#),
        tags: vec![Tag::new("x").unwrap()],
        meta: [("a".to_owned(), "b".to_owned())].into(),
        max_attempts: 7,
        ..keyed("only once")
    };
    let id = store.given(new.clone()).await;
    let copy = act(&store, id, Action::Duplicate).await.unwrap();
    let copy = store.show(copy).await;
    assert_eq!(
        (copy.payload, copy.row.tags, copy.meta),
        (new.payload, new.tags, new.meta)
    );
    assert_eq!((copy.row.idempotency_key, copy.row.max_attempts), (None, 7));
}

#[tokio::test]
async fn an_action_on_many_is_done_to_each_by_itself() {
    let store = open().await;
    let ready = in_state(&store, State::Ready).await;
    let scheduled = in_state(&store, State::Scheduled).await;
    let missing = JobId::try_from(999).unwrap();
    let answers = store
        .act(vec![ready, missing, scheduled, ready], Action::Run, at(5))
        .await
        .unwrap();
    assert!(matches!(answers[0], Err(OperatorError::Conflict { .. })));
    assert!(matches!(answers[1], Err(OperatorError::NotFound { .. })));
    assert_eq!(answers[2], Ok(scheduled));
    assert_eq!(answers[3], answers[0]);
    assert_eq!(store.state(scheduled).await, State::Ready);
}

#[tokio::test]
async fn a_deleted_job_leaves_nothing_behind() {
    let store = open().await;
    let new = NewJob {
        tags: vec![Tag::new("x").unwrap()],
        ..keyed("k")
    };
    let id = store.given(new).await;
    let taken = store.take_one(start()).await;
    let line = conveyor_model::worker::NewLogLine {
        at: None,
        level: conveyor_model::job::LogLevel::Info,
        message: "hello".to_owned(),
    };
    assert!(store.log(lease(&taken), vec![line], at(1)).await.unwrap());
    store
        .end(Finish::failed(lease(&taken), &broken()), at(1))
        .await;
    act(&store, id, Action::Delete).await.unwrap();
    let mut conn = store.raw().await;
    let left: i64 = sqlx::query_scalar(
        "SELECT (SELECT count(*) FROM job) + (SELECT count(*) FROM job_body) + (SELECT count(*) FROM job_tag)
              + (SELECT count(*) FROM attempt) + (SELECT count(*) FROM job_log)",
    )
    .fetch_one(&mut conn)
    .await
    .unwrap();
    assert_eq!(left, 0);
    check_sums(&store).await;
}
