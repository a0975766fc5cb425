//! A framed part of a page.

use leptos::prelude::*;

/// A panel with a heading, a grey note on its right, and what is in it. `flush` leaves out the inner
/// margin, for tables.
#[component]
pub(crate) fn Panel(
    #[prop(into, optional)] title: String,
    #[prop(into, optional)] note: String,
    #[prop(optional)] flush: bool,
    children: Children,
) -> impl IntoView {
    view! {
        <section class="panel" class:flush=flush>
            {(!title.is_empty())
                .then(|| {
                    view! {
                        <div class="panel-head">
                            <h2>{title}</h2>
                            <span class="quiet">{note}</span>
                        </div>
                    }
                })}
            {children()}
        </section>
    }
    .into_any()
}
