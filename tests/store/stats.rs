//! Counts, charts, totals.

use conveyor::store::Insert;
use conveyor_model::job::Outcome;
use conveyor_model::new_job::NewJob;
use conveyor_model::queue::Pause;
use conveyor_model::state::State;
use conveyor_model::stats::{Range, Series, SeriesFilter};
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::Finish;

use crate::support::store::{StoreExt, TestStore, broken, job, kind, lease, open, queue, start};

/// The start of a quarter of an hour, so that steps are where the test thinks they are.
fn quarter() -> Timestamp {
    Timestamp::from_secs(start().secs().div_euclid(900) * 900)
}

fn after(secs: i64) -> Timestamp {
    quarter().plus(Span::from_secs(secs))
}

/// Stores a job, runs it for `run` seconds after `wait` seconds.
async fn life(store: &TestStore, new: NewJob, secs: i64, wait: i64, run: i64, good: bool) {
    store.enqueue(new, after(secs)).await;
    let taken = store.take_one(after(secs + wait)).await;
    let report = if good {
        Finish::succeeded(lease(&taken), None)
    } else {
        Finish::failed(lease(&taken), &broken())
    };
    store.end(report, after(secs + wait + run)).await;
}

fn sums(series: &Series) -> (u64, u64, u64, u64) {
    series.points.iter().fold((0, 0, 0, 0), |sum, point| {
        (
            sum.0 + point.enqueued,
            sum.1 + point.succeeded,
            sum.2 + point.retried,
            sum.3 + point.dead,
        )
    })
}

#[tokio::test]
async fn a_chart_has_every_point_and_each_event_in_its_step() {
    let store = open().await;
    life(&store, job(), 5, 1, 1, true).await;
    life(&store, job(), 25, 0, 3, false).await;
    life(
        &store,
        NewJob {
            max_attempts: 1,
            ..job()
        },
        40,
        0,
        1,
        false,
    )
    .await;
    let all = SeriesFilter::default();
    for (range, count) in [
        (Range::FiveMinutes, 30),
        (Range::Hour, 60),
        (Range::Day, 96),
    ] {
        let series = store.series(range, &all, after(59)).await.unwrap();
        assert_eq!((series.step_s, series.points.len()), (range.step(), count));
        assert!(
            series
                .points
                .windows(2)
                .all(|pair| pair[1].at.since(pair[0].at) == range.step())
        );
        assert_eq!(sums(&series), (3, 1, 1, 1), "{range:?}");
    }
    let series = store
        .series(Range::FiveMinutes, &all, after(59))
        .await
        .unwrap();
    let last = series.points.last().unwrap();
    assert_eq!((last.at, last.enqueued), (after(50), 0));
    let first = &series.points[24];
    assert_eq!(
        (first.at, first.enqueued, first.succeeded),
        (after(0), 1, 1)
    );
    let wait = first.wait.unwrap();
    assert!(
        wait.p50_s > Span::from_millis(500) && wait.p50_s <= Span::from_secs(1),
        "{wait:?}"
    );
    assert_eq!(series.points[25].run, None);
}

#[tokio::test]
async fn a_chart_may_be_of_one_queue_or_kind() {
    let store = open().await;
    life(
        &store,
        NewJob {
            kind: kind("a"),
            ..job()
        },
        1,
        0,
        1,
        true,
    )
    .await;
    life(
        &store,
        NewJob {
            kind: kind("b"),
            queue: queue("q"),
            ..job()
        },
        1,
        0,
        1,
        true,
    )
    .await;
    for (filter, count) in [
        (
            SeriesFilter {
                kind: Some(kind("a")),
                queue: None,
            },
            1,
        ),
        (
            SeriesFilter {
                kind: None,
                queue: Some(queue("q")),
            },
            1,
        ),
        (
            SeriesFilter {
                kind: Some(kind("a")),
                queue: Some(queue("q")),
            },
            0,
        ),
        (SeriesFilter::default(), 2),
    ] {
        let series = store.series(Range::Hour, &filter, after(5)).await.unwrap();
        assert_eq!(sums(&series).0, count, "{filter:?}");
    }
}

#[tokio::test]
async fn rolling_up_changes_no_sum() {
    let store = open().await;
    for minute in 0..240 {
        life(&store, job(), minute * 60, 1, 2, minute % 3 != 0).await;
    }
    let now = after(240 * 60);
    let all = SeriesFilter::default();
    let before = store.series(Range::Day, &all, now).await.unwrap();
    let hour = store.series(Range::Hour, &all, now).await.unwrap();
    let totals = store.totals().await.unwrap();
    store.roll_up(now).await.unwrap();
    store.roll_up(now).await.unwrap();
    assert_eq!(store.series(Range::Day, &all, now).await.unwrap(), before);
    assert_eq!(store.series(Range::Hour, &all, now).await.unwrap(), hour);
    assert_eq!(store.totals().await.unwrap(), totals);
    let mut conn = store.raw().await;
    let rows: Vec<(i64, i64)> =
        sqlx::query_as("SELECT width, count(*) FROM rollup GROUP BY width ORDER BY width")
            .fetch_all(&mut conn)
            .await
            .unwrap();
    assert!(rows.iter().all(|(_, n)| *n <= 165), "{rows:?}");
    assert_eq!(rows.len(), 4, "{rows:?}");
}

