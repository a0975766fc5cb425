//! Switches: one of a few, as links that change the address or as buttons that post a preference.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::paths;

/// Links side by side, of which one is where the reader is. `entries` are name and address. They are
/// plain links, because the router's own would each call itself current: they differ in the query only.
#[component]
pub(crate) fn Switch(
    #[prop(into)] label: String,
    entries: Vec<(String, String)>,
    #[prop(into)] current: Signal<String>,
) -> impl IntoView {
    view! {
        <nav class="switch" aria-label=label>
            {entries
                .into_iter()
                .map(|(name, path)| {
                    let here = {
                        let path = path.clone();
                        move || (current.get() == path).then_some("true")
                    };
                    view! {
                        <a href=path aria-current=here data-noscroll="">
                            {name}
                        </a>
                    }
                })
                .collect_view()}
        </nav>
    }
    .into_any()
}

/// Buttons side by side that post one preference and come back to this page. `options` are value
/// and name.
#[component]
pub(crate) fn Choice(
    #[prop(into)] label: String,
    name: &'static str,
    options: Vec<(&'static str, &'static str)>,
    current: &'static str,
) -> impl IntoView {
    view! {
        // The name is the group's: each form with a name would be a landmark.
        <form class="choice" method="post" action=paths::PREFERENCES>
            <ReturnTo/>
            <div class="switch" role="group" aria-label=label>
                {options
                    .into_iter()
                    .map(|(value, text)| {
                        view! {
                            <button
                                type="submit"
                                name=name
                                value=value
                                aria-pressed=if value == current { "true" } else { "false" }
                            >
                                {text}
                            </button>
                        }
                    })
                    .collect_view()}
            </div>
        </form>
    }
    .into_any()
}

/// The hidden field that brings a form back to this page.
#[component]
pub(crate) fn ReturnTo() -> impl IntoView {
    let here = use_here();
    view! { <input type="hidden" name="return_to" value=here/> }
}

/// The address of this page, without what the reader chose once by `?lang=`.
pub(crate) fn use_here() -> Signal<String> {
    let location = use_location();
    Signal::derive(move || {
        let mut here = location.pathname.get();
        let query = location.search.get();
        let kept: Vec<&str> = query
            .trim_start_matches('?')
            .split('&')
            .filter(|pair| !pair.is_empty() && !pair.starts_with("lang="))
            .collect();
        if !kept.is_empty() {
            here.push('?');
            here.push_str(&kept.join("&"));
        }
        here
    })
}
