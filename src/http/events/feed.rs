//! What all live streams read: changes with a number each, the latest of them kept for readers that
//! come back.
//!
//! Nothing runs while nobody watches. The first reader starts a pump, which folds changes of one thing
//! that come close together into the last of them; once a second it samples the counts, and has readers
//! read again if another process has changed the database. It ends a while after the last reader left. A change is written as text once, by whoever needs it first.
//!
//! Numbers grow by one. A hole in them means that something was missed; since the numbers also say
//! which start of the server they belong to, one from before a restart never looks valid.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use conveyor_model::event::{Event, Topic};
use conveyor_model::name::{JobId, QueueName, ScheduleName, WorkerName};
use conveyor_model::stats::Counts;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use crate::events::{BURST, Changes};
use crate::http::Server;

/// Changes that are kept for readers that come back.
const RING: usize = 4096;
/// How many gatherings of changes a reader may fall behind before it is cut off.
const BEHIND: usize = 1024;
/// How long changes are gathered after one was sent.
const GATHER: Duration = Duration::from_millis(100);
/// How often counts are read while somebody watches.
const SAMPLE: Duration = Duration::from_secs(1);
/// How long the pump outlives its last reader, so that one that comes back has missed nothing.
const LINGER: Duration = Duration::from_mins(1);

/// One change, or that some are not known.
#[derive(Debug)]
pub(crate) struct Frame {
    number: u64,
    event: Option<Arc<Event>>,
    text: OnceLock<Bytes>,
}

impl Frame {
    fn new(number: u64, event: Option<Arc<Event>>) -> Arc<Self> {
        let text = OnceLock::new();
        Arc::new(Frame {
            number,
            event,
            text,
        })
    }

    /// Whether a reader of these topics hears it.
    pub(crate) fn is_heard_by(&self, topics: &[Topic]) -> bool {
        match &self.event {
            None => true,
            Some(event) => topics.iter().any(|topic| topic.hears(event)),
        }
    }

    /// The text on the wire.
    pub(crate) fn text(&self, epoch: &str) -> Bytes {
        let write = || {
            let Some(event) = &self.event else {
                return Bytes::from_static(b"event: resync\ndata: {}\n\n");
            };
            // Names, numbers and times are in it, which JSON can always hold.
            let data = serde_json::to_string(event).unwrap_or_default();
            let (name, number) = (event.name(), self.number);
            format!("id: {epoch}-{number}\nevent: {name}\ndata: {data}\n\n").into()
        };
        self.text.get_or_init(write).clone()
    }
}

/// Changes that are sent together.
pub(crate) type Gathering = Arc<[Arc<Frame>]>;

/// What a new reader gets.
#[derive(Debug)]
pub(crate) struct Reader {
    /// What it missed.
    pub(crate) missed: Vec<Arc<Frame>>,
    /// What comes now.
    pub(crate) frames: broadcast::Receiver<Gathering>,
}

/// The feed of one server.
#[derive(Debug)]
pub(crate) struct Feed {
    epoch: String,
    frames: broadcast::Sender<Gathering>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    ring: VecDeque<Arc<Frame>>,
    next: u64,
    counts: Option<Arc<Frame>>,
    pumping: bool,
}

impl State {
    /// Gives a change its number and keeps it for readers that come back.
    fn keep(&mut self, event: Arc<Event>) -> Arc<Frame> {
        let is_counts = matches!(*event, Event::Counts(_));
        let frame = Frame::new(self.next, Some(event));
        self.next += 1;
        if self.ring.len() == RING {
            self.ring.pop_front();
        }
        self.ring.push_back(Arc::clone(&frame));
        if is_counts {
            self.counts = Some(Arc::clone(&frame));
        }
        frame
    }
}

impl Default for Feed {
    fn default() -> Self {
        Feed {
            epoch: format!("{:08x}", rand::random::<u32>()),
            frames: broadcast::channel(BEHIND).0,
            state: Mutex::new(State {
                ring: VecDeque::new(),
                next: 1,
                counts: None,
                pumping: false,
            }),
        }
    }
}

impl Feed {
    /// Says to which start of the server the numbers belong.
    pub(crate) fn epoch(&self) -> &str {
        &self.epoch
    }

    /// Takes a reader in. `last` is the id of the last event it heard; without one it gets the counts
    /// as they are.
    pub(crate) fn join(
        self: &Arc<Self>,
        server: &Server,
        last: Option<&str>,
        topics: &[Topic],
    ) -> Reader {
        let mut state = self.lock();
        let frames = self.frames.subscribe();
        if !state.pumping {
            state.pumping = true;
            let changes = server.events.watch();
            tokio::spawn(pump(Arc::clone(self), server.clone(), changes));
        }
        let missed = match last {
            None => state.counts.iter().cloned().collect(),
            Some(last) => self.since(&state, last, topics),
        };
        Reader { missed, frames }
    }

