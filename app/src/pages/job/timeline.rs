//! The job's life as a line, and the same as a list.

use conveyor_model::job::Outcome;
use conveyor_model::lang::Lang;
use conveyor_model::operator::JobDetail;
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;
use leptos::prelude::*;

use super::segments::{Piece, Segment, places, segments};
use crate::context::use_lang;
use crate::i18n::{job as text, length, word};
use crate::parts::{Moment, Panel, When};

/// At most this many attempts have their number below the line.
const MOST_LABELS: usize = 12;

/// The panel.
#[component]
pub(super) fn Timeline(detail: JobDetail) -> impl IntoView {
    let lang = use_lang();
    let segments = segments(&detail);
    let due = matches!(detail.job.row.state, State::Scheduled | State::Retrying)
        .then_some(detail.job.row.run_at);
    let list = segments
        .iter()
        .map(|segment| item(lang, segment))
        .collect::<Vec<_>>();
    view! {
        <Panel title=text::timeline(lang)>
            <Line segments=segments due=due/>
            <details class="timeline-list">
                <summary>{text::timeline_list(lang)}</summary>
                <ol>
                    <li>
                        <span>{word_first(text::enqueued(lang))}</span>
                        <Moment at=detail.job.row.created_at/>
                    </li>
                    {list}
                    {due
                        .map(|at| {
                            view! {
                                <li>
                                    <span>{text::due(lang)}</span>
                                    <Moment at=at/>
                                </li>
                            }
                        })}
                </ol>
            </details>
        </Panel>
    }
}

#[component]
fn Line(segments: Vec<Segment>, due: Option<Timestamp>) -> impl IntoView {
    let lang = use_lang();
    let places = places(&segments);
    let percent = |thousandths: f64| format!("{:.2}%", thousandths / 10.0);
    let attempts = segments
        .iter()
        .filter(|segment| is_attempt(segment))
        .count();
    let every = attempts.div_ceil(MOST_LABELS).max(1);
    let mut seen = 0;
    let mut labels = Vec::new();
    let mut bars = Vec::new();
    for (segment, (at, width)) in segments.iter().zip(&places) {
        let attempt = is_attempt(segment);
        if let Piece::Attempt(number, _) = segment.piece {
            if seen % every == 0 {
                let middle = percent(at + width / 2.0);
                labels.push(view! {
                    <text x=middle y="38" text-anchor="middle">
                        {number.to_string()}
                    </text>
                });
            }
            seen += 1;
        }
        let (y, height) = if attempt { ("2", "20") } else { ("7", "10") };
        bars.push(view! {
            <rect
                x=percent(*at)
                y=y
                width=percent(*width)
                height=height
                data-piece=piece_word(segment.piece)
            >
                <title>{said(lang, segment)}</title>
            </rect>
        });
    }
    let summary: Vec<String> = segments.iter().map(|segment| said(lang, segment)).collect();
    view! {
        <svg class="timeline" role="img" aria-label=summary.join("; ") height="44">
            {bars}
            {labels}
            {due.map(|_| view! { <circle class="timeline-due" cx="100%" cy="12" r="6"></circle> })}
        </svg>
        {due
            .map(|at| {
                view! {
                    <p class="timeline-end quiet">
                        {text::due(lang)}
                        " "
                        <When at=at/>
                    </p>
                }
            })}
    }
}

const fn is_attempt(segment: &Segment) -> bool {
    matches!(segment.piece, Piece::Attempt(..))
}

/// The word in `data-piece`, which gives the colour.
const fn piece_word(piece: Piece) -> &'static str {
    match piece {
        Piece::Waited => "waited",
        Piece::Backoff => "backoff",
        Piece::Attempt(_, None) => "running",
        Piece::Attempt(_, Some(outcome)) => outcome.as_str(),
    }
}

fn name(lang: Lang, piece: Piece) -> String {
    match piece {
        Piece::Waited => text::waited(lang).to_owned(),
        Piece::Backoff => text::backoff(lang).to_owned(),
        Piece::Attempt(number, outcome) => {
            let how = outcome.map_or(text::running(lang), |outcome| ended(lang, outcome));
            format!("{}: {how}", text::attempt_n(lang, &number))
        }
    }
}

const fn ended(lang: Lang, outcome: Outcome) -> &'static str {
    word::outcome(lang, outcome)
}

fn said(lang: Lang, segment: &Segment) -> String {
    format!(
        "{}, {}",
        name(lang, segment.piece),
        length::length(lang, segment.length)
    )
}

fn item(lang: Lang, segment: &Segment) -> impl IntoView + use<> {
    view! {
        <li data-piece=piece_word(segment.piece)>
            <span>{said(lang, segment)}</span>
            <Moment at=segment.from/>
        </li>
    }
}

/// `word` as the first of a line.
fn word_first(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}
