//! Many at once: nobody gets what another has.

use std::collections::HashSet;
use std::sync::Arc;

use conveyor::store::sqlite::Hooks;
use conveyor::store::{Insert, Store};
use conveyor_model::name::JobId;
use conveyor_model::new_job::JobPatch;
use conveyor_model::state::{Action, State};
use conveyor_model::time::Timestamp;
use conveyor_model::worker::{Finish, FinishStatus};

use super::gate::Gate;
use crate::support::store::{StoreExt, at, check_sums, job, lease, open, open_with, start};

/// Claims and ends jobs until there are none; answers what it had.
async fn drain(store: Arc<dyn Store>) -> Vec<JobId> {
    let mut had = Vec::new();
    loop {
        let taken = store.take(13, at(1)).await;
        if taken.is_empty() {
            return had;
        }
        had.extend(taken.iter().map(|job| job.id));
        let reports = taken
            .iter()
            .map(|job| Finish::succeeded(lease(job), None))
            .collect();
        let statuses = store.finish(reports, at(2)).await.unwrap();
        assert!(statuses.iter().all(|status| *status == FinishStatus::Ok));
    }
}

async fn fill(store: &(impl Store + ?Sized), count: usize) {
    let jobs = vec![job(); count];
    store
        .insert(Insert { jobs, atomic: true }, start())
        .await
        .unwrap();
}

async fn drain_all(stores: Vec<Arc<dyn Store>>, count: usize) {
    let tasks: Vec<_> = stores
        .into_iter()
        .map(|store| tokio::spawn(drain(store)))
        .collect();
    let mut had = Vec::new();
    for task in tasks {
        had.extend(task.await.unwrap());
    }
    assert_eq!(had.len(), count);
    assert_eq!(
        had.iter().collect::<HashSet<_>>().len(),
        count,
        "a job was had twice"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixteen_tasks_never_claim_a_job_twice() {
    let store = open().await;
    fill(&*store, 10_000).await;
    drain_all(vec![Arc::clone(&store.store); 16], 10_000).await;
    assert_eq!(
        store.counts(at(2)).await.unwrap().of(State::Succeeded),
        10_000
    );
    check_sums(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_stores_on_one_file_never_claim_a_job_twice() {
    let store = open().await;
    let other = store.another().await;
    fill(&*store, 1500).await;
    fill(&*other, 1500).await;
    let stores = [&store.store, &other]
        .map(|store| vec![Arc::clone(store); 3])
        .concat();
    drain_all(stores, 3000).await;
    check_sums(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn everything_at_once_leaves_right_sums() {
    let store = open().await;
    let other = store.another().await;
    let mut tasks = Vec::new();
    for n in 0..6_i64 {
        let store = if n % 2 == 0 {
            Arc::clone(&store.store)
        } else {
            Arc::clone(&other)
        };
        tasks.push(tokio::spawn(async move {
            for round in 0..40_i64 {
                let id = store.enqueue(job(), at(round)).await.id;
                for taken in store.take(2, at(round)).await {
                    let report = match taken.id.get() % 3 {
                        0 => Finish::failed(lease(&taken), &crate::support::store::broken()),
                        _ => Finish::succeeded(lease(&taken), None),
                    };
                    store.renew(vec![lease(&taken)], at(round)).await.unwrap();
                    store.end(report, at(round)).await;
                }
                let action = Action::ALL[usize::try_from(round).unwrap() % Action::ALL.len()];
                store.act(vec![id], action, at(round)).await.unwrap();
                store.promote(at(round), 5).await.unwrap();
                let patch = JobPatch {
                    priority: Some(3.try_into().unwrap()),
                    ..JobPatch::default()
                };
                let _ = store.edit(id, patch, None, at(round)).await;
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    check_sums(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_reaper_and_a_worker_that_ends_never_both_win() {
    // The worker reports to another store while the reaper of the first has read the expired lease
    // and not written yet.
    let gate = Arc::new(Gate::default());
    let store = open_with(Hooks {
        rescue: Some(gate.hook()),
        ..Hooks::default()
    })
    .await;
    let other = store.another().await;
    let id = store.given(job()).await;
    let held = lease(&store.take_one(start()).await);
    gate.arm();
    let reaper = {
        let store = Arc::clone(&store.store);
        tokio::spawn(async move { store.rescue(at(31), Timestamp::MIN, 10).await.unwrap() })
    };
    gate.reached.notified().await;
    let worker =
        tokio::spawn(async move { other.end(Finish::succeeded(held, None), at(31)).await });
    // The report cannot pass while the reaper holds the lock.
    tokio::task::yield_now().await;
    assert!(!worker.is_finished());
    gate.let_go();
    assert_eq!(reaper.await.unwrap(), 1);
    assert_eq!(worker.await.unwrap(), FinishStatus::Stale);
    let shown = store.show(id).await;
    assert_eq!((shown.row.state, shown.crash_count), (State::Retrying, 1));
    check_sums(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_job_that_ended_while_the_reaper_waited_stays_ended() {
    // The worker's report is held just before its commit; the reaper of another store comes after it.
    let gate = Arc::new(Gate::default());
    let store = open_with(Hooks {
        commit: Some(gate.hook()),
        ..Hooks::default()
    })
    .await;
    let other = store.another().await;
    let id = store.given(job()).await;
    let held = lease(&store.take_one(start()).await);
    gate.arm();
    let worker = {
        let store = Arc::clone(&store.store);
        tokio::spawn(async move { store.end(Finish::succeeded(held, None), at(31)).await })
    };
    gate.reached.notified().await;
    let reaper =
        tokio::spawn(async move { other.rescue(at(31), Timestamp::MIN, 10).await.unwrap() });
    tokio::task::yield_now().await;
    assert!(
        !worker.is_finished(),
        "nothing is answered before the commit"
    );
    assert_eq!(store.state(id).await, State::Running, "nor seen");
    gate.let_go();
    assert_eq!(worker.await.unwrap(), FinishStatus::Ok);
    assert_eq!(reaper.await.unwrap(), 0);
    assert_eq!(store.state(id).await, State::Succeeded);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_caller_that_stops_waiting_stops_nothing_and_loses_no_job() {
    let gate = Arc::new(Gate::default());
    let store = open_with(Hooks {
        commit: Some(gate.hook()),
        ..Hooks::default()
    })
    .await;
    let id = store.given(job()).await;
    gate.arm();
    let gone = {
        let store = Arc::clone(&store.store);
        tokio::spawn(async move {
            let enqueue = store.enqueue(job(), at(1));
            let claim = store.take(1, at(1));
            tokio::join!(enqueue, claim)
        })
    };
    gate.reached.notified().await;
    gone.abort();
    assert!(gone.await.unwrap_err().is_cancelled());
    gate.let_go();
    // The claim was carried out for nobody and the job given back; the new job was stored.
    let taken = crate::support::eventually::eventually("both jobs can be had", async || {
        let ready = store.counts(at(2)).await.unwrap().of(State::Ready);
        if ready == 2 {
            Some(store.take(5, at(2)).await)
        } else {
            None
        }
    })
    .await;
    assert_eq!(taken.len(), 2);
    assert_eq!(taken[0].attempt, 1, "no attempt was spent on it");
    assert!(taken.iter().any(|job| job.id == id));
    check_sums(&store).await;
}
