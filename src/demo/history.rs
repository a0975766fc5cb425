//! The hour before the first start: jobs are stored, claimed and ended through the store as a worker
//! would, each at its own past time, so that charts, attempts and the dead letter are real.
//!
//! Time goes in moments: one a minute at first, one in ten seconds for the last minutes, which is as
//! fine as the charts look. Each costs three commits, which is what the time of telling hangs on:
//! the ends of one moment share theirs with the beginning of the next. Of successes that share a
//! commit the store takes the latest time for all, so quick, usual and slow ones go apart.

use std::collections::HashMap;

use conveyor_model::job::Claimed;
use conveyor_model::name::{JobId, WorkerName};
use conveyor_model::new_job::NewJob;
use conveyor_model::time::{Span, Timestamp};
use futures_util::future::{try_join, try_join4};

use super::dice::Dice;
use super::ledger::{self, Under};
use super::life::{self, Act};
use super::orders::{self, Sort, valid};
use super::{scenes, schedules};
use crate::store::{Claim, Store, StoreResult};
use crate::upkeep;

const MINUTE: Span = Span::from_secs(60);
const HOUR: Span = Span::from_secs(3600);
/// How much of the end is told in short steps.
const FINE: Span = Span::from_secs(300);
const FINE_STEP: Span = Span::from_secs(10);
/// Moments lie this long after the full minute, so that slots of schedules are just past.
const AFTER: Span = Span::from_millis(300);
/// Orders a minute, again and again.
const WAVE: [i64; 12] = [36, 40, 44, 47, 49, 48, 45, 41, 38, 35, 33, 34];
/// The minutes of the hour in which things went wrong.
const TROUBLE: std::ops::Range<i64> = 33..40;
/// The minutes in which the job of the frequent schedule is so slow that a slot is skipped.
const SLOW: std::ops::Range<i64> = 30..35;
/// Jobs claimed at once.
const BATCH: usize = 1000;

/// A job to be stored at a time of its own, and what will become of it.
pub(super) type Entry = (NewJob, Vec<Act>, Timestamp);

/// Tells the story to the store.
pub(super) struct Teller<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) hooks: &'a str,
    pub(super) dice: Dice,
    pub(super) start: Timestamp,
    /// Jobs for later that are to be called off.
    pub(super) for_later: Vec<JobId>,
    /// When the story ends.
    pub(super) now: Timestamp,
    workers: [WorkerName; 2],
    lives: HashMap<JobId, Vec<Act>>,
    usual: Vec<Under>,
    slow: Vec<Under>,
}

/// Tells the hour before `now`.
pub(super) async fn tell(store: &dyn Store, hooks: &str, now: Timestamp) -> StoreResult<()> {
    let start = now.minus(HOUR).minute();
    let mut teller = Teller {
        store,
        hooks,
        dice: Dice::new(0x00c0_ffee),
        start,
        for_later: Vec::new(),
        now,
        workers: [valid("shop-a-demo"), valid("shop-b-demo")],
        lives: HashMap::new(),
        usual: Vec::new(),
        slow: Vec::new(),
    };
    schedules::put(store, hooks, start).await?;
    let slots = schedules::slots(hooks, start, now);
    let mut at = start;
    while at.plus(AFTER) < now {
        let fine = at >= now.minus(FINE).minute();
        if slots.contains(&at) {
            upkeep::fire(store, at.plus(AFTER), &mut upkeep::Watch::default()).await?;
        }
        teller.moment(at.plus(AFTER), fine).await?;
        at = at.plus(if fine { FINE_STEP } else { MINUTE });
    }
    teller.end_all().await?;
    scenes::leave_for_later(&mut teller).await
}

