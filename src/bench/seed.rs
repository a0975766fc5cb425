//! A database as a shop would have it after some days: queues and kinds, jobs in every state, tags,
//! failed attempts, a dead letter with causes, and the history of all that.
//!
//! Everything goes through the store as it would have gone then, each at its own past time, so that
//! counts, history and indexes are those of a real life, in its order. Time goes in bursts: a thousand
//! jobs come within a second, and are claimed and ended in a few commits.

use conveyor_model::job::{Claimed, Failure};
use conveyor_model::name::WorkerName;
use conveyor_model::new_job::{Due, NewJob};
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::{Finish, FinishOutcome, Lease};
use futures_util::future::{try_join_all, try_join3};

use super::payload;
use crate::demo::dice::Dice;
use crate::store::{Claim, Insert, Store};

/// How long ago it began; finished jobs are kept for a day more unless it is set otherwise.
const PAST: Span = Span::from_secs(6 * 86_400);
/// Jobs that come at once.
const BURST: usize = 1000;
/// In how many parts, each at its own time within the second.
const PARTS: usize = 10;
/// Jobs claimed at once: those of a burst and what is due again.
const CLAIM: usize = 1500;
/// Bursts after which history is folded, as a server does all the time.
const FOLD: usize = 100;
/// Of a hundred jobs one is left waiting, at the end.
const WAITING: usize = 100;

/// Queues and kinds, those with more jobs more often.
const LANES: [(&str, &str); 12] = [
    ("mail", "mail.receipt"),
    ("mail", "mail.receipt"),
    ("mail", "mail.receipt"),
    ("mail", "mail.newsletter"),
    ("hooks", "order.announce"),
    ("hooks", "order.announce"),
    ("hooks", "stock.announce"),
    ("billing", "invoice.issue"),
    ("billing", "payment.settle"),
    ("media", "picture.resize"),
    ("search", "article.index"),
    ("reports", "report.nightly"),
];

const CAUSES: [(&str, &str); 8] = [
    ("Timeout", "the mail server did not answer within 30 s"),
    ("Refused", "mailbox unavailable: no such user here"),
    ("HttpStatus", "the partner answered 503 Service Unavailable"),
    ("HttpStatus", "the partner answered 410 Gone"),
    ("CardDeclined", "the card was declined: insufficient funds"),
    ("DecodeError", "the picture is cut off after 18432 bytes"),
    (
        "Conflict",
        "the article was changed meanwhile; version 7 expected",
    ),
    ("DataMissing", "no figures from branch 12"),
];

const TAGS: [&str; 6] = [
    "eu",
    "us",
    "vip",
    "import",
    "customer:4711",
    "campaign:autumn",
];
const WORKERS: [&str; 3] = ["shop-1", "shop-2", "shop-3"];

/// Fills a store with so many jobs, the newest of which are of `now`. Tells `so_far` how many there are.
pub(crate) async fn seed(
    store: &dyn Store,
    jobs: usize,
    now: Timestamp,
    so_far: impl Fn(usize),
) -> anyhow::Result<()> {
    let waiting = jobs / WAITING;
    let lived = jobs - waiting;
    let bursts = lived.div_ceil(BURST).max(1);
    let pause = PAST.micros() / i64::try_from(bursts)?;
    let mut teller = Teller {
        store,
        dice: Dice::new(0x5eed),
        next: 0,
    };
    let mut at = now.minus(PAST);
    while teller.next < lived {
        teller.burst(BURST.min(lived - teller.next), at).await?;
        if (teller.next / BURST).is_multiple_of(FOLD) {
            store.roll_up(at).await?;
        }
        at = at.plus(Span::from_micros(pause)).min(now);
        so_far(teller.next);
    }
    while teller.next < jobs {
        let batch = teller.jobs(BURST.min(jobs - teller.next))?;
        let batch = batch.into_iter().map(|job| teller.waiting(job)).collect();
        teller.store(batch, now).await?;
        so_far(teller.next);
    }
    Ok(())
}

