//! How long things are kept, and what history becomes when it grows old.

use conveyor::store::{Insert, Retention};
use conveyor::upkeep::prune;
use conveyor_model::job::Outcome;
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;
use conveyor_model::state::{Action, State};
use conveyor_model::stats::{Range, Series, SeriesFilter};
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::{Finish, FinishOutcome};

use crate::support::store::{
    StoreExt, TestStore, at, broken, check_sums, job, job_at, lease, open, start,
};

const RETENTION: Retention = Retention {
    succeeded: Span::from_secs(1000),
    dead: Span::from_secs(5000),
};

/// A job that ended at 100 s as `outcome` says.
async fn ended(store: &TestStore, outcome: FinishOutcome) -> JobId {
    let id = store.given(job()).await;
    let taken = store.take_one(start()).await;
    store.end(Finish::of(lease(&taken), outcome), at(100)).await;
    id
}

#[tokio::test]
async fn each_finished_state_is_kept_for_its_time_and_no_longer() {
    for (outcome, state, kept) in [
        (FinishOutcome::Succeeded, State::Succeeded, 1000),
        (FinishOutcome::Cancelled, State::Cancelled, 1000),
        (FinishOutcome::Dead, State::Dead, 5000),
    ] {
        let store = open().await;
        let id = ended(&store, outcome).await;
        assert_eq!(store.state(id).await, state);
        assert_eq!(prune(&*store, RETENTION, at(100 + kept)).await.unwrap(), 0);
        assert_eq!(store.state(id).await, state, "its time is not over");
        assert_eq!(prune(&*store, RETENTION, at(101 + kept)).await.unwrap(), 1);
        assert!(store.job(id).await.unwrap().is_none(), "{state}");
        check_sums(&store).await;
    }
}

#[tokio::test]
async fn what_waits_or_runs_is_kept_however_old_it_is() {
    let store = open().await;
    let retrying = store.given(job()).await;
    let taken = store.take_one(start()).await;
    store
        .end(Finish::failed(lease(&taken), &broken()), at(1))
        .await;
    let running = store.given(job()).await;
    store.take_one(at(1)).await;
    let ready = store.given(job()).await;
    let scheduled = store.given(job_at(at(50))).await;
    let years = at(20 * 366 * 86_400);
    assert_eq!(prune(&*store, RETENTION, years).await.unwrap(), 0);
    for (id, state) in [
        (retrying, State::Retrying),
        (running, State::Running),
        (ready, State::Ready),
        (scheduled, State::Scheduled),
    ] {
        assert_eq!(store.state(id).await, state);
    }
    check_sums(&store).await;
}

#[tokio::test]
async fn a_retried_job_counts_as_alive() {
    let store = open().await;
    let id = ended(&store, FinishOutcome::Dead).await;
    store.act(vec![id], Action::Retry, at(200)).await.unwrap();
    assert_eq!(prune(&*store, RETENTION, at(100_000)).await.unwrap(), 0);
    assert_eq!(store.state(id).await, State::Ready);
}

#[tokio::test]
async fn many_old_jobs_go_in_one_call_in_several_steps() {
    let store = open().await;
    let jobs = vec![job(); 2300];
    let insert = Insert { jobs, atomic: true };
    let stored = store.insert(insert, start()).await.unwrap();
    let ids: Vec<JobId> = stored.into_iter().map(|job| job.unwrap().id).collect();
    store
        .act(ids[..2200].to_vec(), Action::Cancel, at(1))
        .await
        .unwrap();
    assert_eq!(prune(&*store, RETENTION, at(2000)).await.unwrap(), 2200);
    let counts = store.counts(at(2000)).await.unwrap();
    assert_eq!((counts.total(), counts.of(State::Ready)), (100, 100));
    check_sums(&store).await;
}

/// The start of a quarter of an hour.
fn quarter() -> Timestamp {
    Timestamp::from_secs(start().secs().div_euclid(900) * 900)
}

