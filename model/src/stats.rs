//! Counts, rates and the overview: what the dashboard and `/stats` show of the whole queue.

mod histogram;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::dead::DeadGroup;
use crate::name::{Kind, QueueName, ScheduleName, WorkerName};
use crate::queue::Pause;
use crate::schedule::SlotReason;
use crate::state::State;
use crate::time::{Span, Timestamp};

pub use histogram::{BUCKETS, Histogram, Quantiles, bucket};

/// Jobs by state, and how many of the other things there are: what the frame of every page shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Counts {
    /// When they were read.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub at: Timestamp,
    /// Jobs in each state; a state without jobs may be left out.
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, u64>))]
    pub jobs: BTreeMap<State, u64>,
    /// Queues.
    pub queues: u64,
    /// Schedules.
    pub schedules: u64,
    /// Workers that are not lost.
    pub workers: u64,
}

impl Counts {
    /// Jobs in one state.
    pub fn of(&self, state: State) -> u64 {
        self.jobs.get(&state).copied().unwrap_or(0)
    }

    /// Jobs in all states.
    pub fn total(&self) -> u64 {
        self.jobs.values().sum()
    }
}

/// How far back the charts look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Range {
    /// Five minutes in steps of 10 s.
    #[serde(rename = "5m")]
    FiveMinutes,
    /// An hour in steps of a minute.
    #[default]
    #[serde(rename = "1h")]
    Hour,
    /// A day in steps of 15 minutes.
    #[serde(rename = "24h")]
    Day,
}

impl Range {
    /// Every range, shortest first.
    pub const ALL: [Range; 3] = [Range::FiveMinutes, Range::Hour, Range::Day];

    /// The word in the URL.
    pub const fn as_str(self) -> &'static str {
        match self {
            Range::FiveMinutes => "5m",
            Range::Hour => "1h",
            Range::Day => "24h",
        }
    }

    /// How far it reaches.
    pub const fn length(self) -> Span {
        match self {
            Range::FiveMinutes => Span::from_secs(300),
            Range::Hour => Span::from_secs(3600),
            Range::Day => Span::from_secs(86_400),
        }
    }

    /// The time between two points.
    pub const fn step(self) -> Span {
        match self {
            Range::FiveMinutes => Span::from_secs(10),
            Range::Hour => Span::from_secs(60),
            Range::Day => Span::from_secs(900),
        }
    }
}

impl std::str::FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Range::ALL
            .into_iter()
            .find(|range| range.as_str() == text)
            .ok_or_else(|| "a range is one of 5m, 1h, 24h".to_owned())
    }
}

/// What happened in one step of a chart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Point {
    /// When the step begins.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub at: Timestamp,
    /// Jobs stored.
    pub enqueued: u64,
    /// Attempts that succeeded.
    pub succeeded: u64,
    /// Attempts that failed and will be followed by another.
    pub retried: u64,
    /// Jobs that died.
    pub dead: u64,
    /// Time from due to claimed.
    pub wait: Option<Quantiles>,
    /// Time from claimed to ended.
    pub run: Option<Quantiles>,
}

/// Points of a chart, without gaps, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Series {
    /// The time between two points.
    #[cfg_attr(feature = "openapi", schema(value_type = f64))]
    pub step_s: Span,
    /// The points. The last one is the step that goes on: what it counts is not all of it yet.
    pub points: Vec<Point>,
}

/// Which jobs a series or a rate counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesFilter {
    /// Only of this queue.
    pub queue: Option<QueueName>,
    /// Only of this kind.
    pub kind: Option<Kind>,
}

/// The overview page in one answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Overview {
    /// Jobs and things.
    pub counts: Counts,
    /// The queue whose oldest ready job has waited longest, and how long. Paused queues are left
    /// out: in those jobs wait because somebody wants it.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub oldest_ready: Option<OldestReady>,
    /// Jobs stored per second, over the last minute.
    pub rate_in: f64,
    /// Attempts ended per second, over the last minute.
    pub rate_out: f64,
    /// Share of attempts of the last five minutes that failed, 0 to 1; none when there were none.
    pub failing: Option<f64>,
    /// The same over the hour before.
    pub failing_before: Option<f64>,
    /// The kind that fails most in the last five minutes, if failures are more than usual.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub failing_kind: Option<Kind>,
    /// Slots in use.
    pub slots_busy: u64,
    /// Slots of all live workers that say how many they have.
    pub slots_total: u64,
    /// Live workers.
    pub workers: u64,
    /// Live workers told to be quiet.
    pub workers_quiet: u64,
    /// Jobs that died in the last hour.
    pub died_last_hour: u64,
    /// Jobs enqueued since the database was made: zero means this is the first start.
    pub ever_enqueued: u64,
    /// The charts.
    pub series: Series,
    /// What a person should look at, most pressing first, at most ten.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Object>))]
    pub attention: Vec<Attention>,
}

/// The longest wait of a job that is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OldestReady {
    /// Where it waits.
    pub queue: QueueName,
    /// How long.
    pub age_s: Span,
}

/// Something a person should look at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum Attention {
    /// Jobs died of one cause.
    Dead {
        /// The cause.
        group: DeadGroup,
    },
    /// A queue is paused while jobs wait in it.
    Paused {
        /// The queue.
        queue: QueueName,
        /// By whom and why.
        pause: Pause,
        /// Jobs that wait.
        waiting: u64,
    },
    /// A schedule let slots go in the last day.
    Skipped {
        /// The schedule.
        schedule: ScheduleName,
        /// The latest of them.
        slot: Timestamp,
        /// Why.
        reason: SlotReason,
    },
    /// A worker with jobs at hand has not been heard of.
    WorkerLost {
        /// The worker.
        worker: WorkerName,
        /// Since when.
        seen_at: Timestamp,
    },
    /// Jobs wait that no live worker takes.
    NoWorker {
        /// The kind.
        kind: Kind,
        /// The queue in which nobody takes it, when others take it elsewhere; none when nobody does.
        queue: Option<QueueName>,
        /// Jobs that wait.
        waiting: u64,
    },
    /// A schedule could not be read or carried out, and fires no more until somebody changes it.
    Stopped {
        /// The schedule.
        schedule: ScheduleName,
        /// What is wrong with it.
        why: String,
    },
}

/// One kind and how it does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KindInfo {
    /// The kind.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub kind: Kind,
    /// Jobs of it in each state.
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, u64>))]
    pub jobs: BTreeMap<State, u64>,
    /// Attempts that succeeded in the last hour.
    pub succeeded: u64,
    /// Attempts that failed in the last hour.
    pub failed: u64,
    /// Run time in the last hour.
    pub run: Option<Quantiles>,
    /// Whether a live worker takes it.
    pub has_worker: bool,
    /// What it does, for kinds that come with the server.
    pub description: Option<String>,
}
