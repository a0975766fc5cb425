//! What the list says when it is empty: four reasons, four ways on.

use leptos::prelude::*;
use leptos_router::components::A;

use super::asked::Asked;
use super::filters::said;
use crate::context::use_lang;
use crate::i18n::{frame, jobs as text};
use crate::live::use_live;
use crate::parts::{Empty, Icon, Sign};
use crate::paths;
use crate::rpc::jobs::JobList;

/// Why no job is shown, and what to do about it.
#[component]
pub(super) fn Nothing(asked: Asked, list: JobList) -> impl IntoView {
    let lang = use_lang();
    let counts = use_live().counts();
    let none_at_all =
        counts.with_untracked(|counts| counts.as_ref().is_some_and(|all| all.total() == 0));
    if let Some(after) = list.after.filter(|_| list.search_stopped) {
        return view! {
            <Empty sign=Sign::Search title=text::stopped(lang) text=text::stopped_text(lang)>
                <A href=asked.at("after", after) attr:class="button primary">
                    {text::search_on(lang)}
                </A>
            </Empty>
        }
        .into_any();
    }
    if none_at_all && asked.is_plain() {
        return view! {
            <Empty sign=Sign::Lines title=text::nothing_ever(lang) text=text::nothing_ever_text(lang)>
                <A href=paths::NEW_JOB attr:class="button primary">
                    <Icon sign=Sign::Plus/>
                    <span>{frame::enqueue_long(lang)}</span>
                </A>
            </Empty>
        }
        .into_any();
    }
    match asked.state() {
        Some(state) if asked.is_plain() => {
            let (title, why) = text::empty(lang, state);
            view! { <Empty sign=Sign::of(state) title=title text=why/> }.into_any()
        }
        _ => {
            let parts = asked.all_parts();
            let parts: Vec<String> = parts
                .iter()
                .map(|(name, value)| said(lang, " ", name, value))
                .collect();
            let why = text::none_match_text(lang, &parts.join(", "));
            view! {
                <Empty sign=Sign::Search title=text::none_match(lang) text=why>
                    <A href=paths::JOBS attr:class="button">
                        {text::clear_filters(lang)}
                    </A>
                </Empty>
            }
            .into_any()
        }
    }
}
