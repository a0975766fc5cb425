//! What is done to many jobs touches those that were meant and no others.

use conveyor_model::error::OperatorError;
use conveyor_model::filter::{JobFilter, Page};
use conveyor_model::job::Failure;
use conveyor_model::name::{JobId, Tag};
use conveyor_model::new_job::NewJob;
use conveyor_model::operator::Operator;
use conveyor_model::state::{Action, State};
use conveyor_model::worker::Finish;

use State::{Dead, Ready};

use crate::support::service::TestService;
use crate::support::store::{StoreExt, at, check_sums, job, job_at, kind, lease, queue, start};

/// The ids of every job that matches.
async fn matching(service: &TestService, filter: &JobFilter) -> Vec<JobId> {
    let mut page = Page {
        limit: 7,
        after: None,
    };
    let mut ids = Vec::new();
    loop {
        let found = service.jobs(filter, &page).await.unwrap();
        ids.extend(found.items.iter().map(|row| row.id));
        page.after = found.next;
        if page.after.is_none() {
            return ids;
        }
    }
}

/// A job of a kind that dies of a class of error.
async fn dies(service: &TestService, of: &str, class: &str) -> JobId {
    let new = NewJob {
        kind: kind(of),
        max_attempts: 1,
        ..job()
    };
    let id = service.store.given(new).await;
    let taken = service.store.take_one(start()).await;
    let error = Failure::new(class, format!("job {} broke", taken.id));
    service
        .store
        .end(Finish::failed(lease(&taken), &error), at(1))
        .await;
    id
}

#[tokio::test]
async fn an_action_over_a_filter_touches_what_matches_and_nothing_else() {
    let service = TestService::new().await;
    let mut meant = Vec::new();
    let mut spared = Vec::new();
    for n in 0..30 {
        let new = |of: &str, from: &str, tag: &str| NewJob {
            kind: kind(of),
            queue: queue(from),
            tags: vec![Tag::new(tag).unwrap()],
            ..job()
        };
        meant.push(service.store.given(new("a", "one", "x")).await);
        spared.push(service.store.given(new("b", "one", "x")).await);
        spared.push(service.store.given(new("a", "two", "x")).await);
        if n % 3 == 0 {
            spared.push(service.store.given(new("a", "one", "y")).await);
        }
    }
    let filter = JobFilter {
        states: vec![State::Ready],
        kinds: vec![kind("a")],
        queues: vec![queue("one")],
        tags: vec![Tag::new("x").unwrap()],
        ..JobFilter::default()
    };
    let mut ids = matching(&service, &filter).await;
    ids.sort();
    assert_eq!(ids, meant);
    let late = NewJob {
        kind: kind("a"),
        queue: queue("one"),
        tags: vec![Tag::new("x").unwrap()],
        ..job()
    };
    spared.push(service.store.given(late).await);
    let results = service.act_on(ids, Action::Discard).await.unwrap();
    assert!(results.iter().all(|result| result.refused.is_none()));
    for id in meant {
        assert_eq!(service.store.state(id).await, State::Dead);
    }
    for id in spared {
        let shown = service.store.show(id).await.row;
        assert_eq!((shown.state, shown.version), (State::Ready, 1));
    }
    check_sums(&service.store).await;
}

#[tokio::test]
async fn each_job_of_a_bulk_is_done_or_refused_by_itself() {
    let service = TestService::new().await;
    let ready = service.store.given(job()).await;
    let running = service.store.take_one(start()).await.id;
    assert_eq!(ready, running);
    let scheduled = service.store.given(job_at(at(100))).await;
    let missing = JobId::try_from(999).unwrap();
    let results = service
        .act_on(vec![running, scheduled, missing], Action::Delete)
        .await
        .unwrap();
    let ids: Vec<_> = results.iter().map(|result| result.id).collect();
    assert_eq!(ids, [running, scheduled, missing]);
    assert!(matches!(
        results[0].refused,
        Some(OperatorError::Conflict { .. })
    ));
    assert_eq!(results[1].refused, None);
    assert!(matches!(
        results[2].refused,
        Some(OperatorError::NotFound { .. })
    ));
    assert_eq!(service.store.state(running).await, State::Running);
    assert_eq!(service.store.counts(start()).await.unwrap().total(), 1);
    check_sums(&service.store).await;
}

