//! The last runs of the job's kind as dots: is it this job, or all of them?

use conveyor_model::lang::Lang;
use conveyor_model::name::JobId;
use conveyor_model::operator::RecentRun;
use conveyor_model::time::Span;
use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::{job as text, length};
use crate::parts::Panel;

/// The panel.
#[component]
pub(super) fn Runs(runs: Vec<RecentRun>, kind: String, this: JobId) -> impl IntoView {
    let lang = use_lang();
    let title = text::runs(lang, &kind);
    if runs.is_empty() {
        return view! {
            <Panel title=title>
                <p class="quiet">{text::no_runs(lang)}</p>
            </Panel>
        }
        .into_any();
    }
    let numbers = numbers(lang, &runs);
    let heights = heights(&runs);
    let step = 100.0 / f64::from(u32::try_from(runs.len()).unwrap_or(1));
    let dots: Vec<AnyView> = runs
        .iter()
        .zip(heights)
        .enumerate()
        .map(|(at, (run, height))| {
            let at = f64::from(u32::try_from(at).unwrap_or(0));
            let (x, y) = (format!("{:.2}%", (at + 0.5) * step), 44.0 - height * 36.0);
            dot(lang, *run, x, y, run.id == this)
        })
        .collect();
    view! {
        <Panel title=title>
            <svg class="run-dots" role="img" aria-label=numbers.clone() height="52">
                {dots}
            </svg>
            <p class="quiet">{numbers}</p>
        </Panel>
    }
    .into_any()
}

/// A success is a disc, a failure a square, so that colour is not all that tells them apart.
fn dot(lang: Lang, run: RecentRun, x: String, y: f64, this: bool) -> AnyView {
    let how = if run.succeeded {
        text::succeeded(lang)
    } else {
        text::failed(lang)
    };
    let title = text::run_dot(lang, &run.id, &how, &length::length(lang, run.took));
    let this = this.then_some("");
    if run.succeeded {
        view! {
            <circle class="run-good" cx=x cy=y.to_string() r="4.5" data-this=this>
                <title>{title}</title>
            </circle>
        }
        .into_any()
    } else {
        // A dot of text is centred on its place whatever the width of the page.
        view! {
            <svg x=x y=(y - 4.0).to_string() overflow="visible">
                <rect class="run-bad" x="-4" width="8" height="8" data-this=this>
                    <title>{title}</title>
                </rect>
            </svg>
        }
        .into_any()
    }
}

/// The place of each run between the shortest (0) and the longest (1), by the logarithm.
fn heights(runs: &[RecentRun]) -> Vec<f64> {
    let logs: Vec<f64> = runs
        .iter()
        .map(|run| (run.took.secs_f64() + 0.001).ln())
        .collect();
    let low = logs.iter().copied().fold(f64::INFINITY, f64::min);
    let high = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let place = |log: &f64| {
        if high > low {
            (log - low) / (high - low)
        } else {
            0.5
        }
    };
    logs.iter().map(place).collect()
}

fn numbers(lang: Lang, runs: &[RecentRun]) -> String {
    let mut times: Vec<Span> = runs.iter().map(|run| run.took).collect();
    times.sort_unstable();
    let good = runs.iter().filter(|run| run.succeeded).count();
    let quantile = |percent: usize| {
        let rank = (times.len() * percent).div_ceil(100).max(1);
        length::length(lang, times[rank - 1])
    };
    text::run_numbers(
        lang,
        &quantile(50),
        &quantile(95),
        &(good * 100 / runs.len()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(millis: i64, succeeded: bool) -> RecentRun {
        RecentRun {
            id: JobId::try_from(1).unwrap(),
            succeeded,
            took: Span::from_millis(millis),
        }
    }

    #[test]
    fn numbers_are_by_nearest_rank() {
        let runs: Vec<_> = (1..=20).map(|n| run(n * 10, n % 4 != 0)).collect();
        assert_eq!(
            numbers(Lang::En, &runs).replace('\u{a0}', " "),
            "p50 100 ms · p95 190 ms · 75 % succeeded"
        );
        assert!(numbers(Lang::En, &[run(7, false)]).contains("0 %"));
    }

    #[test]
    fn dots_stay_within_the_drawing() {
        let all = heights(&[run(1, true), run(100_000, true), run(0, false)]);
        assert!(all.iter().all(|height| (0.0..=1.0).contains(height)));
        assert_eq!(heights(&[run(5, true)]), [0.5]);
    }
}
