//! Charts: drawn as SVG by the server, read with a pointer once the page lives, and as a table always.
//!
//! The shapes are stretched to the width of the page, the words around them are not: so the drawing
//! is a square of 1000 by 1000 units in its own SVG, and the labels stand at percentages in others.

mod line;
mod measure;
mod scale;
mod shape;
mod table;

pub(crate) use line::Line;
pub(crate) use measure::Measure;

use conveyor_model::time::{Span, Timestamp};
use leptos::prelude::*;
use leptos::web_sys::PointerEvent;
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::when::{Clock, civil, use_clock};
use crate::context::use_lang;
use crate::i18n::chart as text;
use scale::Scale;

/// What a chart shows.
#[derive(Clone, Debug, PartialEq)]
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
    /// What the values are.
    pub(crate) measure: Measure,
}

impl Chart {
    fn scale(&self) -> Scale {
        Scale::of(shape::highest(self), self.measure)
    }

    fn is_empty(&self) -> bool {
        self.times.len() < 2
    }
}

/// A panel with a chart in it, drawn anew inside when the values change.
#[component]
pub(crate) fn ChartPanel(chart: Memo<Chart>) -> impl IntoView {
    let lang = use_lang();
    let pointed = RwSignal::new(None::<usize>);
    let steps = move || chart.with(|chart| chart.times.len());
    let point = move |event: PointerEvent| pointed.set(index_under(&event, untrack(steps)));
    let plot_label =
        move || chart.with(|chart| format!("{}. {}", chart.title, shape::summary(chart, lang)));
    let (title, note) = chart.with_untracked(|chart| (chart.title.clone(), chart.note.clone()));
    view! {
        <figure class="panel chart">
            <figcaption class="panel-head">
                <h2>{title}</h2>
                <span class="quiet">{note}</span>
            </figcaption>
            <div class="chart-box">
                <svg class="chart-values" aria-hidden="true">
                    {move || chart.with(|chart| chart.scale().labels(lang, chart.measure))}
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
                    {move || {
                        chart
                            .with(|chart| {
                                let scale = chart.scale();
                                (scale.grid(), shape::draw(chart, scale))
                            })
                    }}
                    <path class="chart-cursor" d=move || cursor(pointed.get(), steps())></path>
                </svg>
                <svg class="chart-ends" aria-hidden="true">
                    {move || chart.with(|chart| shape::end_labels(chart, chart.scale()))}
                </svg>
                <TimeAxis chart=chart/>
                <Show when=move || chart.with(Chart::is_empty)>
                    <p class="chart-empty">{text::nothing_yet(lang)}</p>
                </Show>
            </div>
            <Legend chart=chart pointed=pointed/>
            <details class="chart-table">
                <summary>{text::as_table(lang)}</summary>
                <div>{move || chart.with(|chart| table::table(chart, lang))}</div>
            </details>
        </figure>
    }
    .into_any()
}

/// The times below the drawing.
#[component]
fn TimeAxis(chart: Memo<Chart>) -> impl IntoView {
    let clock = use_clock();
    let span = Memo::new(move |_| {
        chart.with(|chart| {
            let (first, last) = (chart.times.first()?, chart.times.last()?);
            Some((*first, *last, chart.tick))
        })
    });
    let labels = move || {
        let Some((first, last, tick)) = span.get() else {
            return Vec::new();
        };
        scale::ticks(first, last, tick, |at| civil(at, clock()).0)
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
        <span class="unseen">{move || if clock() == Clock::Utc { "UTC" } else { "" }}</span>
    }
    .into_any()
}

/// What each band or line is, with its latest value, or the value under the pointer.
#[component]
fn Legend(chart: Memo<Chart>, pointed: RwSignal<Option<usize>>) -> impl IntoView {
    let lang = use_lang();
    let clock = use_clock();
    let at = move || {
        let index = pointed.get()?;
        let at = chart.with(|chart| chart.times.get(index).copied())?;
        Some(civil(at, clock()).0.to_string().split_off(11))
    };
    let value = move |number: usize| {
        chart.with(|chart| {
            let line = chart.lines.get(number)?;
            let index = pointed.get().unwrap_or(line.values.len().saturating_sub(1));
            let value = line.values.get(index).copied().flatten()?;
            Some(chart.measure.write(lang, value))
        })
    };
    let keys = chart.with_untracked(|chart| {
        let keys = chart.lines.iter().enumerate();
        keys.map(|(number, line)| (number, line.class, line.name.clone()))
            .collect::<Vec<_>>()
    });
    view! {
        <div class="chart-legend">
            {keys
                .into_iter()
                .map(|(number, class, name)| {
                    view! {
                        <span class="chart-key">
                            <svg class="chart-swatch" width="10" height="10" aria-hidden="true">
                                <rect class=class width="10" height="10" rx="2"></rect>
                            </svg>
                            {name}
                            " "
                            <b>{move || value(number).unwrap_or_else(|| "–".to_owned())}</b>
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
