//! The five figures that say whether the queue is healthy.

use conveyor_model::lang::Lang;
use conveyor_model::state::State;
use conveyor_model::stats::Overview;
use leptos::prelude::*;

use super::sentence::{TOO_LONG, fails_more, only_paused};
use crate::context::use_lang;
use crate::i18n::{length, number, overview as text, word};
use crate::parts::tile::{Figure, Tile, Tone};
use crate::paths;

/// The strip.
#[component]
pub(super) fn Tiles(data: Signal<Overview>) -> impl IntoView {
    let lang = use_lang();
    let figure = move |of: fn(&Overview, Lang) -> Figure| {
        Memo::new(move |_| data.with(|data| of(data, lang)))
    };
    let (ready, retrying) = (
        paths::jobs_in(State::Ready),
        paths::jobs_in(State::Retrying),
    );
    view! {
        <div class="tiles">
            <Tile href=ready name=text::oldest(lang) figure=figure(oldest)/>
            <Tile href=paths::JOBS name=text::in_out(lang) figure=figure(in_and_out)/>
            <Tile href=retrying name=text::failing(lang) figure=figure(failing)/>
            <Tile href=paths::WORKERS name=text::busy(lang) figure=figure(busy)/>
            <Tile href=paths::DEAD name=text::dead(lang) figure=figure(dead)/>
        </div>
    }
}

fn oldest(data: &Overview, lang: Lang) -> Figure {
    let Some(oldest) = &data.oldest_ready else {
        return Figure {
            number: "–".to_owned(),
            unit: String::new(),
            note: if only_paused(data) {
                text::held_back(lang).to_owned()
            } else {
                text::nothing_waits(lang).to_owned()
            },
            tone: Tone::Calm,
        };
    };
    let (number, unit) = length::figure(lang, oldest.age_s);
    Figure {
        number,
        unit: unit.to_owned(),
        note: text::in_queue(lang, &oldest.queue),
        tone: warn_if(oldest.age_s > TOO_LONG),
    }
}

fn in_and_out(data: &Overview, lang: Lang) -> Figure {
    let out = number::short(lang, data.rate_out);
    Figure {
        number: number::short(lang, data.rate_in),
        unit: format!("/ {out} {}", word::per_second(lang)),
        note: text::last_minute(lang).to_owned(),
        tone: Tone::Calm,
    }
}

fn failing(data: &Overview, lang: Lang) -> Figure {
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
    Figure {
        number: data.failing.map_or_else(|| "–".to_owned(), percent),
        unit: data.failing.map_or("", |_| "%").to_owned(),
        note,
        tone: warn_if(fails_more(data)),
    }
}

fn busy(data: &Overview, lang: Lang) -> Figure {
    let workers = word::workers(lang, data.workers);
    let (note, tone) = match (data.workers, data.workers_quiet) {
        (0, _) => (text::no_workers(lang).to_owned(), Tone::Bad),
        (_, 0) => (workers, Tone::Calm),
        (_, quiet) => (text::quiet_too(lang, &workers, &quiet), Tone::Calm),
    };
    Figure {
        number: number::whole(data.slots_busy),
        unit: format!("/ {}", number::whole(data.slots_total)),
        note,
        tone,
    }
}

fn dead(data: &Overview, lang: Lang) -> Figure {
    let note = match data.died_last_hour {
        0 => text::none_died(lang).to_owned(),
        died => text::died(lang, died),
    };
    Figure {
        number: number::whole(data.counts.of(State::Dead)),
        unit: String::new(),
        note,
        tone: warn_if(data.died_last_hour > 0),
    }
}

const fn warn_if(matter: bool) -> Tone {
    if matter { Tone::Warn } else { Tone::Calm }
}
