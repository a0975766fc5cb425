//! The way in: one field, which a password manager knows.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::context::use_lang;
use crate::i18n::frame;
use crate::parts::brand::Brand;
use crate::parts::top_bar::LangChoice;
use crate::parts::{Icon, Sign};
use crate::paths;

/// The page. `?return_to=` is where to go then; `?refused=wrong` or `busy` says that the last try
/// failed, and why.
#[component]
pub(crate) fn Login() -> impl IntoView {
    let lang = use_lang();
    let query = use_query_map().get_untracked();
    let return_to = query.get("return_to").unwrap_or_default();
    let refused = match query.get("refused").as_deref() {
        Some("wrong") => Some(frame::login_wrong(lang)),
        Some("busy") => Some(frame::login_busy(lang)),
        _ => None,
    };
    view! {
        <Title text=format!("{} · {}", frame::login_title(lang), frame::product(lang))/>
        <main class="login" id="main">
            <div class="login-head">
                <Brand/>
                <LangChoice/>
            </div>
            <form class="panel login-form" method="post" action=paths::LOGIN>
                <h1>{frame::login_title(lang)}</h1>
                <p class="quiet">{frame::login_text(lang)}</p>
                {refused
                    .map(|why| {
                        view! {
                            <p class="refusal" role="alert" id="login-refused">
                                <Icon sign=Sign::Alert/>
                                <span>{why}</span>
                            </p>
                        }
                    })}
                <input type="hidden" name="return_to" value=paths::own(&return_to).to_owned()/>
                // A password manager wants a name for what it keeps.
                <input
                    class="unseen"
                    type="text"
                    name="username"
                    value="conveyor"
                    autocomplete="username"
                    tabindex="-1"
                    aria-hidden="true"
                />
                <label class="field">
                    <span>{frame::token(lang)}</span>
                    <input
                        type="password"
                        name="token"
                        required=true
                        autofocus=true
                        autocomplete="current-password"
                        aria-invalid=refused.map(|_| "true")
                        aria-describedby=refused.map(|_| "login-refused")
                    />
                </label>
                <button type="submit" class="button primary wide">
                    {frame::log_in(lang)}
                </button>
                <details>
                    <summary>{frame::login_help(lang)}</summary>
                    <p class="quiet">{frame::login_help_text(lang)}</p>
                </details>
            </form>
        </main>
    }
    .into_any()
}
