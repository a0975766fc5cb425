//! What a person should look at, each with the one action that usually helps.

use conveyor_model::dead::DeadGroup;
use conveyor_model::lang::Lang;
use conveyor_model::name::{Kind, QueueName, ScheduleName};
use conveyor_model::queue::Pause;
use conveyor_model::schedule::SlotReason;
use conveyor_model::stats::{Attention, Overview};
use conveyor_model::time::Timestamp;
use leptos::prelude::*;
use leptos_router::components::A;

use crate::context::use_lang;
use crate::i18n::{overview as text, word};
use crate::parts::action::{ActionButton, Deed, use_action};
use crate::parts::each::Each;
use crate::parts::same_row::same_row;
use crate::parts::{Empty, Icon, Moment, Panel, Sign, When};
use crate::paths;
use crate::rpc::dead::RetryGroup;
use crate::rpc::queues::ResumeQueue;

/// How many jobs of a group are tried first.
const TRIAL: u64 = 5;

/// What helps.
#[derive(Clone, Copy)]
pub(super) struct Helps {
    retry: Deed,
    resume: Deed,
}

/// Made once a page, as every action.
pub(super) fn use_helps() -> Helps {
    Helps {
        retry: use_action::<RetryGroup>(),
        resume: use_action::<ResumeQueue>(),
    }
}

/// The panel. A row is drawn anew only when something about its matter changed.
#[component]
pub(super) fn NeedsAttention(data: Signal<Overview>, helps: Helps) -> impl IntoView {
    let lang = use_lang();
    let matters = Signal::derive(move || data.with(|data| data.attention.clone()));
    let none = Memo::new(move |_| matters.with(Vec::is_empty));
    view! {
        <Panel title=text::attention(lang)>
            <Show
                when=move || none.get()
                fallback=move || {
                    view! {
                        <ul class="attention">
                            <Each each=move || matters.get() key=key let:first>
                                <Matter matters=matters first=first helps=helps/>
                            </Each>
                        </ul>
                    }
                }
            >
                <Empty sign=Sign::Check title=text::all_well(lang) text=text::all_well_text(lang)/>
            </Show>
        </Panel>
    }
    .into_any()
}

/// What makes a matter the same one when it is read again.
fn key(matter: &Attention) -> String {
    let (sort, name) = name(matter);
    format!("{sort} {name}")
}

fn name(matter: &Attention) -> (&'static str, String) {
    match matter {
        Attention::Dead { group } => ("dead", group.fingerprint.clone()),
        Attention::Paused { queue, .. } => ("paused", queue.to_string()),
        Attention::Skipped { schedule, slot, .. } => ("skipped", format!("{slot} {schedule}")),
        Attention::WorkerLost { worker, .. } => ("lost", worker.to_string()),
        Attention::NoWorker { kind, queue, .. } => ("nobody", at_queue(kind, queue.as_ref())),
        Attention::Stopped { schedule, .. } => ("stopped", schedule.to_string()),
    }
}

#[component]
fn Matter(matters: Signal<Vec<Attention>>, first: Attention, helps: Helps) -> impl IntoView {
    let matter = same_row(matters, first, |one, other| name(one) == name(other));
    move || match matter.get() {
        Attention::Dead { group } => dead(group, helps.retry).into_any(),
        Attention::Paused {
            queue,
            pause,
            waiting,
        } => paused(queue, pause, waiting, helps.resume).into_any(),
        Attention::Skipped {
            schedule,
            slot,
            reason,
        } => skipped(&schedule, slot, reason).into_any(),
        Attention::WorkerLost { worker, seen_at } => {
            let second = view! { <When at=seen_at/> };
            away(text::lost, second, worker.to_string()).into_any()
        }
        Attention::NoWorker {
            kind,
            queue,
            waiting,
        } => {
            let second = word::jobs_wait(use_lang(), waiting);
            let title = match &queue {
                Some(_) => text::nobody_here,
                None => text::nobody,
            };
            away(title, second, at_queue(&kind, queue.as_ref())).into_any()
        }
        Attention::Stopped { schedule, why } => stopped(&schedule, why).into_any(),
    }
}

