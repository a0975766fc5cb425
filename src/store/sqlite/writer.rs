//! The writer: one thread that owns the only connection that writes. It has SQLite to itself, so that a
//! statement costs no change of thread, of which a batch would have two for each.
//!
//! While it commits one batch, the next gathers in its channels; so each sync serves everybody who
//! asked meanwhile, and an idle store answers after one sync. What keeps or ends an attempt has a channel
//! of its own and goes first: however much is being enqueued, no lease runs out behind it. Works of one kind in a batch are done by
//! few statements; when one of them is refused by the database, the batch is rolled back and each work
//! is done again under a savepoint of its own, so that the bad one fails alone. Nobody is answered
//! before the commit. A connection whose transaction is in doubt is never used again.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use rusqlite::Connection;
use tokio::runtime::Handle;

use super::claim::Claims;
use super::connect;
use super::effects::Effects;
use super::elsewhere::Elsewhere;
use super::error::is_one_commands;
use super::finish::{Finishes, HandBack};
use super::health::Health;
use super::inbox::{Command, Inbox};
use super::insert::Inserts;
use super::lanes::Lanes;
use super::renew::Renewals;
use super::sql::Sql;
use super::waiting::Waiting;
use super::work::{AnySingle, Asked, Hooks, Tx, alone, fold};
use crate::events::Events;
use crate::metrics::meters::Meters;
use crate::store::{StoreError, StoreResult};

/// The writer's state.
pub(super) struct Writer {
    path: PathBuf,
    /// None while a transaction is open on it, and after it was discarded.
    conn: Option<Connection>,
    lanes: Lanes,
    elsewhere: Elsewhere,
    events: Events,
    health: Arc<Health>,
    hooks: Arc<Hooks>,
    waiting: Waiting,
    /// Why nothing can be written any more.
    fatal: Option<StoreError>,
}

/// Works gathered for one commit, in the order in which they are done: ends first, so that a claim in
/// the same batch can use what they set free; claims last, so that they see what was just stored.
#[derive(Default)]
struct Batch {
    finishes: Vec<Asked<Finishes>>,
    renewals: Vec<Asked<Renewals>>,
    others: Vec<Box<dyn AnySingle>>,
    inserts: Vec<Asked<Inserts>>,
    claims: Vec<Asked<Claims>>,
}

impl Batch {
    fn push(&mut self, command: Command) {
        match command {
            Command::Insert(asked) => self.inserts.push(asked),
            Command::Claim(asked) => self.claims.push(asked),
            Command::Finish(asked) => self.finishes.push(asked),
            Command::Renew(asked) => self.renewals.push(asked),
            Command::Other(asked) => self.others.push(asked),
        }
    }

    /// How many wait for it.
    fn len(&self) -> usize {
        self.finishes.len()
            + self.renewals.len()
            + self.others.len()
            + self.inserts.len()
            + self.claims.len()
    }

    /// Does all works together.
    fn run(&mut self, tx: &mut Tx<'_>, meters: &Meters) -> StoreResult<()> {
        measured(meters, "finish", &mut self.finishes, tx)?;
        measured(meters, "heartbeat", &mut self.renewals, tx)?;
        for other in &mut self.others {
            let began = Instant::now();
            if let Err(refused) = alone(tx, |tx| other.run(tx))? {
                other.refuse(refused);
            }
            meters.queried("other", began.elapsed());
        }
        measured(meters, "enqueue", &mut self.inserts, tx)?;
        self.hand_off(tx);
        measured(meters, "claim", &mut self.claims, tx)?;
        tx.effects.write(tx.conn)
    }

    /// Lets claims that wait take from the jobs this batch stored; they have waited longest, so first.
    fn hand_off(&mut self, tx: &mut Tx<'_>) {
        let Some(now) = self.inserts.iter().map(|asked| asked.work().now()).max() else {
            return;
        };
        if !tx.effects.newly_ready().is_empty() {
            let newer = std::mem::take(&mut self.claims);
            self.claims = tx.waiting.take(now);
            self.claims.extend(newer);
        }
    }

