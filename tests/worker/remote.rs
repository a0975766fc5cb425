//! A pool that speaks the worker protocol.

use std::collections::BTreeMap;
use std::sync::Arc;

use conveyor::clock::{Clock, ManualClock};
use conveyor::service::Service;
use conveyor::worker::{JobContext, Link, Pool, Registry, RemoteLink};
use conveyor_model::job::{LogLevel, MAX_LOG_LINE, MAX_LOG_LINES};
use conveyor_model::name::{JobId, LeaseToken};
use conveyor_model::state::State;
use conveyor_model::time::Span;
use conveyor_model::worker::{Lease, NewLogLine};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::rig::{Rig, of, slots};
use super::silent::Silent;
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

#[tokio::test]
async fn log_lines_travel_in_requests_that_a_proxy_lets_through() {
    let held = Lease {
        id: JobId::try_from(1).unwrap(),
        lease_token: LeaseToken(1),
    };
    let server = Arc::new(Silent::default());
    let who = Rig::who(&Registry::new(), slots(1));
    let link = RemoteLink::new(Arc::<Silent>::clone(&server), who);
    let lines: Vec<NewLogLine> = (0..MAX_LOG_LINES)
        .map(|n| NewLogLine {
            at: None,
            level: LogLevel::Info,
            message: format!("{n}{}", "\u{1}".repeat(MAX_LOG_LINE - 4)),
        })
        .collect();
    assert_eq!(link.log(held, lines.clone()).await, Ok(true));
    let requests = server.logged.lock().unwrap().clone();
    for request in &requests {
        let bytes = serde_json::to_string(request).unwrap().len();
        assert!(bytes < 1_000_000, "{bytes}");
    }
    assert_eq!(requests.concat(), lines);
}