    /// What came after the event `last`, or that it is not known any more.
    fn since(&self, state: &State, last: &str, topics: &[Topic]) -> Vec<Arc<Frame>> {
        let kept_from = state.ring.front().map_or(state.next, |frame| frame.number);
        let number = last
            .split_once('-')
            .filter(|(epoch, _)| *epoch == self.epoch)
            .and_then(|(_, number)| number.parse::<u64>().ok())
            .filter(|number| *number < state.next && *number + 1 >= kept_from);
        let Some(number) = number else {
            return vec![Frame::new(0, None)];
        };
        let missed = state.ring.iter().filter(|frame| frame.number > number);
        missed
            .filter(|frame| frame.is_heard_by(topics))
            .cloned()
            .collect()
    }

    fn send(&self, events: impl IntoIterator<Item = Arc<Event>>) {
        let mut state = self.lock();
        let frames: Gathering = events.into_iter().map(|event| state.keep(event)).collect();
        if !frames.is_empty() {
            // An error means that the last reader has just left.
            let _ = self.frames.send(frames);
        }
    }

    /// Some changes are not known: nobody may be told that it has heard everything.
    fn broken(&self) {
        let mut state = self.lock();
        state.ring.clear();
        state.next += 1;
        let _ = self.frames.send([Frame::new(0, None)].into());
    }

    /// Ends the pump if nobody reads. What happens from here on is missed.
    fn stop(&self) -> bool {
        let mut state = self.lock();
        if self.frames.receiver_count() > 0 {
            return false;
        }
        state.pumping = false;
        state.counts = None;
        state.ring.clear();
        state.next += 1;
        true
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Moves changes from the hub into the feed until nobody has read for a while.
async fn pump(feed: Arc<Feed>, server: Server, mut changes: broadcast::Receiver<Changes>) {
    let mut sample = interval(SAMPLE);
    sample.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last_read = Instant::now();
    let mut counts = None;
    loop {
        tokio::select! {
            () = server.shutdown.cancelled() => return,
            change = changes.recv() => match change {
                Ok(first) => {
                    match gathered(first, &mut changes) {
                        Some(events) => feed.send(events),
                        None => feed.broken(),
                    }
                    sleep(GATHER).await;
                }
                Err(RecvError::Lagged(_)) => feed.broken(),
                Err(RecvError::Closed) => return,
            },
            _ = sample.tick() => {
                if feed.frames.receiver_count() > 0 {
                    last_read = Instant::now();
                    // Without a word on what it was, all that a reader can do is to read again.
                    if matches!(server.store.changed_elsewhere(server.clock.now()).await, Ok(true)) {
                        feed.broken();
                    }
                    feed.send(changed_counts(&server, &mut counts).await);
                } else if last_read.elapsed() > LINGER && feed.stop() {
                    return;
                }
            }
        }
    }
}

/// The counts, if they are not what they were.
async fn changed_counts(server: &Server, before: &mut Option<Counts>) -> Option<Arc<Event>> {
    let counts = server.operator.counts().await.ok()?;
    let same = before.as_ref().is_some_and(|before| {
        let counts = Counts {
            at: before.at,
            ..counts.clone()
        };
        *before == counts
    });
    if same {
        return None;
    }
    *before = Some(counts.clone());
    Some(Arc::new(Event::Counts(counts)))
}

/// What an event is about.
#[derive(PartialEq, Eq, Hash)]
enum About {
    Counts,
    Job(JobId),
    Queue(QueueName),
    Schedule(ScheduleName),
    Worker(WorkerName),
}

fn about(event: &Event) -> About {
    match event {
        Event::Job(job) => About::Job(job.id),
        Event::Counts(_) => About::Counts,
        Event::Queue { queue } => About::Queue(queue.clone()),
        Event::Schedule { schedule } => About::Schedule(schedule.clone()),
        Event::Worker { worker } => About::Worker(worker.clone()),
    }
}

/// `first` and all that waits behind it, of each thing the last; none when some were missed, or when
/// they are too many.
fn gathered(first: Changes, changes: &mut broadcast::Receiver<Changes>) -> Option<Vec<Arc<Event>>> {
    let mut kept: Vec<Option<Arc<Event>>> = Vec::new();
    let mut places = HashMap::new();
    let mut known = true;
    let mut next = first;
    loop {
        match next {
            Changes::Each(events) if known => {
                for event in events.iter() {
                    let place = kept.len();
                    if let Some(earlier) = places.insert(about(event), place)
                        && let Some(earlier) = kept.get_mut(earlier)
                    {
                        *earlier = None;
                    }
                    kept.push(Some(Arc::clone(event)));
                }
                known = places.len() <= BURST;
            }
            Changes::Each(_) => {}
            Changes::Many => known = false,
        }
        match changes.try_recv() {
            Ok(more) => next = more,
            Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            // The next is the oldest that is still there.
            Err(TryRecvError::Lagged(_)) => next = Changes::Many,
        }
    }
    known.then(|| kept.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests;
