//! How a page without scripts stays fresh: a link that loads it again, and one that lets it do so by
//! itself, which the address then keeps as `?refresh=30`.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::context::use_lang;
use crate::i18n::{frame, word};
use crate::query;

const NAME: &str = "refresh";
/// Seconds between two loads: long enough to read a page.
const EACH: &str = "30";

/// Both links. A page that lives shows neither.
#[component]
pub(super) fn Reload() -> impl IntoView {
    let lang = use_lang();
    let location = use_location();
    let pairs = Memo::new(move |_| query::pairs(location.search.get().trim_start_matches('?')));
    let reloads = move || pairs.with(|pairs| pairs.iter().any(|(name, _)| name == NAME));
    let address = move |reloads: bool| {
        let pairs = pairs.get();
        let kept = pairs.iter().filter(|(name, _)| name != NAME);
        let kept = kept.map(|(name, value)| (name.as_str(), value.as_str()));
        let query = query::write(kept.chain(reloads.then_some((NAME, EACH))));
        format!("{}{query}", location.pathname.get())
    };
    view! {
        <a class="refresh" href=move || address(reloads()) rel="external">
            {word::refresh(lang)}
        </a>
        <a class="refresh" href=move || address(!reloads()) rel="external">
            {move || if reloads() { frame::reload_no_more(lang) } else { frame::reload_each(lang) }}
        </a>
    }
    .into_any()
}
