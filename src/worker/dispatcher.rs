//! The dispatcher: takes jobs and puts them in line for a slot.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use conveyor_model::worker::{Lease, MAX_BATCH, WorkerState};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::ahead::Ahead;
use super::attempt::Crew;
use super::line::Waiting;
use super::link::{LinkResult, Taken};

/// How long it waits after a claim that failed.
const PAUSE: Duration = Duration::from_secs(1);

/// Keeps the slots at work.
pub(super) struct Dispatcher {
    crew: Arc<Crew>,
    told: watch::Receiver<WorkerState>,
    /// What it was told when it last listened.
    state: WorkerState,
    stop: CancellationToken,
    ahead: Ahead,
    /// The claim that is on its way.
    claim: Option<BoxFuture<'static, LinkResult<Taken>>>,
    /// No claim before then.
    pause: Option<Instant>,
}

/// What the dispatcher waited for.
enum Step {
    Stop,
    Taken(LinkResult<Taken>),
    /// Jobs have waited too long for a slot.
    HeldUp,
    Again,
}

impl Dispatcher {
    /// For a pool; it does what it is `told`, until `stop`.
    pub(super) fn new(
        crew: Arc<Crew>,
        told: watch::Receiver<WorkerState>,
        stop: CancellationToken,
    ) -> Self {
        Dispatcher {
            crew,
            told,
            state: WorkerState::Run,
            stop,
            ahead: Ahead::default(),
            claim: None,
            pause: None,
        }
    }

    /// Takes jobs until the pool stops; gives back those that have no slot by then.
    pub(super) async fn run(mut self) {
        loop {
            self.state = *self.told.borrow_and_update();
            if self.state == WorkerState::Stop {
                break;
            }
            if self.may_ask() {
                self.ask();
            }
            match self.step().await {
                Step::Stop => break,
                Step::Again => {}
                Step::HeldUp => {
                    self.crew.pace.slowed();
                    let (crew, rest) = (Arc::clone(&self.crew), self.crew.line.take_back());
                    tokio::spawn(async move { give_back(&crew, rest).await });
                }
                Step::Taken(Ok(taken)) => self.keep(taken),
                Step::Taken(Err(error)) => {
                    tracing::warn!(%error, "no jobs could be claimed");
                    self.pause = Some(Instant::now() + PAUSE);
                }
            }
        }
        self.leave().await;
    }

    fn may_ask(&self) -> bool {
        self.state == WorkerState::Run && self.claim.is_none() && self.pause.is_none()
    }

    /// Asks for as many jobs as are wanted, if any are.
    fn ask(&mut self) {
        let (free, waiting) = self.crew.line.free_and_waiting();
        let wanted = self.ahead.wanted(self.most_ahead(), free, waiting);
        if wanted > 0 {
            let (link, stop) = (Arc::clone(&self.crew.link), self.stop.clone());
            let wanted = wanted.min(MAX_BATCH);
            self.claim = Some(async move { link.claim(wanted, &stop).await }.boxed());
        }
    }

    fn most_ahead(&self) -> usize {
        self.crew.pace.ahead(self.crew.line.slots())
    }

    async fn step(&mut self) -> Step {
        let (asks, paused) = (self.may_ask(), self.pause.is_some());
        let mark = self.most_ahead() / 2;
        let answer = async {
            match &mut self.claim {
                Some(claim) => claim.await,
                None => std::future::pending().await,
            }
        };
        let pause = self.pause.unwrap_or_else(Instant::now);
        let held_up = self.crew.line.held_up_since();
        let patience = held_up.map_or_else(Instant::now, |since| {
            Instant::from_std(since) + self.crew.ahead_for
        });
        let step = tokio::select! {
            biased;
            () = self.stop.cancelled() => Step::Stop,
            told = self.told.changed() => if told.is_ok() { Step::Again } else { Step::Stop },
            answer = answer => Step::Taken(answer),
            () = self.crew.line.low(mark), if asks => Step::Again,
            () = sleep_until(patience), if held_up.is_some() => Step::HeldUp,
            () = sleep_until(pause), if paused => Step::Again,
        };
        if matches!(step, Step::Taken(_)) {
            self.claim = None;
        }
        self.pause = self.pause.filter(|pause| Instant::now() < *pause);
        step
    }

    fn keep(&mut self, taken: Taken) {
        self.ahead.saw(&taken.jobs);
        let crew = &self.crew;
        let waiting = taken.jobs.into_iter().map(|job| Waiting {
            held: crew.hold(&job, taken.since),
            job,
            since: std::time::Instant::now(),
        });
        crew.line.push(waiting);
    }

    /// Gives back what has no slot yet, and what a claim still brings.
    async fn leave(mut self) {
        give_back(&self.crew, self.crew.line.close()).await;
        let Some(claim) = self.claim.take() else {
            return;
        };
        match claim.await {
            Ok(taken) => {
                hand_back(&self.crew, taken.jobs.iter().map(Lease::of).collect()).await;
            }
            Err(error) => tracing::debug!(%error, "the last claim failed"),
        }
    }
}

/// Gives jobs back that waited in line. They count as held until then: a stop that loses patience gives
/// them back itself.
async fn give_back(crew: &Crew, jobs: VecDeque<Waiting>) {
    let leases: Vec<Lease> = jobs.iter().map(|job| job.held.lease).collect();
    hand_back(crew, leases.clone()).await;
    for lease in &leases {
        crew.leases.release(lease);
    }
}

/// Gives jobs back as far as the queue answers.
pub(super) async fn hand_back(crew: &Crew, leases: Vec<Lease>) {
    if leases.is_empty() {
        return;
    }
    tracing::info!(jobs = leases.len(), "jobs are handed back unfinished");
    if let Err(error) = crew.link.hand_back(leases).await {
        tracing::warn!(%error, "jobs could not be handed back; they are rescued when their leases end");
    }
}
