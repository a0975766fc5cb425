//! Times. The HTML holds the absolute time in UTC, the same on both sides; once the page lives, it is
//! shown as the reader likes it.

use conveyor_model::time::{MICROS, Span, Timestamp};
use leptos::prelude::*;

use crate::context::{Zone, use_lang, use_prefs, with_visit};
use crate::i18n::length;
use crate::live::use_live;

/// How long ago or how soon: `3 min ago`. The exact time is in the title.
#[component]
pub(crate) fn When(at: Timestamp) -> impl IntoView {
    let lang = use_lang();
    let now = use_live().now();
    let clock = use_clock();
    let drawn = with_visit(|visit| visit.now);
    let text = move || match now.get() {
        Some(now) => length::relative(lang, at, now),
        None => brief(at, Clock::Utc, drawn),
    };
    let title = move || match now.get() {
        Some(now) => format!(
            "{} ({})",
            exact(at, clock()),
            length::relative_in_words(lang, at, now)
        ),
        None => exact(at, Clock::Utc),
    };
    view! {
        <time datetime=at.to_string() title=title>
            {text}
        </time>
    }
}

/// The clock: `2026-11-30 09:33:12 UTC`; only the time of day when `short` and it is today.
#[component]
pub(crate) fn Moment(at: Timestamp, #[prop(optional)] short: bool) -> impl IntoView {
    let clock = use_clock();
    let drawn = with_visit(|visit| visit.now);
    let text = move || {
        let clock = clock();
        if short {
            brief(at, clock, drawn)
        } else {
            to_the_second(at, clock)
        }
    };
    view! {
        <time datetime=at.to_string() title=move || exact(at, clock())>
            {text}
        </time>
    }
}

/// How long something has lasted that began at `since` and has not ended; until the page lives, how
/// long it had lasted when the page was drawn.
#[component]
pub(crate) fn Elapsed(since: Timestamp) -> impl IntoView {
    let lang = use_lang();
    let now = use_live().now();
    let drawn = with_visit(|visit| visit.now);
    let text = move || {
        let seconds = now.get().unwrap_or(drawn).since(since).micros() / MICROS;
        length::length(lang, Span::from_secs(seconds))
    };
    view! { <span class="elapsed">{text}</span> }
}

/// The clock that times are shown on, once it is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// UTC.
    Utc,
    /// The browser's own.
    Local,
}

/// UTC while the page is drawn and until it lives; then what the reader chose.
pub(crate) fn use_clock() -> impl Fn() -> Clock + Copy + Send + Sync + 'static {
    let now = use_live().now();
    let zone = use_prefs().zone;
    move || match zone {
        Zone::Local if now.with(Option::is_some) => Clock::Local,
        Zone::Utc | Zone::Local => Clock::Utc,
    }
}

/// The time of day when it is the day of `today`, else date and minute.
fn brief(at: Timestamp, clock: Clock, today: Timestamp) -> String {
    let (local, zone) = civil(at, clock);
    let (today, _) = civil(today, clock);
    let text = local.to_string();
    if text.get(..10) == today.to_string().get(..10) {
        format!("{} {zone}", text.get(11..).unwrap_or_default())
    } else {
        format!("{} {zone}", text.get(..16).unwrap_or_default())
    }
}

fn to_the_second(at: Timestamp, clock: Clock) -> String {
    let (local, zone) = civil(at, clock);
    format!("{local} {zone}")
}

fn exact(at: Timestamp, clock: Clock) -> String {
    let (local, zone) = civil(at, clock);
    let millis = at.micros().rem_euclid(MICROS) / 1000;
    format!("{local}.{millis:03} {zone}")
}

/// The date and time of day on a clock, and what the clock is called.
pub(crate) fn civil(at: Timestamp, clock: Clock) -> (conveyor_model::time::Civil, String) {
    let east = match clock {
        Clock::Utc => return (at.civil(), "UTC".to_owned()),
        Clock::Local => minutes_east(at),
    };
    let local = conveyor_model::time::Civil::from_epoch_secs(at.secs() + east * 60);
    let sign = if east < 0 { '−' } else { '+' };
    let zone = format!("{sign}{:02}:{:02}", east.abs() / 60, east.abs() % 60);
    (local, zone)
}

/// How far the browser's clock is ahead of UTC at an instant.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "milliseconds since 1970 and minutes of an offset are exact in a double"
)]
fn minutes_east(at: Timestamp) -> i64 {
    let millis = (at.micros() / 1000) as f64;
    -(js_sys::Date::new(&millis.into()).get_timezone_offset() as i64)
}