struct Teller<'a> {
    store: &'a dyn Store,
    dice: Dice,
    /// The number of the next job.
    next: usize,
}

impl Teller<'_> {
    /// Jobs come, and all there are to do are done.
    async fn burst(&mut self, count: usize, at: Timestamp) -> anyhow::Result<()> {
        let parts = count.div_ceil(PARTS).max(1);
        let jobs = self.jobs(count)?;
        let worker = WorkerName::new(self.dice.pick(WORKERS))?;
        let coming = jobs.chunks(parts).enumerate().map(|(n, part)| {
            let before = i64::try_from(PARTS.saturating_sub(n)).unwrap_or(1) * 80;
            let insert = Insert {
                jobs: part.to_vec(),
                atomic: true,
            };
            self.store
                .insert(insert, at.minus(Span::from_millis(before)))
        });
        let claim = Claim {
            worker,
            queues: Vec::new(),
            kinds: None,
            max: CLAIM,
            lease: Span::from_secs(60),
        };
        // Polled in this order, so that one commit may hold all three.
        let (_, _, claimed) = try_join3(
            try_join_all(coming),
            self.store.promote(at, CLAIM),
            self.store.claim(claim, at),
        )
        .await?;
        self.end(&claimed, at).await
    }

    /// Ends attempts in three goes: the quick, the usual, the slow.
    async fn end(&mut self, claimed: &[Claimed], at: Timestamp) -> anyhow::Result<()> {
        let mut goes = [Vec::new(), Vec::new(), Vec::new()];
        for job in claimed {
            let go = self.dice.pick([0, 0, 0, 1, 1, 2]);
            let report = self.report(job);
            goes[go].push(report);
        }
        for (reports, usual) in goes.into_iter().zip([40, 400, 4000]) {
            let took = self.dice.about(usual);
            self.store.finish(reports, at.plus(took)).await?;
        }
        Ok(())
    }

    /// How an attempt ends: well, nearly always.
    fn report(&mut self, job: &Claimed) -> Finish {
        let lease = Lease::of(job);
        let chance = self.dice.between(0, 999);
        if chance < 955 {
            return Finish::succeeded(lease, None);
        }
        let (class, message) = self.dice.pick(CAUSES);
        let failed = Finish::failed(lease, &Failure::new(class, message));
        match chance {
            955..=987 => failed,
            988..=993 => Finish {
                outcome: FinishOutcome::Dead,
                ..failed
            },
            _ => Finish::of(lease, FinishOutcome::Cancelled),
        }
    }

    fn jobs(&mut self, count: usize) -> anyhow::Result<Vec<NewJob>> {
        let first = self.next;
        self.next += count;
        (first..first + count).map(|n| self.job(n)).collect()
    }

    fn job(&mut self, n: usize) -> anyhow::Result<NewJob> {
        let (queue, kind) = self.dice.pick(LANES);
        let mut job = crate::conveyor::job(kind, &payload::order(n))?;
        job.queue = queue.parse()?;
        if self.dice.one_in(5) {
            job.tags.push(self.dice.pick(TAGS).parse()?);
        }
        if self.dice.one_in(50) {
            job.priority = self.dice.pick([0_i64, 3, 7, 9]).try_into()?;
        }
        Ok(job)
    }

    /// The same job, half of the time for later.
    fn waiting(&mut self, mut job: NewJob) -> NewJob {
        if self.dice.one_in(2) {
            job.due = Due::After(Span::from_secs(self.dice.between(3600, 7 * 86_400)));
        }
        job
    }

    async fn store(&self, jobs: Vec<NewJob>, at: Timestamp) -> anyhow::Result<()> {
        let insert = Insert { jobs, atomic: true };
        self.store.insert(insert, at).await?;
        Ok(())
    }
}
