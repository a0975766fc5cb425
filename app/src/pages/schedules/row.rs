//! One schedule in the list.

use leptos::either::Either;
use leptos::prelude::*;
use leptos_router::components::A;

use super::{OnMark, PauseButton, RunButton, SlotMark, Verbs, Waiting};
use crate::context::use_lang;
use crate::i18n::schedules as text;
use crate::parts::same_row::same_row;
use crate::parts::{Moment, When};
use crate::paths;
use crate::rpc::schedules::ScheduleView;

/// The row; it follows its schedule as the list is read again.
#[component]
pub(super) fn Row(
    schedules: Signal<Vec<ScheduleView>>,
    first: ScheduleView,
    verbs: Verbs,
) -> impl IntoView {
    let lang = use_lang();
    let name = first.name.clone();
    let (title, run, pause) = (name.clone(), name.clone(), name.clone());
    let schedule = same_row(schedules, first, |one, other| one.name == other.name);
    let kind = move || schedule.with(|one| one.spec.kind.as_str().to_owned());
    let paused = Memo::new(move |_| schedule.with(|one| one.spec.paused));
    view! {
        <tr data-row="">
            <th scope="row" class="wide-cell">
                <A href=paths::schedule_named(&name) attr:class="title" attr:data-open="">
                    {title}
                </A>
                <p class="second">
                    <code>{kind}</code>
                </p>
                <OnMark schedule=schedule/>
            </th>
            <td class="wide-cell" data-label=text::when(lang)>
                <Meaning schedule=schedule/>
            </td>
            <td data-label=text::next(lang)>
                <Next schedule=schedule/>
            </td>
            <td data-label=text::last(lang)>
                <Last schedule=schedule/>
            </td>
            <td class="wide-cell">
                <div class="buttons row-buttons">
                    <RunButton name=run action=verbs.run small=true/>
                    <PauseButton name=pause paused=paused action=verbs.pause small=true/>
                </div>
            </td>
        </tr>
    }
}

/// The expression in words, as it was written, and on which clock.
#[component]
fn Meaning(schedule: Memo<ScheduleView>) -> impl IntoView {
    let lang = use_lang();
    let words = move || {
        let words = schedule.with(|one| one.words.clone());
        if words.is_empty() {
            text::unreadable(lang).to_owned()
        } else {
            text::unbroken(&words)
        }
    };
    let cron = move || schedule.with(|one| one.spec.cron.clone());
    let zone = move || schedule.with(|one| one.spec.timezone.clone());
    view! {
        <p class="words-line">{words}</p>
        <p class="second">
            <code class="cron">{cron}</code> " · " {zone}
        </p>
    }
}

/// When it fires next, and which slot waits meanwhile.
#[component]
fn Next(schedule: Memo<ScheduleView>) -> impl IntoView {
    let lang = use_lang();
    let next = Memo::new(move |_| {
        schedule.with(|one| {
            let instead = match (&one.fault, one.spec.paused) {
                (Some(_), _) => text::stands_still(lang),
                (None, true) => "–",
                (None, false) => text::never(lang),
            };
            (one.waiting_slot, one.next_at.ok_or(instead))
        })
    });
    move || match next.get() {
        (Some(slot), _) => view! { <Waiting at=slot/> }.into_any(),
        (None, Ok(at)) => view! {
            // Until the page lives, it would say the same as the line below.
            <p class="scripted">
                <When at=at/>
            </p>
            <p class="second">
                <Moment at=at/>
            </p>
        }
        .into_any(),
        (None, Err(instead)) => view! { <span class="second">{instead}</span> }.into_any(),
    }
}

/// What became of the latest slot, and when it was.
#[component]
fn Last(schedule: Memo<ScheduleView>) -> impl IntoView {
    let lang = use_lang();
    let last = Memo::new(move |_| schedule.with(|one| one.last_slot.clone()));
    move || match last.get() {
        Some(slot) => Either::Left(view! {
            <SlotMark status=slot.status/>
            <p class="second">
                <When at=slot.slot/>
                {slot.reason.map(|reason| format!(" · {}", text::reason(lang, reason)))}
            </p>
        }),
        None => Either::Right(view! { <span class="second">{text::not_yet(lang)}</span> }),
    }
}
