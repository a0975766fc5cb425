//! What the live stream tells: that something changed, never what a payload holds.

use serde::{Deserialize, Serialize};

use crate::name::{JobId, Kind, QueueName, ScheduleName, WorkerName};
use crate::state::State;
use crate::stats::Counts;

/// A change, as it is sent to whoever watches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Event {
    /// A job changed.
    Job(JobChanged),
    /// Counts changed; at most one a second.
    Counts(Counts),
    /// A queue was paused, resumed, purged, or its settings changed.
    Queue {
        /// The queue.
        queue: QueueName,
    },
    /// A schedule changed or a slot of it was decided.
    Schedule {
        /// The schedule.
        schedule: ScheduleName,
    },
    /// A worker came, went or was told something.
    Worker {
        /// The worker.
        worker: WorkerName,
    },
}

/// A job's new state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobChanged {
    /// The job.
    pub id: JobId,
    /// Its state now; none when it was deleted.
    pub state: Option<State>,
    /// Its queue.
    pub queue: QueueName,
    /// Its kind.
    pub kind: Kind,
    /// Its version now.
    pub version: i64,
}

/// What a watcher wants to hear of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Topic {
    /// Counts.
    Counts,
    /// Every job.
    Jobs,
    /// The jobs of one queue, and the queue itself.
    Queue(QueueName),
    /// One job.
    Job(JobId),
    /// Every queue's settings.
    Queues,
    /// Every schedule.
    Schedules,
    /// Every worker.
    Workers,
    /// Bulk operations.
    Operations,
}

impl Event {
    /// The name of the event on the wire.
    pub const fn name(&self) -> &'static str {
        match self {
            Event::Job(_) => "job",
            Event::Counts(_) => "counts",
            Event::Queue { .. } => "queue",
            Event::Schedule { .. } => "schedule",
            Event::Worker { .. } => "worker",
        }
    }
}

impl Topic {
    /// Whether a watcher of this topic hears `event`.
    pub fn hears(&self, event: &Event) -> bool {
        match (self, event) {
            (Topic::Counts, Event::Counts(_))
            | (Topic::Jobs, Event::Job(_))
            | (Topic::Queues, Event::Queue { .. })
            | (Topic::Schedules, Event::Schedule { .. })
            | (Topic::Workers, Event::Worker { .. }) => true,
            (Topic::Queue(name), Event::Job(job)) => *name == job.queue,
            (Topic::Queue(name), Event::Queue { queue }) => name == queue,
            (Topic::Job(id), Event::Job(job)) => *id == job.id,
            _ => false,
        }
    }
}

impl std::str::FromStr for Topic {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            Some(("queue", name)) => name.parse().map(Topic::Queue).map_err(|fault: crate::name::NameError| fault.to_string()),
            Some(("job", id)) => id.parse().map(Topic::Job).map_err(|fault: crate::name::NameError| fault.to_string()),
            _ => match text {
                "counts" => Ok(Topic::Counts),
                "jobs" => Ok(Topic::Jobs),
                "queues" => Ok(Topic::Queues),
                "schedules" => Ok(Topic::Schedules),
                "workers" => Ok(Topic::Workers),
                "operations" => Ok(Topic::Operations),
                _ => Err("a topic is one of counts, jobs, queue:NAME, job:ID, queues, schedules, workers, operations"
                    .to_owned()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watcher_hears_only_its_topic() {
        let job = Event::Job(JobChanged {
            id: JobId::try_from(7).unwrap(),
            state: Some(State::Ready),
            queue: QueueName::new("a:b").unwrap(),
            kind: Kind::new("k").unwrap(),
            version: 1,
        });
        for (topic, hears) in [
            ("jobs", true),
            ("job:7", true),
            ("job:8", false),
            ("queue:a:b", true),
            ("queue:a", false),
            ("counts", false),
        ] {
            assert_eq!(
                topic.parse::<Topic>().unwrap().hears(&job),
                hears,
                "{topic}"
            );
        }
        assert!("job:x".parse::<Topic>().is_err());
        assert!("everything".parse::<Topic>().is_err());
    }
}
