//! The queue's own numbers as metric families, from what the database says at the scrape.
//!
//! Labels are queue, kind, state, outcome and schedule, never anything a job brings along; beyond
//! 200 values of a label the rest are summed up as `other`.

use std::collections::BTreeMap;

use conveyor_model::queue::Queue;
use conveyor_model::schedule::Schedule;
use conveyor_model::stats::{BUCKETS, Histogram};
use conveyor_model::time::{Span, Timestamp};
use conveyor_model::worker::{Worker, WorkerHealth, WorkerState};
use prometheus::proto::{self, LabelPair, Metric, MetricFamily, MetricType};

use crate::store::{LaneTotals, StoreHealth, Totals};
use names::Names;

pub(super) mod names;

/// The built-in kind that calls webhooks.
const WEBHOOK: &str = "webhook.call";

/// What a scrape reads.
#[derive(Debug)]
pub struct Reading {
    /// Every queue.
    pub queues: Vec<Queue>,
    /// Every schedule.
    pub schedules: Vec<Schedule>,
    /// Every worker of the last day.
    pub workers: Vec<Worker>,
    /// Totals since the database was made.
    pub totals: Totals,
    /// Its size and its connections.
    pub health: StoreHealth,
    /// When it was read.
    pub now: Timestamp,
}

impl Reading {
    /// The families.
    pub fn families(&self) -> Vec<MetricFamily> {
        let mut families = vec![build_info()];
        families.extend(queues(&self.queues, &self.totals.lanes));
        families.extend(lanes(&self.totals.lanes));
        families.extend(workers(&self.workers));
        families.push(self.lag());
        families.push(self.pool());
        families.extend(self.rest());
        families
    }

    /// How long the next slot of each schedule has been due.
    fn lag(&self) -> MetricFamily {
        let mut lag = Family::gauge(
            "conveyor_schedule_lag_seconds",
            "How long a schedule's next slot has been due; 0 while it lies ahead.",
        );
        let names = Names::of(self.schedules.iter().map(|one| one.name.as_str()));
        for schedule in &self.schedules {
            let late = schedule.next_at.map(|next| self.now.since(next));
            let name = names.label(schedule.name.as_str());
            lag.raise([("schedule", name)], late.unwrap_or_default().secs_f64());
        }
        lag.done()
    }

    fn pool(&self) -> MetricFamily {
        let mut pool = Family::gauge(
            "conveyor_db_pool_connections",
            "Open connections to the database.",
        );
        let (idle, busy) = (self.health.readers_idle, self.health.readers_busy);
        for (state, count) in [("idle", idle), ("busy", busy)] {
            pool.add([("pool", "readers"), ("state", state)], f64::from(count));
        }
        pool.done()
    }

    fn rest(&self) -> Vec<MetricFamily> {
        let gauge = |name, help, value: u64| {
            let mut family = Family::gauge(name, help);
            family.add([], number(value));
            family.done()
        };
        let mut expired = Family::counter("conveyor_leases_expired_total", "Leases that ran out.");
        expired.add([], number(self.totals.leases_expired));
        let mut slots = Family::counter(
            "conveyor_schedule_fires_total",
            "Slots of schedules, by what became of them.",
        );
        let names = Names::of(self.totals.slots.iter().map(|(name, ..)| name.as_str()));
        for (schedule, outcome, count) in &self.totals.slots {
            let labels = [
                ("schedule", names.label(schedule.as_str())),
                ("outcome", outcome),
            ];
            slots.add(labels, number(*count));
        }
        vec![
            expired.done(),
            slots.done(),
            gauge(
                "conveyor_db_size_bytes",
                "Size of the database file.",
                self.health.size_bytes,
            ),
            gauge(
                "conveyor_db_wal_size_bytes",
                "Size of the write-ahead log.",
                self.health.wal_bytes,
            ),
            gauge(
                "conveyor_db_disk_full",
                "1 while writes fail for want of space.",
                u64::from(self.health.disk_full),
            ),
        ]
    }
}

fn build_info() -> MetricFamily {
    let mut family = Family::gauge(
        "conveyor_build_info",
        "Always 1; what was built is in the labels.",
    );
    let labels = [
        ("version", env!("CARGO_PKG_VERSION")),
        ("commit", env!("BUILD_COMMIT")),
        ("db", "sqlite"),
    ];
    family.add(labels, 1.0);
    family.done()
}

