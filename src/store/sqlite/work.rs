//! What the writer is asked to do, and the transaction it does it in.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use rusqlite::Connection;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::effects::Effects;
use super::elsewhere::Elsewhere;
use super::error::is_one_commands;
use super::lanes::Lanes;
use super::sql::Sql;
use super::waiting::Waiting;
use crate::store::{StoreError, StoreResult};

/// An open transaction of the writer. It lasts for one batch.
#[derive(Debug)]
pub(super) struct Tx<'c> {
    pub(super) conn: &'c Connection,
    pub(super) lanes: &'c mut Lanes,
    pub(super) elsewhere: &'c mut Elsewhere,
    /// Claims that wait for jobs.
    pub(super) waiting: &'c mut Waiting,
    /// What the batch has done so far.
    pub(super) effects: Effects,
    /// Whether anybody listens for changed jobs.
    pub(super) watched: bool,
    /// Where a test may hold the writer up.
    pub(super) hooks: &'c Hooks,
}

/// A piece of work for the writer and what it answers.
pub(super) trait Work: Send + Sync + 'static {
    /// The answer.
    type Out: Send + 'static;

    /// How much it adds to a batch, which is bounded by it: the rows it is likely to touch, with
    /// [`weight_of`] for those that hold text of any length.
    fn weight(&self) -> usize {
        1
    }
}

/// The weight of a row with so many bytes of text: as of a row more for each two KiB.
pub(super) const fn weight_of(bytes: usize) -> usize {
    1 + bytes / 2048
}

/// Work of which a whole batch is done by few statements.
pub(super) trait Fold: Work + Sized {
    /// Does all of `group`; answers in its order. An error means that nothing may be kept.
    fn fold(group: &[&Self], tx: &mut Tx<'_>) -> StoreResult<Vec<StoreResult<Self::Out>>>;
}

/// Work that is done by itself.
pub(super) trait Single: Work {
    /// Does it. An error means that nothing of it is kept.
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<Self::Out>;
}

/// Work with somebody waiting for its answer.
#[derive(Debug)]
pub(super) struct Asked<W: Work> {
    work: W,
    answer: oneshot::Sender<StoreResult<W::Out>>,
    outcome: Option<StoreResult<W::Out>>,
}

impl<W: Work> Asked<W> {
    /// The work and where its answer will come.
    pub(super) fn new(work: W) -> (Self, oneshot::Receiver<StoreResult<W::Out>>) {
        let (answer, receiver) = oneshot::channel();
        let asked = Asked {
            work,
            answer,
            outcome: None,
        };
        (asked, receiver)
    }

    /// See [`Work::weight`].
    pub(super) fn weight(&self) -> usize {
        self.work.weight()
    }

    /// The work.
    pub(super) fn work(&self) -> &W {
        &self.work
    }

    /// The work, to change what it asks.
    pub(super) fn work_mut(&mut self) -> &mut W {
        &mut self.work
    }

    /// What was decided, if anything was.
    pub(super) fn outcome(&self) -> Option<&StoreResult<W::Out>> {
        self.outcome.as_ref()
    }

    /// Whether nobody waits for the answer any more.
    pub(super) fn is_unheard(&self) -> bool {
        self.answer.is_closed()
    }

    /// Keeps the answer until the commit.
    pub(super) fn decide(&mut self, outcome: StoreResult<W::Out>) {
        self.outcome = Some(outcome);
    }

