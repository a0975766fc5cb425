//! What a run has measured: kept as JSON under names that do not change, shown as a table for the
//! terminal or for a page.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::beside::SIDE_HEADS;
use super::figure::{self, FIGURES, Side};
use super::machine::Machine;
use super::number::median;
use super::row::{self, Row};

/// A run.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The version that was measured.
    pub(super) conveyor: String,
    /// `quick`, `whole` or `part`.
    pub(super) mode: String,
    pub(super) machine: Machine,
    pub(super) figures: BTreeMap<String, Figure>,
    /// Other queues beside our own: figures, settings, versions, what is missing.
    #[serde(default)]
    pub(super) peers: Vec<Row>,
}

/// What was measured of one figure.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Figure {
    /// The median of the runs.
    pub(super) value: f64,
    pub(super) unit: String,
    pub(super) runs: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<Held>,
}

/// What a figure is held to, and whether it holds; unknown where the figures it depends on were not
/// measured.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Held {
    /// `at_least` or `at_most`.
    pub(super) side: String,
    pub(super) rule: String,
    pub(super) value: Option<f64>,
    pub(super) met: Option<bool>,
}

impl Report {
    /// Nothing measured yet.
    pub(super) fn new(mode: &str) -> Self {
        Report {
            conveyor: env!("CARGO_PKG_VERSION").to_owned(),
            mode: mode.to_owned(),
            machine: Machine::here(),
            figures: BTreeMap::new(),
            peers: Vec::new(),
        }
    }

    /// Keeps the runs of a figure.
    pub(super) fn add(&mut self, name: &str, unit: &str, runs: Vec<f64>) {
        let figure = Figure {
            value: median(&runs),
            unit: unit.to_owned(),
            runs,
            target: None,
        };
        self.figures.insert(name.to_owned(), figure);
    }

    /// The value of a figure, if it was measured.
    pub(super) fn value(&self, name: &str) -> Option<f64> {
        self.figures.get(name).map(|figure| figure.value)
    }

    /// Holds every figure to its target.
    pub(super) fn judge(&mut self) {
        let mut held = Vec::new();
        for name in self.figures.keys() {
            let spec = figure::find(name).and_then(|spec| spec.target.as_ref());
            if let Some(target) = spec {
                let value = (target.value)(&|other| self.value(other));
                let met =
                    value
                        .zip(self.value(name))
                        .map(|(target_value, own)| match target.side {
                            Side::AtLeast => own >= target_value,
                            Side::AtMost => own <= target_value,
                        });
                let side = match target.side {
                    Side::AtLeast => "at_least",
                    Side::AtMost => "at_most",
                };
                let rule = target.rule.to_owned();
                let side = side.to_owned();
                held.push((
                    name.clone(),
                    Held {
                        side,
                        rule,
                        value,
                        met,
                    },
                ));
            }
        }
        for (name, held) in held {
            if let Some(figure) = self.figures.get_mut(&name) {
                figure.target = Some(held);
            }
        }
    }

    /// The rows of the table: figure, value, spread, target, met or not. Queues have one of their own.
    pub(crate) fn rows(&self) -> Vec<Vec<String>> {
        let known = FIGURES
            .iter()
            .filter_map(|spec| Some((spec.name, self.figures.get(spec.name)?)));
        let others = self
            .figures
            .iter()
            .filter(|(name, _)| figure::find(name).is_none() && !name.starts_with(row::PREFIX));
        let others = others.map(|(name, figure)| (name.as_str(), figure));
        known
            .chain(others)
            .map(|(name, figure)| figure.row(name))
            .collect()
    }

    /// The table as Markdown, with what was measured where.
    pub(crate) fn markdown(&self) -> String {
        let mut text = format!(
            "Conveyor {}, {} run; {}.\n\n| {} |\n| --- | --: | --: | --- | --- |\n",
            self.conveyor,
            self.mode,
            self.machine.in_words(),
            HEADS.join(" | ")
        );
        for row in self.rows() {
            // Writing to a String does not fail.
            let _ = writeln!(text, "| `{}` | {} |", row[0], row[1..].join(" | "));
        }
        self.queues(&mut text);
        text
    }

    /// Writes the table of queues and what is to be said of it, if they were measured.
    fn queues(&self, text: &mut String) {
        let rows = self.side_by_side();
        if rows.is_empty() {
            return;
        }
        let aligned = "| --- | --- | --: | --: | --: | --: | --: | --: | --: |";
        let _ = writeln!(text, "\n| {} |\n{aligned}", SIDE_HEADS.join(" | "));
        for row in rows {
            let row: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text.push('\n');
        for remark in self.remarks() {
            let _ = writeln!(text, "- {remark}");
        }
    }
}

/// The heads of the table.
pub(crate) const HEADS: [&str; 5] = ["figure", "value", "spread", "target", "met"];

impl Figure {
    fn row(&self, name: &str) -> Vec<String> {
        let low = self.runs.iter().copied().fold(f64::INFINITY, f64::min);
        let high = self.runs.iter().copied().fold(0.0, f64::max);
        let spread = if self.runs.len() > 1 {
            format!("{} – {}", shown(low), shown(high))
        } else {
            String::new()
        };
        let (target, met) = match &self.target {
            None => (String::new(), String::new()),
            Some(held) => (held.in_words(), held.verdict().to_owned()),
        };
        let value = format!("{} {}", shown(self.value), self.unit);
        vec![
            name.to_owned(),
            value.trim_end().to_owned(),
            spread,
            target,
            met,
        ]
    }
}

impl Held {
    fn in_words(&self) -> String {
        let sign = if self.side == "at_least" {
            '≥'
        } else {
            '≤'
        };
        match self.value.map(shown) {
            Some(value) if value != self.rule => format!("{sign} {value} ({})", self.rule),
            Some(value) => format!("{sign} {value}"),
            None => format!("{sign} {}", self.rule),
        }
    }

    fn verdict(&self) -> &'static str {
        match self.met {
            Some(true) => "yes",
            Some(false) => "no",
            None => "unknown",
        }
    }
}

/// A number as people read it: three digits that count, thousands apart.
pub(super) fn shown(value: f64) -> String {
    if value.abs() < 1000.0 {
        let digits = match value.abs() {
            0.0 => 0,
            small if small < 10.0 => 2,
            middle if middle < 100.0 => 1,
            _ => 0,
        };
        let text = format!("{value:.digits$}");
        return match text.split_once('.') {
            Some(_) => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            None => text,
        };
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact_enough() {
        let all = [0.0, 0.5, 1.25, 12.34, 250.4, 1000.0, 1_234_567.8];
        let texts = all.map(shown);
        let expected = ["0", "0.5", "1.25", "12.3", "250", "1,000", "1,234,568"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_figure_is_held_to_what_the_run_measured() {
        let mut report = Report::new("part");
        report.add("inproc.life", "jobs/s", vec![50.0, 70.0, 60.0]);
        report.judge();
        assert_eq!(report.rows()[0][4], "unknown");
        report.add("floor.life", "jobs/s", vec![200.0]);
        report.judge();
        let rows = report.rows();
        assert_eq!(
            rows[1],
            [
                "inproc.life",
                "60 jobs/s",
                "50 – 70",
                "≥ 120 (0.6 floor.life)",
                "no"
            ]
        );
        let text = serde_json::to_string(&report).unwrap();
        let again: Report = serde_json::from_str(&text).unwrap();
        assert_eq!(again.markdown(), report.markdown());
    }
}
