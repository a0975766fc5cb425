//! One worker in the list.

use conveyor_model::name::WorkerName;
use conveyor_model::worker::{Worker, WorkerHealth, WorkerState};
use leptos::prelude::*;
use leptos_router::components::A;

use super::tell::Tell;
use crate::context::use_lang;
use crate::i18n::workers as text;
use crate::parts::action::Deed;
use crate::parts::each::Each;
use crate::parts::same_row::same_row;
use crate::parts::{Elapsed, Icon, Sign, When};
use crate::paths;

/// The server names no more jobs of a worker than this.
const MOST_JOBS: usize = 50;
/// How many names of queues and kinds are shown before "and more".
const SHOWN_NAMES: usize = 6;

/// The row; it follows its worker as the list is read again.
#[component]
pub(super) fn Row(workers: Signal<Vec<Worker>>, first: Worker, tell: Deed) -> impl IntoView {
    let lang = use_lang();
    let name = first.name.clone();
    let title = name.as_str().to_owned();
    let worker = same_row(workers, first, |one, other| one.name == other.name);
    view! {
        <tr data-row="">
            <th scope="row" class="wide-cell">
                <A href=jobs_of(&name) attr:class="title" attr:data-open="">
                    {title}
                </A>
                <Origin worker=worker/>
            </th>
            <td data-label=text::heartbeat(lang)>
                <Heartbeat worker=worker/>
            </td>
            <td data-label=text::slots(lang)>
                <Slots worker=worker/>
            </td>
            <td data-label=text::runs_now(lang) class="wide-cell">
                <Running worker=worker/>
            </td>
            <td data-label=text::serves(lang) class="wide-cell">
                <Serves worker=worker/>
            </td>
            <td class="wide-cell">
                <Tell worker=worker name=name action=tell/>
            </td>
        </tr>
    }
}

/// Where it runs, in which version, since when, and what it was told.
#[component]
fn Origin(worker: Memo<Worker>) -> impl IntoView {
    let lang = use_lang();
    let told = Memo::new(move |_| worker.with(|worker| worker.state));
    let started = worker.with_untracked(|worker| worker.started_at);
    let place = move || {
        worker.with(|worker| {
            let place = if worker.in_process {
                text::in_process(lang)
            } else {
                text::remote(lang)
            };
            match &worker.version {
                Some(version) => format!("{place} · {}", text::version(lang, version)),
                None => place.to_owned(),
            }
        })
    };
    view! {
        <p class="second">{place} " · " {text::started(lang)} " " <When at=started/></p>
        {move || {
            (told.get() != WorkerState::Run)
                .then(|| {
                    view! {
                        <p class="queue-state" data-state="retrying">
                            <Icon sign=Sign::Pause/>
                            <span>{text::told(lang, told.get())}</span>
                        </p>
                    }
                })
        }}
    }
}

/// Fresh, late or lost, and how long ago it was heard of.
#[component]
fn Heartbeat(worker: Memo<Worker>) -> impl IntoView {
    let lang = use_lang();
    let health = Memo::new(move |_| worker.with(|worker| worker.health));
    let seen = Memo::new(move |_| worker.with(|worker| worker.seen_at));
    view! {
        {move || {
            let (state, sign) = match health.get() {
                WorkerHealth::Fresh => ("running", Sign::Pulse),
                WorkerHealth::Late => ("retrying", Sign::Clock),
                WorkerHealth::Lost => ("dead", Sign::Octagon),
            };
            view! {
                <span class="state-mark" data-state=state>
                    <Icon sign=sign/>
                    <span>{text::health(lang, health.get())}</span>
                </span>
            }
        }}
        <p class="second">{move || view! { <When at=seen.get()/> }}</p>
    }
}

/// Busy of all, as a bar and in figures.
#[component]
fn Slots(worker: Memo<Worker>) -> impl IntoView {
    let lang = use_lang();
    let slots = Memo::new(move |_| worker.with(|worker| (worker.busy, worker.slots)));
    move || {
        let (busy, slots) = slots.get();
        let said = match slots {
            Some(slots) => text::slots_of(lang, &busy, &slots),
            None => text::slots_unknown(lang).to_owned(),
        };
        let width = slots
            .filter(|slots| *slots > 0)
            .map(|slots| busy.min(slots) * 72 / slots);
        view! {
            <div class="slots">
                <span title=said>
                    <b>{busy.to_string()}</b>
                    {slots.map(|slots| format!(" / {slots}"))}
                </span>
                {width
                    .map(|width| {
                        view! {
                            <svg class="bar" viewBox="0 0 72 6" width="72" height="6" aria-hidden="true">
                                <rect class="bar-all" width="72" height="6" rx="3"></rect>
                                <rect class="bar-part" width=width.to_string() height="6" rx="3"></rect>
                            </svg>
                        }
                    })}
            </div>
        }
    }
}

/// The jobs it runs now.
#[component]
fn Running(worker: Memo<Worker>) -> impl IntoView {
    let lang = use_lang();
    let jobs = Memo::new(move |_| worker.with(|worker| worker.jobs.clone()));
    let more = Memo::new(move |_| worker.with(|worker| worker.jobs.len() >= MOST_JOBS));
    view! {
        <Show
            when=move || jobs.with(Vec::is_empty)
            fallback=move || {
                view! {
                    <ul class="running-jobs">
                        <Each
                            each=move || jobs.get()
                            key=|job| format!("{} {}", job.id, job.started_at)
                            children=move |job| {
                                view! {
                                    <li>
                                        <A href=paths::job(job.id)>{job.kind.as_str().to_owned()}</A>
                                        " " <span class="id">{format!("#{}", job.id.get())}</span> " "
                                        <span class="second">
                                            <Elapsed since=job.started_at/>
                                        </span>
                                    </li>
                                }
                            }
                        />
                    </ul>
                    <Show when=move || more.get()>
                        <p class="quiet">{text::only_some(lang, &MOST_JOBS)}</p>
                    </Show>
                }
            }
        >
            <span class="second">{text::idle(lang)}</span>
        </Show>
    }
}

/// The queues and kinds it takes.
#[component]
fn Serves(worker: Memo<Worker>) -> impl IntoView {
    let lang = use_lang();
    let queues = Memo::new(move |_| {
        worker.with(|worker| {
            worker
                .queues
                .iter()
                .map(|queue| queue.as_str().to_owned())
                .collect()
        })
    });
    let kinds = Memo::new(move |_| {
        worker.with(|worker| {
            worker
                .kinds
                .iter()
                .map(|kind| kind.as_str().to_owned())
                .collect()
        })
    });
    let names = move |names: Vec<String>, none: &'static str| {
        if names.is_empty() {
            return none.to_owned();
        }
        let mut line = names
            .iter()
            .take(SHOWN_NAMES)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        if names.len() > SHOWN_NAMES {
            line.push(' ');
            line.push_str(&text::more_kinds(lang, &(names.len() - SHOWN_NAMES)));
        }
        line
    };
    view! {
        <p>{move || names(queues.get(), text::any_queue(lang))}</p>
        <p class="second">{move || names(kinds.get(), text::any_kind(lang))}</p>
    }
}

/// The jobs that a worker runs or ran last.
fn jobs_of(worker: &WorkerName) -> String {
    let filter = conveyor_model::filter::JobFilter {
        worker: Some(worker.clone()),
        ..Default::default()
    };
    format!("{}?{}", paths::JOBS, filter.to_query())
}
