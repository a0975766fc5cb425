//! The overview: how the queue does now, and what a person should look at first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use conveyor_model::dead::DeadGroup;
use conveyor_model::name::{Kind, QueueName};
use conveyor_model::operator::Answer;
use conveyor_model::queue::Queue;
use conveyor_model::stats::{Attention, OldestReady, Overview, Point, Range, Series, SeriesFilter};
use conveyor_model::time::Timestamp;
use conveyor_model::worker::{Worker, WorkerHealth, WorkerState};

use super::Service;
use super::kinds::Taken;
use super::waiting::is_live;
use crate::store::Recent;

/// How many causes of death are shown.
const GROUPS: usize = 5;
/// How many things of one sort ask for attention at most, so that none crowds out the others.
const EACH: usize = 3;
/// Fewer failures than this in five minutes are no news.
const FEW: u64 = 3;

impl Service {
    pub(super) async fn whole_overview(&self, range: Range) -> Answer<Overview> {
        let now = self.now();
        let everything = SeriesFilter::default();
        let (counts, rest) = tokio::try_join!(self.cached_counts(), async {
            Answer::Ok(tokio::try_join!(
                self.store.recent(now),
                self.store.series(range, &everything, now),
                self.store.series(Range::FiveMinutes, &everything, now),
                self.store.workers(now),
                self.store.queues(now),
                self.store.dead_groups(GROUPS),
            )?)
        })?;
        let (recent, series, latest, workers, queues, groups) = rest;
        let mut overview = Overview {
            counts,
            series,
            died_last_hour: recent.died_last_hour,
            ever_enqueued: recent.ever_enqueued,
            oldest_ready: recent
                .oldest_ready
                .clone()
                .map(|(queue, since)| OldestReady {
                    queue,
                    age_s: now.since(since),
                }),
            attention: attention(&recent, &workers, queues, groups),
            ..Overview::default()
        };
        add_rates(&mut overview, &latest, now);
        add_failures(&mut overview, &recent);
        add_workers(&mut overview, &workers);
        Ok(overview)
    }
}

/// Rates over the last six whole steps of ten seconds; the step under way would pull them down.
fn add_rates(overview: &mut Overview, latest: &Series, now: Timestamp) {
    let step = latest.step_s;
    let whole = latest
        .points
        .iter()
        .rev()
        .filter(|point| point.at.plus(step) <= now);
    let (mut stored, mut ended) = (0, 0);
    for point in whole.take(6) {
        stored += point.enqueued;
        ended += ended_in(point);
    }
    overview.rate_in = per_second(stored);
    overview.rate_out = per_second(ended);
}

fn ended_in(point: &Point) -> u64 {
    point.succeeded + point.retried + point.dead
}

/// A minute's count as a rate.
fn per_second(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / 60.0
}

fn add_failures(overview: &mut Overview, recent: &Recent) {
    let (failed, ended) = recent.latest;
    overview.failing = share(failed, ended);
    overview.failing_before = share(recent.before.0, recent.before.1);
    let usual = overview.failing_before.unwrap_or(0.0);
    let unusual = overview.failing.is_some_and(|now| now > 2.0 * usual);
    if failed >= FEW && unusual {
        let worst = recent.failing.iter().max_by_key(|(_, failed, _)| failed);
        overview.failing_kind = worst.map(|(kind, _, _)| kind.clone());
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    let number = |n| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    (whole > 0).then(|| number(part) / number(whole))
}

fn add_workers(overview: &mut Overview, workers: &[Worker]) {
    for worker in workers.iter().filter(|worker| is_live(worker)) {
        overview.workers += 1;
        overview.workers_quiet += u64::from(worker.state != WorkerState::Run);
        overview.slots_busy += u64::from(worker.busy);
        overview.slots_total += u64::from(worker.slots.unwrap_or(0));
    }
}

/// What to look at, most pressing first: work that cannot go on, then work that went wrong, then
/// what people did on purpose.
fn attention(
    recent: &Recent,
    workers: &[Worker],
    mut queues: Vec<Queue>,
    groups: Vec<DeadGroup>,
) -> Vec<Attention> {
    let lost = workers
        .iter()
        .filter(|worker| worker.health == WorkerHealth::Lost && worker.busy > 0)
        .map(|worker| Attention::WorkerLost {
            worker: worker.name.clone(),
            seen_at: worker.seen_at,
        });
    let stopped = recent
        .stopped
        .iter()
        .map(|(schedule, why)| Attention::Stopped {
            schedule: schedule.clone(),
            why: why.clone(),
        });
    let dead = groups
        .into_iter()
        .take(GROUPS)
        .map(|group| Attention::Dead { group });
    queues.sort_by_key(|queue| Reverse(queue.ready + queue.retrying));
    let paused = queues.into_iter().filter_map(|queue| {
        let waiting = queue.ready + queue.retrying;
        (waiting > 0).then_some(())?;
        Some(Attention::Paused {
            queue: queue.name,
            pause: queue.paused?,
            waiting,
        })
    });
    let skipped = recent.skipped.iter().filter_map(|(schedule, slot)| {
        Some(Attention::Skipped {
            schedule: schedule.clone(),
            slot: slot.slot,
            reason: slot.reason?,
        })
    });
    lost.take(EACH)
        .chain(orphans(recent, workers).into_iter().take(EACH))
        .chain(stopped.take(EACH))
        .chain(dead)
        .chain(paused.take(EACH))
        .chain(skipped.take(EACH))
        .collect()
}

/// Jobs that are due and that no live worker takes, the most jobs first: a kind that nobody takes at all
/// as one, else each queue in which nobody takes it.
fn orphans(recent: &Recent, workers: &[Worker]) -> Vec<Attention> {
    let taken = Taken::by(workers);
    let mut nowhere: BTreeMap<&Kind, u64> = BTreeMap::new();
    let mut orphans = Vec::new();
    for (queue, kind, waiting) in &recent.ready {
        if !taken.takes(kind) {
            *nowhere.entry(kind).or_default() += waiting;
        } else if !taken.takes_from(queue, kind) {
            orphans.push((*waiting, kind, Some(queue)));
        }
    }
    let nowhere = nowhere
        .into_iter()
        .map(|(kind, waiting)| (waiting, kind, None));
    orphans.splice(0..0, nowhere);
    orphans.sort_by_key(|(waiting, ..)| Reverse(*waiting));
    let shown = |(waiting, kind, queue): (u64, &Kind, Option<&QueueName>)| Attention::NoWorker {
        kind: kind.clone(),
        queue: queue.cloned(),
        waiting,
    };
    orphans.into_iter().map(shown).collect()
}