fn queues(queues: &[Queue], lanes: &[LaneTotals]) -> [MetricFamily; 3] {
    let mut jobs = Family::gauge(
        "conveyor_jobs",
        "Jobs by state; succeeded and cancelled ones are left out.",
    );
    let mut ages = Family::gauge(
        "conveyor_queue_oldest_age_seconds",
        "How long the oldest ready job has been due.",
    );
    let mut paused = Family::gauge(
        "conveyor_queue_paused",
        "1 while the queue gives out no jobs.",
    );
    // Those that the counters tell apart, which are the first there were, go first.
    let counted = lanes.iter().map(|lane| lane.queue.as_str());
    let names = Names::of(counted.chain(queues.iter().map(|queue| queue.name.as_str())));
    for queue in queues {
        let name = names.label(queue.name.as_str());
        let states = [
            ("scheduled", queue.scheduled),
            ("ready", queue.ready),
            ("running", queue.running),
            ("retrying", queue.retrying),
            ("dead", queue.dead),
        ];
        for (state, count) in states {
            jobs.add([("queue", name), ("state", state)], number(count));
        }
        let age = queue.oldest_ready_age_s.unwrap_or_default();
        ages.raise([("queue", name)], age.secs_f64());
        paused.raise(
            [("queue", name)],
            f64::from(u8::from(queue.paused.is_some())),
        );
    }
    [jobs.done(), ages.done(), paused.done()]
}

fn lanes(lanes: &[LaneTotals]) -> Vec<MetricFamily> {
    let mut enqueued = Family::counter("conveyor_jobs_enqueued_total", "Jobs stored.");
    let mut finished = Family::counter(
        "conveyor_jobs_finished_total",
        "Attempts ended, by outcome.",
    );
    let queues = Names::of(lanes.iter().map(|lane| lane.queue.as_str()));
    let kinds = Names::of(lanes.iter().map(|lane| lane.kind.as_str()));
    let mut runs = BTreeMap::<_, (Histogram, Span)>::new();
    let mut waits = BTreeMap::<_, (Histogram, Span)>::new();
    let mut deliveries = Family::counter(
        "conveyor_webhook_deliveries_total",
        "Attempts to call a webhook that ended, by outcome.",
    );
    for lane in lanes {
        let (queue, kind) = (queues.label(&lane.queue), kinds.label(&lane.kind));
        enqueued.add([("queue", queue), ("kind", kind)], number(lane.enqueued));
        for (outcome, ended) in &lane.finished {
            let labels = [
                ("queue", queue),
                ("kind", kind),
                ("outcome", outcome.as_str()),
            ];
            let count = number(ended.times.count());
            finished.add(labels, count);
            if lane.kind == WEBHOOK {
                deliveries.add([("outcome", outcome.as_str())], count);
            }
            merge(
                runs.entry(labels.into()).or_default(),
                &ended.times,
                ended.sum,
            );
        }
        merge(
            waits.entry(vec![("queue", queue)]).or_default(),
            &lane.wait,
            lane.wait_sum,
        );
    }
    vec![
        enqueued.done(),
        finished.done(),
        deliveries.done(),
        histograms(
            "conveyor_job_run_duration_seconds",
            "Time from claimed to ended.",
            runs,
        ),
        histograms(
            "conveyor_job_wait_duration_seconds",
            "Time from due to claimed.",
            waits,
        ),
    ]
}

fn merge(into: &mut (Histogram, Span), histogram: &Histogram, sum: Span) {
    into.0.merge(histogram);
    into.1 = Span::from_micros(into.1.micros().saturating_add(sum.micros()));
}

