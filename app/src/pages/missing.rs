//! What stands at an address that leads nowhere.

use leptos::prelude::*;
use leptos_router::components::A;

use crate::context::{set_status, use_lang};
use crate::i18n::frame;
use crate::parts::{Empty, PageHead, Sign};
use crate::paths;

/// The page; its status is 404.
#[component]
pub(crate) fn Missing() -> impl IntoView {
    let lang = use_lang();
    set_status(404);
    view! {
        <PageHead title=frame::missing_title(lang)/>
        <Empty sign=Sign::Search title=frame::missing_text(lang)>
            <A href=paths::OVERVIEW attr:class="button">
                {frame::to_overview(lang)}
            </A>
        </Empty>
    }
    .into_any()
}
