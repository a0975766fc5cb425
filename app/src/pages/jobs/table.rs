//! The rows.

use conveyor_model::filter::Cursor;
use conveyor_model::job::JobRow;
use conveyor_model::name::{Priority, Tag};
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;
use leptos::either::Either;
use leptos::prelude::*;
use leptos::web_sys::{MouseEvent, PointerEvent};
use leptos_router::components::A;

use super::asked::Asked;
use super::nothing::Nothing;
use super::picks::Picks;
use super::selection::{Bar, PlainBar};
use super::summary::summary;
use crate::context::use_lang;
use crate::i18n::{frame, jobs as text, number};
use crate::live::use_live;
use crate::parts::action::{ActionForm, Deed};
use crate::parts::each::Each;
use crate::parts::same_row::same_row;
use crate::parts::switch::ReturnTo;
use crate::parts::{Elapsed, StateMark, When};
use crate::paths;
use crate::rpc::jobs::JobList;

/// The jobs of the page in one form, so that picking works without scripts too.
#[component]
pub(super) fn JobTable(
    list: Signal<JobList>,
    asked: Memo<Asked>,
    picks: Picks,
    act: Deed,
) -> impl IntoView {
    let none = Memo::new(move |_| list.with(|list| list.items.is_empty()));
    let empty = move || {
        let asked = asked.get_untracked();
        view! {
            <div class="panel">
                <Nothing asked=asked list=list.get()/>
            </div>
        }
    };
    let pager = move || list.with(|list| Pager::of(list, &asked.read_untracked()));
    view! {
        <Show when=move || !none.get() fallback=empty>
            <Rows list=list picks=picks act=act/>
        </Show>
        {move || pager().view()}
    }
}

#[component]
fn Rows(list: Signal<JobList>, picks: Picks, act: Deed) -> impl IntoView {
    let lang = use_lang();
    let jobs = Signal::derive(move || list.with(|list| list.items.clone()));
    let stopped = Memo::new(move |_| list.with(|list| list.search_stopped));
    let shown = Memo::new(move |_| jobs.with(|jobs| Picks::rows(jobs)));
    picks.show(shown);
    let states = shown.with_untracked(|rows| rows.iter().map(|(_, state)| *state).collect());
    view! {
        <ActionForm action=act attr:class="job-list">
            <ReturnTo/>
            <KeptBack picks=picks/>
            <section class="panel flush">
                <table class="list job-table">
                    <caption>{text::caption(lang)}</caption>
                    <thead>
                        <tr>
                            <th scope="col" class="pick">
                                <PickAll picks=picks/>
                            </th>
                            <th scope="col">{text::state(lang)}</th>
                            <th scope="col">{text::job(lang)}</th>
                            <th scope="col">{text::queue(lang)}</th>
                            <th scope="col" class="number">{text::priority(lang)}</th>
                            <th scope="col" class="number">{text::attempt(lang)}</th>
                            <th scope="col" class="when">{text::in_state(lang)}</th>
                        </tr>
                    </thead>
                    <tbody
                        on:pointerenter=move |event: PointerEvent| {
                            picks.point(event.pointer_type() == "mouse");
                        }
                        on:pointerleave=move |_| picks.point(false)
                    >
                        <Each each=move || jobs.get() key=|job| job.id.to_string() let:job>
                            <Row jobs=jobs first=job picks=picks/>
                        </Each>
                    </tbody>
                </table>
            </section>
            <Show when=move || stopped.get()>
                <p class="quiet">{text::stopped_note(lang)}</p>
            </Show>
            <PlainBar states=states/>
            <Bar picks=picks act=act/>
        </ActionForm>
    }
}

/// Says that rows are kept as they are, and lets them go.
#[component]
fn KeptBack(picks: Picks) -> impl IntoView {
    let lang = use_lang();
    let live = use_live();
    let kept_back = live.kept_back();
    view! {
        <Show when=move || kept_back.get().gt(&0)>
            <button
                type="button"
                class="kept-back"
                on:click=move |_| {
                    picks.clear();
                    picks.point(false);
                    live.release();
                }
            >
                {move || frame::held(lang, kept_back.get())}
            </button>
        </Show>
    }
}

#[component]
fn PickAll(picks: Picks) -> impl IntoView {
    let lang = use_lang();
    view! {
        <label class="pick-all" title=text::select_page(lang)>
            <input
                type="checkbox"
                prop:checked=move || picks.is_whole()
                on:change=move |event| picks.set_all(event_target_checked(&event))
            />
            <span class="unseen">{text::select_page(lang)}</span>
        </label>
    }
}

