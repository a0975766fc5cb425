//! The frame around every page but the way in.

use leptos::html::Dialog;
use leptos::prelude::*;
use leptos_router::components::Outlet;
use leptos_router::hooks::use_location;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::dock::Dock;
use super::focus::follow_fields;
use super::notice::{FlashNotice, Toasts};
use super::side_bar::SideBar;
use super::top_bar::TopBar;
use super::{Icon, Sign};
use crate::context::use_lang;
use crate::i18n::{frame, help, word};
use crate::keyboard;
use crate::pages::help::Keys;

/// Side bar, top bar, the page, and the dock of phones.
#[component]
pub(crate) fn Layout() -> impl IntoView {
    let lang = use_lang();
    let dialog = NodeRef::<Dialog>::new();
    keyboard::listen(move || {
        if let Some(dialog) = dialog.get_untracked()
            && !dialog.open()
        {
            let _ = dialog.show_modal();
        }
    });
    close_sheets_on_navigation();
    follow_fields();
    view! {
        <div class="frame">
            // External to the router, which would go there without moving the focus.
            <a class="skip" href="#main" rel="external">
                {frame::skip(lang)}
            </a>
            <SideBar/>
            <TopBar/>
            <main id="main" tabindex="-1">
                <FlashNotice/>
                <Outlet/>
            </main>
            <Dock/>
            <Toasts/>
            <dialog class="help-dialog" node_ref=dialog aria-label=help::keys(lang)>
                <div class="dialog-head">
                    <h2>{help::keys(lang)}</h2>
                    <form method="dialog">
                        <button type="submit" class="icon-button" aria-label=word::close(lang)>
                            <Icon sign=Sign::Cross/>
                        </button>
                    </form>
                </div>
                <Keys/>
            </dialog>
        </div>
    }
    .into_any()
}

/// A link in a sheet leads to a page that must not be covered by it.
fn close_sheets_on_navigation() {
    let path = use_location().pathname;
    Effect::new(move |before: Option<()>| {
        path.track();
        if before.is_some() {
            close_sheets();
        }
    });
}

/// Closes everything that lies over the page.
pub(crate) fn close_sheets() {
    let Ok(sheets) = document().query_selector_all("[popover]:popover-open") else {
        return;
    };
    for at in 0..sheets.length() {
        if let Some(sheet) = sheets.item(at)
            && let Ok(sheet) = sheet.dyn_into::<HtmlElement>()
        {
            let _ = sheet.hide_popover();
        }
    }
}
