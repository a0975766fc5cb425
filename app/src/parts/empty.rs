//! What stands where there is nothing to show: why, and what to do about it.

use leptos::prelude::*;

use super::spoken::spoken;
use super::{Icon, Sign};

/// An icon, a line that says what is not there, a sentence, and maybe a button or link.
#[component]
pub(crate) fn Empty(
    sign: Sign,
    #[prop(into)] title: String,
    #[prop(into, optional)] text: String,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="empty">
            <Icon sign=sign/>
            <p class="empty-title">{spoken(&title)}</p>
            {(!text.is_empty()).then(|| view! { <p>{text}</p> })}
            {children.map(|children| view! { <div class="empty-action">{children()}</div> })}
        </div>
    }
    .into_any()
}