    /// Does each work by itself, so that a bad one fails alone.
    fn run_apart(&mut self, tx: &mut Tx<'_>) -> StoreResult<()> {
        apart(&mut self.finishes, tx)?;
        apart(&mut self.renewals, tx)?;
        for other in &mut self.others {
            let done = alone(tx, |tx| {
                other.run(tx)?;
                tx.effects.write(tx.conn)
            });
            if let Err(refused) = done? {
                other.refuse(refused);
            }
        }
        apart(&mut self.inserts, tx)?;
        apart(&mut self.claims, tx)
    }

    /// Answers everybody but claims that wait. Jobs claimed for a caller that has gone are given back.
    fn settle(self, result: &StoreResult<()>, waiting: &mut Waiting) -> Option<HandBack> {
        for asked in self.finishes {
            asked.settle(result);
        }
        for asked in self.renewals {
            asked.settle(result);
        }
        for asked in self.others {
            asked.settle(result);
        }
        for asked in self.inserts {
            asked.settle(result);
        }
        let mut unheard: Option<HandBack> = None;
        for asked in self.claims {
            if let Some(asked) = waiting.keep(asked, result)
                && let Some((claims, jobs)) = asked.settle(result)
                && !jobs.is_empty()
            {
                unheard
                    .get_or_insert_with(|| HandBack::new(claims.now()))
                    .add(&jobs);
            }
        }
        unheard
    }
}

/// Does works of one kind together and notes how long that takes.
fn measured<W: super::work::Fold>(
    meters: &Meters,
    op: &'static str,
    asked: &mut [Asked<W>],
    tx: &mut Tx<'_>,
) -> StoreResult<()> {
    if asked.is_empty() {
        return Ok(());
    }
    let began = Instant::now();
    fold(asked, tx)?;
    meters.queried(op, began.elapsed());
    Ok(())
}

/// Does each of some works under a savepoint.
fn apart<W: super::work::Fold>(asked: &mut [Asked<W>], tx: &mut Tx<'_>) -> StoreResult<()> {
    for asked in asked {
        let one = std::slice::from_mut(asked);
        let done = alone(tx, |tx| {
            fold(one, tx)?;
            tx.effects.write(tx.conn)
        });
        if let Err(refused) = done? {
            asked.decide(Err(refused));
        }
    }
    Ok(())
}

impl Writer {
    /// A writer on an open connection.
    pub(super) fn new(
        path: PathBuf,
        conn: Connection,
        events: Events,
        health: Arc<Health>,
        hooks: Arc<Hooks>,
    ) -> Self {
        let (conn, lanes) = (Some(conn), Lanes::default());
        Writer {
            path,
            conn,
            lanes,
            elsewhere: Elsewhere::default(),
            events,
            health,
            hooks,
            waiting: Waiting::default(),
            fatal: None,
        }
    }

    /// Works until every sender is gone and nothing is left to do. Meanwhile the runtime that is entered
    /// goes on, where those who ask are.
    pub(super) fn run(mut self, mut inbox: Inbox) {
        let runtime = Handle::current();
        let mut unheard: Option<HandBack> = None;
        let mut crowd = false;
        loop {
            let mut batch = Batch::default();
            let mut weight = 0;
            if let Some(back) = unheard.take() {
                batch.push(Command::Other(Box::new(Asked::new(back).0)));
            } else {
                let Some(first) = runtime.block_on(inbox.next()) else {
                    break;
                };
                weight += first.weight();
                batch.push(first);
                if crowd {
                    // Those who were just answered are about to ask again; without this turn of theirs the
                    // first of them would have a commit to himself.
                    std::thread::yield_now();
                }
            }
            while let Some(next) = inbox.more(weight) {
                weight += next.weight();
                batch.push(next);
            }
            crowd = batch.len() > 1;
            unheard = self.commit(batch);
        }
        if let Some(conn) = self.conn.take() {
            connect::discard(conn);
        }
    }

