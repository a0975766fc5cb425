//! The server's time in the browser, second by second.

use std::time::Duration;

use conveyor_model::time::Timestamp;
use leptos::prelude::*;

use super::Live;

/// A browser whose clock is off by more than this gets its times from the server's clock. A smaller
/// difference may be the time the page took to load.
const TOLERANCE: i64 = 10_000_000;

/// Starts the clock once the page lives, and lets the watchers look each second.
pub(super) fn run(live: Live, drawn: Timestamp) {
    Effect::new(move |_| {
        let difference = drawn.micros() - micros();
        let ahead = if difference.abs() > TOLERANCE {
            difference
        } else {
            0
        };
        let tick = move || {
            live.now
                .try_set(Some(Timestamp::from_micros(micros() + ahead)));
            live.flush();
        };
        tick();
        if let Ok(interval) = set_interval_with_handle(tick, Duration::from_secs(1)) {
            on_cleanup(move || interval.clear());
        }
    });
}

/// Milliseconds since 1970 on the browser's clock.
pub(super) fn millis() -> f64 {
    js_sys::Date::now()
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "microseconds since 1970 are exact in a double"
)]
fn micros() -> i64 {
    (millis() * 1000.0) as i64
}
