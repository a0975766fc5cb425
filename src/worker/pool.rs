//! The pool: what it is made of, and how all of it stops.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use conveyor_model::json::MAX_BYTES;
use conveyor_model::time::Span;
use conveyor_model::worker::{DEFAULT_LEASE, Lease, WorkerState};
use futures_util::future::join_all;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use super::ahead::Pace;
use super::attempt::Crew;
use super::blocking::Blocking;
use super::dispatcher::{Dispatcher, hand_back};
use super::heartbeat::Heartbeat;
use super::leases::{Leases, Stop};
use super::line::Line;
use super::link::Link;
use super::panic::install_hook;
use super::registry::Registry;
use super::reports::{self, Reports};
use super::slot::{slot, watch as watch_slots};
use crate::clock::Clock;

/// How often log lines and progress go out.
const FLUSH: Duration = Duration::from_millis(300);
/// How long attempts that are cut off at the end have to let go.
const LAST: Duration = Duration::from_millis(500);
/// How long the queue has after that to take jobs back and to hear that the pool is gone.
const PARTING: Duration = Duration::from_millis(1500);

/// How a pool is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolOptions {
    /// Jobs that run at once, from 1.
    pub slots: usize,
    /// How long a lease lasts; must be what the link claims with.
    pub lease: Span,
    /// How long a handler has to end after a person cancelled its job.
    pub cancel_grace: Span,
    /// How long a handler that was dropped may go on before it counts as stuck.
    pub stuck_after: Span,
    /// The largest result, in bytes.
    pub max_result: usize,
    /// How long a job that was taken ahead of its slot may wait for it; then it goes back, so that another
    /// worker may have it.
    pub ahead_for: Span,
}

impl Default for PoolOptions {
    fn default() -> Self {
        PoolOptions {
            slots: 4,
            lease: DEFAULT_LEASE,
            cancel_grace: Span::from_secs(10),
            stuck_after: Span::from_secs(5),
            max_result: MAX_BYTES,
            ahead_for: Span::from_millis(250),
        }
    }
}

/// The threads that handlers run on. They are the pool's own, so that a handler which computes
/// without pause slows down other jobs but not the server around it.
struct Threads(Option<Runtime>);