#[component]
fn Row(jobs: Signal<Vec<JobRow>>, first: JobRow, picks: Picks) -> impl IntoView {
    let lang = use_lang();
    let (id, kind) = (first.id, first.kind.to_string());
    let job = same_row(jobs, first, |one, other| one.id == other.id);
    let part = |of: fn(&JobRow) -> String| move || job.with(of);
    let state = Memo::new(move |_| job.with(|job| job.state));
    let usual = move || job.with(|job| (job.priority == Priority::DEFAULT).then_some(""));
    let tags = Memo::new(move |_| job.with(|job| job.tags.clone()));
    let since = Memo::new(move |_| job.with(in_state));
    view! {
        <tr data-row="" data-state=move || state.get().as_str()>
            <td class="pick">
                <label>
                    <input
                        type="checkbox"
                        name="ids[]"
                        value=id.to_string()
                        data-pick=""
                        aria-label=text::select_job(lang, &id)
                        prop:checked=move || picks.has(id)
                        on:click=move |event: MouseEvent| {
                            picks.set(id, event_target_checked(&event), event.shift_key());
                        }
                    />
                </label>
            </td>
            <td class="state">
                {move || view! { <StateMark state=state.get()/> }}
            </td>
            <th scope="row" class="job">
                <A href=paths::job(id) attr:class="title" attr:data-open="">
                    {kind}
                </A>
                " "
                <span class="id">{format!("#{id}")}</span>
                {move || tags.get().iter().map(chip).collect_view()}
                <div class="second">{part(|job| summary(&job.payload_preview))}</div>
            </th>
            <td class="queue" data-label=text::queue(lang)>
                {part(|job| job.queue.to_string())}
            </td>
            <td class="number" data-label=text::priority(lang) data-usual=usual>
                {part(|job| job.priority.to_string())}
            </td>
            <td class="number attempt" data-label=text::attempt(lang)>
                {part(|job| format!("{}/{}", job.attempt, job.max_attempts))}
            </td>
            <td class="when">
                {move || match since.get() {
                    (true, at) => Either::Left(view! { <Elapsed since=at/> }),
                    (false, at) => Either::Right(view! { <When at=at/> }),
                }}
            </td>
        </tr>
    }
}

fn chip(tag: &Tag) -> impl IntoView + use<> {
    view! {
        " "
        <span class="chip">{tag.to_string()}</span>
    }
}

/// Since when a job is in its state, or when it will leave it; and whether it is at work.
fn in_state(job: &JobRow) -> (bool, Timestamp) {
    match job.state {
        State::Running => (true, job.started_at.unwrap_or(job.run_at)),
        State::Scheduled | State::Retrying | State::Ready => (false, job.run_at),
        State::Blocked => (false, job.created_at),
        State::Succeeded | State::Dead | State::Cancelled => {
            (false, job.finished_at.unwrap_or(job.run_at))
        }
    }
}

/// The ways to the pages before and after this one.
struct Pager {
    back: Option<String>,
    on: Option<String>,
    shown: u64,
    total: u64,
    capped: bool,
    oldest_first: bool,
}

impl Pager {
    fn of(list: &JobList, asked: &Asked) -> Self {
        let at = |end, cursor: Option<Cursor>| cursor.map(|cursor| asked.at(end, cursor));
        Pager {
            back: at("before", list.before),
            on: at("after", list.after),
            shown: u64::try_from(list.items.len()).unwrap_or(0),
            total: list.total,
            capped: list.total_capped,
            oldest_first: asked.value("sort") == "oldest",
        }
    }

    fn view(self) -> Option<impl IntoView> {
        let lang = use_lang();
        if self.back.is_none() && self.on.is_none() {
            return None;
        }
        let (back, on) = if self.oldest_first {
            (text::earlier(lang), text::later(lang))
        } else {
            (text::newer(lang), text::older(lang))
        };
        let link = |path: Option<String>, rel: &'static str, name: &'static str| match path {
            Some(path) => view! {
                <A href=path attr:class="button" attr:rel=rel>
                    {name}
                </A>
            }
            .into_any(),
            None => view! { <span class="button" aria-disabled="true">{name}</span> }.into_any(),
        };
        let more = if self.capped { "+" } else { "" };
        let total = format!("{}{more}", number::whole(self.total));
        let shown = text::shown(lang, &number::whole(self.shown), &total);
        Some(view! {
            <nav class="pager" aria-label=text::pages(lang)>
                {link(self.back, "prev", back)}
                <span class="quiet">{shown}</span>
                {link(self.on, "next", on)}
            </nav>
        })
    }
}