    /// Does a batch in one transaction and answers.
    fn commit(&mut self, mut batch: Batch) -> Option<HandBack> {
        if let Some(fatal) = self.fatal.clone() {
            return batch.settle(&Err(fatal), &mut self.waiting);
        }
        let mut result = self.attempt(&mut batch, false);
        if result.as_ref().is_err_and(is_one_commands) {
            result = self.attempt(&mut batch, true);
        }
        let mut wake = false;
        let result = match result {
            Ok(effects) => {
                self.health.disk_full.store(false, Ordering::Relaxed);
                effects.measure(&self.health.meters);
                wake = effects.publish(&self.events);
                Ok(())
            }
            Err(error) => {
                self.note(&error);
                Err(error)
            }
        };
        if wake {
            self.waiting.wake();
        }
        batch.settle(&result, &mut self.waiting)
    }

    fn note(&mut self, error: &StoreError) {
        match error {
            StoreError::DiskFull => {
                if !self.health.disk_full.swap(true, Ordering::Relaxed) {
                    tracing::error!("the disk is full: nothing can be stored until there is space");
                }
            }
            StoreError::Fatal(why) => {
                tracing::error!(%why, "the database file cannot be trusted any more");
                self.waiting.end(error);
                self.fatal = Some(error.clone());
            }
            StoreError::Unavailable(why) => tracing::warn!(%why, "a write was not possible"),
            StoreError::Refused(_) | StoreError::Corrupt { .. } => {
                tracing::error!(%error, "a batch of writes was refused");
            }
        }
    }

    /// One transaction. Leaves the connection either clean or gone.
    fn attempt(&mut self, batch: &mut Batch, apart: bool) -> StoreResult<Effects> {
        let conn = self.begin()?;
        let mut tx = Tx {
            conn: &conn,
            lanes: &mut self.lanes,
            elsewhere: &mut self.elsewhere,
            waiting: &mut self.waiting,
            effects: Effects::default(),
            watched: self.events.watched(),
            hooks: &self.hooks,
        };
        let run = if apart {
            batch.run_apart(&mut tx)
        } else {
            batch.run(&mut tx, &self.health.meters)
        };
        let effects = std::mem::take(&mut tx.effects);
        let done = match run {
            Ok(()) => {
                Hooks::hold(self.hooks.commit.as_ref());
                let began = Instant::now();
                let committed = conn.run("COMMIT", []);
                self.health.meters.queried("commit", began.elapsed());
                committed
            }
            Err(error) => Err(error),
        };
        match done {
            Ok(_) => {
                self.conn = Some(conn);
                Ok(effects)
            }
            Err(error) => {
                self.lanes.forget();
                self.elsewhere.forget();
                let sound = is_one_commands(&error) && conn.run("ROLLBACK", []).is_ok();
                if sound {
                    self.conn = Some(conn);
                } else {
                    connect::discard(conn);
                }
                Err(error)
            }
        }
    }

    /// A connection with a write transaction open on it.
    fn begin(&mut self) -> StoreResult<Connection> {
        let conn = match self.conn.take() {
            Some(conn) => conn,
            None => connect::writer(&self.path)?,
        };
        self.limit(&conn)?;
        match connect::begin(&conn) {
            Ok(()) => Ok(conn),
            Err(error) => {
                self.elsewhere.forget();
                connect::discard(conn);
                Err(error.into())
            }
        }
    }

    /// Makes the disk as small as a test wants it.
    fn limit(&self, conn: &Connection) -> StoreResult<()> {
        if let Some(pages) = &self.hooks.max_pages {
            let pages = match pages.load(Ordering::Relaxed) {
                0 => u32::MAX - 1,
                pages => pages,
            };
            conn.execute_batch(&format!("PRAGMA max_page_count = {pages}"))?;
        }
        Ok(())
    }
}