fn skipped(schedule: &ScheduleName, slot: Timestamp, reason: SlotReason) -> impl IntoView + use<> {
    let lang = use_lang();
    let title = view! {
        {text::slot(lang)}
        " "
        <Moment at=slot short=true/>
        " "
        {text::slot_reason(lang, reason)}
    };
    let button = open(paths::schedule(schedule));
    row(
        "scheduled",
        Sign::Clock,
        title,
        (),
        schedule.to_string(),
        button,
    )
}

/// A kind, and the queue if it is about one.
fn at_queue(kind: &Kind, queue: Option<&QueueName>) -> String {
    match queue {
        Some(queue) => format!("{kind} @ {queue}"),
        None => kind.to_string(),
    }
}

fn stopped(schedule: &ScheduleName, why: String) -> impl IntoView + use<> {
    row(
        "dead",
        Sign::Octagon,
        text::stopped(use_lang()),
        why,
        schedule.to_string(),
        open(paths::schedule(schedule)),
    )
}

/// A worker that is not there.
fn away(title: fn(Lang) -> &'static str, second: impl IntoView, name: String) -> impl IntoView {
    let button = open(paths::WORKERS.to_owned());
    row(
        "retrying",
        Sign::Worker,
        title(use_lang()),
        second,
        name,
        button,
    )
}

fn dead(group: DeadGroup, retry: Deed) -> impl IntoView {
    let lang = use_lang();
    let trial = group.count.min(TRIAL);
    let jobs = word::jobs(lang, group.count);
    let first_line = group.message.lines().next().unwrap_or_default().to_owned();
    let title = if first_line.is_empty() {
        group.class.clone()
    } else {
        first_line
    };
    let title = view! { <A href=paths::dead_group(&group.fingerprint)>{title}</A> };
    let second = view! {
        {text::one_cause(lang, &jobs)}
        " · "
        {text::since(lang)}
        " "
        <Moment at=group.first_at short=true/>
    };
    let fields = vec![
        ("fingerprint", group.fingerprint.clone()),
        ("most", trial.to_string()),
    ];
    let label = text::try_again(lang, trial);
    let button = view! { <ActionButton action=retry label=label sign=Sign::Retry fields=fields/> };
    row(
        "dead",
        Sign::Octagon,
        title,
        second,
        group.kind.to_string(),
        button,
    )
}

fn paused(queue: QueueName, pause: Pause, waiting: u64, resume: Deed) -> impl IntoView {
    let lang = use_lang();
    let title = match &pause.note {
        Some(note) => text::paused_note(lang, &pause.by, note),
        None => text::paused_by(lang, &pause.by),
    };
    let until = pause.until.map(|until| {
        view! {
            " · "
            {text::resumes(lang)}
            " "
            <When at=until/>
        }
    });
    let second = view! {
        {word::jobs_wait(lang, waiting)}
        {until}
    };
    let fields = vec![("queue", queue.to_string())];
    let button = view! {
        <ActionButton action=resume label=text::resume(lang) sign=Sign::Play fields=fields/>
    };
    row(
        "retrying",
        Sign::Pause,
        title,
        second,
        queue.to_string(),
        button,
    )
}

fn open(path: String) -> impl IntoView {
    view! {
        <A href=path attr:class="button">
            {word::open(use_lang())}
        </A>
    }
}

fn row(
    state: &'static str,
    sign: Sign,
    title: impl IntoView,
    second: impl IntoView,
    name: String,
    button: impl IntoView,
) -> impl IntoView {
    view! {
        <li class="attention-row" data-state=state data-row="">
            <Icon sign=sign/>
            <div class="attention-words">
                <p class="attention-title">{title}</p>
                <p class="second">{second}</p>
            </div>
            <code class="attention-name">{name}</code>
            <div class="attention-action">{button}</div>
        </li>
    }
}
