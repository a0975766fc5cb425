//! The eight states of a job, and which action is allowed in which of them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// Where a job is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Due later; upkeep makes it ready when its time comes.
    Scheduled,
    /// Due now and waiting for a worker.
    Ready,
    /// Held by a worker under a lease.
    Running,
    /// An attempt failed; due later for the next one.
    Retrying,
    /// Done.
    Succeeded,
    /// No attempts left, or discarded: in the dead letter until a person decides.
    Dead,
    /// Called off.
    Cancelled,
    /// Waits for other jobs.
    Blocked,
}

/// What a person may ask of one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Make it due at once.
    Run,
    /// Give a finished or retrying job a new attempt under the same id.
    Retry,
    /// Call it off; a running job's worker is asked to stop.
    Cancel,
    /// Put it in the dead letter without another attempt.
    Discard,
    /// Change its payload, queue, priority, time or limits.
    Edit,
    /// Enqueue the same again as a new job.
    Duplicate,
    /// Remove it for good.
    Delete,
}

impl State {
    /// Every state, in the order the page shows them.
    pub const ALL: [State; 8] = [
        State::Scheduled,
        State::Ready,
        State::Running,
        State::Retrying,
        State::Succeeded,
        State::Dead,
        State::Cancelled,
        State::Blocked,
    ];

    /// The state of a job that waits for nothing but its time, which is `run_at`.
    pub fn by_time(run_at: Timestamp, now: Timestamp) -> Self {
        if run_at > now {
            State::Scheduled
        } else {
            State::Ready
        }
    }

    /// The word used in JSON, SQL, metrics and URLs.
    pub const fn as_str(self) -> &'static str {
        match self {
            State::Scheduled => "scheduled",
            State::Ready => "ready",
            State::Running => "running",
            State::Retrying => "retrying",
            State::Succeeded => "succeeded",
            State::Dead => "dead",
            State::Cancelled => "cancelled",
            State::Blocked => "blocked",
        }
    }

    /// Whether the job's life is over unless a person retries it.
    pub const fn is_final(self) -> bool {
        matches!(self, State::Succeeded | State::Dead | State::Cancelled)
    }

    /// Whether the job waits for a time, a worker or other jobs.
    pub const fn is_waiting(self) -> bool {
        matches!(
            self,
            State::Scheduled | State::Ready | State::Retrying | State::Blocked
        )
    }

    /// Whether `action` is possible in this state.
    pub const fn allows(self, action: Action) -> bool {
        use State::{Blocked, Cancelled, Dead, Ready, Retrying, Running, Scheduled, Succeeded};
        match action {
            Action::Run => matches!(self, Scheduled | Retrying),
            Action::Retry => matches!(self, Retrying | Succeeded | Cancelled | Dead),
            Action::Cancel => matches!(self, Scheduled | Ready | Running | Retrying | Blocked),
            Action::Discard => matches!(self, Scheduled | Ready | Retrying | Blocked),
            Action::Edit => matches!(self, Scheduled | Ready | Retrying | Dead | Blocked),
            Action::Duplicate => true,
            Action::Delete => matches!(
                self,
                Scheduled | Ready | Retrying | Succeeded | Cancelled | Dead
            ),
        }
    }

    /// The states in which `action` is possible.
    pub fn allowing(action: Action) -> impl Iterator<Item = State> {
        State::ALL
            .into_iter()
            .filter(move |state| state.allows(action))
    }
}

impl Action {
    /// Every action, in the order the page offers them.
    pub const ALL: [Action; 7] = [
        Action::Run,
        Action::Retry,
        Action::Edit,
        Action::Duplicate,
        Action::Cancel,
        Action::Discard,
        Action::Delete,
    ];

    /// The word used in URLs and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Action::Run => "run",
            Action::Retry => "retry",
            Action::Cancel => "cancel",
            Action::Discard => "discard",
            Action::Edit => "edit",
            Action::Duplicate => "duplicate",
            Action::Delete => "delete",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for State {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        State::ALL
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| {
                let words = State::ALL.map(State::as_str).join(", ");
                format!("a state is one of {words}")
            })
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Action {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Action::ALL
            .into_iter()
            .find(|action| action.as_str() == text)
            .ok_or_else(|| {
                let words = Action::ALL.map(Action::as_str).join(", ");
                format!("an action is one of {words}")
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back_as_their_state() {
        for state in State::ALL {
            assert_eq!(state.as_str().parse::<State>().unwrap(), state);
            assert_eq!(
                serde_json::to_string(&state).unwrap(),
                format!("\"{state}\"")
            );
        }
        for action in Action::ALL {
            assert_eq!(action.as_str().parse::<Action>().unwrap(), action);
        }
    }

    /// One row per action, one column per state in the order of [`State::ALL`].
    #[test]
    fn the_action_table_is_the_documented_one() {
        let table = [
            (Action::Run, "x..x...."),
            (Action::Retry, "...xxxx."),
            (Action::Cancel, "xxxx...x"),
            (Action::Discard, "xx.x...x"),
            (Action::Edit, "xx.x.x.x"),
            (Action::Duplicate, "xxxxxxxx"),
            (Action::Delete, "xx.xxxx."),
        ];
        for (action, row) in table {
            for (state, mark) in State::ALL.into_iter().zip(row.chars()) {
                assert_eq!(state.allows(action), mark == 'x', "{action} in {state}");
            }
        }
    }
}
