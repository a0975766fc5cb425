//! "Why is this job not running?": each cause, in the order in which they are told.

use conveyor::store::WorkerSeen;
use conveyor_model::job::Failure;
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;
use conveyor_model::operator::Operator;
use conveyor_model::queue::PauseRequest;
use conveyor_model::retry::Backoff;
use conveyor_model::state::Action;
use conveyor_model::time::Span;
use conveyor_model::waiting::Cause;
use conveyor_model::worker::{Finish, WorkerState};

use crate::support::service::{TestService, ann, anybody};
use crate::support::store::{StoreExt, at, job, job_at, kind, lease, queue, start, worker};

/// A queue with one worker that takes everything.
async fn with_worker() -> TestService {
    let queue = TestService::new().await;
    queue.seen(anybody("w")).await;
    queue
}

/// A worker with that many slots.
fn with_slots(name: &str, slots: u32) -> WorkerSeen {
    WorkerSeen {
        slots: Some(slots),
        ..anybody(name)
    }
}

async fn pause(service: &TestService, note: Option<&str>, until: Option<i64>) {
    let request = PauseRequest {
        note: note.map(str::to_owned),
        until: until.map(at),
    };
    service
        .pause_queue(&queue("default"), request, &ann())
        .await
        .unwrap();
}

#[tokio::test]
async fn a_scheduled_job_waits_for_its_time() {
    let service = with_worker().await;
    let id = service.store.given(job_at(at(100))).await;
    assert_eq!(
        service.why(id).await,
        Some(Cause::Scheduled { at: at(100) })
    );
    let reason = service.job(id).await.unwrap().waiting_reason.unwrap();
    assert!(reason.text.contains("scheduled for"), "{}", reason.text);
    assert_eq!(reason.link, None);
}

#[tokio::test]
async fn a_job_whose_time_has_come_but_that_upkeep_has_not_seen_starts_now() {
    let service = with_worker().await;
    let id = service.store.given(job_at(at(20))).await;
    service.wait(20);
    assert_eq!(service.why(id).await, Some(Cause::StartingNow));
}

#[tokio::test]
async fn a_retrying_job_waits_for_its_next_attempt_and_says_what_failed() {
    let service = with_worker().await;
    let id = service
        .store
        .given(NewJob {
            backoff: Backoff {
                base_s: Span::from_secs(60),
                jitter: 0.0,
                ..Backoff::default()
            },
            ..job()
        })
        .await;
    let taken = service.store.take_one(start()).await;
    let error = Failure::new("SmtpTimeout", "no answer");
    service
        .store
        .end(Finish::failed(lease(&taken), &error), at(5))
        .await;
    let expected = Cause::Backoff {
        at: at(65),
        failed: 1,
        error: "SmtpTimeout".to_owned(),
    };
    assert_eq!(service.why(id).await, Some(expected));
}

#[tokio::test]
async fn a_job_in_a_paused_queue_says_who_paused_it_and_why() {
    let service = with_worker().await;
    let id = service.store.given(job()).await;
    pause(&service, Some("the bank is down"), None).await;
    let cause = |note: Option<&str>| Cause::QueuePaused {
        queue: queue("default"),
        by: "ann".to_owned(),
        note: note.map(str::to_owned),
    };
    assert_eq!(service.why(id).await, Some(cause(Some("the bank is down"))));
    let reason = service.job(id).await.unwrap().waiting_reason.unwrap();
    assert_eq!(reason.link.as_deref(), Some("/queues"));
    pause(&service, None, None).await;
    assert_eq!(service.why(id).await, Some(cause(None)));
    let elsewhere = service
        .store
        .given(NewJob {
            queue: queue("other"),
            ..job()
        })
        .await;
    assert_eq!(service.why(elsewhere).await, Some(Cause::StartingNow));
    service.resume_queue(&queue("default")).await.unwrap();
    assert_eq!(service.why(id).await, Some(Cause::StartingNow));
}

#[tokio::test]
async fn a_pause_that_has_ended_holds_nothing_even_before_upkeep_takes_it_away() {
    let service = with_worker().await;
    let id = service.store.given(job()).await;
    pause(&service, None, Some(20)).await;
    service.wait(19);
    assert!(matches!(
        service.why(id).await,
        Some(Cause::QueuePaused { .. })
    ));
    service.wait(1);
    assert_eq!(service.why(id).await, Some(Cause::StartingNow));
    assert_eq!(service.store.take_one(service.time()).await.id, id);
}

