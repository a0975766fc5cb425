//! The demo: a believable hour in an empty store, and orders that flow through the real kinds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use conveyor::clock::SystemClock;
use conveyor::demo::{self, Demo};
use conveyor::service::Service;
use conveyor::worker::Registry;
use conveyor::worker::handlers::{self, HandlerConfig};
use conveyor_model::filter::{JobFilter, Page};
use conveyor_model::job::JobRow;
use conveyor_model::schedule::SlotStatus;
use conveyor_model::state::State;
use conveyor_model::stats::{Range, SeriesFilter};
use conveyor_model::time::Timestamp;
use tokio_util::sync::CancellationToken;

use crate::support::eventually::eventually;
use crate::support::pool;
use crate::support::store::{TestStore, open};

const HOOKS: &str = "http://127.0.0.1:8085";

fn now() -> Timestamp {
    "2026-11-30T09:00:07.5Z".parse().unwrap()
}

async fn seeded() -> TestStore {
    let store = open().await;
    assert!(demo::seed(&*store.store, HOOKS, now()).await.unwrap());
    store
}

async fn in_state(store: &TestStore, state: State) -> Vec<JobRow> {
    let filter = JobFilter {
        states: vec![state],
        ..JobFilter::default()
    };
    let page = Page {
        limit: 200,
        after: None,
    };
    store.jobs(&filter, &page).await.unwrap().items
}

/// One story for all of it, since it takes a while to tell.
#[tokio::test]
async fn the_hour_before_is_believable() {
    let store = seeded().await;
    jobs_are_in_every_state(&store).await;
    charts_have_no_holes(&store).await;
    the_dead_fall_into_a_few_groups(&store).await;
    a_queue_is_paused_and_schedules_have_a_past(&store).await;
}

async fn jobs_are_in_every_state(store: &TestStore) {
    let counts = store.counts(now()).await.unwrap();
    let in_range = |state, range: std::ops::RangeInclusive<u64>| {
        let n = counts.of(state);
        assert!(range.contains(&n), "{n} {state}");
    };
    in_range(State::Succeeded, 2_000..=3_000);
    in_range(State::Dead, 40..=200);
    in_range(State::Retrying, 6..=40);
    in_range(State::Scheduled, 9..=20);
    in_range(State::Cancelled, 9..=9);
    in_range(State::Ready, 20..=70);
    in_range(State::Running, 0..=0);
    for job in in_state(store, State::Ready).await {
        assert_eq!(job.queue.as_str(), "billing");
    }
    for job in in_state(store, State::Scheduled).await {
        assert!(job.run_at > now());
    }
    for state in State::ALL {
        for job in in_state(store, state).await {
            assert!(job.created_at <= now(), "{job:?}");
            assert!(job.finished_at.is_none_or(|at| at <= now()), "{job:?}");
        }
    }
}

async fn charts_have_no_holes(store: &TestStore) {
    for range in [Range::FiveMinutes, Range::Hour] {
        let series = store
            .series(range, &SeriesFilter::default(), now())
            .await
            .unwrap();
        let full = series.points.iter().filter(|point| {
            point.enqueued > 0 && point.succeeded > 0 && point.wait.is_some() && point.run.is_some()
        });
        // The first and the last step are cut.
        assert!(full.count() + 3 >= series.points.len(), "{series:?}");
    }
    let runs = store.kind_runs(now()).await.unwrap();
    assert_eq!(runs.len(), 5, "{:?}", runs.keys());
}

async fn the_dead_fall_into_a_few_groups(store: &TestStore) {
    let groups = store.dead_groups(100).await.unwrap();
    let causes: BTreeSet<&str> = groups.iter().map(|group| group.class.as_str()).collect();
    let expected = [
        "DataMissing",
        "InvalidPayload",
        "NotFound",
        "Panic",
        "Status410",
        "UpstreamUnavailable",
    ];
    assert_eq!(causes, BTreeSet::from(expected));
    assert_eq!(groups.len(), causes.len(), "one group a cause: {groups:?}");

    let dead = in_state(store, State::Dead).await;
    let job = dead
        .iter()
        .find(|job| job.kind.as_str() == "stock.sync")
        .unwrap();
    let attempts = store.attempts(job.id).await.unwrap();
    assert_eq!(attempts.len(), 4);
    assert!(attempts.iter().all(|attempt| attempt.error.is_some()));
    assert!(attempts.is_sorted_by(|a, b| a.finished_at < Some(b.started_at)));
    assert_eq!(store.logs(job.id).await.unwrap().len(), 4);
}

async fn a_queue_is_paused_and_schedules_have_a_past(store: &TestStore) {
    let queues = store.queues(now()).await.unwrap();
    let paused: Vec<_> = queues
        .iter()
        .filter(|queue| queue.paused.is_some())
        .collect();
    assert_eq!(paused.len(), 1);
    assert_eq!(paused[0].name.as_str(), "billing");
    assert!(paused[0].paused.as_ref().unwrap().note.is_some());

    let schedules = store.schedules().await.unwrap();
    assert_eq!(schedules.len(), 6);
    assert_eq!(
        schedules
            .iter()
            .filter(|schedule| schedule.spec.paused)
            .count(),
        1
    );
    let waiting = schedules
        .iter()
        .filter(|schedule| schedule.next_at.is_some_and(|at| at > now()));
    assert_eq!(waiting.count(), 5);
    let stock = "stock every 5 minutes".parse().unwrap();
    let slots = store.slots(&stock, 50).await.unwrap();
    let with = |status| slots.iter().filter(|slot| slot.status == status).count();
    assert_eq!(with(SlotStatus::Fired), 11, "{slots:?}");
    assert_eq!(with(SlotStatus::Skipped), 1, "{slots:?}");
}