    /// Answers: with what was decided when the batch is committed, else with why it is not. Gives the
    /// answer back when nobody waits for it any more.
    pub(super) fn settle(self, batch: &StoreResult<()>) -> Option<(W, W::Out)> {
        let outcome = match batch {
            Ok(()) => self.outcome.unwrap_or_else(|| {
                Err(StoreError::Unavailable(
                    "the store gave no answer".to_owned(),
                ))
            }),
            Err(error) => Err(error.clone()),
        };
        match self.answer.send(outcome) {
            Err(Ok(unheard)) => Some((self.work, unheard)),
            Err(Err(_)) | Ok(()) => None,
        }
    }
}

/// A [`Single`] work of any type with somebody waiting.
pub(super) trait AnySingle: Send {
    /// Does it and keeps the answer.
    fn run(&mut self, tx: &mut Tx<'_>) -> StoreResult<()>;
    /// Keeps a refusal as its answer.
    fn refuse(&mut self, error: StoreError);
    /// See [`Asked::settle`].
    fn settle(self: Box<Self>, batch: &StoreResult<()>);
    /// See [`Work::weight`].
    fn weight(&self) -> usize;
}

impl<W: Single> AnySingle for Asked<W> {
    fn run(&mut self, tx: &mut Tx<'_>) -> StoreResult<()> {
        let out = self.work.run(tx)?;
        self.outcome = Some(Ok(out));
        Ok(())
    }

    fn refuse(&mut self, error: StoreError) {
        self.outcome = Some(Err(error));
    }

    fn settle(self: Box<Self>, batch: &StoreResult<()>) {
        Asked::settle(*self, batch);
    }

    fn weight(&self) -> usize {
        self.work.weight()
    }
}

/// Does a group of equal works; an error means that the whole batch must be rolled back.
pub(super) fn fold<W: Fold>(asked: &mut [Asked<W>], tx: &mut Tx<'_>) -> StoreResult<()> {
    if asked.is_empty() {
        return Ok(());
    }
    let group: Vec<&W> = asked.iter().map(|asked| &asked.work).collect();
    let outcomes = W::fold(&group, tx)?;
    for (asked, outcome) in asked.iter_mut().zip(outcomes) {
        asked.decide(outcome);
    }
    Ok(())
}

/// Does something that may fail by itself: its changes and effects are kept only if it succeeds. The
/// outer result is a fault of the connection, which ends the batch.
pub(super) fn alone<T>(
    tx: &mut Tx<'_>,
    work: impl FnOnce(&mut Tx<'_>) -> StoreResult<T>,
) -> StoreResult<StoreResult<T>> {
    tx.conn.run("SAVEPOINT alone", [])?;
    let before = std::mem::take(&mut tx.effects);
    match work(tx) {
        Ok(out) => {
            tx.conn.run("RELEASE alone", [])?;
            let done = std::mem::replace(&mut tx.effects, before);
            tx.effects.merge(done);
            Ok(Ok(out))
        }
        Err(error) if is_one_commands(&error) => {
            tx.conn.run("ROLLBACK TO alone", [])?;
            tx.conn.run("RELEASE alone", [])?;
            tx.effects = before;
            tx.lanes.forget();
            Ok(Err(error))
        }
        Err(error) => Err(error),
    }
}

/// Places in the writer where a test may hold it up or make it fail. Empty in ordinary use.
#[derive(Default)]
pub struct Hooks {
    /// Called between the reading of expired leases and the writing.
    pub rescue: Option<Hook>,
    /// Called between the reading of a due schedule and the transaction of the decision on it.
    pub decide: Option<Hook>,
    /// Called before each commit.
    pub commit: Option<Hook>,
    /// The most pages the file may have, if not zero: a full disk for tests.
    pub max_pages: Option<Arc<AtomicU32>>,
}

/// Something a test does in the middle of the writer's work.
pub type Hook = Box<dyn Fn() -> futures_util::future::BoxFuture<'static, ()> + Send + Sync>;

impl std::fmt::Debug for Hooks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hooks").finish_non_exhaustive()
    }
}

impl Hooks {
    /// Waits for the hook, if there is one.
    pub(super) async fn at(hook: Option<&Hook>) {
        if let Some(hook) = hook {
            hook().await;
        }
    }

    /// The same on the writer's thread.
    pub(super) fn hold(hook: Option<&Hook>) {
        if hook.is_some() {
            Handle::current().block_on(Hooks::at(hook));
        }
    }
}