#[tokio::test]
async fn without_a_live_worker_no_job_starts() {
    let service = TestService::new().await;
    let id = service.store.given(job()).await;
    assert_eq!(service.why(id).await, Some(Cause::NoWorker), "never one");
    service.seen(with_slots("front", 0)).await;
    assert_eq!(
        service.why(id).await,
        Some(Cause::NoWorker),
        "none has slots"
    );
    service.seen(anybody("w")).await;
    assert_eq!(service.why(id).await, Some(Cause::StartingNow));
    service.wait(90);
    assert_eq!(
        service.why(id).await,
        Some(Cause::StartingNow),
        "late is not lost"
    );
    service.wait(1);
    assert_eq!(service.why(id).await, Some(Cause::NoWorker), "lost");
}

#[tokio::test]
async fn a_job_of_a_kind_or_queue_that_nobody_takes_says_so() {
    let service = TestService::new().await;
    let id = service.store.given(job()).await;
    let nobody = Some(Cause::NoWorkerForKind {
        kind: kind("test"),
        queue: queue("default"),
    });
    service
        .seen(WorkerSeen {
            kinds: Some(vec![kind("other")]),
            ..anybody("other kind")
        })
        .await;
    assert_eq!(service.why(id).await, nobody);
    service
        .seen(WorkerSeen {
            queues: vec![queue("other")],
            kinds: Some(vec![kind("test")]),
            ..anybody("other queue")
        })
        .await;
    assert_eq!(service.why(id).await, nobody);
    service
        .seen(WorkerSeen {
            queues: vec![queue("default")],
            kinds: Some(vec![kind("other"), kind("test")]),
            ..anybody("right")
        })
        .await;
    assert_eq!(service.why(id).await, Some(Cause::StartingNow));
}

#[tokio::test]
async fn a_job_waits_while_every_worker_that_could_run_it_is_quiet() {
    let service = with_worker().await;
    let id = service.store.given(job()).await;
    let tell = async |name, state| service.tell_worker(&worker(name), state).await.unwrap();
    tell("w", WorkerState::Quiet).await;
    assert_eq!(service.why(id).await, Some(Cause::WorkersQuiet));
    tell("w", WorkerState::Stop).await;
    assert_eq!(service.why(id).await, Some(Cause::WorkersQuiet));
    service
        .seen(WorkerSeen {
            kinds: Some(vec![kind("other")]),
            ..anybody("no help")
        })
        .await;
    assert_eq!(service.why(id).await, Some(Cause::WorkersQuiet));
    service.seen(anybody("second")).await;
    assert_eq!(service.why(id).await, Some(Cause::StartingNow));
}

#[tokio::test]
async fn a_job_says_how_many_go_first() {
    let service = with_worker().await;
    let id = service.store.given(job()).await;
    assert_eq!(
        service.why(id).await,
        Some(Cause::StartingNow),
        "next in line"
    );
    let urgent = NewJob {
        priority: 9.try_into().unwrap(),
        ..job()
    };
    service.store.given(urgent.clone()).await;
    service.store.given(urgent).await;
    let lazy = NewJob {
        priority: 0.try_into().unwrap(),
        ..job()
    };
    let last = service.store.given(lazy).await;
    let other = NewJob {
        queue: queue("other"),
        ..job()
    };
    service.store.given(other).await;
    let behind = |ahead| Some(Cause::BehindOthers { ahead });
    assert_eq!(service.why(id).await, behind(2));
    assert_eq!(service.why(last).await, behind(4), "from any queue");
    let twin = service.store.given(job()).await;
    assert_eq!(
        service.why(twin).await,
        behind(4),
        "the same priority, but later"
    );
}

#[tokio::test]
async fn jobs_that_no_worker_of_this_one_takes_do_not_go_first() {
    let service = TestService::new().await;
    let some = WorkerSeen {
        kinds: Some(vec![kind("test")]),
        ..anybody("some")
    };
    service.seen(some).await;
    let other = NewJob {
        kind: kind("other"),
        priority: 9.try_into().unwrap(),
        ..job()
    };
    service.store.given(other).await;
    let id = service.store.given(job()).await;
    assert_eq!(service.why(id).await, Some(Cause::StartingNow));
    service.seen(anybody("quiet")).await;
    let behind = Some(Cause::BehindOthers { ahead: 1 });
    assert_eq!(service.why(id).await, behind, "it takes both");
    let quiet = worker("quiet");
    service
        .tell_worker(&quiet, WorkerState::Quiet)
        .await
        .unwrap();
    assert_eq!(service.why(id).await, Some(Cause::StartingNow));
}

