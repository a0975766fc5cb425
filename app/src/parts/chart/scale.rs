//! Where values and instants stand in a drawing of 1000 by 1000 units.

use conveyor_model::lang::Lang;
use conveyor_model::time::{Civil, MICROS, Span, Timestamp};
use leptos::prelude::*;

use super::Measure;

/// Steps between the lines of the grid, the one at zero not counted.
const STEPS: u8 = 3;

/// From zero to a round number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    step: f64,
}

impl Scale {
    /// The smallest scale of three round steps that holds `highest`.
    pub(super) fn of(highest: f64, measure: Measure) -> Self {
        let wanted = highest / f64::from(STEPS);
        if !wanted.is_finite() || wanted <= 0.0 {
            return Scale { step: 1.0 };
        }
        let step = measure.round_step(wanted);
        Scale { step }
    }

    /// How far from the top a value stands, in units.
    pub(super) fn down(self, value: f64) -> f64 {
        1000.0 - value / (self.step * f64::from(STEPS)) * 1000.0
    }

    /// The words at the grid's lines.
    pub(super) fn labels(self, lang: Lang, measure: Measure) -> impl IntoView + use<> {
        self.lines()
            .map(|(value, down)| {
                view! {
                    <text x="100%" y=format!("{:.2}%", down / 10.0) text-anchor="end" dy="0.32em">
                        {measure.write(lang, value)}
                    </text>
                }
            })
            .collect_view()
    }

    /// The lines of the grid.
    pub(super) fn grid(self) -> impl IntoView + use<> {
        let lines: Vec<String> = self
            .lines()
            .map(|(_, down)| format!("M0 {down:.1}H1000"))
            .collect();
        let path = lines.concat();
        view! { <path class="chart-grid" d=path></path> }
    }

    fn lines(self) -> impl Iterator<Item = (f64, f64)> {
        (0..=STEPS).map(move |n| {
            let value = self.step * f64::from(n);
            (value, self.down(value))
        })
    }
}

/// How far from the left the step `index` of `steps` stands, in units.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "a few hundred steps"
)]
pub(super) fn across(index: usize, steps: usize) -> f64 {
    match steps.checked_sub(1) {
        None | Some(0) => 0.0,
        Some(last) => index as f64 / last as f64 * 1000.0,
    }
}

/// The round times between two instants: how far from the left in percent, and the time of day.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "microseconds of at most a day"
)]
pub(super) fn ticks(
    first: Timestamp,
    last: Timestamp,
    tick: Span,
    civil: impl Fn(Timestamp) -> Civil,
) -> Vec<(f64, String)> {
    let every = tick.micros().max(MICROS);
    let whole = last.since(first).micros();
    if whole <= 0 {
        return Vec::new();
    }
    let east = (civil(first).epoch_secs() - first.secs()) * MICROS;
    let start = first.micros() + east;
    let mut at = start + (every - start.rem_euclid(every)) % every;
    let mut found = Vec::new();
    while at <= start + whole {
        let instant = Timestamp::from_micros(at - east);
        let text = civil(instant).to_string();
        let text = text.get(11..16).unwrap_or_default().to_owned();
        let percent = (at - start) as f64 / whole as f64 * 100.0;
        found.push((percent, text));
        at += every;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_has_three_round_steps() {
        for (highest, step) in [
            (58.0, 20.0),
            (0.4, 0.15),
            (330.0, 150.0),
            (3.0, 1.0),
            (0.0, 1.0),
        ] {
            let scale = Scale::of(highest, Measure::PerSecond);
            assert!((scale.step - step).abs() < 1e-9, "{highest}: {scale:?}");
            assert!(scale.down(highest) >= -1.0 && scale.down(0.0) > 999.0);
        }
    }

    #[test]
    fn labels_stand_at_round_times() {
        let first: Timestamp = "2026-11-30T09:03:00Z".parse().unwrap();
        let last = first.plus(Span::from_secs(3600));
        let found = ticks(first, last, Span::from_secs(900), Timestamp::civil);
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["09:15", "09:30", "09:45", "10:00"]);
        assert!((found[0].0 - 20.0).abs() < 0.01);
    }

    #[test]
    fn a_zone_of_half_hours_has_its_own_round_times() {
        let first: Timestamp = "2026-11-30T00:10:00Z".parse().unwrap();
        let last = first.plus(Span::from_secs(86_400));
        let in_delhi = |at: Timestamp| Civil::from_epoch_secs(at.secs() + 19_800);
        let found = ticks(first, last, Span::from_secs(21_600), in_delhi);
        assert_eq!(found[0].1, "06:00");
        assert_eq!(found.len(), 4);
    }
}
