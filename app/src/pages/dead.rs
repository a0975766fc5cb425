//! The dead letter by cause: what 2,000 failures have in common, and what to do about each cause.

mod places;
mod row;

use conveyor_model::dead::DeadGroup;
use conveyor_model::event::Topic;
use conveyor_model::lang::Lang;
use leptos::prelude::*;
use leptos::web_sys::PointerEvent;

use crate::context::use_lang;
use crate::i18n::dead as text;
use crate::parts::action::use_action;
use crate::parts::each::Each;
use crate::parts::list_page::{ListPage, sentence};
use crate::parts::load::read;
use crate::parts::{Empty, Sign};
use crate::rpc::dead::{DeleteGroup, ReadDeadGroups, RetryGroup};
use crate::rpc::jobs::Act;
use places::in_place;
use row::{Row, Verbs};

/// The page.
#[component]
pub(crate) fn Dead() -> impl IntoView {
    let lang = use_lang();
    let reading = read(|| ReadDeadGroups {}, || vec![Topic::Jobs], 2);
    view! {
        <ListPage
            reading=reading
            title=text::title(lang)
            lead=|groups| sentence(groups, lead)
            empty=empty
            table=|groups| view! { <Table groups=groups/> }.into_any()
        />
    }
}

fn empty() -> AnyView {
    let lang = use_lang();
    view! { <Empty sign=Sign::Check title=text::empty_title(lang) text=text::empty_text(lang)/> }
        .into_any()
}

#[component]
fn Table(groups: Signal<Vec<DeadGroup>>) -> impl IntoView {
    let lang = use_lang();
    let pointed = RwSignal::new(false);
    let shown = Memo::new(move |before: Option<&Vec<DeadGroup>>| {
        let read = groups.get();
        match before.filter(|_| pointed.get()) {
            Some(before) => in_place(before, read),
            None => read,
        }
    });
    let groups: Signal<Vec<DeadGroup>> = shown.into();
    let verbs = Verbs {
        retry: use_action::<RetryGroup>(),
        delete: use_action::<DeleteGroup>(),
        act: use_action::<Act>(),
    };
    view! {
        <table class="list dead-list">
            <caption>{text::caption(lang)}</caption>
            <thead>
                <tr>
                    <th scope="col">{text::cause(lang)}</th>
                    <th scope="col" class="number">{text::jobs(lang)}</th>
                    <th scope="col" class="number">{text::first(lang)}</th>
                    <th scope="col" class="number">{text::last(lang)}</th>
                    <th scope="col">
                        <span class="unseen">{text::actions(lang)}</span>
                    </th>
                </tr>
            </thead>
            <tbody
                on:pointerenter=move |event: PointerEvent| {
                    pointed.set(event.pointer_type() == "mouse");
                }
                on:pointerleave=move |_| pointed.set(false)
            >
                <Each
                    each=move || groups.get()
                    key=|group| group.fingerprint.clone()
                    children=move |group| view! { <Row groups=groups first=group verbs=verbs/> }
                />
            </tbody>
        </table>
    }
}

fn lead(lang: Lang, groups: &[DeadGroup]) -> String {
    let jobs = groups.iter().map(|group| group.count).sum();
    let causes = u64::try_from(groups.len()).unwrap_or(u64::MAX);
    format!(
        "{} · {}",
        text::lead_jobs(lang, jobs),
        text::lead_causes(lang, causes)
    )
}
