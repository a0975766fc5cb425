//! What the overview asks a person to look at.

use conveyor::store::WorkerSeen;
use conveyor::upkeep::{Watch, fire, rescue};
use conveyor_model::job::Failure;
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;
use conveyor_model::operator::Operator;
use conveyor_model::queue::{Pause, PauseRequest};
use conveyor_model::schedule::{CatchUp, ScheduleSpec, SlotReason};
use conveyor_model::stats::{Attention, Overview, Range};
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::{Finish, WorkerState};

use crate::support::service::{TestService, ann, anybody, named};
use crate::support::store::{StoreExt, at, job, job_at, kind, lease, queue, start, worker};

async fn overview(service: &TestService) -> Overview {
    service.overview(Range::Hour).await.unwrap()
}

async fn attention(service: &TestService) -> Vec<Attention> {
    overview(service).await.attention
}

/// A job of a kind that dies of an error.
async fn dies(service: &TestService, of: &str, class: &str) -> JobId {
    let new = NewJob {
        kind: kind(of),
        max_attempts: 1,
        ..job()
    };
    let id = service.store.enqueue(new, service.time()).await.id;
    let taken = service.store.take_one(service.time()).await;
    let error = Failure::new(class, "it broke");
    service
        .store
        .end(Finish::failed(lease(&taken), &error), service.time())
        .await;
    id
}

#[tokio::test]
async fn a_queue_in_good_order_asks_for_nothing() {
    let service = TestService::new().await;
    assert_eq!(attention(&service).await, [], "empty");
    service.seen(anybody("w")).await;
    service.store.given(job()).await;
    service.store.given(job_at(at(100))).await;
    let taken = service.store.take_one(start()).await;
    service
        .store
        .end(Finish::succeeded(lease(&taken), None), at(1))
        .await;
    service
        .plan("nightly", ScheduleSpec::new("0 3 * * *", kind("report")))
        .await;
    assert_eq!(attention(&service).await, []);
}

#[tokio::test]
async fn the_largest_groups_of_dead_jobs_are_shown_first_and_at_most_five() {
    let service = TestService::new().await;
    service.seen(anybody("w")).await;
    for n in 1..=6 {
        for _ in 0..n {
            dies(&service, &format!("kind-{n}"), "Broken").await;
        }
    }
    let shown = attention(&service).await;
    let groups: Vec<_> = shown
        .iter()
        .map(|item| match item {
            Attention::Dead { group } => (group.kind.as_str(), group.count),
            other => panic!("{other:?}"),
        })
        .collect();
    let expected = [
        ("kind-6", 6),
        ("kind-5", 5),
        ("kind-4", 4),
        ("kind-3", 3),
        ("kind-2", 2),
    ];
    assert_eq!(groups, expected);
    let overview = overview(&service).await;
    assert_eq!(overview.died_last_hour, 21);
}

#[tokio::test]
async fn a_paused_queue_is_shown_while_jobs_wait_in_it() {
    let service = TestService::new().await;
    service.seen(anybody("w")).await;
    let request = PauseRequest {
        note: Some("the bank is down".to_owned()),
        until: None,
    };
    service
        .pause_queue(&queue("default"), request, &ann())
        .await
        .unwrap();
    assert_eq!(attention(&service).await, [], "nobody waits");
    service.store.given(job()).await;
    service.store.given(job()).await;
    let pause = Pause {
        by: "ann".to_owned(),
        note: Some("the bank is down".to_owned()),
        since: start(),
        until: None,
    };
    let expected = Attention::Paused {
        queue: queue("default"),
        pause,
        waiting: 2,
    };
    assert_eq!(attention(&service).await, [expected]);
    service.resume_queue(&queue("default")).await.unwrap();
    assert_eq!(attention(&service).await, []);
}

#[tokio::test]
async fn a_worker_that_was_lost_with_jobs_is_shown_and_one_without_is_not() {
    let service = TestService::new().await;
    service.seen(anybody("worker-1")).await;
    service.seen(anybody("idle")).await;
    service.store.given(job()).await;
    service.store.take_one(start()).await;
    service.wait(90);
    service.seen(anybody("alive")).await;
    assert_eq!(attention(&service).await, [], "late is not lost");
    service.wait(1);
    let expected = Attention::WorkerLost {
        worker: worker("worker-1"),
        seen_at: start(),
    };
    assert_eq!(attention(&service).await, [expected]);
    rescue(&*service.store, service.time(), Timestamp::MIN)
        .await
        .unwrap();
    assert_eq!(attention(&service).await, [], "its job was taken back");
}

