//! Single things that the story tells besides its ordinary course: a paused queue with a note, jobs
//! that were called off, jobs that wait for their time or for another attempt.

use conveyor_model::new_job::{Due, NewJob};
use conveyor_model::queue::Pause;
use conveyor_model::state::Action;
use conveyor_model::time::{Span, Timestamp};
use serde_json::json;

use super::dice::Dice;
use super::history::{Entry, Teller};
use super::life::{Act, End};
use super::orders::{self, LOST_WAREHOUSE, valid};
use super::{kinds, ledger};
use crate::store::StoreResult;

/// The minute in which jobs for later are stored.
const STORED: i64 = 15;
/// The minute in which they are called off.
const CALLED_OFF: i64 = 36;
/// The minute in which the billing queue is paused.
const PAUSED: i64 = 41;
/// The minute from which on some attempts fail whose next one is long in coming.
const WAITING: i64 = 58;
/// How long jobs for later have to wait, in minutes.
const LATER: [i64; 9] = [32, 38, 45, 60, 75, 120, 240, 600, 1_440];

/// What a person does at a moment of the story, if anything.
pub(super) async fn play(teller: &mut Teller<'_>, at: Timestamp) -> StoreResult<()> {
    match teller.minute(at) {
        STORED => {
            let jobs = for_later(teller, at);
            teller.for_later = ledger::store(teller.store, jobs).await?;
        }
        CALLED_OFF => {
            let ids = std::mem::take(&mut teller.for_later);
            teller.store.act(ids, Action::Cancel, at).await?;
        }
        PAUSED => pause(teller, at).await?,
        _ => {}
    }
    Ok(())
}

/// Jobs that come at a moment besides the ordinary ones.
pub(super) fn entries(teller: &mut Teller<'_>, at: Timestamp) -> Vec<Entry> {
    let mut entries = Vec::new();
    let minute = teller.minute(at);
    if minute >= PAUSED {
        let number = 104_000 + at.since(teller.start).micros() / 10_000_000;
        entries.push((orders::invoice(&mut teller.dice, number), Vec::new(), at));
    }
    if minute >= WAITING {
        let (job, act) = retrying(&mut teller.dice);
        entries.push((job, vec![act], at));
    }
    entries
}

async fn pause(teller: &Teller<'_>, at: Timestamp) -> StoreResult<()> {
    let pause = Pause {
        by: "Anna".to_owned(),
        note: Some("The bank changes its certificate; resume when they say so".to_owned()),
        since: at,
        until: None,
    };
    let billing = valid("billing");
    teller.store.set_pause(&billing, Some(pause), at).await
}

/// Leaves jobs that wait for their time when the story ends.
pub(super) async fn leave_for_later(teller: &mut Teller<'_>) -> StoreResult<()> {
    let jobs = for_later(teller, teller.now);
    ledger::store(teller.store, jobs).await.map(drop)
}

fn for_later(teller: &mut Teller<'_>, at: Timestamp) -> Vec<(NewJob, Timestamp)> {
    LATER
        .into_iter()
        .map(|minutes| {
            let job = orders::harmless(&mut teller.dice, teller.hooks).job;
            let due = Due::After(Span::from_secs(minutes * 60));
            (NewJob { due, ..job }, at)
        })
        .collect()
}

/// A job whose attempts fail, and how.
fn retrying(dice: &mut Dice) -> (NewJob, Act) {
    let value = json!({"warehouse": LOST_WAREHOUSE, "items": dice.between(40, 900)});
    let mut job = NewJob::new(valid("stock.sync"), orders::payload(&value));
    job.queue = valid("sync");
    job.max_attempts = 6;
    let wait = Span::from_secs(60 * dice.between(6, 50));
    let act = Act {
        took: dice.about(1_500),
        end: End::Failed(kinds::no_stock(LOST_WAREHOUSE), Some(wait)),
        log: Vec::new(),
    };
    (job, act)
}
