//! The workers: who was heard of lately, what each runs, and telling it what to do.

mod row;
mod tell;

use conveyor_model::event::Topic;
use conveyor_model::lang::Lang;
use conveyor_model::worker::{Worker, WorkerHealth, WorkerState};
use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::{number, workers as text};
use crate::parts::action::use_action;
use crate::parts::each::Each;
use crate::parts::list_page::{ListPage, sentence};
use crate::parts::load::read;
use crate::parts::{Empty, Sign};
use crate::rpc::workers::{ReadWorkers, TellWorker};
use row::Row;

/// What starts a worker that runs a program, to be copied.
const COMMAND: &str =
    "conveyor work --url http://localhost:8085 --kind report.build --exec ./report.sh";

/// The page.
#[component]
pub(crate) fn Workers() -> impl IntoView {
    let lang = use_lang();
    let reading = read(
        || ReadWorkers {},
        || vec![Topic::Workers, Topic::Jobs, Topic::Counts],
        2,
    );
    view! {
        <ListPage
            reading=reading
            title=text::title(lang)
            lead=|workers| sentence(workers, lead)
            empty=empty
            table=|workers| view! { <Table workers=workers/> }.into_any()
        />
    }
}

fn empty() -> AnyView {
    let lang = use_lang();
    view! {
        <Empty sign=Sign::Worker title=text::empty_title(lang) text=text::empty_text(lang)>
            <pre class="code command">
                <code>{COMMAND}</code>
            </pre>
            <p class="quiet">{text::empty_pool(lang)}</p>
        </Empty>
    }
    .into_any()
}

#[component]
fn Table(workers: Signal<Vec<Worker>>) -> impl IntoView {
    let lang = use_lang();
    let tell = use_action::<TellWorker>();
    view! {
        <table class="list worker-list">
            <caption>{text::caption(lang)}</caption>
            <thead>
                <tr>
                    <th scope="col">{text::worker(lang)}</th>
                    <th scope="col">{text::heartbeat(lang)}</th>
                    <th scope="col">{text::slots(lang)}</th>
                    <th scope="col">{text::runs_now(lang)}</th>
                    <th scope="col">{text::serves(lang)}</th>
                    <th scope="col">
                        <span class="unseen">{text::actions(lang)}</span>
                    </th>
                </tr>
            </thead>
            <tbody>
                <Each
                    each=move || workers.get()
                    key=|worker| worker.name.to_string()
                    children=move |worker| view! { <Row workers=workers first=worker tell=tell/> }
                />
            </tbody>
        </table>
    }
}

/// The sentence under the title: who is there, how busy, who is missing.
fn lead(lang: Lang, workers: &[Worker]) -> String {
    let lost = |worker: &&Worker| worker.health == WorkerHealth::Lost;
    let there = || workers.iter().filter(|worker| !lost(worker));
    let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    let busy: u64 = there().map(|worker| u64::from(worker.busy)).sum();
    let slots: u64 = there()
        .filter_map(|worker| worker.slots)
        .map(u64::from)
        .sum();
    let mut lead = text::lead_workers(lang, count(there().count()));
    if slots > 0 {
        let (busy, slots) = (number::whole(busy), number::whole(slots));
        lead.push_str(&format!(" · {}", text::lead_slots(lang, &busy, &slots)));
    }
    let quiet = there().filter(|worker| worker.state != WorkerState::Run);
    let quiet = count(quiet.count());
    if quiet > 0 {
        lead.push_str(&format!(
            " · {}",
            text::lead_quiet(lang, &number::whole(quiet))
        ));
    }
    let gone = count(workers.iter().filter(lost).count());
    if gone > 0 {
        lead.push_str(&format!(" · {}", text::lead_lost(lang, gone)));
    }
    lead
}