#[tokio::test]
async fn a_kind_that_no_live_worker_takes_is_shown_while_jobs_of_it_are_due() {
    let service = TestService::new().await;
    let some = WorkerSeen {
        kinds: Some(vec![kind("other")]),
        ..anybody("w")
    };
    service.seen(some).await;
    service.store.given(job_at(at(100))).await;
    assert_eq!(attention(&service).await, [], "none is due");
    service.store.given(job()).await;
    service.store.given(job()).await;
    let expected = Attention::NoWorker {
        kind: kind("test"),
        queue: None,
        waiting: 2,
    };
    assert_eq!(attention(&service).await, [expected]);
    service.seen(anybody("all")).await;
    assert_eq!(attention(&service).await, []);
}

#[tokio::test]
async fn a_queue_from_which_no_live_worker_takes_a_kind_is_shown_while_jobs_of_it_are_due() {
    let service = TestService::new().await;
    let here = WorkerSeen {
        queues: vec![queue("default")],
        kinds: Some(vec![kind("test"), kind("other")]),
        ..anybody("here")
    };
    let there = WorkerSeen {
        queues: vec![queue("there")],
        kinds: Some(vec![kind("other")]),
        ..anybody("there")
    };
    service.seen(here).await;
    service.seen(there).await;
    for (of, from) in [
        ("test", "default"),
        ("other", "there"),
        ("test", "there"),
        ("test", "there"),
        ("nobodys", "default"),
        ("nobodys", "there"),
    ] {
        let new = NewJob {
            kind: kind(of),
            queue: queue(from),
            ..job()
        };
        service.store.given(new).await;
    }
    let nobody = |of: &str, queue, waiting| Attention::NoWorker {
        kind: kind(of),
        queue,
        waiting,
    };
    let expected = [
        nobody("nobodys", None, 2),
        nobody("test", Some(queue("there")), 2),
    ];
    assert_eq!(attention(&service).await, expected);
}

#[tokio::test]
async fn a_schedule_that_was_made_to_stand_still_is_shown_until_it_is_changed() {
    let service = TestService::new().await;
    service.seen(anybody("w")).await;
    let spec = ScheduleSpec::new("@every 10m", kind("report"));
    for name in ["zone", "row"] {
        service.plan(name, spec.clone()).await;
    }
    let mut conn = service.store.raw().await;
    for sql in [
        "UPDATE schedule SET spec = json_set(spec, '$.timezone', 'Mars/Phobos') WHERE name = 'zone'",
        "UPDATE schedule SET spec = '{' WHERE name = 'row'",
    ] {
        sqlx::query(sql).execute(&mut conn).await.unwrap();
    }
    assert_eq!(attention(&service).await, [], "not due");
    service.wait(600);
    let mut watch = Watch::default();
    fire(&*service.store, service.time(), &mut watch)
        .await
        .unwrap();
    let shown: Vec<_> = attention(&service)
        .await
        .into_iter()
        .map(|item| match item {
            Attention::Stopped { schedule, why } => (schedule.to_string(), why),
            other => panic!("{other:?}"),
        })
        .collect();
    let [(row, damaged), (zone, unknown)] = shown.as_slice() else {
        panic!("{shown:?}")
    };
    assert_eq!((row.as_str(), zone.as_str()), ("row", "zone"));
    assert!(damaged.contains("schedule row is damaged"), "{damaged}");
    assert!(unknown.starts_with("timezone: "), "{unknown}");
    for name in ["zone", "row"] {
        service.plan(name, spec.clone()).await;
    }
    assert_eq!(attention(&service).await, []);
}

#[tokio::test]
async fn a_schedule_that_let_slots_go_is_shown_for_a_day() {
    let service = TestService::new().await;
    service.seen(anybody("w")).await;
    let skip = ScheduleSpec {
        catch_up: CatchUp::Skip,
        ..ScheduleSpec::new("@every 10m", kind("report"))
    };
    service.plan("often", skip).await;
    service.wait(3000);
    let later = service.time().plus(Span::from_secs(5));
    let mut watch = Watch::default();
    let fired = fire(&*service.store, later, &mut watch).await.unwrap();
    assert_eq!(fired.jobs, 0);
    let expected = Attention::Skipped {
        schedule: named("often"),
        slot: at(3000),
        reason: SlotReason::Missed,
    };
    assert_eq!(attention(&service).await, [expected]);
    service.wait(86_400 + 6);
    assert_eq!(attention(&service).await, [], "a day later");
}

