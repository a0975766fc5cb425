//! The icons, drawn on a grid of 16 units. They say nothing a word beside them does not say, so
//! they are hidden from screen readers.

use conveyor_model::state::State;
use leptos::prelude::*;

/// What an icon shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Alert,
    Check,
    Clock,
    Copy,
    Cross,
    Display,
    Dots,
    Edit,
    Layers,
    Lines,
    Link,
    Octagon,
    Out,
    Pause,
    Play,
    Plus,
    Pulse,
    Retry,
    Ring,
    Search,
    Slash,
    Worker,
}

impl Sign {
    /// The shape of a state.
    pub(crate) const fn of(state: State) -> Sign {
        match state {
            State::Scheduled => Sign::Clock,
            State::Ready => Sign::Ring,
            State::Running => Sign::Play,
            State::Retrying => Sign::Retry,
            State::Succeeded => Sign::Check,
            State::Dead => Sign::Octagon,
            State::Cancelled => Sign::Slash,
            State::Blocked => Sign::Link,
        }
    }

    /// Whether the shape is filled rather than drawn with a line.
    const fn filled(self) -> bool {
        matches!(self, Sign::Play | Sign::Octagon | Sign::Dots | Sign::Pause)
    }

    const fn path(self) -> &'static str {
        match self {
            Sign::Alert => "M8 2.2 14.4 13.3H1.6ZM8 6.4v3.2M8 11.6v.1",
            Sign::Check => "M2.8 8.6 6.4 12.2 13.4 4.6",
            Sign::Clock => "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2ZM8 4.8V8.2l2.4 1.6",
            Sign::Copy => "M5.6 5.6h7.6v7.6H5.6ZM10.4 5.4V2.8H2.8v7.6h2.6",
            Sign::Cross => "M4 4l8 8M12 4l-8 8",
            Sign::Display => {
                "M2 4.5h6.4M12.4 4.5H14M2 11.5h1.6M7.6 11.5H14M10.4 2.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM5.6 9.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z"
            }
            Sign::Dots => {
                "M3 6.6a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8ZM8 6.6a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8ZM13 6.6a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8Z"
            }
            Sign::Edit => "M9.6 3.6 12.4 6.4 5.6 13.2H2.8v-2.8ZM8 5.2 10.8 8",
            Sign::Layers => "M2.4 3.2h11.2v3.4H2.4ZM2.4 9.4h11.2v3.4H2.4Z",
            Sign::Lines => "M2.4 4h11.2M2.4 8h11.2M2.4 12h7.2",
            Sign::Link => {
                "M6.6 9.4a2.7 2.7 0 0 0 3.8 0l2.2-2.2a2.7 2.7 0 0 0-3.8-3.8l-.9.9M9.4 6.6a2.7 2.7 0 0 0-3.8 0L3.4 8.8a2.7 2.7 0 0 0 3.8 3.8l.9-.9"
            }
            Sign::Octagon => {
                "M5.4 1.6h5.2l3.8 3.8v5.2l-3.8 3.8H5.4L1.6 10.6V5.4ZM6.1 5 5 6.1 6.9 8 5 9.9 6.1 11 8 9.1 9.9 11 11 9.9 9.1 8 11 6.1 9.9 5 8 6.9Z"
            }
            Sign::Out => "M6.4 2.8H3.2v10.4h3.2M6.6 8h7M10.6 4.8 13.8 8l-3.2 3.2",
            Sign::Pause => "M4 3h2.8v10H4ZM9.2 3H12v10H9.2Z",
            Sign::Play => "M4.4 2.6v10.8L13.4 8Z",
            Sign::Plus => "M8 3v10M3 8h10",
            Sign::Pulse => "M1.6 8.4h2.6l2-5 3.2 9.6 2-4.6h3",
            Sign::Retry => "M12.9 8a5 5 0 1 1-1.6-3.7M13.2 1.8v3.4H9.8",
            Sign::Ring => "M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3Z",
            Sign::Search => "M7 2.6a4.4 4.4 0 1 0 0 8.8 4.4 4.4 0 0 0 0-8.8ZM10.2 10.2 13.6 13.6",
            Sign::Slash => "M8 2.4a5.6 5.6 0 1 0 0 11.2A5.6 5.6 0 0 0 8 2.4ZM4 12 12 4",
            Sign::Worker => "M2.4 2.8h11.2v8H2.4ZM5.4 13.4h5.2M8 10.8v2.6",
        }
    }
}

/// One icon, as large as `size` says in the style sheet (16 pixels unless it does).
#[component]
pub(crate) fn Icon(sign: Sign) -> impl IntoView {
    view! {
        <svg
            class="icon"
            class:filled=sign.filled()
            viewBox="0 0 16 16"
            width="16"
            height="16"
            aria-hidden="true"
        >
            <path d=sign.path() fill-rule="evenodd"></path>
        </svg>
    }
}
