//! Schedules and their slots.

use conveyor::store::{Decided, SlotDecision, StoreError};
use conveyor_model::error::{ConflictCode, OperatorError, Thing};
use conveyor_model::name::ScheduleName;
use conveyor_model::schedule::{ScheduleSpec, Slot, SlotReason, SlotStatus};
use conveyor_model::state::State;

use crate::support::store::{StoreExt, TestStore, at, check_sums, json, kind, open, start};

fn name() -> ScheduleName {
    ScheduleName::new("nightly").unwrap()
}

fn spec() -> ScheduleSpec {
    ScheduleSpec {
        payload: json(r#"{"n":1e2}"#),
        ..ScheduleSpec::new("0 3 * * *", kind("report"))
    }
}

async fn put(
    store: &TestStore,
    spec: ScheduleSpec,
    version: Option<i64>,
    secs: i64,
) -> Result<(), StoreError> {
    store
        .put_schedule(
            &name(),
            spec,
            Some(at(secs + 100)),
            "ann",
            version,
            at(secs),
        )
        .await
}

fn slot(secs: i64, status: SlotStatus) -> Slot {
    let reason = (status == SlotStatus::Skipped).then_some(SlotReason::Overlap);
    Slot {
        slot: at(secs),
        status,
        reason,
        count: 1,
        job_id: None,
        at: at(secs + 1),
    }
}

fn decision(slots: Vec<Slot>) -> SlotDecision {
    let fired = slots
        .iter()
        .filter(|slot| slot.status != SlotStatus::Skipped)
        .count();
    SlotDecision {
        name: name(),
        version: 1,
        busy: None,
        slots,
        jobs: vec![spec().job(&name()); fired],
        cancel: false,
        next_at: Some(at(10_000)),
    }
}

#[tokio::test]
async fn a_schedule_reads_back_as_it_was_written() {
    let store = open().await;
    put(&store, spec(), Some(0), 0).await.unwrap();
    let shown = store.schedule(&name()).await.unwrap().unwrap();
    assert_eq!((&shown.name, &shown.spec), (&name(), &spec()));
    assert_eq!((shown.next_at, shown.version), (Some(at(100)), 1));
    assert_eq!((shown.created_at, shown.updated_at), (start(), start()));
    assert_eq!(
        (shown.last_slot.clone(), shown.paused_by.clone()),
        (None, None)
    );
    assert_eq!(store.schedules().await.unwrap(), [shown]);
    assert_eq!(store.next_due().await.unwrap(), Some(at(100)));
    assert_eq!(store.counts(start()).await.unwrap().schedules, 1);
}

#[tokio::test]
async fn a_schedule_is_replaced_only_at_the_version_that_was_seen() {
    let store = open().await;
    assert!(matches!(
        put(&store, spec(), Some(3), 0).await,
        Err(StoreError::Refused(OperatorError::NotFound { .. }))
    ));
    put(&store, spec(), None, 0).await.unwrap();
    let exists = put(&store, spec(), Some(0), 1).await;
    let Err(StoreError::Refused(OperatorError::Conflict { code, .. })) = exists else {
        panic!("{exists:?}")
    };
    assert_eq!(code, ConflictCode::Exists);
    let paused = ScheduleSpec {
        paused: true,
        ..spec()
    };
    put(&store, paused.clone(), Some(1), 2).await.unwrap();
    let changed = put(&store, spec(), Some(1), 3).await;
    assert_eq!(
        changed,
        Err(StoreError::Refused(OperatorError::VersionChanged {
            current: 2
        }))
    );
    let shown = store.schedule(&name()).await.unwrap().unwrap();
    assert_eq!(
        (shown.paused_by.as_deref(), shown.updated_at),
        (Some("ann"), at(2))
    );
    put(&store, spec(), None, 4).await.unwrap();
    let shown = store.schedule(&name()).await.unwrap().unwrap();
    assert_eq!((shown.paused_by, shown.version), (None, 3));
}

#[tokio::test]
async fn the_count_of_every_begins_anew_with_a_new_expression_only() {
    let store = open().await;
    put(&store, spec(), None, 0).await.unwrap();
    put(
        &store,
        ScheduleSpec {
            priority: 9.try_into().unwrap(),
            ..spec()
        },
        None,
        50,
    )
    .await
    .unwrap();
    assert_eq!(
        store.due_schedules(at(500), 10).await.unwrap()[0].anchor,
        start()
    );
    put(
        &store,
        ScheduleSpec {
            cron: "@every 5m".to_owned(),
            ..spec()
        },
        None,
        60,
    )
    .await
    .unwrap();
    assert_eq!(
        store.due_schedules(at(500), 10).await.unwrap()[0].anchor,
        at(60)
    );
}

#[tokio::test]
async fn a_decision_stores_its_slots_and_jobs_once() {
    let store = open().await;
    put(&store, spec(), None, 0).await.unwrap();
    assert!(store.due_schedules(at(99), 10).await.unwrap().is_empty());
    let due = store.due_schedules(at(100), 10).await.unwrap();
    assert_eq!((due.len(), due[0].next_at, due[0].version), (1, at(100), 1));
    assert!(!due[0].busy && !due[0].waiting);

    let slots = vec![
        slot(80, SlotStatus::Skipped),
        slot(90, SlotStatus::Late),
        slot(100, SlotStatus::Fired),
    ];
    let first = store.decide(decision(slots.clone()), at(101)).await;
    assert_eq!(first, Ok(Decided::Done { cancelled: 0 }));
    let again = store.decide(decision(slots[2..].to_vec()), at(102)).await;
    assert_eq!(again, Ok(Decided::TooLate), "decided already");
    let stored = store.slots(&name(), 10).await.unwrap();
    let seen: Vec<_> = stored
        .iter()
        .map(|slot| (slot.slot, slot.status, slot.reason))
        .collect();
    assert_eq!(
        seen,
        [
            (at(100), SlotStatus::Fired, None),
            (at(90), SlotStatus::Late, None),
            (at(80), SlotStatus::Skipped, Some(SlotReason::Overlap)),
        ]
    );
    assert_eq!(stored[2].job_id, None);
    let job = store.show(stored[0].job_id.unwrap()).await;
    assert_eq!(
        (job.payload.as_str(), job.row.schedule),
        (r#"{"n":1e2}"#, Some(name()))
    );
    assert_eq!(job.row.state, State::Ready);
    let shown = store.schedule(&name()).await.unwrap().unwrap();
    assert_eq!((shown.next_at, shown.version), (Some(at(10_000)), 1));
    assert_eq!(shown.last_slot.as_ref(), Some(&stored[0]));
    let totals = store.totals().await.unwrap().slots;
    let totals: Vec<_> = totals
        .iter()
        .map(|(_, status, n)| (status.as_str(), *n))
        .collect();
    assert_eq!(totals, [("fired", 1), ("late", 1), ("skipped", 1)]);
    assert_eq!(store.counts(at(101)).await.unwrap().total(), 2);
    check_sums(&store).await;
}

#[tokio::test]
async fn a_decision_on_an_older_version_changes_nothing() {
    let store = open().await;
    put(&store, spec(), None, 0).await.unwrap();
    put(&store, spec(), None, 1).await.unwrap();
    let old = store
        .decide(decision(vec![slot(100, SlotStatus::Fired)]), at(101))
        .await;
    assert_eq!(old, Ok(Decided::TooLate));
    assert_eq!(store.counts(at(101)).await.unwrap().total(), 0);
}

#[tokio::test]
async fn unfinished_jobs_of_a_schedule_are_told_and_called_off() {
    let store = open().await;
    put(&store, spec(), None, 0).await.unwrap();
    let slots = vec![slot(90, SlotStatus::Fired), slot(100, SlotStatus::Fired)];
    store.decide(decision(slots), at(101)).await.unwrap();
    let running = store.take_one(at(102)).await.id;
    let due = store.due_schedules(at(20_000), 10).await.unwrap();
    assert!(due[0].busy);
    // One that came after the schedule was read is called off with the others.
    let by_hand = store.enqueue(spec().job(&name()), at(103)).await.id;
    let next = SlotDecision {
        cancel: true,
        ..decision(vec![slot(200, SlotStatus::Fired)])
    };
    let done = store.decide(next, at(201)).await;
    assert_eq!(done, Ok(Decided::Done { cancelled: 3 }));
    assert_eq!(
        store.show(running).await.row.cancel_requested_at,
        Some(at(201))
    );
    assert_eq!(store.state(by_hand).await, State::Cancelled);
    let newest = store.slots(&name(), 1).await.unwrap()[0].job_id;
    assert_eq!(store.state(newest.unwrap()).await, State::Ready);
    check_sums(&store).await;
}

#[tokio::test]
async fn a_decision_is_refused_when_the_jobs_it_hangs_on_are_others_by_then() {
    let store = open().await;
    put(&store, spec(), None, 0).await.unwrap();
    let taken_as = |busy, secs| SlotDecision {
        busy: Some(busy),
        ..decision(vec![slot(secs, SlotStatus::Fired)])
    };
    let refused = store.decide(taken_as(true, 100), at(101)).await;
    assert_eq!(refused, Ok(Decided::Overtaken { busy: false }));
    assert!(store.slots(&name(), 10).await.unwrap().is_empty());
    let done = store.decide(taken_as(false, 100), at(101)).await;
    assert_eq!(done, Ok(Decided::Done { cancelled: 0 }));
    let refused = store.decide(taken_as(false, 200), at(201)).await;
    assert_eq!(refused, Ok(Decided::Overtaken { busy: true }));
    let other = store.another().await;
    let again = other.decide(taken_as(true, 200), at(201)).await;
    assert_eq!(again, Ok(Decided::Done { cancelled: 0 }));
    assert_eq!(store.slots(&name(), 10).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_slot_that_waits_is_kept_until_it_is_decided_or_the_schedule_changes() {
    let store = open().await;
    put(&store, spec(), None, 0).await.unwrap();
    store.hold(&name(), 1, at(99)).await.unwrap();
    store.hold(&name(), 2, at(100)).await.unwrap();
    let waiting = async || {
        let schedule = store.schedule(&name()).await.unwrap().unwrap();
        schedule.waiting_slot
    };
    assert_eq!(waiting().await, None, "another slot, another version");
    store.hold(&name(), 1, at(100)).await.unwrap();
    assert_eq!(waiting().await, Some(at(100)));
    let due = store.due_schedules(at(100), 10).await.unwrap();
    assert!(due[0].waiting);
    put(&store, spec(), None, 1).await.unwrap();
    assert_eq!(waiting().await, None, "changed");
    store.hold(&name(), 2, at(101)).await.unwrap();
    let decided = SlotDecision {
        version: 2,
        ..decision(vec![slot(101, SlotStatus::Fired)])
    };
    store.decide(decided, at(102)).await.unwrap();
    assert_eq!(waiting().await, None, "decided");
}

#[tokio::test]
async fn a_schedule_that_stands_still_says_why_until_it_is_changed() {
    let store = open().await;
    put(&store, spec(), None, 0).await.unwrap();
    store.stand_still(&name(), 7, "another").await.unwrap();
    let shown = async || store.schedule(&name()).await.unwrap().unwrap();
    assert_eq!(shown().await.fault, None, "another version");
    store.stand_still(&name(), 1, "no such zone").await.unwrap();
    let still = shown().await;
    assert_eq!(
        (still.next_at, still.fault.as_deref()),
        (None, Some("no such zone"))
    );
    put(&store, spec(), None, 1).await.unwrap();
    let mended = shown().await;
    assert_eq!((mended.next_at, mended.fault), (Some(at(101)), None));
}

#[tokio::test]
async fn a_removed_schedule_leaves_its_jobs() {
    let store = open().await;
    put(&store, spec(), None, 0).await.unwrap();
    store
        .decide(decision(vec![slot(100, SlotStatus::Fired)]), at(101))
        .await
        .unwrap();
    let changed = OperatorError::VersionChanged { current: 1 };
    assert_eq!(
        store.delete_schedule(&name(), Some(7)).await,
        Err(StoreError::Refused(changed))
    );
    store.delete_schedule(&name(), Some(1)).await.unwrap();
    let gone = OperatorError::not_found(Thing::Schedule, name());
    assert_eq!(
        store.delete_schedule(&name(), None).await,
        Err(StoreError::Refused(gone))
    );
    assert_eq!(store.schedule(&name()).await.unwrap(), None);
    assert!(store.slots(&name(), 10).await.unwrap().is_empty());
    assert_eq!(store.counts(at(101)).await.unwrap().total(), 1);
}
