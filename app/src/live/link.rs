//! Whether the page hears of changes, and what decides it: the network, the tab, the person.

use leptos::ev;
use leptos::prelude::*;

use super::Live;

/// The state of the event stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// The first connection is being made.
    Connecting,
    /// Changes arrive.
    Live,
    /// The stream broke; this is the number of tries since.
    Reconnecting(u32),
    /// A person stopped it.
    Paused,
    /// The browser has no network.
    Offline,
}

impl Link {
    /// The word in `data-live`.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Link::Connecting => "connecting",
            Link::Live => "live",
            Link::Reconnecting(_) => "reconnecting",
            Link::Paused => "paused",
            Link::Offline => "offline",
        }
    }
}

/// Where the browser keeps that updates are stopped.
const KEPT: &str = "live-paused";

/// Follows the network and the tab: a hidden tab and one without a network have no stream.
pub(super) fn run(live: Live) {
    Effect::new(move |_| {
        live.paused.set(was_paused());
        let look = move || {
            let hidden = document().hidden();
            let online = window().navigator().on_line();
            live.reachable.try_set(online && !hidden);
            if !online {
                live.link.try_set(Link::Offline);
            }
        };
        look();
        let listeners = [
            window_event_listener(ev::online, move |_| look()),
            window_event_listener(ev::offline, move |_| look()),
        ];
        let visibility = window_event_listener(ev::visibilitychange, move |_| look());
        on_cleanup(move || {
            for listener in listeners {
                listener.remove();
            }
            visibility.remove();
        });
    });
}

/// Keeps the choice for the next page.
pub(super) fn remember_pause(paused: bool) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = if paused {
            storage.set_item(KEPT, "1")
        } else {
            storage.remove_item(KEPT)
        };
    }
}

fn was_paused() -> bool {
    let storage = window().local_storage().ok().flatten();
    storage.is_some_and(|storage| storage.get_item(KEPT).is_ok_and(|kept| kept.is_some()))
}
