//! What an action did, so that the page can say it in the reader's language.

use conveyor_model::name::JobId;
use conveyor_model::state::Action;
use conveyor_model::worker::WorkerState;
use serde::{Deserialize, Serialize};

/// What an action did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// A job was stored, or was there already under the same key.
    Enqueued {
        /// The job.
        id: JobId,
        /// Whether it was there already.
        existing: bool,
    },
    /// An action was done on one job.
    Acted {
        /// The job it was asked of.
        id: JobId,
        /// What was done.
        action: Action,
        /// The job that resulted: the same, or the copy.
        result: JobId,
    },
    /// An action was tried on several jobs.
    ActedOn {
        /// What was asked.
        action: Action,
        /// On how many it was done.
        done: u64,
        /// How many refused it.
        refused: u64,
        /// Why the first of those refused it.
        why: Option<String>,
    },
    /// A job was changed.
    Edited {
        /// The job.
        id: JobId,
    },
    /// A queue was paused.
    Paused {
        /// The queue.
        queue: String,
    },
    /// A queue gives out jobs again.
    Resumed {
        /// The queue.
        queue: String,
    },
    /// The waiting jobs of a queue were deleted.
    Purged {
        /// The queue.
        queue: String,
        /// How many jobs.
        jobs: u64,
    },
    /// A schedule was made or changed.
    ScheduleSaved {
        /// The schedule.
        schedule: String,
    },
    /// A schedule was removed.
    ScheduleDeleted {
        /// The schedule.
        schedule: String,
    },
    /// A schedule enqueued its job out of turn.
    ScheduleRun {
        /// The schedule.
        schedule: String,
        /// The job.
        id: JobId,
    },
    /// A schedule was paused or resumed.
    SchedulePaused {
        /// The schedule.
        schedule: String,
        /// Whether it is paused now.
        paused: bool,
    },
    /// Dead jobs of one cause were retried.
    GroupRetried {
        /// How many.
        jobs: u64,
    },
    /// Dead jobs of one cause were deleted.
    GroupDeleted {
        /// How many.
        jobs: u64,
    },
    /// A worker was told what to do.
    WorkerTold {
        /// The worker.
        worker: String,
        /// What it was told.
        state: WorkerState,
    },
}
