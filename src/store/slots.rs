//! What upkeep asks a store about due slots, and what it tells it to do with them.

use conveyor_model::name::ScheduleName;
use conveyor_model::new_job::NewJob;
use conveyor_model::schedule::{ScheduleSpec, Slot};
use conveyor_model::time::Timestamp;

/// A schedule that has a slot to decide.
#[derive(Clone, Debug, PartialEq)]
pub struct DueSchedule {
    /// Its name.
    pub name: ScheduleName,
    /// What people wrote of it.
    pub spec: ScheduleSpec,
    /// The slot that is due.
    pub next_at: Timestamp,
    /// Where `@every` counts from.
    pub anchor: Timestamp,
    /// The version, which guards the decision.
    pub version: i64,
    /// Whether a job of it is not finished: waits or runs.
    pub busy: bool,
    /// Whether the due slot is known to wait for an earlier job.
    pub waiting: bool,
}

/// What upkeep decided of a schedule's due slots. Each slot is unique for its schedule: a decision
/// that another process has taken already changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotDecision {
    /// The schedule.
    pub name: ScheduleName,
    /// The version it was decided on; another version by now means that nothing happens.
    pub version: i64,
    /// Whether the schedule had an unfinished job when it was decided; if that is different by now,
    /// nothing happens. None when nothing hangs on it.
    pub busy: Option<bool>,
    /// The slots and what becomes of them. `job_id` is filled in by the store for fired ones.
    pub slots: Vec<Slot>,
    /// The job of each fired slot, in the order of the fired ones.
    pub jobs: Vec<NewJob>,
    /// Whether the schedule's unfinished jobs, whichever there are by then, are called off.
    pub cancel: bool,
    /// The next slot.
    pub next_at: Option<Timestamp>,
}

/// What became of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// It was carried out.
    Done {
        /// How many earlier jobs were called off.
        cancelled: usize,
    },
    /// Another process was first or the schedule is another by now; nothing changed.
    TooLate,
    /// The schedule's jobs are not as the decision took them to be; nothing changed.
    Overtaken {
        /// Whether one of them is unfinished.
        busy: bool,
    },
}
