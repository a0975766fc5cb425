//! The mark of the product.

use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::frame;

/// Two boxes on a belt, and the name.
#[component]
pub(crate) fn Brand() -> impl IntoView {
    view! {
        <span class="brand">
            <svg class="brand-mark" viewBox="0 0 28 22" width="28" height="22" aria-hidden="true">
                <rect class="brand-box" x="2" y="3" width="9" height="9" rx="1.5"></rect>
                <rect class="brand-box pale" x="13" y="1" width="11" height="11" rx="1.5"></rect>
                <path class="brand-belt" d="M1.5 14h25"></path>
                <path class="brand-belt" d="M6 19h.01M14 19h.01M22 19h.01"></path>
            </svg>
            <span>{frame::product(use_lang())}</span>
        </span>
    }
}
