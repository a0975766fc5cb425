//! The bar at the bottom of a phone, and the sheet behind its last entry.

use leptos::prelude::*;

use super::nav::{DOCK, MORE};
use super::side_bar::{NavLink, ServerLine};
use super::top_bar::{LogOut, Preferences, Search};
use super::{Icon, Sign};
use crate::context::use_lang;
use crate::i18n::frame;

/// The bar.
#[component]
pub(crate) fn Dock() -> impl IntoView {
    let lang = use_lang();
    view! {
        <nav class="dock" aria-label=frame::pages(lang)>
            {DOCK.into_iter().map(|entry| view! { <NavLink entry=entry/> }).collect_view()}
            <button type="button" class="nav-link" popovertarget="more">
                <Icon sign=Sign::Dots/>
                <span class="nav-name">{frame::more(lang)}</span>
            </button>
        </nav>
        <div class="sheet more-sheet" id="more" popover="auto">
            <Search/>
            <ul>
                {MORE
                    .into_iter()
                    .map(|entry| view! { <li><NavLink entry=entry/></li> })
                    .collect_view()}
            </ul>
            <Preferences/>
            <LogOut/>
            <ServerLine/>
        </div>
    }
    .into_any()
}
