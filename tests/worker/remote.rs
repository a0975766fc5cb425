//! A pool that speaks the worker protocol.

use std::collections::BTreeMap;
use std::sync::Arc;

use conveyor::clock::{Clock, ManualClock};
use conveyor::service::Service;
use conveyor::worker::{JobContext, Pool, Registry, RemoteLink};
use conveyor_model::job::LogLevel;
use conveyor_model::state::State;
use conveyor_model::time::Span;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::rig::{Rig, of, slots};
use crate::support::store::{StoreExt, json};

fn pool(rig: &Rig, registry: Registry, end: CancellationToken) -> Pool {
    let clock: Arc<dyn Clock> = Arc::<ManualClock>::clone(&rig.clock);
    let service = Service::new(
        Arc::clone(&rig.store.store),
        Arc::clone(&clock),
        rig.store.events.clone(),
        end,
    );
    let link = RemoteLink::new(Arc::new(service), Rig::who(&registry, slots(2)));
    Pool::start(Arc::new(link), registry, clock, slots(2)).unwrap()
}

#[tokio::test]
async fn a_remote_pool_runs_jobs_and_tells_of_them() {
    let rig = Rig::new().await;
    let mut registry = Registry::new();
    registry
        .handle("far", async |job: JobContext, _: BTreeMap<String, i64>| {
            job.log(LogLevel::Info, "from afar");
            Ok::<_, String>(job.attempt())
        })
        .unwrap();
    let end = CancellationToken::new();
    let pool = pool(&rig, registry, end.clone());
    let id = rig.store.given(of("far")).await;
    let job = rig.reaches(id, State::Succeeded).await;
    assert_eq!(job.result, Some(json("1")));
    assert_eq!(rig.store.logs(id).await.unwrap()[0].message, "from afar");
    end.cancel();
    pool.stop(Span::ZERO).await;
    let known = rig.store.workers(rig.clock.now()).await.unwrap();
    assert!(known.is_empty(), "it has said that it leaves: {known:?}");
}

#[tokio::test]
async fn a_remote_pool_gives_its_jobs_back_when_it_stops() {
    let rig = Rig::new().await;
    let running = Arc::new(Notify::new());
    let begun = Arc::clone(&running);
    let mut registry = Registry::new();
    registry
        .handle("far", move |_: JobContext, _: BTreeMap<String, i64>| {
            let begun = Arc::clone(&begun);
            async move {
                begun.notify_one();
                std::future::pending::<()>().await;
            }
        })
        .unwrap();
    let end = CancellationToken::new();
    let pool = pool(&rig, registry, end.clone());
    let id = rig.store.given(of("far")).await;
    running.notified().await;
    end.cancel();
    pool.stop(Span::ZERO).await;
    let job = rig.store.show(id).await;
    assert_eq!((job.row.state, job.row.attempt), (State::Ready, 0));
}
