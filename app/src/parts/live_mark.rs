//! Whether the page hears of changes, in a word; and the switch that stops them.

use leptos::prelude::*;

use super::reload::Reload;
use crate::context::use_lang;
use crate::i18n::frame;
use crate::live::{Link, use_live};

/// The mark in the top bar. Until the page lives, links that load it again
/// stand in its place.
#[component]
pub(crate) fn LiveMark() -> impl IntoView {
    let lang = use_lang();
    let live = use_live();
    let (link, paused) = (live.link(), live.paused());
    let text = move || match link.get() {
        Link::Connecting => frame::connecting(lang).to_owned(),
        Link::Live => frame::live(lang).to_owned(),
        Link::Reconnecting(tries) => frame::reconnecting(lang, &tries),
        Link::Paused => frame::paused(lang).to_owned(),
        Link::Offline => frame::offline(lang).to_owned(),
    };
    let hint = move || {
        if paused.get() {
            frame::resume_live(lang)
        } else {
            frame::pause_live(lang)
        }
    };
    view! {
        <Reload/>
        <button
            type="button"
            class="live-mark"
            data-live=move || link.get().as_str()
            title=hint
            aria-pressed=move || if paused.get() { "true" } else { "false" }
            on:click=move |_| live.pause(!paused.get_untracked())
        >
            <span class="live-dot"></span>
            <span>{text}</span>
        </button>
        <LostConnection/>
    }
    .into_any()
}

/// Says aloud that the connection is lost, and that it is back; never the single tries.
#[component]
fn LostConnection() -> impl IntoView {
    let lang = use_lang();
    let link = use_live().link();
    let lost = Memo::new(move |before: Option<&Option<bool>>| match link.get() {
        Link::Reconnecting(1) => before.copied().flatten(),
        Link::Reconnecting(_) | Link::Offline => Some(true),
        Link::Live => before.copied().flatten().map(|_| false),
        Link::Connecting | Link::Paused => None,
    });
    let said = move || match lost.get() {
        Some(true) => frame::connection_lost(lang),
        Some(false) => frame::connection_back(lang),
        None => "",
    };
    view! { <span class="unseen" role="status">{said}</span> }
}