fn workers(workers: &[Worker]) -> [MetricFamily; 2] {
    let mut count = Family::gauge("conveyor_workers", "Workers of the last day.");
    let mut slots = Family::gauge(
        "conveyor_worker_slots",
        "Slots of live workers that say how many they have.",
    );
    for state in ["run", "quiet", "stop", "lost"] {
        count.add([("state", state)], 0.0);
    }
    for state in ["busy", "total"] {
        slots.add([("state", state)], 0.0);
    }
    for worker in workers {
        let state = match (worker.health, worker.state) {
            (WorkerHealth::Lost, _) => "lost",
            (WorkerHealth::Fresh | WorkerHealth::Late, WorkerState::Run) => "run",
            (WorkerHealth::Fresh | WorkerHealth::Late, WorkerState::Quiet) => "quiet",
            (WorkerHealth::Fresh | WorkerHealth::Late, WorkerState::Stop) => "stop",
        };
        count.add([("state", state)], 1.0);
        if worker.health != WorkerHealth::Lost {
            slots.add([("state", "busy")], f64::from(worker.busy));
            slots.add([("state", "total")], f64::from(worker.slots.unwrap_or(0)));
        }
    }
    [count.done(), slots.done()]
}

type Labels<'a> = Vec<(&'a str, &'a str)>;

/// A family whose series are summed up by their labels.
struct Family<'a> {
    name: &'static str,
    help: &'static str,
    kind: MetricType,
    series: BTreeMap<Labels<'a>, f64>,
}

impl<'a> Family<'a> {
    fn new(name: &'static str, help: &'static str, kind: MetricType) -> Self {
        let series = BTreeMap::new();
        Family {
            name,
            help,
            kind,
            series,
        }
    }

    fn gauge(name: &'static str, help: &'static str) -> Self {
        Family::new(name, help, MetricType::GAUGE)
    }

    fn counter(name: &'static str, help: &'static str) -> Self {
        Family::new(name, help, MetricType::COUNTER)
    }

    fn add<const N: usize>(&mut self, labels: [(&'a str, &'a str); N], value: f64) {
        *self.series.entry(labels.into()).or_default() += value;
    }

    /// Keeps the largest value of a series.
    fn raise<const N: usize>(&mut self, labels: [(&'a str, &'a str); N], value: f64) {
        let kept = self.series.entry(labels.into()).or_default();
        *kept = kept.max(value);
    }

    fn done(self) -> MetricFamily {
        let kind = self.kind;
        let metrics = self.series.into_iter().map(|(labels, value)| {
            let mut metric = labelled(&labels);
            if kind == MetricType::COUNTER {
                let mut counter = proto::Counter::default();
                counter.set_value(value);
                metric.set_counter(counter);
            } else {
                let mut gauge = proto::Gauge::default();
                gauge.set_value(value);
                metric.set_gauge(gauge);
            }
            metric
        });
        family(self.name, self.help, kind, metrics.collect())
    }
}

fn histograms(
    name: &'static str,
    help: &'static str,
    series: BTreeMap<Labels<'_>, (Histogram, Span)>,
) -> MetricFamily {
    let metrics = series.into_iter().map(|(labels, (histogram, sum))| {
        let mut below = 0;
        let buckets = BUCKETS.iter().zip(histogram.0).map(|(bound, count)| {
            below += count;
            let mut bucket = proto::Bucket::default();
            bucket.set_upper_bound(Span::from_micros(*bound).secs_f64());
            bucket.set_cumulative_count(below);
            bucket
        });
        let mut out = proto::Histogram::default();
        out.set_bucket(buckets.collect());
        out.set_sample_count(histogram.count());
        out.set_sample_sum(sum.secs_f64());
        let mut metric = labelled(&labels);
        metric.set_histogram(out);
        metric
    });
    family(name, help, MetricType::HISTOGRAM, metrics.collect())
}

fn labelled(labels: &[(&str, &str)]) -> Metric {
    let labels = labels.iter().map(|(name, value)| {
        let mut label = LabelPair::default();
        label.set_name((*name).to_owned());
        label.set_value((*value).to_owned());
        label
    });
    Metric::from_label(labels.collect())
}

fn family(name: &str, help: &str, kind: MetricType, metrics: Vec<Metric>) -> MetricFamily {
    let mut family = MetricFamily::default();
    family.set_name(name.to_owned());
    family.set_help(help.to_owned());
    family.set_field_type(kind);
    family.set_metric(metrics);
    family
}

/// Prometheus knows doubles only.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "exact to 2^53, which no counter here reaches"
)]
fn number(count: u64) -> f64 {
    count as f64
}
