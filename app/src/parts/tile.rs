//! One figure that says how things are, and leads to the list behind it.

use leptos::prelude::*;
use leptos_router::components::A;

use super::{Icon, Sign};

/// Whether a figure is as it should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    /// It is.
    #[default]
    Calm,
    /// Somebody should look.
    Warn,
    /// Somebody should act.
    Bad,
}

impl Tone {
    const fn as_str(self) -> &'static str {
        match self {
            Tone::Calm => "calm",
            Tone::Warn => "warn",
            Tone::Bad => "bad",
        }
    }
}

/// The figure: a name, a large number with a small unit, a line below it.
#[component]
pub(crate) fn Tile(
    #[prop(into)] href: String,
    #[prop(into)] name: String,
    #[prop(into)] number: String,
    #[prop(into, optional)] unit: String,
    #[prop(into)] note: String,
    #[prop(optional)] tone: Tone,
) -> impl IntoView {
    view! {
        <A href=href attr:class="tile" attr:data-tone=tone.as_str()>
            <span class="tile-name">{name}</span>
            <span class="tile-figure">
                <b>{number}</b>
                {(!unit.is_empty()).then(|| view! { " " <span class="unit">{unit}</span> })}
            </span>
            <span class="tile-note">
                {(tone != Tone::Calm).then(|| view! { <Icon sign=Sign::Alert/> })}
                <span>{note}</span>
            </span>
        </A>
    }
    .into_any()
}
