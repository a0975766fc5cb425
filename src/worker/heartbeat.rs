//! The heartbeat: one renewal for all leases of the pool, every third of a lease.
//!
//! It has an operating-system thread and a runtime of its own, so that handlers which keep every
//! other thread busy do not cost the pool its leases.

use std::sync::Arc;
use std::time::{Duration, Instant};

use conveyor_model::worker::{Lease, MAX_BATCH, WorkerState};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::leases::{Held, Leases, Stop};
use super::link::Link;

/// What the heartbeat needs.
pub(super) struct Heartbeat {
    pub(super) link: Arc<dyn Link>,
    pub(super) leases: Arc<Leases>,
    /// How long a lease lasts.
    pub(super) length: Duration,
    /// What the pool was told to do.
    pub(super) told: watch::Sender<WorkerState>,
    /// Ends the thread.
    pub(super) end: CancellationToken,
}

impl Heartbeat {
    /// Starts the thread.
    pub(super) fn start(self) -> std::io::Result<std::thread::JoinHandle<()>> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        std::thread::Builder::new()
            .name("conveyor-heartbeat".to_owned())
            .spawn(move || runtime.block_on(self.run()))
    }

    async fn run(self) {
        loop {
            let renewed = self.beat().await;
            let pause = if renewed {
                self.length / 3
            } else {
                self.length / 12
            };
            tokio::select! {
                () = self.end.cancelled() => return,
                () = sleep(pause) => {}
                () = self.link.nudged() => {}
            }
        }
    }

    /// One heartbeat; false when some leases could not be renewed.
    async fn beat(&self) -> bool {
        let all = self.leases.all();
        let mut renewed = true;
        // Without leases the pool still says that it lives.
        let nothing: &[Arc<Held>] = &[];
        let chunks = all.chunks(MAX_BATCH);
        for some in chunks.chain(all.is_empty().then_some(nothing)) {
            renewed &= self.renew(some).await;
        }
        for held in all {
            if held.why().is_none() && held.is_overdue(self.length) {
                tracing::warn!(job = %held.lease.id, "its lease could not be renewed in time; the attempt is stopped");
                held.stop(Stop::Lost);
            }
        }
        renewed
    }

    async fn renew(&self, some: &[Arc<Held>]) -> bool {
        let leases: Vec<Lease> = some.iter().map(|held| held.lease).collect();
        let sent = Instant::now();
        let answer = match timeout(self.length / 3, self.link.heartbeat(leases)).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => {
                tracing::warn!(%error, "no heartbeat");
                return false;
            }
            Err(_) => {
                tracing::warn!("no heartbeat: the queue did not answer in time");
                return false;
            }
        };
        for (held, answer) in some.iter().zip(&answer.leases) {
            held.answered(answer, sent);
        }
        self.told.send_if_modified(|told| {
            let news = *told != answer.state;
            *told = answer.state;
            news
        });
        true
    }
}