#[tokio::test]
async fn a_job_waits_for_a_slot_when_all_are_taken() {
    let service = TestService::new().await;
    service.seen(with_slots("worker-1", 2)).await;
    for _ in 0..2 {
        service.store.given(job()).await;
    }
    let taken = service.store.take(2, start()).await;
    let id = service.store.given(job()).await;
    assert_eq!(service.why(id).await, Some(Cause::SlotsBusy { slots: 2 }));
    let helper = WorkerSeen {
        kinds: Some(vec![kind("other")]),
        ..with_slots("other", 5)
    };
    service.seen(helper).await;
    assert_eq!(
        service.why(id).await,
        Some(Cause::SlotsBusy { slots: 2 }),
        "no help"
    );
    service
        .store
        .end(Finish::succeeded(lease(&taken[0]), None), at(1))
        .await;
    assert_eq!(
        service.why(id).await,
        Some(Cause::StartingNow),
        "a slot is free"
    );
}

#[tokio::test]
async fn a_worker_that_does_not_say_how_many_slots_it_has_may_have_one() {
    let service = TestService::new().await;
    service.seen(with_slots("worker-1", 1)).await;
    service.store.given(job()).await;
    service.store.take_one(start()).await;
    let id = service.store.given(job()).await;
    assert_eq!(service.why(id).await, Some(Cause::SlotsBusy { slots: 1 }));
    service.seen(anybody("silent")).await;
    assert_eq!(service.why(id).await, Some(Cause::StartingNow));
}

/// A job that waits for others. No call makes one yet.
async fn blocked(service: &TestService) -> JobId {
    let id = service.store.given(job()).await;
    let mut conn = service.store.raw().await;
    sqlx::query("UPDATE job SET state = 'blocked' WHERE id = ?")
        .bind(id.get())
        .execute(&mut conn)
        .await
        .unwrap();
    id
}

#[tokio::test]
async fn a_blocked_job_waits_for_others() {
    let service = with_worker().await;
    let id = blocked(&service).await;
    assert_eq!(service.why(id).await, Some(Cause::Blocked));
}

#[tokio::test]
async fn of_several_causes_the_first_is_told() {
    let service = TestService::new().await;
    let id = service.store.given(job_at(at(20))).await;
    pause(&service, None, None).await;
    assert!(matches!(
        service.why(id).await,
        Some(Cause::Scheduled { .. })
    ));
    service.wait(20);
    assert!(matches!(
        service.why(id).await,
        Some(Cause::QueuePaused { .. })
    ));
    service.resume_queue(&queue("default")).await.unwrap();
    assert_eq!(service.why(id).await, Some(Cause::NoWorker));
    let stranger = WorkerSeen {
        kinds: Some(vec![kind("other")]),
        ..anybody("stranger")
    };
    service.seen(stranger).await;
    assert!(matches!(
        service.why(id).await,
        Some(Cause::NoWorkerForKind { .. })
    ));
    service.seen(with_slots("worker-1", 1)).await;
    let quiet = service
        .tell_worker(&worker("worker-1"), WorkerState::Quiet)
        .await;
    quiet.unwrap();
    assert_eq!(service.why(id).await, Some(Cause::WorkersQuiet));
    let run = service
        .tell_worker(&worker("worker-1"), WorkerState::Run)
        .await;
    run.unwrap();
    let first = NewJob {
        priority: 9.try_into().unwrap(),
        ..job()
    };
    service.store.given(first).await;
    assert_eq!(
        service.why(id).await,
        Some(Cause::BehindOthers { ahead: 1 })
    );
    service.store.take_one(service.time()).await;
    assert_eq!(service.why(id).await, Some(Cause::SlotsBusy { slots: 1 }));
}

#[tokio::test]
async fn a_job_that_does_not_wait_has_no_cause() {
    let service = with_worker().await;
    let id = service.store.given(job()).await;
    let taken = service.store.take_one(start()).await;
    assert_eq!(service.why(id).await, None, "it runs");
    service
        .store
        .end(Finish::succeeded(lease(&taken), None), at(1))
        .await;
    assert_eq!(service.why(id).await, None, "it is done");
    let gone = service.store.given(job()).await;
    service.act(gone, Action::Cancel).await.unwrap();
    assert_eq!(service.why(gone).await, None, "it is called off");
    assert_eq!(
        service.job_detail(gone).await.unwrap().job.waiting_reason,
        None
    );
}
