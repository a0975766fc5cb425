//! What the store counts: for metrics, for the overview, and for whoever asks how it is.

use std::collections::BTreeMap;

use conveyor_model::job::Outcome;
use conveyor_model::name::{Kind, QueueName, ScheduleName};
use conveyor_model::schedule::Slot;
use conveyor_model::stats::Histogram;
use conveyor_model::time::{Span, Timestamp};

/// Totals since the database was made, for counters that go on after a restart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Per queue and kind.
    pub lanes: Vec<LaneTotals>,
    /// Leases that ran out.
    pub leases_expired: u64,
    /// Slots by schedule and what became of them.
    pub slots: Vec<(ScheduleName, String, u64)>,
}

/// Totals of one queue and kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneTotals {
    /// The queue; `other` stands for all beyond the first 200.
    pub queue: String,
    /// The kind; `other` stands for all beyond the first 200.
    pub kind: String,
    /// Jobs stored.
    pub enqueued: u64,
    /// Attempts ended, by outcome.
    pub finished: BTreeMap<Outcome, RunTotals>,
    /// Time from due to claimed.
    pub wait: Histogram,
    /// The sum of those times.
    pub wait_sum: Span,
}

/// Attempts that ended in one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunTotals {
    /// Time from claimed to ended.
    pub times: Histogram,
    /// The sum of those times.
    pub sum: Span,
}

/// What the overview shows besides counts and charts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recent {
    /// The queue whose oldest ready job has been due longest, and since when.
    pub oldest_ready: Option<(QueueName, Timestamp)>,
    /// Attempts of the last five minutes that failed, with all of the kind that ended; kinds without a
    /// failure are left out.
    pub failing: Vec<(Kind, u64, u64)>,
    /// Failed and ended attempts of those five minutes, of every kind.
    pub latest: (u64, u64),
    /// Failed and ended attempts of the hour before those five minutes.
    pub before: (u64, u64),
    /// Jobs that died in the last hour.
    pub died_last_hour: u64,
    /// Jobs ever stored.
    pub ever_enqueued: u64,
    /// Slots skipped in the last day: the latest of each schedule.
    pub skipped: Vec<(ScheduleName, Slot)>,
    /// Queues and kinds with ready jobs, and how many.
    pub ready: Vec<(QueueName, Kind, u64)>,
    /// Schedules that were made to stand still, and why: the first hundred by name.
    pub stopped: Vec<(ScheduleName, String)>,
}

/// Size and health of the database, for metrics and `/readyz`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreHealth {
    /// Bytes of the main file.
    pub size_bytes: u64,
    /// Bytes of the write-ahead log.
    pub wal_bytes: u64,
    /// Whether the last write failed for want of space.
    pub disk_full: bool,
    /// Connections for reading that are in use.
    pub readers_busy: u32,
    /// Connections for reading that are open and free.
    pub readers_idle: u32,
}
