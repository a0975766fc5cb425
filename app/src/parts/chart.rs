//! Charts: drawn as SVG by the server, read with a pointer once the page lives, and as a table always.
//!
//! The shapes are stretched to the width of the page, the words around them are not: so the drawing
//! is a square of 1000 by 1000 units in its own SVG, and the labels stand at percentages in others.

mod line;
mod scale;
mod shape;
mod table;

pub(crate) use line::Line;

use conveyor_model::time::{Span, Timestamp};
use leptos::prelude::*;
use leptos::web_sys::PointerEvent;
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::when::{Clock, civil, use_clock};
use crate::context::use_lang;
use crate::i18n::chart;
use scale::Scale;

/// What a chart shows.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    /// Its name.
    pub(crate) title: String,
    /// What the numbers are, such as "by outcome".
    pub(crate) note: String,
    /// The instants of the values, oldest first.
    pub(crate) times: Vec<Timestamp>,
    /// How often the axis below has a label.
    pub(crate) tick: Span,
    /// The lines, or the bands from the bottom up.
    pub(crate) lines: Vec<Line>,
    /// Whether the lines are bands on top of each other.
    pub(crate) stacked: bool,
    /// How a value is written.
    pub(crate) write: fn(conveyor_model::lang::Lang, f64) -> String,
}

/// A panel with a chart in it.
#[component]
pub(crate) fn ChartPanel(chart: Chart) -> impl IntoView {
    let lang = use_lang();
    let scale = Scale::of(shape::highest(&chart));
    let pointed = RwSignal::new(None::<usize>);
    let steps = chart.times.len();
    let point = move |event: PointerEvent| pointed.set(index_under(&event, steps));
    let summary = shape::summary(&chart, lang);
    let plot_label = format!("{}. {summary}", chart.title);
    let empty = steps < 2;
    view! {
        <figure class="panel chart">
            <figcaption class="panel-head">
                <h2>{chart.title.clone()}</h2>
                <span class="quiet">{chart.note.clone()}</span>
            </figcaption>
            <div class="chart-box">
                <svg class="chart-values" aria-hidden="true">
                    {scale.labels(lang, chart.write)}
                </svg>
                <svg
                    class="chart-plot"
                    viewBox="0 0 1000 1000"
                    preserveAspectRatio="none"
                    role="img"
                    aria-label=plot_label
                    on:pointermove=point
                    on:pointerleave=move |_| pointed.set(None)
                >
                    {scale.grid()}
                    {shape::draw(&chart, scale)}
                    <path class="chart-cursor" d=move || cursor(pointed.get(), steps)></path>
                </svg>
                <svg class="chart-ends" aria-hidden="true">
                    {shape::end_labels(&chart, scale)}
                </svg>
                <TimeAxis times=chart.times.clone() tick=chart.tick/>
                {empty.then(|| view! { <p class="chart-empty">{chart::nothing_yet(lang)}</p> })}
            </div>
            <Legend chart=chart.clone() pointed=pointed/>
            <details class="chart-table">
                <summary>{chart::as_table(lang)}</summary>
                <div>{table::table(&chart, lang)}</div>
            </details>
        </figure>
    }
    .into_any()
}

/// The times below the drawing.
#[component]
fn TimeAxis(times: Vec<Timestamp>, tick: Span) -> impl IntoView {
    let clock = use_clock();
    let labels = move || {
        let (Some(first), Some(last)) = (times.first(), times.last()) else {
            return Vec::new();
        };
        scale::ticks(*first, *last, tick, |at| civil(at, clock.get()).0)
            .into_iter()
            .map(|(percent, text)| {
                view! {
                    <text x=format!("{percent:.2}%") y="12" text-anchor="middle">
                        {text}
                    </text>
                }
            })
            .collect()
    };
    view! {
        <svg class="chart-times" aria-hidden="true">
            {labels}
        </svg>
        <span class="unseen">{move || if clock.get() == Clock::Utc { "UTC" } else { "" }}</span>
    }
    .into_any()
}

/// What each band or line is, with its latest value, or the value under the pointer.
#[component]
fn Legend(chart: Chart, pointed: RwSignal<Option<usize>>) -> impl IntoView {
    let lang = use_lang();
    let clock = use_clock();
    let last = chart.times.len().saturating_sub(1);
    let times = chart.times.clone();
    let at = move || {
        pointed
            .get()
            .and_then(|index| times.get(index).copied())
            .map(|at| civil(at, clock.get()).0.to_string().split_off(11))
    };
    view! {
        <div class="chart-legend">
            {chart
                .lines
                .iter()
                .map(|line| {
                    let (values, write) = (line.values.clone(), chart.write);
                    let value = move || {
                        let index = pointed.get().unwrap_or(last);
                        values
                            .get(index)
                            .copied()
                            .flatten()
                            .map_or_else(|| "–".to_owned(), |value| write(lang, value))
                    };
                    view! {
                        <span class="chart-key">
                            <svg class="chart-swatch" width="10" height="10" aria-hidden="true">
                                <rect class=line.class width="10" height="10" rx="2"></rect>
                            </svg>
                            {line.name.clone()}
                            " "
                            <b>{value}</b>
                        </span>
                    }
                })
                .collect_view()}
            <span class="chart-at">{at}</span>
        </div>
    }
    .into_any()
}

/// The step under the pointer.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a share of a few hundred steps, clamped to them"
)]
fn index_under(event: &PointerEvent, steps: usize) -> Option<usize> {
    let plot = event.current_target()?.dyn_into::<Element>().ok()?;
    let place = plot.get_bounding_client_rect();
    let share = (f64::from(event.client_x()) - place.left()) / place.width();
    let last = steps.checked_sub(1)?;
    share
        .is_finite()
        .then(|| (share.clamp(0.0, 1.0) * last as f64).round() as usize)
}

fn cursor(pointed: Option<usize>, steps: usize) -> String {
    match pointed {
        Some(index) => format!("M{:.1} 0V1000", scale::across(index, steps)),
        None => String::new(),
    }
}