#[tokio::test]
async fn too_many_at_once_are_refused_and_none_is_touched() {
    let service = TestService::new().await;
    let id = service.store.given(job()).await;
    let answer = service.act_on(vec![id; 1001], Action::Cancel).await;
    let Err(OperatorError::Invalid(invalid)) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(invalid.errors[0].pointer, "/ids");
    assert_eq!(service.store.state(id).await, State::Ready);
}

#[tokio::test]
async fn retrying_a_group_of_dead_jobs_leaves_the_other_groups() {
    let service = TestService::new().await;
    let mut same = Vec::new();
    for _ in 0..5 {
        same.push(dies(&service, "mail", "Timeout").await);
    }
    let other = dies(&service, "mail", "Refused").await;
    let foreign = dies(&service, "image", "Timeout").await;
    let groups = service.dead_groups().await.unwrap();
    assert_eq!(groups.len(), 3);
    assert_eq!(
        groups[0].count, 5,
        "numbers in the message make no other cause"
    );
    let print = groups[0].fingerprint.clone();
    assert_eq!(service.retry_group(&print, Some(2)).await.unwrap(), 2);
    let states = async |ids: &[JobId]| {
        let mut states = Vec::new();
        for id in ids {
            states.push(service.store.state(*id).await);
        }
        states
    };
    assert_eq!(
        states(&same).await,
        [Ready, Ready, Dead, Dead, Dead],
        "oldest first"
    );
    assert_eq!(service.retry_group(&print, None).await.unwrap(), 3);
    assert_eq!(states(&same).await, [Ready; 5]);
    assert_eq!(states(&[other, foreign]).await, [Dead, Dead]);
    check_sums(&service.store).await;
}

#[tokio::test]
async fn deleting_a_group_deletes_its_dead_jobs_only() {
    let service = TestService::new().await;
    let gone = dies(&service, "mail", "Timeout").await;
    let alive = dies(&service, "mail", "Timeout").await;
    let other = dies(&service, "mail", "Refused").await;
    let error = service.store.show(gone).await.last_error.unwrap();
    let print = conveyor_model::dead::fingerprint(&kind("mail"), &error.class, &error.message);
    service.act(alive, Action::Retry).await.unwrap();
    assert_eq!(service.delete_group(&print).await.unwrap(), 1);
    assert!(service.store.job(gone).await.unwrap().is_none());
    assert_eq!(service.store.state(alive).await, State::Ready);
    assert_eq!(service.store.state(other).await, State::Dead);
    check_sums(&service.store).await;
}

#[tokio::test]
async fn purging_a_queue_deletes_what_waits_in_it_and_nothing_else() {
    let service = TestService::new().await;
    let running = service.store.given(job()).await;
    service.store.take_one(start()).await;
    let dead = dies(&service, "mail", "Timeout").await;
    let ready = service.store.given(job()).await;
    let scheduled = service.store.given(job_at(at(100))).await;
    let other = NewJob {
        queue: queue("other"),
        ..job()
    };
    let elsewhere = service.store.given(other).await;
    assert_eq!(service.purge_queue(&queue("default")).await.unwrap(), 2);
    for id in [ready, scheduled] {
        assert!(service.store.job(id).await.unwrap().is_none());
    }
    for (id, state) in [
        (running, State::Running),
        (dead, State::Dead),
        (elsewhere, State::Ready),
    ] {
        assert_eq!(service.store.state(id).await, state);
    }
    assert_eq!(service.purge_queue(&queue("default")).await.unwrap(), 0);
    check_sums(&service.store).await;
}
