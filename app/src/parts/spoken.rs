//! Text that may hold a piece of English in a page of another language.

use leptos::prelude::*;

use crate::i18n::refusal;

/// The text, its English marked as such, so that a screen reader says it right.
pub(crate) fn spoken(text: &str) -> impl IntoView + use<> {
    let part = |(part, foreign): (&str, bool)| {
        let part = part.to_owned();
        if foreign {
            view! { <span lang="en">{part}</span> }.into_any()
        } else {
            part.into_any()
        }
    };
    refusal::parts(text)
        .into_iter()
        .map(part)
        .collect::<Vec<_>>()
}