/// `secs` after [`quarter`].
fn after(secs: i64) -> Timestamp {
    quarter().plus(Span::from_secs(secs))
}

/// One job that is claimed at once and ends three seconds later, well or for good.
async fn life(store: &TestStore, secs: i64, good: bool) {
    let max_attempts = 1;
    store
        .enqueue(
            NewJob {
                max_attempts,
                ..job()
            },
            after(secs),
        )
        .await;
    let taken = store.take_one(after(secs)).await;
    let report = if good {
        Finish::succeeded(lease(&taken), None)
    } else {
        Finish::failed(lease(&taken), &broken())
    };
    store.end(report, after(secs + 3)).await;
}

/// What happened in each minute that anything happened in: enqueued, succeeded, dead.
fn busy(series: &Series) -> Vec<(Timestamp, u64, u64, u64)> {
    let told = |point: &&conveyor_model::stats::Point| point.enqueued + point.succeeded > 0;
    series
        .points
        .iter()
        .filter(told)
        .map(|point| (point.at, point.enqueued, point.succeeded, point.dead))
        .collect()
}

async fn rows(store: &TestStore) -> Vec<(i64, i64, i64, i64)> {
    let mut conn = store.raw().await;
    sqlx::query_as(
        "SELECT width, start, enqueued, succeeded + failed FROM rollup WHERE width > 0 ORDER BY width, start",
    )
    .fetch_all(&mut conn)
    .await
    .unwrap()
}

#[tokio::test]
async fn fine_steps_become_minutes_that_say_the_same_however_often() {
    let store = open().await;
    for (secs, good) in [
        (1, true),
        (12, true),
        (31, false),
        (55, true),
        (61, true),
        (300, false),
    ] {
        life(&store, secs, good).await;
    }
    let now = after(2400);
    let filter = SeriesFilter::default();
    let minutes = [
        (after(0), 4, 3, 1),
        (after(60), 1, 1, 0),
        (after(300), 1, 0, 1),
    ];
    let before = store.series(Range::Hour, &filter, now).await.unwrap();
    assert_eq!(busy(&before), minutes);
    let totals = store.totals().await.unwrap();
    store.roll_up(now).await.unwrap();
    let once = rows(&store).await;
    let expected: Vec<_> = minutes
        .iter()
        .map(|(at, stored, good, bad)| {
            let count = |n: &u64| i64::try_from(*n).unwrap();
            (60, at.micros(), count(stored), count(good) + count(bad))
        })
        .collect();
    assert_eq!(once, expected);
    store.roll_up(now).await.unwrap();
    assert_eq!(rows(&store).await, once, "again");
    assert_eq!(
        store.series(Range::Hour, &filter, now).await.unwrap(),
        before
    );
    assert_eq!(store.totals().await.unwrap(), totals);
    let lane = &totals.lanes[0];
    let succeeded = lane.finished[&Outcome::Succeeded];
    assert_eq!((lane.enqueued, succeeded.times.count()), (6, 4));
    assert_eq!(succeeded.sum, Span::from_secs(12));
}

#[tokio::test]
async fn what_comes_after_a_minute_was_rolled_up_is_added_to_it() {
    let store = open().await;
    life(&store, 5, true).await;
    store.roll_up(after(2400)).await.unwrap();
    // The clock was set back.
    life(&store, 20, true).await;
    store.roll_up(after(2400)).await.unwrap();
    assert_eq!(rows(&store).await, [(60, after(0).micros(), 2, 2)]);
}

#[tokio::test]
async fn what_is_recent_stays_fine() {
    let store = open().await;
    life(&store, 10, true).await;
    store.roll_up(after(15 * 60)).await.unwrap();
    let widths: Vec<i64> = rows(&store).await.iter().map(|row| row.0).collect();
    assert_eq!(widths, [10]);
    store.roll_up(after(4 * 3600)).await.unwrap();
    assert_eq!(rows(&store).await, [(900, after(0).micros(), 1, 1)]);
}
