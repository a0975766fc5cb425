//! The five figures that say whether the queue is healthy.

use conveyor_model::lang::Lang;
use conveyor_model::state::State;
use conveyor_model::stats::Overview;
use leptos::prelude::*;

use super::sentence::{TOO_LONG, fails_more};
use crate::context::use_lang;
use crate::i18n::{length, number, overview as text, word};
use crate::parts::tile::{Tile, Tone};
use crate::paths;

/// The strip.
pub(super) fn tiles(data: &Overview) -> impl IntoView + use<> {
    let lang = use_lang();
    view! {
        <div class="tiles">
            {oldest(data, lang)} {in_and_out(data, lang)} {failing(data, lang)} {busy(data, lang)}
            {dead(data, lang)}
        </div>
    }
}

fn oldest(data: &Overview, lang: Lang) -> impl IntoView + use<> {
    let (figure, unit, note, tone) = match &data.oldest_ready {
        None => (
            "–".to_owned(),
            "",
            text::nothing_waits(lang).to_owned(),
            Tone::Calm,
        ),
        Some(oldest) => {
            let (figure, unit) = length::figure(lang, oldest.age_s);
            let tone = if oldest.age_s > TOO_LONG {
                Tone::Warn
            } else {
                Tone::Calm
            };
            (figure, unit, text::in_queue(lang, &oldest.queue), tone)
        }
    };
    view! {
        <Tile
            href=paths::jobs_in(State::Ready)
            name=text::oldest(lang)
            number=figure
            unit=unit
            note=note
            tone=tone
        />
    }
}

fn in_and_out(data: &Overview, lang: Lang) -> impl IntoView + use<> {
    let out = number::short(lang, data.rate_out);
    view! {
        <Tile
            href=paths::JOBS
            name=text::in_out(lang)
            number=number::short(lang, data.rate_in)
            unit=format!("/ {out} {}", word::per_second(lang))
            note=text::last_minute(lang)
        />
    }
}

fn failing(data: &Overview, lang: Lang) -> impl IntoView + use<> {
    let percent = |share: f64| number::short(lang, share * 100.0);
    let note = match (data.failing, data.failing_before) {
        (None, _) => text::no_attempts(lang).to_owned(),
        (Some(now), Some(before)) if percent(now) != percent(before) => {
            if now > before {
                text::up_from(lang, &percent(before))
            } else {
                text::down_from(lang, &percent(before))
            }
        }
        (Some(_), _) => text::as_before(lang).to_owned(),
    };
    view! {
        <Tile
            href=paths::jobs_in(State::Retrying)
            name=text::failing(lang)
            number=data.failing.map_or_else(|| "–".to_owned(), percent)
            unit=if data.failing.is_some() { "%" } else { "" }
            note=note
            tone=if fails_more(data) { Tone::Warn } else { Tone::Calm }
        />
    }
}

fn busy(data: &Overview, lang: Lang) -> impl IntoView + use<> {
    let workers = word::workers(lang, data.workers);
    let (note, tone) = match (data.workers, data.workers_quiet) {
        (0, _) => (text::no_workers(lang).to_owned(), Tone::Bad),
        (_, 0) => (workers, Tone::Calm),
        (_, quiet) => (text::quiet_too(lang, &workers, &quiet), Tone::Calm),
    };
    view! {
        <Tile
            href=paths::WORKERS
            name=text::busy(lang)
            number=number::whole(data.slots_busy)
            unit=format!("/ {}", number::whole(data.slots_total))
            note=note
            tone=tone
        />
    }
}

fn dead(data: &Overview, lang: Lang) -> impl IntoView + use<> {
    let (note, tone) = match data.died_last_hour {
        0 => (text::none_died(lang).to_owned(), Tone::Calm),
        died => (text::died(lang, died), Tone::Warn),
    };
    view! {
        <Tile
            href=paths::DEAD
            name=text::dead(lang)
            number=number::whole(data.counts.of(State::Dead))
            note=note
            tone=tone
        />
    }
}
