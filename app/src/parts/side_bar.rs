//! The bar at the side: every page with how many of its things there are, and the server at the foot.

use leptos::prelude::*;
use leptos_router::components::A;

use super::brand::Brand;
use super::nav::{ENTRIES, Entry};
use super::{Icon, Moment};
use crate::context::{use_lang, with_visit};
use crate::i18n::{frame, number};
use crate::live::use_live;
use crate::paths;

/// The bar.
#[component]
pub(crate) fn SideBar() -> impl IntoView {
    let lang = use_lang();
    view! {
        <div class="side-bar">
            <nav aria-label=frame::pages(lang)>
                <A href=paths::OVERVIEW attr:class="side-bar-brand" exact=true>
                    <Brand/>
                </A>
                <ul>
                    {ENTRIES
                        .into_iter()
                        .map(|entry| view! { <li><NavLink entry=entry/></li> })
                        .collect_view()}
                </ul>
            </nav>
            <ServerLine/>
        </div>
    }
    .into_any()
}

/// The link to a page, with its icon and count.
#[component]
pub(crate) fn NavLink(entry: Entry) -> impl IntoView {
    let counts = use_live().counts();
    let lang = use_lang();
    let count = move || counts.with(|counts| counts.as_ref().and_then(entry.count));
    let shown = move || {
        count().map(|n| {
            if entry.urgent {
                view! { <span class="badge" aria-label=frame::dead_jobs(lang, n)>{number::whole(n)}</span> }
                    .into_any()
            } else {
                view! { <span class="count">{number::whole(n)}</span> }.into_any()
            }
        })
    };
    view! {
        <A href=entry.path exact={entry.path == paths::OVERVIEW} attr:class="nav-link">
            <Icon sign=entry.sign/>
            <span class="nav-name">{(entry.name)(lang)}</span>
            {shown}
        </A>
    }
    .into_any()
}

/// Version, database and the server's time.
#[component]
pub(crate) fn ServerLine() -> impl IntoView {
    let lang = use_lang();
    let (about, drawn) = with_visit(|visit| (visit.about.clone(), visit.now));
    let now = use_live().now();
    view! {
        <footer class="server-line">
            <p>
                {frame::product(lang)} " " {about.version} " · " {about.database}
            </p>
            <p>
                {frame::server_time(lang)} " "
                {move || {
                    let at = now.get().unwrap_or(drawn);
                    view! { <Moment at=at short=true/> }
                }}
            </p>
            <p>
                <A href=paths::HELP>{frame::help(lang)}</A> " · "
                <a href="/openapi.json" rel="external">
                    {frame::api(lang)}
                </a>
            </p>
        </footer>
    }
    .into_any()
}