impl Teller<'_> {
    /// Whole minutes since the story began.
    pub(super) fn minute(&self, at: Timestamp) -> i64 {
        at.since(self.start).micros() / MINUTE.micros()
    }

    async fn moment(&mut self, at: Timestamp, fine: bool) -> StoreResult<()> {
        scenes::play(self, at).await?;
        let mut entries = self.orders(at, fine);
        entries.extend(scenes::entries(self, at));
        let (jobs, lives): (Vec<_>, Vec<_>) = entries
            .into_iter()
            .map(|(job, acts, at)| ((job, at), acts))
            .unzip();
        let (usual, claim) = (std::mem::take(&mut self.usual), self.claim());
        // Polled in this order, so that the claim comes after what it is to find.
        let ((), _, ids, claimed) = try_join4(
            ledger::end(self.store, usual, self.now),
            self.store.promote(at, BATCH),
            ledger::store(self.store, jobs),
            self.store.claim(claim, at),
        )
        .await?;
        self.lives.extend(ids.into_iter().zip(lives));
        let begun: Vec<Under> = claimed
            .iter()
            .filter_map(|job| self.begin(job, at))
            .collect();

        let slow = std::mem::take(&mut self.slow).into_iter();
        let (over, goes_on) = slow.partition(|under| under.end <= at);
        self.slow = goes_on;
        try_join(
            ledger::end(self.store, over, self.now),
            ledger::log(self.store, &begun, self.now),
        )
        .await?;
        let (quick, rest) = split(begun, Span::from_millis(250));
        let (usual, slow) = split(rest, Span::from_millis(2_500));
        self.usual = usual;
        self.slow.extend(slow);
        ledger::end(self.store, quick, self.now).await
    }

    /// Ends what is still under way.
    async fn end_all(&mut self) -> StoreResult<()> {
        for rest in [&mut self.usual, &mut self.slow] {
            ledger::end(self.store, std::mem::take(rest), self.now).await?;
        }
        Ok(())
    }

    fn claim(&mut self) -> Claim {
        let worker = usize::try_from(self.dice.between(0, 1)).unwrap_or(0);
        Claim {
            worker: self.workers[worker].clone(),
            queues: Vec::new(),
            kinds: None,
            max: BATCH,
            lease: HOUR,
        }
    }

    /// The orders that come shortly before `at`.
    fn orders(&mut self, at: Timestamp, fine: bool) -> Vec<Entry> {
        let minute = self.minute(at);
        let trouble = TROUBLE.contains(&minute);
        let wave = WAVE[usize::try_from(minute).unwrap_or(0) % WAVE.len()];
        let count = if fine { wave / 6 } else { wave };
        let mut entries = Vec::new();
        for _ in 0..count {
            let order = orders::any(&mut self.dice, self.hooks);
            let waited = match self.dice.between(0, 19) {
                _ if trouble => self.dice.about(4_000),
                0 => self.dice.about(900),
                1..=4 => self.dice.about(120),
                _ => self.dice.about(12),
            };
            let acts = life::of(order.sort, &order.job.payload, &mut self.dice);
            entries.push((order.job, acts, at.minus(waited)));
        }
        entries
    }

    /// How an attempt goes on that begins at `at`.
    fn begin(&mut self, job: &Claimed, at: Timestamp) -> Option<Under> {
        let sort = sort_of(job.kind.as_str());
        let slow = job.schedule.is_some() && sort == Sort::Stock && SLOW.contains(&self.minute(at));
        // The job of a schedule was not ordered here.
        let acts = self
            .lives
            .entry(job.id)
            .or_insert_with(|| life::of(sort, &job.payload, &mut self.dice));
        let n = usize::try_from(job.attempt).unwrap_or(1);
        let mut act = acts.get(n - 1).or(acts.last())?.clone();
        if slow {
            act.took = Span::from_secs(340);
        }
        Some(Under::new(job, at, act))
    }
}

/// Those that took less than `limit`, and the others.
fn split(under: Vec<Under>, limit: Span) -> (Vec<Under>, Vec<Under>) {
    under.into_iter().partition(|under| under.took < limit)
}

/// What the job of a schedule leads to.
fn sort_of(kind: &str) -> Sort {
    match kind {
        "stock.sync" => Sort::Stock,
        "webhook.call" => Sort::HookOk,
        "image.resize" => Sort::Picture,
        "report.build" => Sort::Report,
        _ => Sort::Mail,
    }
}
