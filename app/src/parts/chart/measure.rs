//! What the values of a chart are: how they are written, and which steps of an axis are round.

use conveyor_model::lang::Lang;
use conveyor_model::time::Span;

use crate::i18n::{length, number};

/// A kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// So many in a second.
    PerSecond,
    /// A length of time in seconds.
    Seconds,
}

/// Lengths whose first three multiples are written in one unit, in seconds.
const ROUND_LENGTHS: [f64; 18] = [
    1.0, 2.0, 3.0, 5.0, 10.0, 15.0, 20.0, 60.0, 120.0, 180.0, 300.0, 600.0, 900.0, 1200.0, 3600.0,
    7200.0, 14_400.0, 28_800.0,
];

const DAY: f64 = 86_400.0;

impl Measure {
    /// A value in words, as short as an axis needs it.
    pub(super) fn write(self, lang: Lang, value: f64) -> String {
        match self {
            Measure::PerSecond if value > 0.0 && value < 0.95 => number::decimal(lang, value, 2),
            Measure::PerSecond => number::short(lang, value),
            Measure::Seconds => match Span::from_secs_f64(value) {
                Some(Span::ZERO) => "0".to_owned(),
                Some(span) => length::length(lang, span),
                None => String::new(),
            },
        }
    }

    /// The smallest round step that is at least `wanted`, which is finite and above zero.
    pub(super) fn round_step(self, wanted: f64) -> f64 {
        match self {
            Measure::PerSecond => decimal_step(wanted),
            Measure::Seconds if wanted < 0.5 => decimal_step(wanted),
            Measure::Seconds => ROUND_LENGTHS
                .into_iter()
                .find(|step| *step >= wanted * 0.999)
                .unwrap_or_else(|| decimal_step(wanted / DAY) * DAY),
        }
    }
}

fn decimal_step(wanted: f64) -> f64 {
    let power = 10_f64.powf(wanted.log10().floor());
    [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.5, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= wanted * 0.999)
        .unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_of_a_length_are_short_words() {
        for (wanted, words) in [
            (0.03, ["30 ms", "60 ms", "90 ms"]),
            (7.0, ["10 s", "20 s", "30 s"]),
            (20.0, ["20 s", "40 s", "1 min"]),
            (33.0, ["1 min", "2 min", "3 min"]),
            (100.0, ["2 min", "4 min", "6 min"]),
            (1000.0, ["20 min", "40 min", "1 h"]),
        ] {
            let step = Measure::Seconds.round_step(wanted);
            let written =
                [1.0, 2.0, 3.0].map(|times| Measure::Seconds.write(Lang::En, step * times));
            assert_eq!(written.map(|text| text.replace('\u{a0}', " ")), words);
        }
    }
}