#[tokio::test]
async fn work_that_cannot_go_on_comes_before_work_that_went_wrong_and_pauses() {
    let service = TestService::new().await;
    service.seen(anybody("worker-1")).await;
    dies(&service, "sad", "Broken").await;
    service.store.given(job()).await;
    service.store.take_one(start()).await;
    service.wait(91);
    let other = NewJob {
        queue: queue("slow"),
        ..job()
    };
    service.store.given(other).await;
    service
        .pause_queue(&queue("slow"), PauseRequest::default(), &ann())
        .await
        .unwrap();
    let order: Vec<_> = attention(&service)
        .await
        .iter()
        .map(|item| match item {
            Attention::WorkerLost { .. } => "lost",
            Attention::NoWorker { .. } => "no worker",
            Attention::Dead { .. } => "dead",
            Attention::Paused { .. } => "paused",
            Attention::Skipped { .. } => "skipped",
            Attention::Stopped { .. } => "stopped",
        })
        .collect();
    assert_eq!(order, ["lost", "no worker", "dead", "paused"]);
}

#[tokio::test]
async fn the_kind_that_fails_is_named_when_failures_are_more_than_usual() {
    let service = TestService::new().await;
    dies(&service, "bad", "Broken").await;
    dies(&service, "bad", "Broken").await;
    service.store.given(job()).await;
    let taken = service.store.take_one(start()).await;
    service
        .store
        .end(Finish::succeeded(lease(&taken), None), start())
        .await;
    assert_eq!(overview(&service).await.failing_kind, None, "too few");
    dies(&service, "bad", "Broken").await;
    let shown = overview(&service).await;
    assert_eq!((shown.failing, shown.failing_before), (Some(0.75), None));
    assert_eq!(shown.failing_kind, Some(kind("bad")));
    service.wait(600);
    let later = overview(&service).await;
    assert_eq!((later.failing, later.failing_before), (None, Some(0.75)));
}

#[tokio::test]
async fn slots_and_workers_are_those_of_live_workers() {
    let service = TestService::new().await;
    let slots = |name: &str, slots| WorkerSeen {
        slots: Some(slots),
        ..anybody(name)
    };
    service.seen(slots("gone", 100)).await;
    service.wait(100);
    service.seen(slots("worker-1", 4)).await;
    service.seen(slots("quiet", 2)).await;
    service.seen(slots("front", 0)).await;
    service
        .tell_worker(&worker("quiet"), WorkerState::Quiet)
        .await
        .unwrap();
    service.store.given(job()).await;
    service.store.take_one(service.time()).await;
    service.store.given(job()).await;
    service.wait(10);
    let shown = overview(&service).await;
    assert_eq!((shown.workers, shown.workers_quiet), (2, 1));
    assert_eq!((shown.slots_busy, shown.slots_total), (1, 6));
    let oldest = shown.oldest_ready.unwrap();
    assert_eq!(
        (oldest.queue, oldest.age_s),
        (queue("default"), Span::from_secs(110))
    );
    assert_eq!(shown.ever_enqueued, 2);
}

#[tokio::test]
async fn no_sort_of_trouble_crowds_out_another() {
    let service = TestService::new().await;
    let here = WorkerSeen {
        queues: vec![queue("default")],
        kinds: Some(vec![kind("test")]),
        ..anybody("here")
    };
    service.seen(here).await;
    for n in 0..30 {
        for _ in 0..=n {
            let new = NewJob {
                queue: queue(&format!("untaken{n:02}")),
                ..job()
            };
            service.store.given(new).await;
        }
        service
            .pause_queue(
                &queue(&format!("paused{n:02}")),
                PauseRequest::default(),
                &ann(),
            )
            .await
            .unwrap();
        let waits = NewJob {
            queue: queue(&format!("paused{n:02}")),
            ..job()
        };
        service.store.given(waits).await;
    }
    let shown = attention(&service).await;
    let orphans: Vec<_> = shown
        .iter()
        .filter_map(|item| match item {
            Attention::NoWorker { queue, .. } => queue.clone(),
            _ => None,
        })
        .collect();
    let most = ["untaken29", "untaken28", "untaken27"].map(queue);
    assert_eq!(orphans, most, "those with the most jobs");
    let paused = shown
        .iter()
        .filter(|item| matches!(item, Attention::Paused { .. }))
        .count();
    assert_eq!(paused, 3);
}
