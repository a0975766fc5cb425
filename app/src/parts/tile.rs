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

/// What a tile shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Figure {
    /// The large number.
    pub(crate) number: String,
    /// The small unit beside it, if any.
    pub(crate) unit: String,
    /// The line below.
    pub(crate) note: String,
    /// Whether it is as it should be.
    pub(crate) tone: Tone,
}

/// A figure under its name, as a link to the list behind it.
#[component]
pub(crate) fn Tile(
    #[prop(into)] href: String,
    #[prop(into)] name: String,
    figure: Memo<Figure>,
) -> impl IntoView {
    let part = move |of: fn(&Figure) -> String| move || figure.with(of);
    let tone = Memo::new(move |_| figure.with(|figure| figure.tone));
    view! {
        <A href=href attr:class="tile" attr:data-tone=move || tone.get().as_str()>
            <span class="tile-name">{name}</span>
            <span class="tile-figure">
                <b>{part(|figure| figure.number.clone())}</b>
                " "
                <span class="unit">{part(|figure| figure.unit.clone())}</span>
            </span>
            <span class="tile-note">
                {move || (tone.get() != Tone::Calm).then(|| view! { <Icon sign=Sign::Alert/> })}
                <span>{part(|figure| figure.note.clone())}</span>
            </span>
        </A>
    }
    .into_any()
}