#[tokio::test]
async fn a_store_that_has_held_jobs_is_left_alone_and_the_story_is_always_the_same() {
    let (one, two) = (seeded().await, seeded().await);
    let counts = one.counts(now()).await.unwrap();
    assert_eq!(counts, two.counts(now()).await.unwrap());
    assert!(!demo::seed(&*one.store, HOOKS, now()).await.unwrap());
    assert_eq!(counts, one.counts(now()).await.unwrap());
}

/// How many jobs the past beside a store holds so far.
async fn told_so_far(store: &TestStore) -> Option<i64> {
    use sqlx::ConnectOptions;
    let mut past = store.path.clone().into_os_string();
    past.push(".past");
    let mut conn = sqlx::sqlite::SqliteConnectOptions::new()
        .filename(past)
        .create_if_missing(false)
        .connect()
        .await
        .ok()?;
    let count = sqlx::query_scalar("SELECT count(*) FROM job");
    count.fetch_one(&mut conn).await.ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_story_that_was_broken_off_is_told_anew_and_whole() {
    let store = open().await;
    let told = Arc::clone(&store.store);
    let telling = tokio::spawn(async move { demo::seed(&*told, HOOKS, now()).await });
    eventually("the story is under way", async || {
        told_so_far(&store).await.filter(|jobs| *jobs > 100)
    })
    .await;
    telling.abort();
    assert!(telling.await.unwrap_err().is_cancelled());
    assert_eq!(store.counts(now()).await.unwrap().total(), 0);
    assert!(store.schedules().await.unwrap().is_empty());

    assert!(demo::seed(&*store.store, HOOKS, now()).await.unwrap());
    let whole = seeded().await;
    let counts = store.counts(now()).await.unwrap();
    assert_eq!(counts, whole.counts(now()).await.unwrap());
    crate::support::store::check_sums(&store).await;
    assert_eq!(told_so_far(&store).await, None, "nothing is left over");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_servers_that_start_together_one_tells_the_story() {
    let store = open().await;
    let other = store.another().await;
    let (one, two) = tokio::join!(
        demo::seed(&*store.store, HOOKS, now()),
        demo::seed(&*other, HOOKS, now())
    );
    assert_ne!(one.unwrap(), two.unwrap());
    crate::support::store::check_sums(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_flow_through_the_real_kinds() {
    let store = open().await;
    let temp = tempfile::tempdir().unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, demo::routes()).await.unwrap() });

    let clock: Arc<dyn conveyor::clock::Clock> = Arc::new(SystemClock);
    let config = HandlerConfig {
        own_addresses: vec![address],
        demo: true,
        ..HandlerConfig::new(temp.path(), "demo@example.com".parse().unwrap())
    };
    demo::draw_pictures(&config.files()).unwrap();
    let mut registry = Registry::new();
    handlers::register(&mut registry, &config, &clock).unwrap();
    demo::register(&mut registry).unwrap();
    let pool = pool::start(&store, registry, 16);

    let stop = CancellationToken::new();
    let service = Service::new(
        Arc::clone(&store.store),
        clock,
        store.events.clone(),
        stop.clone(),
    );
    let demo = Demo {
        operator: Arc::new(service),
        events: store.events.clone(),
        hooks: demo::hooks_at(address),
        pause: Duration::from_millis(4),
    };
    let flow = demo::start(demo, now(), stop.clone());
    let succeeded = async || {
        let counts = store.kind_counts().await.unwrap();
        let some =
            |states: &BTreeMap<State, u64>| states.get(&State::Succeeded).is_some_and(|n| *n > 0);
        (counts.values().filter(|states| some(states)).count() == 5).then_some(())
    };
    eventually("every kind has succeeded", succeeded).await;
    let died = async || {
        let groups = store.dead_groups(10).await.unwrap();
        groups
            .iter()
            .any(|group| group.class == "Status410")
            .then_some(())
    };
    eventually("a partner that left was called", died).await;
    stop.cancel();
    flow.await.unwrap();
    pool.stop(conveyor_model::time::Span::ZERO).await;

    let blocked = store.dead_groups(10).await.unwrap();
    assert!(
        blocked.iter().all(|group| group.class != "Blocked"),
        "{blocked:?}"
    );
    assert!(temp.path().join("outbox").read_dir().unwrap().count() > 0);
    assert!(
        temp.path()
            .join("files/resized")
            .read_dir()
            .unwrap()
            .count()
            > 0
    );
}

#[tokio::test]
async fn the_demos_endpoints_have_their_moods() {
    use tower::ServiceExt;
    let routes = demo::routes();
    let status = async |path: &str| {
        let request = axum::http::Request::post(path)
            .body(axum::body::Body::empty())
            .unwrap();
        routes
            .clone()
            .oneshot(request)
            .await
            .unwrap()
            .status()
            .as_u16()
    };
    assert_eq!(status("/demo/hooks/ok").await, 200);
    assert_eq!(status("/demo/hooks/gone").await, 410);
    let mut moods = BTreeSet::new();
    for _ in 0..3 {
        moods.insert(status("/demo/hooks/flaky").await);
    }
    assert_eq!(moods, BTreeSet::from([200, 503]));
}

#[test]
fn a_server_on_all_addresses_calls_itself_by_the_loopback_one() {
    let at = |listener: &str| demo::hooks_at(listener.parse().unwrap());
    assert_eq!(at("0.0.0.0:8085"), "http://127.0.0.1:8085");
    assert_eq!(at("[::]:8085"), "http://[::1]:8085");
    assert_eq!(at("192.168.1.5:80"), "http://192.168.1.5:80");
}
