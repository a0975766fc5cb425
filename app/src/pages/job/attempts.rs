//! Every attempt, newest first, with its error and its log.

use conveyor_model::job::{Attempt, Failure, LogLine, Outcome};
use conveyor_model::operator::JobDetail;
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;
use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::{job as text, length, word};
use crate::parts::each::Each;
use crate::parts::{Elapsed, Icon, Moment, Panel, Sign};

/// The panel.
#[component]
pub(super) fn Attempts(detail: Signal<JobDetail>) -> impl IntoView {
    let lang = use_lang();
    let none = Memo::new(move |_| detail.with(|detail| detail.attempts.is_empty()));
    let newest = |row: &Row| (row.newest, row.attempt.started_at);
    let key = move |row: &Row| {
        let state = (newest(row), row.attempt.outcome, row.lines.len());
        format!("{state:?}")
    };
    view! {
        <Panel title=text::attempts(lang) note=text::newest_first(lang)>
            <Show when=move || none.get()>
                <p class="quiet">{text::no_attempts(lang)}</p>
            </Show>
            <ol class="attempts">
                <Each
                    each=move || detail.with(rows)
                    key=key
                    children=|row| {
                        view! { <One attempt=row.attempt lines=row.lines newest=row.newest/> }
                    }
                />
            </ol>
        </Panel>
    }
    .into_any()
}

/// An attempt with its own part of the log.
struct Row {
    newest: bool,
    attempt: Attempt,
    lines: Vec<LogLine>,
}

fn rows(detail: &JobDetail) -> Vec<Row> {
    let newest = detail.attempts.len().saturating_sub(1);
    let row = |(at, attempt): (usize, &Attempt)| {
        let own = |line: &&LogLine| line.attempt == attempt.number;
        Row {
            newest: at == newest,
            attempt: attempt.clone(),
            lines: detail.logs.iter().filter(own).cloned().collect(),
        }
    };
    detail.attempts.iter().enumerate().rev().map(row).collect()
}

#[component]
fn One(attempt: Attempt, lines: Vec<LogLine>, newest: bool) -> impl IntoView {
    let lang = use_lang();
    let outcome = attempt.outcome;
    let how = outcome.map_or(word::state(lang, State::Running), |outcome| {
        word::outcome(lang, outcome)
    });
    view! {
        <li class="attempt" id=format!("attempt-{}", attempt.number)>
            <div class="attempt-head">
                <span class="state-mark" data-outcome=outcome.map_or("running", Outcome::as_str)>
                    <Icon sign=sign(outcome)/>
                    <span>{how}</span>
                </span>
                <strong>{text::attempt_n(lang, &attempt.number)}</strong>
                <span class="second">
                    <Moment at=attempt.started_at short=true/>
                    " · "
                    {took(&attempt)}
                    " · "
                    {attempt.worker.to_string()}
                </span>
            </div>
            {attempt.error.map(|error| view! { <Wrong error=error/> })}
            {(!lines.is_empty()).then(|| view! { <Log lines=lines open=newest/> })}
        </li>
    }
}

fn took(attempt: &Attempt) -> AnyView {
    match attempt.finished_at {
        Some(at) => length::length(use_lang(), at.since(attempt.started_at)).into_any(),
        None => view! { <Elapsed since=attempt.started_at/> }.into_any(),
    }
}

const fn sign(outcome: Option<Outcome>) -> Sign {
    match outcome {
        None => Sign::Play,
        Some(Outcome::Succeeded) => Sign::Check,
        Some(Outcome::Failed | Outcome::Timeout | Outcome::Dead | Outcome::LeaseLost) => {
            Sign::Octagon
        }
        Some(Outcome::Snoozed) => Sign::Clock,
        Some(Outcome::Cancelled) => Sign::Slash,
        Some(Outcome::Interrupted) => Sign::Pause,
    }
}

#[component]
fn Wrong(error: Failure) -> impl IntoView {
    let lang = use_lang();
    view! {
        <pre class="code">
            <strong>{error.class}</strong>
            ": "
            {error.message}
        </pre>
        {error
            .backtrace
            .map(|backtrace| {
                view! {
                    <details>
                        <summary>{text::backtrace(lang)}</summary>
                        <pre class="code">{backtrace}</pre>
                    </details>
                }
            })}
    }
}

#[component]
fn Log(lines: Vec<LogLine>, open: bool) -> impl IntoView {
    let lang = use_lang();
    let count = u64::try_from(lines.len()).unwrap_or(0);
    view! {
        <details open=open>
            <summary>{text::logs(lang, count)}</summary>
            <ol class="log">
                {lines
                    .into_iter()
                    .map(|line| {
                        view! {
                            <li data-level=line.level.as_str()>
                                <time datetime=line.at.to_string()>{clock(line.at)}</time>
                                <span class="log-level">{line.level.as_str()}</span>
                                <span class="log-text">{line.message}</span>
                            </li>
                        }
                    })
                    .collect_view()}
            </ol>
        </details>
    }
}

/// The time of day with milliseconds, in UTC.
fn clock(at: Timestamp) -> String {
    let civil = at.civil().to_string();
    let millis = at.micros().rem_euclid(1_000_000) / 1000;
    format!("{}.{millis:03}", civil.get(11..).unwrap_or_default())
}
