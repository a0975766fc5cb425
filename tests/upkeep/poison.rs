//! A schedule that cannot be used stops no other.

use conveyor::upkeep::realign;
use conveyor_model::operator::Operator;

use super::rig::{Rig, spec};
use crate::support::service::{ann, named, utc};

/// A server with a schedule that is damaged by `sql` and one that is not. The damaged one comes first.
async fn with_damage(sql: &'static str) -> Rig {
    let rig = Rig::new().await;
    rig.plan("bad", spec("* * * * *")).await;
    rig.plan("good", spec("* * * * *")).await;
    damage(&rig, sql).await;
    rig
}

async fn damage(rig: &Rig, sql: &'static str) {
    let mut conn = rig.store.raw().await;
    let done = sqlx::query(sql).execute(&mut conn).await.unwrap();
    assert_eq!(done.rows_affected(), 1);
}

#[tokio::test]
async fn a_damaged_schedule_stops_no_other() {
    for sql in [
        "UPDATE schedule SET spec = '{' WHERE name = 'bad'",
        "UPDATE schedule SET spec = json_set(spec, '$.cron', 'never on sunday') WHERE name = 'bad'",
        "UPDATE schedule SET spec = json_set(spec, '$.timezone', 'Mars/Phobos') WHERE name = 'bad'",
        "UPDATE schedule SET spec = json_set(spec, '$.catch_up', 'perhaps') WHERE name = 'bad'",
        // Its job is refused by the table.
        "UPDATE schedule SET spec = json_set(spec, '$.max_attempts', 0) WHERE name = 'bad'",
    ] {
        let mut rig = with_damage(sql).await;
        realign(&*rig.store, rig.time()).await.unwrap();
        for minute in 1..4 {
            rig.pass_at(&format!("2026-11-30T10:0{minute}:00Z")).await;
        }
        let fired = rig.fired("good").await;
        assert_eq!(
            fired,
            ["11-30T10:01", "11-30T10:02", "11-30T10:03"],
            "{sql}"
        );
    }
}

#[tokio::test]
async fn a_schedule_whose_zone_is_gone_stands_still_and_is_shown_so() {
    let mut rig = with_damage(
        "UPDATE schedule SET spec = json_set(spec, '$.timezone', 'Mars/Phobos') WHERE name = 'bad'",
    )
    .await;
    rig.pass_at("2026-11-30T10:01:00Z").await;
    let bad = rig.planned("bad").await;
    assert_eq!((bad.next_at, bad.description.as_str()), (None, "* * * * *"));
    let fault = bad.fault.unwrap();
    assert!(fault.starts_with("timezone: "), "{fault}");
    assert!(rig.history("bad").await.is_empty());
    // Mended by hand it goes on, and fires nothing of the past.
    rig.clock.set(utc("2026-11-30T10:04:30Z"));
    let mended = rig.plan("bad", spec("* * * * *")).await;
    assert_eq!(
        (mended.next_at, mended.fault),
        (Some(utc("2026-11-30T10:05:00Z")), None)
    );
    rig.pass_at("2026-11-30T10:05:00Z").await;
    assert_eq!(rig.fired("bad").await, ["11-30T10:05"]);
}

#[tokio::test]
async fn a_schedule_that_cannot_be_read_is_mended_by_writing_it_anew() {
    let mut rig = with_damage("UPDATE schedule SET spec = '{' WHERE name = 'bad'").await;
    rig.pass_at("2026-11-30T10:01:00Z").await;
    assert!(rig.schedule(&named("bad")).await.is_err());
    // As the form of a new schedule does it.
    let mended = rig
        .put_schedule(&named("bad"), spec("* * * * *"), Some(0), &ann())
        .await
        .unwrap();
    assert_eq!(
        (mended.next_at, mended.fault),
        (Some(utc("2026-11-30T10:02:00Z")), None)
    );
    rig.pass_at("2026-11-30T10:02:00Z").await;
    assert_eq!(rig.fired("bad").await, ["11-30T10:02"]);
}

#[tokio::test]
async fn more_damaged_schedules_than_are_read_at_once_stop_no_other() {
    let mut rig = with_damage("UPDATE schedule SET spec = '{' WHERE name = 'bad'").await;
    let mut conn = rig.store.raw().await;
    let copied = sqlx::query(
        "WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 1200)
         INSERT INTO schedule (name, spec, next_at, anchor, created_at, updated_at, version)
         SELECT 'bad ' || n, spec, next_at - 1, anchor, created_at, updated_at, version
         FROM schedule, n WHERE name = 'bad'",
    )
    .execute(&mut conn)
    .await
    .unwrap();
    assert_eq!(copied.rows_affected(), 1200);
    rig.pass_at("2026-11-30T10:01:00Z").await;
    assert_eq!(rig.fired("good").await, ["11-30T10:01"]);
}

#[tokio::test]
async fn a_damaged_slot_fires_nothing_again_and_stops_no_schedule() {
    let mut rig = Rig::new().await;
    rig.plan("bad", spec("* * * * *")).await;
    rig.plan("good", spec("* * * * *")).await;
    rig.pass_at("2026-11-30T10:01:00Z").await;
    rig.pass_at("2026-11-30T10:02:00Z").await;
    damage(
        &rig,
        "UPDATE slot SET reason = 'because' WHERE schedule = 'bad' AND slot = (SELECT min(slot) FROM slot)",
    )
    .await;
    // Set back: the slots are looked through for those that fired.
    realign(&*rig.store, utc("2026-11-30T10:00:40Z"))
        .await
        .unwrap();
    for minute in 1..4 {
        rig.pass_at(&format!("2026-11-30T10:0{minute}:00Z")).await;
    }
    assert_eq!(rig.fired("good").await.len(), 3);
    assert_eq!(rig.store.counts(rig.time()).await.unwrap().total(), 6);
    assert_eq!(rig.store.slots(&named("bad"), 10).await.unwrap().len(), 2);
}
