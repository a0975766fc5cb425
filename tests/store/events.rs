//! What is told after a commit, and to whom.

use conveyor::events::{BURST, Changes};
use conveyor::store::Insert;
use conveyor_model::event::{Event, JobChanged};
use conveyor_model::name::JobId;
use conveyor_model::state::{Action, State};
use conveyor_model::worker::Finish;
use tokio::sync::broadcast::Receiver;

use crate::support::store::{StoreExt, at, broken, job, job_at, lease, only, open, start};

/// The next change of a job.
fn job_change(heard: &mut Receiver<Changes>) -> (JobId, Option<State>, i64) {
    match only(heard.try_recv().expect("an event is waiting")) {
        Event::Job(JobChanged {
            id,
            state,
            version,
            queue,
            kind,
        }) => {
            assert_eq!((queue.as_str(), kind.as_str()), ("default", "test"));
            (id, state, version)
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn each_change_of_a_job_is_told_with_its_version() {
    let store = open().await;
    let mut heard = store.events.watch();
    let id = store.given(job_at(at(10))).await;
    assert_eq!(job_change(&mut heard), (id, Some(State::Scheduled), 1));
    store.promote(at(10), 10).await.unwrap();
    assert_eq!(job_change(&mut heard), (id, Some(State::Ready), 2));
    let taken = store.take_one(at(10)).await;
    assert_eq!(job_change(&mut heard), (id, Some(State::Running), 3));
    store.act(vec![id], Action::Cancel, at(11)).await.unwrap();
    assert_eq!(job_change(&mut heard), (id, Some(State::Running), 4));
    store
        .end(Finish::failed(lease(&taken), &broken()), at(12))
        .await;
    assert_eq!(job_change(&mut heard), (id, Some(State::Cancelled), 5));
    assert_eq!(store.show(id).await.row.version, 5);
    store.act(vec![id], Action::Retry, at(13)).await.unwrap();
    assert_eq!(job_change(&mut heard), (id, Some(State::Ready), 6));
    let taken = store.take_one(at(14)).await;
    job_change(&mut heard);
    store
        .end(Finish::succeeded(lease(&taken), None), at(15))
        .await;
    assert_eq!(job_change(&mut heard), (id, Some(State::Succeeded), 8));
    store.act(vec![id], Action::Delete, at(16)).await.unwrap();
    assert_eq!(job_change(&mut heard), (id, None, 9));
    assert!(heard.try_recv().is_err(), "nothing is told twice");
}

#[tokio::test]
async fn what_is_refused_is_not_told() {
    let store = open().await;
    let id = store.given(job()).await;
    let mut heard = store.events.watch();
    store.act(vec![id], Action::Run, start()).await.unwrap();
    store.take_one(start()).await;
    job_change(&mut heard);
    assert!(heard.try_recv().is_err());
}

#[tokio::test]
async fn a_commit_that_changes_very_much_is_told_as_one() {
    let store = open().await;
    let mut heard = store.events.watch();
    let many = |n| Insert {
        jobs: vec![job(); n],
        atomic: true,
    };
    store.insert(many(BURST), start()).await.unwrap();
    let Changes::Each(events) = heard.try_recv().unwrap() else {
        panic!("so many are told one by one");
    };
    assert_eq!(events.len(), BURST);
    store.insert(many(BURST + 1), start()).await.unwrap();
    assert!(matches!(heard.try_recv(), Ok(Changes::Many)));
    assert!(heard.try_recv().is_err());
}

#[tokio::test]
async fn the_size_of_the_file_and_of_its_log_is_known() {
    let store = open().await;
    store.given(job()).await;
    let health = store.health().await.unwrap();
    assert!(health.size_bytes > 0 && health.wal_bytes > 0 && !health.disk_full);
}
