//! The fields of a schedule as its form holds them: text, whatever was typed.

use serde::{Deserialize, Serialize};

/// The fields that decide when a schedule fires.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Timing {
    /// The schedule's name, which `H` is hashed from.
    pub name: String,
    /// The expression.
    pub cron: String,
    /// An IANA zone.
    pub timezone: String,
    /// A time that does not exist: `after` or `skip`.
    pub gap: String,
    /// A time that comes twice: `first`, `last` or `both`.
    pub twice: String,
    /// A date and time of day in UTC; empty means no limit.
    pub starts_at: String,
    /// A date and time of day in UTC; empty means no limit.
    pub ends_at: String,
}

/// The fields of the form that makes or changes a schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ScheduleValues {
    /// Its name; fixed once it exists.
    pub name: String,
    /// The expression.
    pub cron: String,
    /// An IANA zone.
    pub timezone: String,
    /// The kind of its jobs.
    pub kind: String,
    /// Their payload: JSON; empty means `{}`.
    pub payload: String,
    /// Their queue.
    pub queue: String,
    /// 0 to 9.
    pub priority: String,
    /// How many attempts they get.
    pub max_attempts: String,
    /// Seconds one attempt may take; 0 means without limit.
    pub timeout: String,
    /// `skip`, `latest` or `all`.
    pub catch_up: String,
    /// `allow`, `skip`, `queue_one` or `cancel_running`.
    pub overlap: String,
    /// A time that does not exist: `after` or `skip`.
    pub gap: String,
    /// A time that comes twice: `first`, `last` or `both`.
    pub twice: String,
    /// Seconds.
    pub jitter: String,
    /// A date and time of day in UTC; empty means no limit.
    pub starts_at: String,
    /// A date and time of day in UTC; empty means no limit.
    pub ends_at: String,
    /// `on` when it does not fire.
    pub paused: String,
}

impl ScheduleValues {
    /// The fields that decide when it fires.
    pub(crate) fn timing(&self) -> Timing {
        Timing {
            name: self.name.clone(),
            cron: self.cron.clone(),
            timezone: self.timezone.clone(),
            gap: self.gap.clone(),
            twice: self.twice.clone(),
            starts_at: self.starts_at.clone(),
            ends_at: self.ends_at.clone(),
        }
    }
}
