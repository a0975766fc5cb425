//! The bar on top: search, which installation this is, whether it is live, the reader's choices.

use conveyor_model::lang::Lang;
use leptos::prelude::*;
use leptos_router::components::{A, Form};
use leptos_router::hooks::use_location;

use super::live_mark::LiveMark;
use super::switch::Choice;
use super::{Icon, Sign};
use crate::context::{Theme, Zone, use_lang, use_prefs, with_visit};
use crate::i18n::frame;
use crate::paths;

/// The bar.
#[component]
pub(crate) fn TopBar() -> impl IntoView {
    let lang = use_lang();
    let instance = with_visit(|visit| visit.about.instance.clone());
    view! {
        <header class="top-bar">
            <Search/>
            {(!instance.is_empty()).then(|| view! { <span class="instance">{instance}</span> })}
            <span class="top-bar-gap"></span>
            <LiveMark/>
            <ZoneChoice/>
            <LangChoice/>
            <button
                type="button"
                class="icon-button display-button"
                popovertarget="display"
                aria-label=frame::display(lang)
                title=frame::display(lang)
            >
                <Icon sign=Sign::Display/>
            </button>
            <A href=paths::NEW_JOB attr:class="button primary" attr:data-enqueue="">
                <Icon sign=Sign::Plus/>
                <span>{frame::enqueue(lang)}</span>
            </A>
        </header>
        <div
            class="sheet display-sheet"
            id="display"
            popover="auto"
            role="dialog"
            aria-label=frame::display(lang)
        >
            <Preferences/>
            <LogOut/>
        </div>
    }
    .into_any()
}

/// The field that searches all jobs.
#[component]
pub(crate) fn Search() -> impl IntoView {
    let lang = use_lang();
    let location = use_location();
    let query = use_location().query;
    let asked = move || {
        if location.pathname.get() == paths::JOBS {
            query.with(|query| query.get("q")).unwrap_or_default()
        } else {
            String::new()
        }
    };
    view! {
        <search class="search">
            <Form method="get" action=paths::JOBS>
                <Icon sign=Sign::Search/>
                <input
                    type="search"
                    name="q"
                    data-search=""
                    value=untrack(asked)
                    prop:value=asked
                    placeholder=frame::search_hint(lang)
                    aria-label=frame::search(lang)
                    autocomplete="off"
                    spellcheck="false"
                />
                <kbd>"/"</kbd>
            </Form>
        </search>
    }
    .into_any()
}

/// Language, theme and clock together.
#[component]
pub(crate) fn Preferences() -> impl IntoView {
    let lang = use_lang();
    view! {
        <dl class="preferences">
            <dt>{frame::theme(lang)}</dt>
            <dd>
                <ThemeChoice/>
            </dd>
            <dt>{frame::language(lang)}</dt>
            <dd>
                <LangChoice/>
            </dd>
            <dt>{frame::times(lang)}</dt>
            <dd>
                <ZoneChoice/>
            </dd>
        </dl>
    }
    .into_any()
}

/// Ends the session.
#[component]
pub(crate) fn LogOut() -> impl IntoView {
    view! {
        <form method="post" action=paths::LOGOUT>
            <button type="submit" class="button wide">
                <Icon sign=Sign::Out/>
                <span>{frame::log_out(use_lang())}</span>
            </button>
        </form>
    }
    .into_any()
}

#[component]
fn ZoneChoice() -> impl IntoView {
    let lang = use_lang();
    let options = Zone::ALL
        .map(|zone| {
            let name = match zone {
                Zone::Utc => frame::utc(lang),
                Zone::Local => frame::local(lang),
            };
            (zone.as_str(), name)
        })
        .to_vec();
    view! {
        <Choice
            label=frame::times(lang)
            name="zone"
            options=options
            current=use_prefs().zone.as_str()
        />
    }
}

#[component]
pub(crate) fn LangChoice() -> impl IntoView {
    let lang = use_lang();
    let options = vec![(Lang::En.tag(), "EN"), (Lang::Ru.tag(), "RU")];
    view! { <Choice label=frame::language(lang) name="lang" options=options current=lang.tag()/> }
}

#[component]
fn ThemeChoice() -> impl IntoView {
    let lang = use_lang();
    let options = Theme::ALL
        .map(|theme| {
            let name = match theme {
                Theme::System => frame::theme_system(lang),
                Theme::Light => frame::theme_light(lang),
                Theme::Dark => frame::theme_dark(lang),
            };
            (theme.as_str(), name)
        })
        .to_vec();
    view! {
        <Choice
            label=frame::theme(lang)
            name="theme"
            options=options
            current=use_prefs().theme.as_str()
        />
    }
}
