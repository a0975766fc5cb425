//! The shapes of a chart.

use conveyor_model::lang::Lang;
use leptos::prelude::*;

use super::scale::{Scale, across};
use super::{Chart, Line};
use crate::i18n::chart;

/// The highest value that must fit.
pub(super) fn highest(chart: &Chart) -> f64 {
    if chart.stacked {
        (0..chart.times.len())
            .map(|index| stack_below(chart, chart.lines.len(), index))
            .fold(0.0, f64::max)
    } else {
        let values = chart.lines.iter().flat_map(|line| &line.values);
        values.copied().flatten().fold(0.0, f64::max)
    }
}

/// Every band or line.
pub(super) fn draw(chart: &Chart, scale: Scale) -> impl IntoView + use<> {
    chart
        .lines
        .iter()
        .enumerate()
        .map(|(number, line)| {
            if chart.stacked {
                let path = band(chart, scale, number);
                view! { <path class=format!("chart-band {}", line.class) d=path></path> }.into_any()
            } else {
                let path = stroke(&line.values, scale);
                view! { <path class=format!("chart-line {}", line.class) d=path></path> }.into_any()
            }
        })
        .collect_view()
}

/// The sum of the first `lines` lines at a step.
fn stack_below(chart: &Chart, lines: usize, index: usize) -> f64 {
    let values = chart.lines.iter().take(lines);
    values
        .filter_map(|line| line.values.get(index).copied().flatten())
        .sum()
}

fn band(chart: &Chart, scale: Scale, number: usize) -> String {
    let steps = chart.times.len();
    if steps < 2 {
        return String::new();
    }
    let edge = |lines: usize, index: usize| {
        let down = scale.down(stack_below(chart, lines, index));
        format!("{:.1} {down:.1}", across(index, steps))
    };
    let top = (0..steps).map(|index| edge(number + 1, index));
    let bottom = (0..steps).rev().map(|index| edge(number, index));
    let corners: Vec<String> = top.chain(bottom).collect();
    format!("M{}Z", corners.join("L"))
}

/// A line that is broken where there are no values; a value alone becomes a dot.
fn stroke(values: &[Option<f64>], scale: Scale) -> String {
    let steps = values.len();
    let mut path = String::new();
    let mut drawing = false;
    for (index, value) in values.iter().enumerate() {
        if let Some(value) = value {
            let (x, y) = (across(index, steps), scale.down(*value));
            path.push_str(&format!("{}{x:.1} {y:.1}", if drawing { "L" } else { "M" }));
            if !drawing {
                path.push_str("h0.1");
            }
        }
        drawing = value.is_some();
    }
    path
}

/// The names at the ends of the lines, moved apart where they would cover each other.
pub(super) fn end_labels(chart: &Chart, scale: Scale) -> impl IntoView + use<> {
    /// A line of text in a chart as high as the style sheet makes it, in percent.
    const APART: f64 = 8.0;
    let mut ends: Vec<(f64, String)> = Vec::new();
    if !chart.stacked && chart.times.len() > 1 {
        ends = chart
            .lines
            .iter()
            .filter_map(|line| end(line, scale))
            .collect();
    }
    ends.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let mut floor = 100.0_f64;
    for (down, _) in &mut ends {
        *down = down.min(floor);
        floor = *down - APART;
    }
    ends.into_iter()
        .map(|(down, name)| {
            view! {
                <text x="4" y=format!("{down:.2}%") dy="0.32em">
                    {name}
                </text>
            }
        })
        .collect_view()
}

fn end(line: &Line, scale: Scale) -> Option<(f64, String)> {
    let last = line.values.iter().rev().find_map(|value| *value)?;
    Some((scale.down(last) / 10.0, line.name.clone()))
}

/// The chart in a sentence, for who cannot see it.
pub(super) fn summary(chart: &Chart, lang: Lang) -> String {
    let latest = chart.lines.iter().filter_map(|line| {
        let value = line.values.iter().rev().find_map(|value| *value)?;
        Some(format!(
            "{} {}",
            line.name,
            chart.measure.write(lang, value)
        ))
    });
    let latest: Vec<String> = latest.collect();
    if latest.is_empty() {
        return chart::nothing_yet(lang).to_owned();
    }
    let most = chart.measure.write(lang, highest(chart));
    chart::summary(lang, &latest.join(", "), &most)
}

#[cfg(test)]
mod tests {
    use super::super::Measure;
    use super::*;

    #[test]
    fn a_line_is_broken_where_nothing_was_measured() {
        let scale = Scale::of(3.0, Measure::PerSecond);
        let path = stroke(&[Some(0.0), Some(3.0), None, Some(1.5)], scale);
        assert_eq!(path, "M0.0 1000.0h0.1L333.3 0.0M1000.0 500.0h0.1");
    }
}
