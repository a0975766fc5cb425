//! One attempt: every way it can end.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use conveyor::worker::{JobContext, Outcome, Registry};
use conveyor_model::job::{self, Failure, LogLevel};
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;
use conveyor_model::state::{Action, State};
use conveyor_model::time::Span;
use serde::Deserialize;
use tokio::sync::Notify;

use super::rig::{Rig, of, slots};
use crate::support::eventually::eventually;
use crate::support::store::{StoreExt, json, start};

#[derive(Deserialize)]
struct Sum {
    a: i64,
    b: i64,
}

async fn sum(_: JobContext, sum: Sum) -> Result<i64, String> {
    Ok(sum.a + sum.b)
}

fn last_error(job: &job::Job) -> (&str, &str) {
    let error = job.last_error.as_ref().expect("it failed");
    (&error.class, &error.message)
}

#[tokio::test]
async fn a_job_runs_and_its_result_is_kept() {
    let rig = Rig::new().await;
    let mut registry = Registry::new();
    registry.handle("sum", sum).unwrap();
    let pool = rig.pool(registry, slots(2));
    let id = rig
        .store
        .given(NewJob {
            payload: json(r#"{"a": 40, "b": 2}"#),
            ..of("sum")
        })
        .await;
    let done = rig.reaches(id, State::Succeeded).await;
    assert_eq!(done.result, Some(json("42")));
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn a_payload_that_does_not_fit_is_a_failed_attempt_with_backoff() {
    let rig = Rig::new().await;
    let mut registry = Registry::new();
    registry.handle("sum", sum).unwrap();
    let pool = rig.pool(registry, slots(1));
    let id = rig.store.given(of("sum")).await;
    let failed = rig.reaches(id, State::Retrying).await;
    assert_eq!(failed.row.attempt, 1);
    assert!(failed.row.run_at > start());
    assert_eq!(
        last_error(&failed),
        ("InvalidPayload", "missing field `a` at line 1 column 2")
    );
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn a_panic_fails_its_own_attempt_and_harms_no_other() {
    let rig = Rig::new().await;
    let mut registry = Registry::new();
    registry
        .handle(
            "boom",
            async |_: JobContext, _: BTreeMap<String, i64>| -> () { panic!("boom {}", 7) },
        )
        .unwrap();
    registry
        .handle(
            "deep",
            async |job: JobContext, _: BTreeMap<String, i64>| -> () {
                job.blocking(|| panic!("deep down")).await;
            },
        )
        .unwrap();
    registry
        .handle("fine", async |_: JobContext, _: BTreeMap<String, i64>| {})
        .unwrap();
    let pool = rig.pool(registry, slots(2));
    let boom = rig.store.given(of("boom")).await;
    let deep = rig.store.given(of("deep")).await;
    let mut fine = Vec::new();
    for _ in 0..20 {
        fine.push(rig.store.given(of("fine")).await);
    }
    let failed = rig.reaches(boom, State::Retrying).await;
    assert_eq!(last_error(&failed), ("Panic", "boom 7"));
    let trace = failed.last_error.unwrap().backtrace.unwrap();
    assert!(trace.starts_with("at tests/worker/attempts.rs:"), "{trace}");
    let failed = rig.reaches(deep, State::Retrying).await;
    assert_eq!(last_error(&failed), ("Panic", "deep down"));
    for id in fine {
        rig.reaches(id, State::Succeeded).await;
    }
    eventually("both slots are free", async || {
        (pool.busy() == 0).then_some(())
    })
    .await;
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn an_attempt_over_its_time_is_a_timeout() {
    let rig = Rig::new().await;
    let mut registry = Registry::new();
    registry
        .handle("slow", async |_: JobContext, _: BTreeMap<String, i64>| {
            std::future::pending::<()>().await;
        })
        .unwrap();
    let pool = rig.pool(registry, slots(1));
    let id = rig
        .store
        .given(NewJob {
            timeout: Span::from_millis(20),
            ..of("slow")
        })
        .await;
    let failed = rig.reaches(id, State::Retrying).await;
    assert_eq!(
        last_error(&failed),
        ("Timeout", "it took longer than its 0.02 s")
    );
    let attempts = rig.store.attempts(id).await.unwrap();
    assert_eq!(attempts[0].outcome, Some(job::Outcome::Timeout));
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn a_handler_hears_that_its_job_was_cancelled() {
    let rig = Rig::new().await;
    let running = Arc::new(Notify::new());
    let mut registry = Registry::new();
    let begun = Arc::clone(&running);
    registry
        .handle(
            "polite",
            move |job: JobContext, _: BTreeMap<String, i64>| {
                let begun = Arc::clone(&begun);
                async move {
                    begun.notify_one();
                    job.cancelled().cancelled().await;
                    Outcome::Cancel
                }
            },
        )
        .unwrap();
    let begun = Arc::clone(&running);
    registry
        .handle("deaf", move |_: JobContext, _: BTreeMap<String, i64>| {
            let begun = Arc::clone(&begun);
            async move {
                begun.notify_one();
                std::future::pending::<()>().await;
            }
        })
        .unwrap();
    let pool = rig.pool(registry, slots(1));
    for kind in ["polite", "deaf"] {
        let id = rig.store.given(of(kind)).await;
        running.notified().await;
        let acted = rig.store.act(vec![id], Action::Cancel, start()).await;
        assert_eq!(acted.unwrap(), [Ok(id)]);
        rig.store.events.cancel_asked();
        let job = rig.reaches(id, State::Cancelled).await;
        assert_eq!(job.row.attempt, 1);
    }
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn a_snoozed_attempt_is_not_counted() {
    let rig = Rig::new().await;
    let mut registry = Registry::new();
    registry
        .handle("later", async |_: JobContext, _: BTreeMap<String, i64>| {
            Outcome::Snooze(Span::from_secs(60))
        })
        .unwrap();
    let pool = rig.pool(registry, slots(1));
    let id = rig.store.given(of("later")).await;
    let job = rig.reaches(id, State::Scheduled).await;
    assert_eq!(job.row.attempt, 0);
    assert_eq!(job.row.run_at, start().plus(Span::from_secs(60)));
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn a_dead_end_goes_to_the_dead_letter_at_once() {
    let rig = Rig::new().await;
    let mut registry = Registry::new();
    registry
        .handle(
            "hopeless",
            async |_: JobContext, _: BTreeMap<String, i64>| {
                Outcome::Dead(Failure::new("Gone", "no such customer"))
            },
        )
        .unwrap();
    let pool = rig.pool(registry, slots(1));
    let id = rig.store.given(of("hopeless")).await;
    let job = rig.reaches(id, State::Dead).await;
    assert_eq!(last_error(&job), ("Gone", "no such customer"));
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn a_failure_may_say_when_to_try_again() {
    let rig = Rig::new().await;
    let mut registry = Registry::new();
    registry
        .handle(
            "limited",
            async |_: JobContext, _: BTreeMap<String, i64>| Outcome::Retry {
                error: Failure::new("Limited", "too many requests"),
                after: Some(Span::from_secs(777)),
            },
        )
        .unwrap();
    let pool = rig.pool(registry, slots(1));
    let id = rig.store.given(of("limited")).await;
    let job = rig.reaches(id, State::Retrying).await;
    assert_eq!(job.row.run_at, start().plus(Span::from_secs(777)));
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn a_result_that_is_too_large_fails_the_attempt() {
    let rig = Rig::new().await;
    let mut registry = Registry::new();
    registry
        .handle("wordy", async |_: JobContext, _: BTreeMap<String, i64>| {
            Ok::<_, String>("x".repeat(2 << 20))
        })
        .unwrap();
    let pool = rig.pool(registry, slots(1));
    let id = rig.store.given(of("wordy")).await;
    let job = rig.reaches(id, State::Retrying).await;
    assert_eq!(last_error(&job).0, "ResultTooLarge");
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn what_a_handler_tells_is_kept_in_order() {
    let rig = Rig::new().await;
    let mut registry = Registry::new();
    let told = Arc::new(Notify::new());
    let go_on = Arc::clone(&told);
    registry
        .handle(
            "chatty",
            move |job: JobContext, _: BTreeMap<String, i64>| {
                let go_on = Arc::clone(&go_on);
                async move {
                    for n in 0..50 {
                        job.log(LogLevel::Info, format!("step {n}"));
                    }
                    job.progress(50.0, "half way");
                    go_on.notified().await;
                    job.log(LogLevel::Warn, "the end");
                }
            },
        )
        .unwrap();
    let pool = rig.pool(registry, slots(1));
    let id = rig.store.given(of("chatty")).await;
    let progress = eventually("it tells its progress", async || {
        rig.store.show(id).await.progress
    })
    .await;
    assert_eq!(progress.percent, Some(50.0));
    told.notify_one();
    rig.reaches(id, State::Succeeded).await;
    let logs = rig.store.logs(id).await.unwrap();
    let messages: Vec<_> = logs.iter().map(|line| line.message.as_str()).collect();
    assert_eq!(messages.len(), 51);
    assert_eq!(
        (messages[0], messages[49], messages[50]),
        ("step 0", "step 49", "the end")
    );
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn a_handler_that_never_yields_does_not_keep_its_slot() {
    let rig = Rig::new().await;
    let (let_go, gate) = std::sync::mpsc::channel::<()>();
    let gate = Arc::new(Mutex::new(gate));
    let mut registry = Registry::new();
    registry
        .handle("stuck", move |_: JobContext, _: BTreeMap<String, i64>| {
            let gate = Arc::clone(&gate);
            async move {
                // Blocks the thread, which no runtime can help.
                let _ = gate.lock().unwrap().recv();
            }
        })
        .unwrap();
    registry
        .handle("fine", async |_: JobContext, _: BTreeMap<String, i64>| {})
        .unwrap();
    let pool = rig.pool(registry, slots(1));
    let stuck = rig
        .store
        .given(NewJob {
            timeout: Span::from_millis(20),
            ..of("stuck")
        })
        .await;
    let fine = rig.store.given(of("fine")).await;
    let timed_out = rig.reaches(stuck, State::Retrying).await;
    assert_eq!(last_error(&timed_out).0, "Timeout");
    rig.reaches(fine, State::Succeeded).await;
    assert_eq!(pool.stuck(), 1);
    let_go.send(()).unwrap();
    eventually("nothing is stuck", async || {
        (pool.stuck() == 0).then_some(())
    })
    .await;
    pool.stop(Span::ZERO).await;
}

#[tokio::test]
async fn blocking_work_that_outlives_its_attempt_is_counted() {
    let rig = Rig::new().await;
    let (let_go, gate) = std::sync::mpsc::channel::<()>();
    let gate = Arc::new(Mutex::new(gate));
    let mut registry = Registry::new();
    registry
        .handle("slow", move |job: JobContext, _: BTreeMap<String, i64>| {
            let gate = Arc::clone(&gate);
            async move {
                job.blocking(move || {
                    let _ = gate.lock().unwrap().recv();
                })
                .await;
            }
        })
        .unwrap();
    let pool = rig.pool(registry, slots(1));
    let id = rig
        .store
        .given(NewJob {
            timeout: Span::from_millis(20),
            ..of("slow")
        })
        .await;
    rig.reaches(id, State::Retrying).await;
    assert_eq!(pool.stuck(), 1);
    let_go.send(()).unwrap();
    eventually("nothing is stuck", async || {
        (pool.stuck() == 0).then_some(())
    })
    .await;
    pool.stop(Span::ZERO).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_pools_run_each_job_once() {
    let rig = Rig::new().await;
    let runs: Arc<Mutex<BTreeMap<JobId, u32>>> = Arc::default();
    let registry = || {
        let runs = Arc::clone(&runs);
        let mut registry = Registry::new();
        registry
            .handle("count", move |job: JobContext, _: BTreeMap<String, i64>| {
                *runs.lock().unwrap().entry(job.id()).or_default() += 1;
                async {}
            })
            .unwrap();
        registry
    };
    let insert = conveyor::store::Insert {
        jobs: vec![of("count"); 2000],
        atomic: false,
    };
    rig.store.insert(insert, start()).await.unwrap();
    let pools = [
        rig.pool(registry(), slots(8)),
        rig.pool(registry(), slots(8)),
    ];
    eventually("all are done", async || {
        let counts = rig.store.counts(start()).await.unwrap();
        (counts.of(State::Succeeded) == 2000).then_some(())
    })
    .await;
    for pool in pools {
        pool.stop(Span::from_std(Duration::from_secs(5))).await;
    }
    let runs = runs.lock().unwrap();
    assert_eq!(runs.len(), 2000);
    assert!(runs.values().all(|runs| *runs == 1));
}
