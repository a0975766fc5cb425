//! The schedules: what fires when, and what became of the last slot.

mod actions;
pub(crate) mod fires;
mod row;
mod slot_mark;
mod waiting;

pub(crate) use actions::{DeleteButton, PauseButton, RunButton, Verbs};
pub(crate) use slot_mark::SlotMark;
pub(crate) use waiting::Waiting;

use conveyor_model::event::Topic;
use conveyor_model::lang::Lang;
use leptos::either::Either;
use leptos::prelude::*;
use leptos_router::components::A;

use crate::context::use_lang;
use crate::i18n::schedules as text;
use crate::parts::each::Each;
use crate::parts::list_page::ListPage;
use crate::parts::load::read;
use crate::parts::{Empty, Icon, Sign, When};
use crate::paths;
use crate::rpc::schedules::{ReadSchedules, ScheduleView};
use row::Row;

/// An expression that most people have a use for.
const EXAMPLE: &str = "0 9 * * 1-5";

/// The page.
#[component]
pub(crate) fn Schedules() -> impl IntoView {
    let lang = use_lang();
    let reading = read(
        move || ReadSchedules {
            lang: lang.tag().to_owned(),
        },
        || vec![Topic::Schedules],
        1,
    );
    view! {
        <ListPage
            reading=reading
            title=text::title(lang)
            lead=|schedules| view! { <Lead schedules=schedules/> }.into_any()
            actions=new_button
            empty=empty
            table=|schedules| view! { <Table schedules=schedules/> }.into_any()
        />
    }
}

fn new_button() -> AnyView {
    view! {
        <A href=paths::NEW_SCHEDULE attr:class="button">
            <Icon sign=Sign::Plus/>
            <span>{text::new(use_lang())}</span>
        </A>
    }
    .into_any()
}

fn empty() -> AnyView {
    let lang = use_lang();
    view! {
        <Empty sign=Sign::Clock title=text::empty_title(lang) text=text::empty_text(lang)>
            <A href=paths::new_schedule_like(EXAMPLE) attr:class="button">
                {text::empty_example(lang)}
            </A>
        </Empty>
    }
    .into_any()
}

/// How many there are, how many are paused, and when the next one fires.
#[component]
fn Lead(schedules: Signal<Vec<ScheduleView>>) -> impl IntoView {
    let lang = use_lang();
    let next = Memo::new(move |_| {
        schedules.with(|all| all.iter().filter_map(|schedule| schedule.next_at).min())
    });
    view! {
        {move || schedules.with(|all| (!all.is_empty()).then(|| counted(lang, all)))}
        {move || {
            next.get().map(|at| view! { " · " {text::next_of_all(lang)} " " <When at=at/> })
        }}
    }
}

fn counted(lang: Lang, schedules: &[ScheduleView]) -> String {
    let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    let paused = schedules
        .iter()
        .filter(|schedule| schedule.spec.paused)
        .count();
    let all = text::lead_all(lang, count(schedules.len()));
    match paused {
        0 => all,
        paused => format!("{all} · {}", text::lead_paused(lang, count(paused))),
    }
}

#[component]
fn Table(schedules: Signal<Vec<ScheduleView>>) -> impl IntoView {
    let lang = use_lang();
    let verbs = Verbs::new();
    view! {
        <table class="list schedule-list">
            <caption>{text::caption(lang)}</caption>
            <thead>
                <tr>
                    <th scope="col">{text::schedule(lang)}</th>
                    <th scope="col">{text::when(lang)}</th>
                    <th scope="col">{text::next(lang)}</th>
                    <th scope="col">{text::last(lang)}</th>
                    <th scope="col">
                        <span class="unseen">{text::actions(lang)}</span>
                    </th>
                </tr>
            </thead>
            <tbody>
                <Each
                    each=move || schedules.get()
                    key=|schedule| schedule.name.clone()
                    children=move |schedule| {
                        view! { <Row schedules=schedules first=schedule verbs=verbs/> }
                    }
                />
            </tbody>
        </table>
    }
}

/// On, or paused and by whom.
#[component]
pub(crate) fn OnMark(#[prop(into)] schedule: Signal<ScheduleView>) -> impl IntoView {
    let lang = use_lang();
    let paused = Memo::new(move |_| {
        schedule.with(|one| {
            one.spec
                .paused
                .then(|| one.paused_by.clone().unwrap_or_default())
        })
    });
    move || match paused.get() {
        None => Either::Left(view! {
            <span class="state-mark" data-state="running">
                <Icon sign=Sign::Check/>
                <span>{text::on(lang)}</span>
            </span>
        }),
        Some(by) => Either::Right(view! {
            <span class="state-mark" data-state="retrying">
                <Icon sign=Sign::Pause/>
                <span>
                    {text::paused(lang)}
                    {(!by.is_empty())
                        .then(|| {
                            view! { <span class="quiet">" " {text::paused_by(lang, &by)}</span> }
                        })}
                </span>
            </span>
        }),
    }
}
