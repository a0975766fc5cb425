//! Who wants to hear of what.

use conveyor_model::event::{Event, Topic};
use leptos::prelude::RwSignal;

/// Everyone who watches.
#[derive(Default)]
pub(super) struct Watchers {
    last_id: u64,
    all: Vec<Watcher>,
}

struct Watcher {
    id: u64,
    topics: Vec<Topic>,
    /// Told at most once in so many milliseconds.
    every: f64,
    told_at: f64,
    marked: bool,
    revision: RwSignal<u64>,
}

impl Watchers {
    /// Adds a watcher, or changes what the one with this id hears.
    pub(super) fn set(
        &mut self,
        id: Option<u64>,
        topics: Vec<Topic>,
        seconds: u32,
        revision: RwSignal<u64>,
    ) -> u64 {
        if let Some(watcher) = self.all.iter_mut().find(|watcher| Some(watcher.id) == id) {
            watcher.topics = topics;
            return watcher.id;
        }
        self.last_id += 1;
        self.all.push(Watcher {
            id: self.last_id,
            topics,
            every: f64::from(seconds) * 1000.0,
            told_at: 0.0,
            marked: false,
            revision,
        });
        self.last_id
    }

    pub(super) fn remove(&mut self, id: u64) {
        self.all.retain(|watcher| watcher.id != id);
    }

    /// Notes an event for those who hear it; answers whether anyone does.
    pub(super) fn mark(&mut self, event: &Event) -> bool {
        let mut heard = false;
        for watcher in &mut self.all {
            if watcher.topics.iter().any(|topic| topic.hears(event)) {
                watcher.marked = true;
                heard = true;
            }
        }
        heard
    }

    pub(super) fn mark_all(&mut self) {
        for watcher in &mut self.all {
            watcher.marked = true;
            watcher.told_at = 0.0;
        }
    }

    /// Takes the marks of those whose time has come at `millis`.
    pub(super) fn due(&mut self, millis: f64) -> Vec<RwSignal<u64>> {
        let mut due = Vec::new();
        for watcher in &mut self.all {
            if watcher.marked && millis - watcher.told_at >= watcher.every {
                watcher.marked = false;
                watcher.told_at = millis;
                due.push(watcher.revision);
            }
        }
        due
    }

    /// The topics of all, and the counts of the frame, as the stream asks for them.
    pub(super) fn topics(&self) -> String {
        let mut topics: Vec<String> = self
            .all
            .iter()
            .flat_map(|watcher| watcher.topics.iter().map(written))
            .collect();
        topics.push("counts".to_owned());
        topics.sort_unstable();
        topics.dedup();
        topics.join(",")
    }
}

fn written(topic: &Topic) -> String {
    match topic {
        Topic::Counts => "counts".to_owned(),
        Topic::Jobs => "jobs".to_owned(),
        Topic::Queue(name) => format!("queue:{}", name.as_str()),
        Topic::Job(id) => format!("job:{}", id.get()),
        Topic::Queues => "queues".to_owned(),
        Topic::Schedules => "schedules".to_owned(),
        Topic::Workers => "workers".to_owned(),
        Topic::Operations => "operations".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use conveyor_model::name::{JobId, QueueName};
    use leptos::prelude::Owner;

    use super::*;

    #[test]
    fn a_watcher_is_told_once_in_its_time() {
        let owner = Owner::new();
        owner.set();
        let mut watchers = Watchers::default();
        watchers.set(None, vec![Topic::Queues], 1, RwSignal::new(0));
        let queue = QueueName::new("mail").unwrap();
        assert!(watchers.mark(&Event::Queue {
            queue: queue.clone()
        }));
        assert_eq!(watchers.due(5000.0).len(), 1);
        assert!(watchers.mark(&Event::Queue { queue }));
        assert!(watchers.due(5400.0).is_empty());
        assert_eq!(watchers.due(6000.0).len(), 1);
        assert!(watchers.due(9000.0).is_empty());
    }

    #[test]
    fn the_stream_asks_for_each_topic_once() {
        let owner = Owner::new();
        owner.set();
        let mut watchers = Watchers::default();
        let id = JobId::try_from(7).unwrap();
        let first = watchers.set(None, vec![Topic::Jobs, Topic::Counts], 1, RwSignal::new(0));
        watchers.set(None, vec![Topic::Job(id), Topic::Jobs], 1, RwSignal::new(0));
        assert_eq!(watchers.topics(), "counts,job:7,jobs");
        watchers.remove(first);
        watchers.set(Some(2), vec![Topic::Workers], 1, RwSignal::new(0));
        assert_eq!(watchers.topics(), "counts,workers");
        for topic in watchers.topics().split(',') {
            assert!(topic.parse::<Topic>().is_ok());
        }
    }
}
