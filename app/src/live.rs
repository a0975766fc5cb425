//! What goes on, as it happens: one event stream a tab, told to whoever watches.
//!
//! Events say that something changed, never what it is now; pages read again. So a lost event is made
//! good by reading again, which happens whenever the stream opens. Nothing here runs on the server:
//! everything starts from an `Effect`.

mod clock;
mod link;
mod stream;
mod watchers;

pub(crate) use link::Link;

use conveyor_model::event::Topic;
use conveyor_model::stats::Counts;
use conveyor_model::time::Timestamp;
use leptos::prelude::*;

use crate::context::Visit;
use watchers::Watchers;

/// The live side of the page; one for all of it.
#[derive(Clone, Copy)]
pub(crate) struct Live {
    link: RwSignal<Link>,
    counts: RwSignal<Option<Counts>>,
    now: RwSignal<Option<Timestamp>>,
    paused: RwSignal<bool>,
    /// Whether there is a network and the tab is seen.
    reachable: RwSignal<bool>,
    held: RwSignal<bool>,
    /// How many actions wait for their answer.
    acting: RwSignal<u32>,
    kept_back: RwSignal<u64>,
    wanted: RwSignal<String>,
    watchers: StoredValue<Watchers>,
    seen: Seen,
}

/// What pages see of it. Made at the root and never below: what a row makes goes before the row does,
/// and the last beat of the clock would find it gone.
#[derive(Clone, Copy)]
struct Seen {
    link: Signal<Link>,
    counts: Signal<Option<Counts>>,
    now: Signal<Option<Timestamp>>,
    paused: Signal<bool>,
    kept_back: Signal<u64>,
}

/// Makes the live side and tells everything below of it.
pub(crate) fn provide_live(visit: &Visit) {
    let live = Live::new(visit.counts.clone());
    provide_context(live);
    clock::run(live, visit.now);
    // Nobody who is signed out hears of anything.
    if visit.signed_in {
        link::run(live);
        stream::run(live);
    }
}

/// The live side of the page.
#[expect(
    clippy::expect_used,
    reason = "the root of the app provides it to all that is below"
)]
pub(crate) fn use_live() -> Live {
    use_context().expect("below the root of the app")
}

impl Live {
    fn new(counts: Option<Counts>) -> Self {
        let (link, counts) = (RwSignal::new(Link::Connecting), RwSignal::new(counts));
        let (now, paused) = (RwSignal::new(None), RwSignal::new(false));
        let kept_back = RwSignal::new(0);
        Self {
            link,
            counts,
            now,
            paused,
            reachable: RwSignal::new(false),
            held: RwSignal::new(false),
            acting: RwSignal::new(0),
            kept_back,
            wanted: RwSignal::new("counts".to_owned()),
            watchers: StoredValue::new(Watchers::default()),
            seen: Seen {
                link: link.into(),
                counts: counts.into(),
                now: now.into(),
                paused: paused.into(),
                kept_back: kept_back.into(),
            },
        }
    }

    /// Whether the page hears of changes.
    pub(crate) fn link(self) -> Signal<Link> {
        self.seen.link
    }

    /// What the frame counts.
    pub(crate) fn counts(self) -> Signal<Option<Counts>> {
        self.seen.counts
    }

    /// The server's time, each second; none until the page lives.
    pub(crate) fn now(self) -> Signal<Option<Timestamp>> {
        self.seen.now
    }

    /// A number that grows when something in `topics` changed, at most every `seconds`, and not
    /// while rows are held.
    pub(crate) fn watch(
        self,
        topics: impl Fn() -> Vec<Topic> + Send + Sync + 'static,
        seconds: u32,
    ) -> Signal<u64> {
        let revision = RwSignal::new(0);
        let watcher = StoredValue::new(None);
        Effect::new(move |_| {
            let topics = topics();
            self.watchers.update_value(|watchers| {
                watcher.update_value(|id| {
                    *id = Some(watchers.set(*id, topics, seconds, revision));
                });
            });
            self.ask();
        });
        on_cleanup(move || {
            let id = watcher.try_get_value().flatten();
            if let Some(id) = id {
                self.watchers
                    .try_update_value(|watchers| watchers.remove(id));
                self.ask();
            }
        });
        revision.into()
    }

    /// Keeps what is shown as it is, while a person picks rows.
    pub(crate) fn hold(self, held: bool) {
        if self.held.get_untracked() != held {
            self.held.set(held);
            if !held {
                self.release();
            }
        }
    }

    /// Lets nobody read: an action is at work, and what it removes would be missed.
    pub(crate) fn begin(self) {
        self.acting.update(|acting| *acting += 1);
    }

    /// One action less to wait for. Whoever asked to read meanwhile does so with the last.
    pub(crate) fn end(self) {
        self.acting
            .try_update(|acting| *acting = acting.saturating_sub(1));
        self.flush();
    }

    /// How many changes are kept back.
    pub(crate) fn kept_back(self) -> Signal<u64> {
        self.seen.kept_back
    }

    /// Shows what was kept back, once.
    pub(crate) fn release(self) {
        self.kept_back.set(0);
        self.touch();
    }

    /// Lets every watcher read again.
    pub(crate) fn touch(self) {
        self.watchers.try_update_value(Watchers::mark_all);
        self.flush();
    }

    /// Whether a person stopped the updates.
    pub(crate) fn paused(self) -> Signal<bool> {
        self.seen.paused
    }

    /// Stops the updates, or lets them go on.
    pub(crate) fn pause(self, paused: bool) {
        self.paused.set(paused);
        link::remember_pause(paused);
    }

    /// Tells the stream which topics are watched now.
    fn ask(self) {
        if let Some(topics) = self.watchers.try_with_value(Watchers::topics)
            && self
                .wanted
                .try_get_untracked()
                .is_some_and(|wanted| wanted != topics)
        {
            self.wanted.try_set(topics);
        }
    }

    /// Raises the numbers of the watchers whose time has come.
    fn flush(self) {
        let still = self.held.try_get_untracked() != Some(false);
        if still || self.acting.try_get_untracked() != Some(0) {
            return;
        }
        let due = self
            .watchers
            .try_update_value(|watchers| watchers.due(clock::millis()));
        for revision in due.unwrap_or_default() {
            revision.try_update(|n| *n += 1);
        }
    }
}
