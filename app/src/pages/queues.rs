//! The queues: what waits in each, and whether it gives out jobs.

mod forms;
mod row;

use conveyor_model::event::Topic;
use conveyor_model::lang::Lang;
use conveyor_model::queue::Queue;
use leptos::prelude::*;
use leptos_router::components::A;

use crate::context::use_lang;
use crate::i18n::{frame, number, queues as text};
use crate::parts::action::use_action;
use crate::parts::each::Each;
use crate::parts::list_page::{ListPage, sentence};
use crate::parts::load::read;
use crate::parts::{Empty, Sign};
use crate::paths;
use crate::rpc::queues::{PauseQueue, PurgeQueue, ReadQueues, ResumeQueue};
use row::{Row, Verbs};

/// The page.
#[component]
pub(crate) fn Queues() -> impl IntoView {
    let lang = use_lang();
    let reading = read(|| ReadQueues {}, || vec![Topic::Queues, Topic::Jobs], 2);
    view! {
        <ListPage
            reading=reading
            title=text::title(lang)
            lead=|queues| sentence(queues, lead)
            empty=empty
            table=|queues| view! { <Table queues=queues/> }.into_any()
        />
    }
}

fn empty() -> AnyView {
    let lang = use_lang();
    view! {
        <Empty sign=Sign::Layers title=text::empty_title(lang) text=text::empty_text(lang)>
            <A href=paths::NEW_JOB attr:class="button">
                {frame::enqueue_long(lang)}
            </A>
        </Empty>
    }
    .into_any()
}

#[component]
fn Table(queues: Signal<Vec<Queue>>) -> impl IntoView {
    let lang = use_lang();
    let verbs = Verbs {
        pause: use_action::<PauseQueue>(),
        resume: use_action::<ResumeQueue>(),
        purge: use_action::<PurgeQueue>(),
    };
    view! {
        <table class="list queue-list">
            <caption>{text::caption(lang)}</caption>
            <thead>
                <tr>
                    <th scope="col">{text::queue(lang)}</th>
                    <th scope="col" class="number">{text::ready(lang)}</th>
                    <th scope="col" class="number">{text::running(lang)}</th>
                    <th scope="col" class="number">{text::scheduled(lang)}</th>
                    <th scope="col" class="number">{text::retrying(lang)}</th>
                    <th scope="col" class="number">{text::dead(lang)}</th>
                    <th scope="col" class="number">{text::oldest(lang)}</th>
                    <th scope="col">{text::flow(lang)}</th>
                    <th scope="col">
                        <span class="unseen">{text::actions(lang)}</span>
                    </th>
                </tr>
            </thead>
            <tbody>
                <Each
                    each=move || queues.get()
                    key=|queue| queue.name.to_string()
                    children=move |queue| view! { <Row queues=queues first=queue verbs=verbs/> }
                />
            </tbody>
        </table>
    }
}

/// The sentence under the title: how many are paused, and how much is ready.
fn lead(lang: Lang, queues: &[Queue]) -> String {
    let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    let paused = count(queues.iter().filter(|queue| queue.paused.is_some()).count());
    let all = count(queues.len());
    let ready = queues.iter().map(|queue| queue.ready).sum();
    let state = match paused {
        0 => text::none_paused(lang, all),
        _ => text::some_paused(lang, &number::whole(paused), &number::whole(all)),
    };
    format!("{state} · {}", text::ready_in_all(lang, ready))
}
