//! Every attempt, newest first, with its error and its log.

use conveyor_model::job::{Attempt, Failure, LogLine, Outcome};
use conveyor_model::time::Timestamp;
use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::{job as text, length, word};
use crate::parts::{Elapsed, Icon, Moment, Panel, Sign};

/// The panel.
#[component]
pub(super) fn Attempts(attempts: Vec<Attempt>, logs: Vec<LogLine>) -> impl IntoView {
    let lang = use_lang();
    if attempts.is_empty() {
        return view! {
            <Panel title=text::attempts(lang)>
                <p class="quiet">{text::no_attempts(lang)}</p>
            </Panel>
        }
        .into_any();
    }
    let newest = attempts.len() - 1;
    let rows: Vec<(bool, Attempt, Vec<LogLine>)> = attempts
        .into_iter()
        .enumerate()
        .rev()
        .map(|(at, attempt)| {
            let own = |line: &&LogLine| line.attempt == attempt.number;
            let lines = logs.iter().filter(own).cloned().collect();
            (at == newest, attempt, lines)
        })
        .collect();
    let rows = StoredValue::new(rows);
    let key = |(newest, attempt, lines): &(bool, Attempt, Vec<LogLine>)| {
        (*newest, attempt.started_at, attempt.outcome, lines.len())
    };
    view! {
        <Panel title=text::attempts(lang) note=text::newest_first(lang)>
            <ol class="attempts">
                <For each=move || rows.get_value() key=key let((newest, attempt, lines))>
                    <One attempt=attempt lines=lines newest=newest/>
                </For>
            </ol>
        </Panel>
    }
    .into_any()
}

#[component]
fn One(attempt: Attempt, lines: Vec<LogLine>, newest: bool) -> impl IntoView {
    let lang = use_lang();
    let outcome = attempt.outcome;
    let how = outcome.map_or(text::running(lang), |outcome| word::outcome(lang, outcome));
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
