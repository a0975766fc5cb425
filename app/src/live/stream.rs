//! The event stream: opened, read, and opened again when it breaks.

use std::pin::pin;
use std::time::Duration;

use conveyor_model::event::Event;
use conveyor_model::filter::percent_encode;
use conveyor_model::stats::Counts;
use futures_util::StreamExt;
use futures_util::future::{AbortHandle, Either, abortable, select};
use futures_util::stream::select_all;
use gloo_net::eventsource::State;
use gloo_net::eventsource::futures::EventSource;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

use super::clock::millis;
use super::{Link, Live};

/// The events the stream carries.
const NAMES: [&str; 9] = [
    "counts",
    "job",
    "queue",
    "schedule",
    "worker",
    "operation",
    "resync",
    "ping",
    "bye",
];

/// The server says something every 15 seconds; a stream silent for longer than this is dead.
const SILENCE: f64 = 45_000.0;

/// How long a connection may take. The browser tells nobody of a failed first try, and tries again.
const PATIENCE: f64 = 5_000.0;

/// After this many tries in vain pages read again by themselves.
const TRIES_BEFORE_POLLING: u32 = 3;

/// Keeps the stream open while it can and should be, asking for what is watched.
pub(super) fn run(live: Live) {
    let running = StoredValue::new(None::<AbortHandle>);
    let stop = move || {
        if let Some(Some(handle)) = running.try_update_value(Option::take) {
            handle.abort();
        }
    };
    Effect::new(move |_| {
        let topics = live.wanted.get();
        stop();
        if live.paused.get() {
            live.link.set(Link::Paused);
        } else if live.reachable.get() {
            if live.link.get_untracked() == Link::Paused {
                live.link.set(Link::Connecting);
            }
            let (task, handle) = abortable(keep_open(live, topics));
            running.set_value(Some(handle));
            spawn_local(async move {
                let _ = task.await;
            });
        }
    });
    on_cleanup(stop);
}

async fn keep_open(live: Live, topics: String) {
    let mut tries = 0;
    loop {
        listen(live, &topics, &mut tries).await;
        tries += 1;
        live.link.try_set(Link::Reconnecting(tries));
        if tries >= TRIES_BEFORE_POLLING {
            live.touch();
        }
        sleep(pause_before(tries, js_sys::Math::random())).await;
    }
}

/// How long to wait before try number `tries`: 1 s, doubling to 30 s, half of it by chance.
fn pause_before(tries: u32, chance: f64) -> Duration {
    let most = f64::from(1_u32 << tries.saturating_sub(1).min(5)).min(30.0);
    Duration::from_secs_f64((most * (0.5 + chance / 2.0)).max(1.0))
}

/// Reads one connection to its end. The browser would itself open a broken one again, at its own
/// pace and without a word; so it is closed as soon as it is seen to be broken.
async fn listen(live: Live, topics: &str, tries: &mut u32) {
    let mut url = "/api/v1/events?topics=".to_owned();
    percent_encode(topics, &mut url);
    let Ok(mut source) = EventSource::new(&url) else {
        return;
    };
    let subscriptions = NAMES.iter().filter_map(|name| source.subscribe(*name).ok());
    let mut events = select_all(subscriptions);
    let mut open = false;
    let mut heard_at = millis();
    loop {
        let look_again = pin!(sleep(Duration::from_millis(500)));
        match select(events.next(), look_again).await {
            Either::Left((Some(Ok((name, message))), _)) => {
                heard_at = millis();
                if name == "bye" {
                    return;
                }
                live.hear(&name, &message.data().as_string().unwrap_or_default());
            }
            Either::Left((Some(Err(_)) | None, _)) => return,
            Either::Right(_) => {}
        }
        match source.state() {
            State::Open if !open => {
                open = true;
                *tries = 0;
                live.link.try_set(Link::Live);
                // Whatever happened since the page was drawn, or the last stream broke.
                live.touch();
            }
            State::Open if millis() - heard_at < SILENCE => {}
            State::Connecting if !open && millis() - heard_at < PATIENCE => {}
            State::Open | State::Connecting | State::Closed => return,
        }
    }
}

impl Live {
    /// Takes in one event. One that cannot be read is from a newer server, and is left alone.
    fn hear(self, name: &str, data: &str) {
        let event = match name {
            "resync" => return self.touch(),
            "counts" => serde_json::from_str::<Counts>(data).ok().map(|counts| {
                self.counts.try_set(Some(counts.clone()));
                Event::Counts(counts)
            }),
            "job" | "queue" | "schedule" | "worker" => serde_json::from_str(data).ok(),
            _ => None,
        };
        let Some(event) = event else { return };
        let heard = self
            .watchers
            .try_update_value(|watchers| watchers.mark(&event))
            .unwrap_or(false);
        if heard && self.held.try_get_untracked() == Some(true) {
            self.kept_back.try_update(|n| *n += 1);
        }
        self.flush();
    }
}

async fn sleep(duration: Duration) {
    let millis = i32::try_from(duration.as_millis()).unwrap_or(i32::MAX);
    let done = js_sys::Promise::new(&mut |resolve, _| {
        let _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, millis);
    });
    let _ = JsFuture::from(done).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_grows_to_half_a_minute() {
        for (tries, least, most) in [(1, 1.0, 1.0), (2, 1.0, 2.0), (4, 4.0, 8.0), (9, 15.0, 30.0)] {
            assert!((pause_before(tries, 0.0).as_secs_f64() - least).abs() < 0.01);
            assert!((pause_before(tries, 1.0).as_secs_f64() - most).abs() < 0.01);
        }
        assert!(pause_before(u32::MAX, 1.0) <= Duration::from_secs(30));
    }
}
