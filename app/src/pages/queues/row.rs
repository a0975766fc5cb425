//! One queue in the list.

use conveyor_model::filter::JobFilter;
use conveyor_model::name::QueueName;
use conveyor_model::queue::{Pause, Queue};
use conveyor_model::state::State;
use leptos::either::Either;
use leptos::html::Tr;
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_location;

use super::forms::{PauseForm, PurgeForm, ResumeForm};
use crate::context::use_lang;
use crate::i18n::{length, number, queues as text};
use crate::parts::action::Deed;
use crate::parts::same_row::same_row;
use crate::parts::spark::Spark;
use crate::parts::{Icon, Sign, When};
use crate::paths;

/// What can be done with a queue.
#[derive(Clone, Copy)]
pub(super) struct Verbs {
    pub(super) pause: Deed,
    pub(super) resume: Deed,
    pub(super) purge: Deed,
}

/// The row; it follows its queue as the list is read again.
#[component]
pub(super) fn Row(queues: Signal<Vec<Queue>>, first: Queue, verbs: Verbs) -> impl IntoView {
    let lang = use_lang();
    let name = first.name.clone();
    let title = name.as_str().to_owned();
    let purged = name.clone();
    let queue = same_row(queues, first, |one, other| one.name == other.name);
    let count = {
        let name = name.clone();
        move |label: &'static str, state: State, of: fn(&Queue) -> u64| {
            let n = Memo::new(move |_| queue.with(of));
            let href = jobs_in(&name, state);
            view! {
                <td class="number" data-label=label>
                    <A href=href attr:class=move || if n.get() == 0 { "zero" } else { "some" }>
                        {move || number::whole(n.get())}
                    </A>
                </td>
            }
        }
    };
    let oldest = move || {
        queue
            .with(|queue| queue.oldest_ready_age_s)
            .map_or_else(|| "–".to_owned(), |age| length::length(lang, age))
    };
    let (id, place) = (paths::queue_row(&name), NodeRef::<Tr>::new());
    let (hash, own) = (use_location().hash, id.clone());
    // The browser looks for the place before the rows are there.
    Effect::new(move |_| {
        if let Some(row) = place
            .get()
            .filter(|_| hash.get().trim_start_matches('#') == own)
        {
            row.scroll_into_view();
        }
    });
    view! {
        <tr data-row="" id=id node_ref=place>
            <th scope="row" class="wide-cell">
                <A href=paths::jobs_of_queue(&name) attr:class="title" attr:data-open="">
                    {title}
                </A>
                <Running queue=queue/>
            </th>
            {count(text::ready(lang), State::Ready, |queue| queue.ready)}
            {count(text::running(lang), State::Running, |queue| queue.running)}
            {count(text::scheduled(lang), State::Scheduled, |queue| queue.scheduled)}
            {count(text::retrying(lang), State::Retrying, |queue| queue.retrying)}
            {count(text::dead(lang), State::Dead, |queue| queue.dead)}
            <td class="number" data-label=text::oldest(lang)>
                {oldest}
            </td>
            <td data-label=text::flow(lang) class="wide-cell">
                <Flow queue=queue/>
            </td>
            <td class="wide-cell">
                <div class="buttons row-buttons">
                    <PauseOrResume queue=queue name=name verbs=verbs/>
                    <PurgeForm queue=queue name=purged action=verbs.purge/>
                </div>
            </td>
        </tr>
    }
}

/// Whether it runs; who paused it, why, and until when.
#[component]
fn Running(queue: Memo<Queue>) -> impl IntoView {
    let lang = use_lang();
    let pause = Memo::new(move |_| queue.with(|queue| queue.paused.clone()));
    move || match pause.get() {
        None => Either::Left(view! {
            <p class="queue-state" data-state="running">
                <Icon sign=Sign::Play/>
                <span>{text::runs(lang)}</span>
            </p>
        }),
        Some(Pause {
            by,
            note,
            since,
            until,
        }) => Either::Right(view! {
            <p class="queue-state" data-state="retrying">
                <Icon sign=Sign::Pause/>
                <span>
                    <b>{text::paused(lang)}</b> " " {text::paused_by(lang, &by)} " · "
                    {match until {
                        Some(until) => {
                            Either::Left(view! { {text::resumes(lang)} " " <When at=until/> })
                        }
                        None => Either::Right(view! { <When at=since/> }),
                    }}
                    {note.map(|note| view! { <span class="note">{note}</span> })}
                </span>
            </p>
        }),
    }
}

/// In, out, and the last minutes that are over; the one that goes on would look like a fall.
#[component]
fn Flow(queue: Memo<Queue>) -> impl IntoView {
    let lang = use_lang();
    let rates = move || {
        queue.with(|queue| {
            let (rate_in, rate_out) = (queue.rate_in, queue.rate_out);
            format!(
                "{} / {}",
                number::short(lang, rate_in * 60.0),
                number::short(lang, rate_out * 60.0)
            )
        })
    };
    let recent = Signal::derive(move || {
        let whole = queue.with(|queue| queue.recent.clone());
        whole
            .split_last()
            .map_or_else(Vec::new, |(_, whole)| whole.to_vec())
    });
    let said = Signal::derive(move || {
        let counts: Vec<String> = recent.with(|all| all.iter().map(u64::to_string).collect());
        text::recent(lang, &counts.len(), &counts.join(", "))
    });
    view! {
        <div class="flow">
            <span>{rates}</span>
            <Spark counts=recent said=said/>
        </div>
    }
}

/// The one that makes sense now.
#[component]
fn PauseOrResume(queue: Memo<Queue>, name: QueueName, verbs: Verbs) -> impl IntoView {
    let paused = Memo::new(move |_| queue.with(|queue| queue.paused.is_some()));
    move || {
        let name = name.clone();
        if paused.get() {
            Either::Left(view! { <ResumeForm name=name action=verbs.resume/> })
        } else {
            Either::Right(view! { <PauseForm name=name action=verbs.pause/> })
        }
    }
}

/// The queue's jobs in a state.
fn jobs_in(queue: &QueueName, state: State) -> String {
    let filter = JobFilter {
        states: vec![state],
        queues: vec![queue.clone()],
        ..JobFilter::default()
    };
    format!("{}?{}", paths::JOBS, filter.to_query())
}
