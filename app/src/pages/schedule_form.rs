//! The form that makes or changes a schedule, with what its expression means beside it.

mod check;
mod expression;
mod form;
mod preview;

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::context::use_lang;
use crate::i18n::schedule_form as text;
use crate::pages::schedule::name_in_path;
use crate::parts::PageHead;
use crate::parts::follow::Load;
use crate::parts::load::read_once;
use crate::query;
use crate::rpc::schedules::{ReadScheduleForm, ScheduleStart};
use form::Form;

/// The page of a new schedule. `?cron=` and `?kind=` fill in a beginning, `?draft=` what was typed
/// before.
#[component]
pub(crate) fn NewSchedule() -> impl IntoView {
    view! { <Page name=Signal::stored(String::new())/> }
}

/// The page that changes a schedule.
#[component]
pub(crate) fn EditSchedule() -> impl IntoView {
    view! { <Page name=name_in_path()/> }
}

#[component]
fn Page(#[prop(into)] name: Signal<String>) -> impl IntoView {
    let lang = use_lang();
    let search = use_location().search;
    // Read once: what is typed must not be replaced by what changes meanwhile.
    let reading = read_once(move || {
        let search = search.get();
        let asked = |field| query::value(search.trim_start_matches('?'), field);
        ReadScheduleForm {
            schedule: name.get(),
            draft: asked("draft"),
            cron: asked("cron"),
            kind: asked("kind"),
            lang: lang.tag().to_owned(),
        }
    });
    let title = move || {
        name.with(|name| {
            if name.is_empty() {
                text::new_title(lang).to_owned()
            } else {
                text::edit_title(lang, name)
            }
        })
    };
    view! {
        {move || view! { <PageHead title=title() lead=move || text::lead(lang)/> }}
        <Load reading=reading draw=|start: ScheduleStart| view! { <Form start=start/> }/>
    }
}
