//! Reports of attempts on their way to the queue: all that are there go together, so that they share a commit
//! or a request, and each is sent until it is acknowledged or its lease is lost.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use conveyor_model::worker::{Finish, FinishStatus, MAX_BATCH};
use tokio::sync::{Notify, Semaphore};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::attempt::Crew;
use super::leases::{Held, Stop};

/// How many may be on their way; who has another waits.
const MOST: usize = 2048;
/// Bytes of results in one message, unless one result alone has more.
const MOST_BYTES: usize = 512 * 1024;
/// The shortest and the longest pause between two tries.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(2)];

/// A report and the lease it ends.
struct Report {
    held: Arc<Held>,
    finish: Finish,
}

/// Where reports are handed in.
pub(super) struct Reports {
    waiting: Mutex<Vec<Report>>,
    news: Notify,
    room: Semaphore,
}

impl Default for Reports {
    fn default() -> Self {
        Reports {
            waiting: Mutex::default(),
            news: Notify::new(),
            room: Semaphore::new(MOST),
        }
    }
}

impl Reports {
    fn waiting(&self) -> MutexGuard<'_, Vec<Report>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands a report in; waits only while too many are on their way. Its lease is held until the report is
    /// acknowledged.
    pub(super) async fn send(&self, held: &Arc<Held>, finish: Finish) {
        if let Ok(place) = self.room.acquire().await {
            place.forget();
        }
        let held = Arc::clone(held);
        self.waiting().push(Report { held, finish });
        self.news.notify_one();
    }
}

/// Sends what is handed in, until the pool ends.
pub(super) async fn send_all(crew: Arc<Crew>, end: CancellationToken) {
    let mut waiting: Vec<Report> = Vec::new();
    let mut most = MAX_BATCH;
    let mut pause = PAUSES[0];
    loop {
        waiting.append(&mut crew.reports.waiting());
        if waiting.is_empty() {
            tokio::select! {
                () = end.cancelled() => return,
                () = crew.reports.news.notified() => {}
            }
            continue;
        }
        let some = together(&waiting, most);
        let message = waiting[..some].iter().map(|report| report.finish.clone());
        match crew.link.finish(message.collect()).await {
            Ok(statuses) => {
                for (report, status) in waiting.drain(..some).zip(statuses) {
                    acknowledged(&crew, &report, status);
                }
                (most, pause) = ((most * 2).min(MAX_BATCH), PAUSES[0]);
            }
            Err(error) => {
                give_up_lost(&crew, &mut waiting, &error);
                // If one of them is the cause, the others go without it sooner or later.
                most = (some / 2).max(1);
                if some == 1 && !waiting.is_empty() {
                    waiting.rotate_left(1);
                }
                tokio::select! {
                    // Nobody is left to hear of it, and its lease is no longer kept.
                    () = end.cancelled() => return,
                    () = sleep(pause) => {}
                }
                pause = (pause * 2).min(PAUSES[1]);
            }
        }
    }
}

fn acknowledged(crew: &Crew, report: &Report, status: FinishStatus) {
    match status {
        FinishStatus::Ok => {}
        FinishStatus::Stale | FinishStatus::NotFound => {
            let job = report.finish.id;
            tracing::info!(%job, "a late report was refused; another attempt holds the job");
        }
    }
    done_with(crew, report);
}

fn done_with(crew: &Crew, report: &Report) {
    crew.leases.release(&report.held.lease);
    crew.reports.room.add_permits(1);
}

fn give_up_lost(crew: &Crew, waiting: &mut Vec<Report>, error: &impl std::fmt::Display) {
    waiting.retain(|report| {
        let lost = report.held.why() == Some(Stop::Lost);
        if lost {
            let job = report.finish.id;
            tracing::warn!(%job, %error, "a report could not be delivered before its lease was lost");
            done_with(crew, report);
        }
        !lost
    });
}

/// How many of the first reports go in one message, at most `most`.
fn together(reports: &[Report], most: usize) -> usize {
    let mut bytes = 0;
    let fits = |report: &&Report| {
        let result = report.finish.result.as_ref();
        bytes += result.map_or(0, |result| result.as_str().len());
        bytes <= MOST_BYTES
    };
    let fit = reports.iter().take(most).take_while(fits).count();
    fit.max(1)
}