#[tokio::test]
async fn totals_are_kept_for_ever_by_queue_and_kind() {
    let store = open().await;
    life(&store, job(), 0, 2, 3, true).await;
    life(&store, job(), 0, 0, 4, false).await;
    store.close().await;
    let again = store.another().await;
    let totals = again.totals().await.unwrap();
    let lane = &totals.lanes[0];
    assert_eq!(
        (lane.queue.as_str(), lane.kind.as_str(), lane.enqueued),
        ("default", "test", 2)
    );
    let ran = |outcome| {
        (
            lane.finished[&outcome].times.count(),
            lane.finished[&outcome].sum,
        )
    };
    assert_eq!(ran(Outcome::Succeeded), (1, Span::from_secs(3)));
    assert_eq!(ran(Outcome::Failed), (1, Span::from_secs(4)));
    assert_eq!(lane.finished.len(), 2);
    assert_eq!((lane.wait.count(), lane.wait_sum), (2, Span::from_secs(2)));
}

#[tokio::test]
async fn beyond_two_hundred_queues_or_kinds_totals_are_kept_together() {
    let store = open().await;
    let jobs = (0..210)
        .map(|n| NewJob {
            queue: queue(&format!("q{n}")),
            kind: kind(&format!("k{n}")),
            ..job()
        })
        .collect();
    store
        .insert(Insert { jobs, atomic: true }, start())
        .await
        .unwrap();
    let totals = store.totals().await.unwrap();
    assert_eq!(totals.lanes.len(), 201);
    let other = totals
        .lanes
        .iter()
        .find(|lane| lane.queue == "other")
        .unwrap();
    assert_eq!((other.kind.as_str(), other.enqueued), ("other", 10));
    assert_eq!(store.queues(start()).await.unwrap().len(), 210);
}

#[tokio::test]
async fn the_overview_tells_what_fails_and_what_waits() {
    let store = open().await;
    life(
        &store,
        NewJob {
            kind: kind("bad"),
            max_attempts: 1,
            ..job()
        },
        0,
        0,
        1,
        false,
    )
    .await;
    life(
        &store,
        NewJob {
            kind: kind("good"),
            ..job()
        },
        0,
        0,
        1,
        true,
    )
    .await;
    store
        .enqueue(
            NewJob {
                queue: queue("late"),
                ..job()
            },
            after(2),
        )
        .await;
    store.enqueue(job(), after(3)).await;
    let recent = store.recent(after(10)).await.unwrap();
    assert_eq!(recent.failing, [(kind("bad"), 1, 1)]);
    assert_eq!(recent.before, (0, 0));
    assert_eq!((recent.died_last_hour, recent.ever_enqueued), (1, 4));
    assert_eq!(recent.oldest_ready, Some((queue("late"), after(2))));
    let ready = [(queue("default"), 1), (queue("late"), 1)];
    assert_eq!(
        recent.ready,
        ready.map(|(queue, n)| (queue, kind("test"), n))
    );
    let later = store.recent(after(900)).await.unwrap();
    assert_eq!((later.failing.len(), later.before), (0, (1, 2)));
    let runs = store.kind_runs(after(10)).await.unwrap();
    assert_eq!((runs[&kind("bad")].0, runs[&kind("bad")].1), (0, 1));
    assert_eq!(
        (runs[&kind("good")].0, runs[&kind("good")].2.count()),
        (1, 1)
    );
    let kinds = store.kind_counts().await.unwrap();
    assert_eq!(kinds[&kind("bad")], [(State::Dead, 1)].into());
    assert_eq!(kinds[&kind("test")], [(State::Ready, 2)].into());
}

#[tokio::test]
async fn jobs_of_a_paused_queue_do_not_wait_too_long() {
    let store = open().await;
    for (name, at) in [("held", 1), ("late", 2)] {
        let queue = queue(name);
        store.enqueue(NewJob { queue, ..job() }, after(at)).await;
    }
    let pause = Pause {
        by: "anna".to_owned(),
        note: None,
        since: after(3),
        until: Some(after(60)),
    };
    store
        .set_pause(&queue("held"), Some(pause), after(3))
        .await
        .unwrap();
    let oldest = async |secs| store.recent(after(secs)).await.unwrap().oldest_ready;
    assert_eq!(oldest(10).await, Some((queue("late"), after(2))));
    assert_eq!(oldest(60).await, Some((queue("held"), after(1))));
}

#[tokio::test]
async fn an_empty_store_has_zeros() {
    let store = open().await;
    let counts = store.counts(start()).await.unwrap();
    assert_eq!((counts.at, counts.total(), counts.queues), (start(), 0, 0));
    let recent = store.recent(start()).await.unwrap();
    assert_eq!((recent.ever_enqueued, recent.oldest_ready), (0, None));
    let series = store
        .series(Range::Hour, &SeriesFilter::default(), start())
        .await
        .unwrap();
    assert_eq!(series.points.len(), 60);
    assert_eq!(store.next_due().await.unwrap(), None);
    assert!(store.totals().await.unwrap().lanes.is_empty());
    assert!(store.queues(start()).await.unwrap().is_empty());
}
