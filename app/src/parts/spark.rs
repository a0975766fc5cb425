//! A small chart of a few counts, as bars without an axis.

use std::fmt::Write;

use leptos::prelude::*;

const WIDTH: usize = 5;
const GAP: usize = 1;
const HEIGHT: u64 = 24;

/// Bars for `counts`, oldest first; `said` is read out in their place.
#[component]
pub(crate) fn Spark(
    #[prop(into)] counts: Signal<Vec<u64>>,
    #[prop(into)] said: Signal<String>,
) -> impl IntoView {
    let view_box = move || {
        let bars = counts.with(Vec::len).max(1);
        format!("0 0 {} {HEIGHT}", bars * (WIDTH + GAP) - GAP)
    };
    view! {
        <svg
            class="spark"
            viewBox=view_box
            width="89"
            height="24"
            preserveAspectRatio="none"
            role="img"
            aria-label=said
        >
            <path d=move || counts.with(|counts| bars(counts))></path>
        </svg>
    }
}

/// The bars as one path; what is not zero is at least one unit high, and zero a thin line.
fn bars(counts: &[u64]) -> String {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let mut path = String::new();
    for (at, count) in counts.iter().enumerate() {
        let tenths = if *count == 0 {
            5
        } else {
            (count * (HEIGHT - 2) * 10 / most).max(10) + 10
        };
        let (x, height) = (
            at * (WIDTH + GAP),
            format!("{}.{}", tenths / 10, tenths % 10),
        );
        // Writing to a string cannot fail.
        let _ = write!(path, "M{x} {HEIGHT}v-{height}h{WIDTH}v{height}z");
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_bar_fills_the_chart() {
        assert_eq!(
            bars(&[0, 1, 22]),
            "M0 24v-0.5h5v0.5zM6 24v-2.0h5v2.0zM12 24v-23.0h5v23.0z"
        );
        assert_eq!(bars(&[]), "");
    }
}
