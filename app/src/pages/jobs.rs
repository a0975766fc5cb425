//! The list of jobs: states as tabs, a filter that lives in the address, and what can be done with
//! several jobs at once.

mod asked;
mod filters;
mod nothing;
mod picks;
mod selection;
mod summary;
mod table;

use conveyor_model::event::Topic;
use conveyor_model::state::State;
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_location;

use crate::context::use_lang;
use crate::i18n::{frame, jobs as text, number, word};
use crate::live::use_live;
use crate::parts::action::use_action;
use crate::parts::follow::{Follow, LoadLine};
use crate::parts::load::{Reading, read};
use crate::parts::{Icon, PageHead, Sign};
use crate::paths;
use crate::rpc::jobs::{ActOn, JobList, ReadJobs};
use asked::Asked;
use filters::Filters;
use picks::Picks;
use table::JobTable;

/// The page.
#[component]
pub(crate) fn Jobs() -> impl IntoView {
    let lang = use_lang();
    let search = use_location().search;
    let asked = Memo::new(move |_| Asked::read(&search.get()));
    let reading = read(
        move || {
            let asked = asked.get();
            ReadJobs {
                query: asked.query(),
                after: asked.after,
                before: asked.before,
            }
        },
        || vec![Topic::Jobs],
        2,
    );
    let act = use_action::<ActOn>();
    let picks = Picks::new();
    picks.end_with(asked, act);
    view! {
        <PageHead
            title=frame::jobs(lang)
            lead=move || view! { <HowMany asked=asked reading=reading/> }
        />
        <Tabs asked=asked/>
        <Filters asked=asked/>
        <Follow
            reading=reading
            draw=move |list| {
                view! {
                    <OneCause list=list/>
                    <JobTable list=list asked=asked picks=picks act=act/>
                }
                    .into_any()
            }
        />
    }
}

/// How many jobs match, or how many there are.
#[component]
fn HowMany(asked: Memo<Asked>, reading: Reading<JobList>) -> impl IntoView {
    let lang = use_lang();
    view! {
        <LoadLine
            reading=reading
            draw=move |list| {
                if asked.read_untracked().is_plain() {
                    let n = list.total.max(counted(asked));
                    match asked.read_untracked().state() {
                        Some(state) => text::in_state_all(lang, state, n),
                        None => text::in_all(lang, n),
                    }
                } else if list.total_capped {
                    text::matching_many(lang, &number::whole(list.total))
                } else {
                    text::matching(lang, list.total)
                }
            }
        />
    }
}

/// What all jobs of the list died of, when they were asked for by their cause.
#[component]
fn OneCause(list: Signal<JobList>) -> impl IntoView {
    let lang = use_lang();
    let cause = Memo::new(move |_| list.with(|list| list.cause.clone()));
    move || {
        cause.get().map(|(class, message)| {
            view! {
                <section class="panel why" data-state="dead">
                    <p>
                        {text::died_of(lang)} " " <strong>{class}</strong> ": "
                        <span class="why-error">{message}</span>
                    </p>
                    <p class="quiet">
                        <A href=paths::DEAD>{text::to_causes(lang)}</A>
                    </p>
                </section>
            }
        })
    }
}

/// Jobs in the state of the tab, as the frame counts them: exact where the list stops counting.
fn counted(asked: Memo<Asked>) -> u64 {
    let state = asked.read_untracked().state();
    let counts = use_live().counts();
    counts.with_untracked(|counts| match (counts, state) {
        (Some(counts), Some(state)) => counts.of(state),
        (Some(counts), None) => counts.total(),
        (None, _) => 0,
    })
}

/// The states and how many jobs are in each, whatever the filter.
#[component]
fn Tabs(asked: Memo<Asked>) -> impl IntoView {
    let lang = use_lang();
    let counts = use_live().counts();
    let tab = move |state: Option<State>| {
        let here = move || {
            let asked = asked.get();
            let is = match state {
                Some(_) => asked.state() == state,
                None => asked.value("state").is_empty(),
            };
            is.then_some("page")
        };
        let count = move || {
            counts.with(|counts| {
                counts.as_ref().map(|counts| match state {
                    Some(state) => number::whole(counts.of(state)),
                    None => number::whole(counts.total()),
                })
            })
        };
        let name = state.map_or(text::all(lang), |state| word::states(lang, state));
        view! {
            <a
                href=move || asked.get().in_state(state)
                aria-current=here
                data-state=state.map(State::as_str)
            >
                {state.map(|state| view! { <Icon sign=Sign::of(state)/> })}
                <span>{name}</span>
                <span class="count">{count}</span>
            </a>
        }
    };
    let shown = State::ALL
        .into_iter()
        .filter(|state| *state != State::Blocked);
    view! {
        <nav class="tabs" aria-label=text::states(lang)>
            {tab(None)}
            {shown.map(|state| tab(Some(state))).collect_view()}
        </nav>
    }
}