impl Threads {
    /// As many as there are slots, within reason: then a handler that never yields takes no other
    /// slot's thread.
    fn new(slots: usize) -> io::Result<(Threads, Blocking)> {
        let blocking = slots.saturating_mul(2).max(4);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .thread_name("conveyor-job")
            .worker_threads(slots.clamp(2, 32))
            .max_blocking_threads(blocking + 4)
            .enable_all()
            .build()?;
        let set = Blocking::new(runtime.handle().clone(), blocking);
        Ok((Threads(Some(runtime)), set))
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// A running pool. When it is dropped without [`Pool::stop`], it takes no more jobs, and those at
/// hand are rescued when their leases have run out.
pub struct Pool {
    crew: Arc<Crew>,
    dispatcher: JoinHandle<()>,
    told: watch::Receiver<WorkerState>,
    stop: CancellationToken,
    end: CancellationToken,
    _threads: Threads,
}

impl Pool {
    /// Starts a pool; fails when the system gives it no threads. To be called within a runtime.
    pub fn start(
        link: Arc<dyn Link>,
        registry: Registry,
        clock: Arc<dyn Clock>,
        options: PoolOptions,
    ) -> io::Result<Pool> {
        install_hook();
        let (threads, blocking) = Threads::new(options.slots)?;
        let (stop, end) = (CancellationToken::new(), CancellationToken::new());
        let (tell, told) = watch::channel(WorkerState::Run);
        let leases = Arc::new(Leases::default());
        Heartbeat {
            link: Arc::clone(&link),
            leases: Arc::clone(&leases),
            length: options.lease.to_std(),
            told: tell,
            end: end.clone(),
        }
        .start()?;
        let crew = Arc::new(Crew {
            link,
            registry,
            clock,
            leases,
            runtime: blocking.handle(),
            blocking,
            stopping: stop.clone(),
            cancel_grace: options.cancel_grace.to_std(),
            stuck_after: options.stuck_after.to_std(),
            max_result: options.max_result,
            ahead_for: options.ahead_for.to_std(),
            line: Line::new(options.slots),
            reports: Reports::default(),
            pace: Pace::default(),
            stuck: AtomicUsize::new(0),
        });
        tokio::spawn(flush(Arc::clone(&crew), end.clone()));
        tokio::spawn(reports::send_all(Arc::clone(&crew), end.clone()));
        tokio::spawn(watch_slots(Arc::clone(&crew), end.clone()));
        for _ in 0..options.slots {
            crew.runtime.spawn(slot(Arc::clone(&crew)));
        }
        let dispatcher = Dispatcher::new(Arc::clone(&crew), told.clone(), stop.clone());
        Ok(Pool {
            crew,
            dispatcher: tokio::spawn(dispatcher.run()),
            told,
            stop,
            end,
            _threads: threads,
        })
    }

    /// Jobs at hand.
    pub fn busy(&self) -> usize {
        self.crew.line.busy()
    }

    /// Handlers and blocking work that go on although their attempts are over.
    pub fn stuck(&self) -> usize {
        self.crew.stuck.load(Ordering::Relaxed) + self.crew.blocking.abandoned()
    }

    /// What the pool was last told to do.
    pub fn told(&self) -> WorkerState {
        *self.told.borrow()
    }

    /// Waits until the pool is told to stop by whoever runs the queue.
    pub async fn told_to_stop(&self) {
        let mut told = self.told.clone();
        if told
            .wait_for(|told| *told == WorkerState::Stop)
            .await
            .is_err()
        {
            std::future::pending::<()>().await;
        }
    }

    /// Takes no more jobs, gives those at hand `grace` to end, hands the rest back and says goodbye.
    /// It is over two seconds after the grace at the latest, even if the queue does not answer; without
    /// jobs at hand the grace is not waited for.
    pub async fn stop(self, grace: Span) {
        self.stop_early(grace, std::future::pending()).await;
    }

    /// As [`Pool::stop`], but the grace ends when `vain` does: nothing that jobs still do would count.
    pub async fn stop_early(mut self, grace: Span, vain: impl Future<Output = ()>) {
        self.stop.cancel();
        let dispatcher = &mut self.dispatcher;
        let ended = async {
            if let Err(error) = dispatcher.await {
                tracing::error!(%error, "the dispatcher ended badly");
            }
            self.crew.leases.none_left().await;
        };
        let rest = tokio::select! {
            biased;
            () = ended => Vec::new(),
            () = sleep(grace.to_std()) => self.cut_off().await,
            () = vain => self.cut_off().await,
        };
        self.part(rest).await;
    }

    /// Stops all attempts; answers the leases that they held. A claim that is still on its way goes on
    /// by itself, and hands back what it brings.
    async fn cut_off(&self) -> Vec<Lease> {
        let rest = self.crew.leases.all();
        for held in &rest {
            held.stop(Stop::Interrupted);
        }
        // Handlers end before their jobs are given away, so that none runs twice at once. One that does
        // not end is cut off with the process.
        let _ = timeout(LAST, self.crew.leases.none_left()).await;
        rest.iter().map(|held| held.lease).collect()
    }

    /// Hands jobs back and says goodbye, as far as the queue answers in time.
    async fn part(&self, leases: Vec<Lease>) {
        let over = Instant::now() + PARTING;
        let jobs = leases.len();
        if timeout_at(over.into(), hand_back(&self.crew, leases))
            .await
            .is_err()
        {
            tracing::warn!(
                jobs,
                "the queue does not answer; jobs at hand are rescued when their leases end"
            );
        }
        self.end.cancel();
        match timeout_at(over.into(), self.crew.link.gone()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "the pool could not say goodbye"),
            Err(_) => tracing::debug!("the queue did not hear the pool's goodbye"),
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.stop.cancel();
        self.end.cancel();
    }
}

/// Sends what attempts tell, until the pool ends. Those of one round are sent together.
async fn flush(crew: Arc<Crew>, end: CancellationToken) {
    let mut tick = interval(FLUSH);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = end.cancelled() => return,
            _ = tick.tick() => {}
        }
        let held = crew.leases.all();
        join_all(held.iter().map(|held| crew.send_journal(held))).await;
    }
}
