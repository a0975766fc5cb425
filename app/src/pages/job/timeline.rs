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
use crate::parts::follow::part;
use crate::parts::{Moment, Panel, When};

/// At most this many attempts have their number below the line.
const MOST_LABELS: usize = 12;

/// The panel.
#[component]
pub(super) fn Timeline(detail: Signal<JobDetail>) -> impl IntoView {
    let lang = use_lang();
    let life = |detail: &JobDetail| {
        let row = &detail.job.row;
        let due = matches!(row.state, State::Scheduled | State::Retrying).then_some(row.run_at);
        (segments(detail), due)
    };
    let created_at = detail.with_untracked(|detail| detail.job.row.created_at);
    view! {
        <Panel title=text::timeline(lang)>
            {part(detail, life, |(segments, due)| view! { <Line segments=segments due=due/> })}
            <details class="timeline-list">
                <summary>{text::timeline_list(lang)}</summary>
                <ol>
                    <li>
                        <span>{word_first(text::enqueued(lang))}</span>
                        <Moment at=created_at/>
                    </li>
                    {part(detail, life, move |(segments, due)| list(lang, &segments, due))}
                </ol>
            </details>
        </Panel>
    }
}

fn list(lang: Lang, segments: &[Segment], due: Option<Timestamp>) -> impl IntoView + use<> {
    let items: Vec<_> = segments.iter().map(|segment| item(lang, segment)).collect();
    let due = due.map(|at| {
        view! {
            <li>
                <span>{text::due(lang)}</span>
                <Moment at=at/>
            </li>
        }
    });
    (items, due)
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
    let pieces: Vec<String> = segments.iter().map(|segment| said(lang, segment)).collect();
    let summary = format!("{}: {}", text::timeline(lang), pieces.join("; "));
    view! {
        <svg class="timeline" role="img" aria-label=summary height="44">
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
