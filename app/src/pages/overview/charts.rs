//! Throughput by outcome, and how long jobs wait and run: in whole steps, since the one that goes on
//! would look like a fall.

use conveyor_model::lang::Lang;
use conveyor_model::stats::{Overview, Point, Quantiles, Range, Series};
use conveyor_model::time::{Span, Timestamp};
use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::overview as text;
use crate::parts::chart::{Chart, ChartPanel, Line, Measure};

/// The three charts.
#[component]
pub(super) fn Charts(data: Signal<Overview>, range: Memo<Range>) -> impl IntoView {
    let lang = use_lang();
    let drawn = move |draw: fn(&Series, Range, Lang) -> Chart| {
        Memo::new(move |_| data.with(|data| draw(&data.series, range.get_untracked(), lang)))
    };
    let wait = drawn(|series, range, lang| quantiles(series, range, lang, true));
    let run = drawn(|series, range, lang| quantiles(series, range, lang, false));
    view! {
        <div class="charts">
            <ChartPanel chart=drawn(finished)/>
            <ChartPanel chart=wait/>
            <ChartPanel chart=run/>
        </div>
    }
}

fn finished(series: &Series, range: Range, lang: Lang) -> Chart {
    let seconds = series.step_s.secs_f64().max(1.0);
    let line = |name: &str, class, of: fn(&Point) -> u64| Line {
        name: name.to_owned(),
        class,
        values: whole(series)
            .iter()
            .map(|point| Some(precise(of(point)) / seconds))
            .collect(),
    };
    Chart {
        title: text::finished(lang).to_owned(),
        note: text::by_outcome(lang).to_owned(),
        times: times(series),
        tick: tick(range),
        lines: vec![
            line(text::succeeded(lang), "chart-good", |point| point.succeeded),
            line(text::will_retry(lang), "chart-retry", |point| point.retried),
            line(text::died_word(lang), "chart-dead", |point| point.dead),
        ],
        stacked: true,
        measure: Measure::PerSecond,
    }
}

fn quantiles(series: &Series, range: Range, lang: Lang, wait: bool) -> Chart {
    let line = |name: &str, class, of: fn(&Quantiles) -> Span| Line {
        name: name.to_owned(),
        class,
        values: whole(series)
            .iter()
            .map(|point| if wait { point.wait } else { point.run })
            .map(|quantiles| quantiles.map(|quantiles| of(&quantiles).secs_f64()))
            .collect(),
    };
    let (title, note) = if wait {
        (text::wait(lang), text::wait_note(lang))
    } else {
        (text::run(lang), text::run_note(lang))
    };
    Chart {
        title: title.to_owned(),
        note: note.to_owned(),
        times: times(series),
        tick: tick(range),
        lines: vec![
            line("p50", "chart-p50", |quantiles| quantiles.p50_s),
            line("p95", "chart-p95", |quantiles| quantiles.p95_s),
            line("p99", "chart-p99", |quantiles| quantiles.p99_s),
        ],
        stacked: false,
        measure: Measure::Seconds,
    }
}

fn times(series: &Series) -> Vec<Timestamp> {
    whole(series).iter().map(|point| point.at).collect()
}

/// The steps that are over.
fn whole(series: &Series) -> &[Point] {
    series.points.split_last().map_or(&[], |(_, whole)| whole)
}

const fn tick(range: Range) -> Span {
    match range {
        Range::FiveMinutes => Span::from_secs(60),
        Range::Hour => Span::from_secs(900),
        Range::Day => Span::from_secs(21_600),
    }
}

#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "a count of one step, far below 2^53"
)]
fn precise(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_that_goes_on_is_not_drawn() {
        let point = |minute: i64, succeeded| Point {
            at: Timestamp::from_secs(minute * 60),
            succeeded,
            ..Point::default()
        };
        let series = Series {
            step_s: Span::from_secs(60),
            points: vec![point(1, 60), point(2, 120), point(3, 1)],
        };
        let chart = finished(&series, Range::Hour, Lang::En);
        assert_eq!(chart.times, [60, 120].map(Timestamp::from_secs));
        assert_eq!(chart.lines[0].values, [Some(1.0), Some(2.0)]);
        let none = finished(&Series::default(), Range::Hour, Lang::En);
        assert!(none.times.is_empty());
    }
}
