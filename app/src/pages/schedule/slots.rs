//! What became of a schedule's latest slots.

use conveyor_model::event::Topic;
use conveyor_model::schedule::Slot;
use leptos::either::Either;
use leptos::prelude::*;
use leptos_router::components::A;

use crate::context::use_lang;
use crate::i18n::schedules as text;
use crate::pages::schedules::SlotMark;
use crate::parts::follow::Load;
use crate::parts::load::read;
use crate::parts::{Empty, Moment, Sign, When};
use crate::paths;
use crate::rpc::schedules::ReadSlots;

/// The panel with the slots, newest first.
#[component]
pub(super) fn Slots(name: String, jobs: String) -> impl IntoView {
    let lang = use_lang();
    let reading = read(
        move || ReadSlots {
            schedule: name.clone(),
        },
        || vec![Topic::Schedules],
        1,
    );
    view! {
        <section class="panel flush">
            <div class="panel-head">
                <h2>{text::slots(lang)}</h2>
                <A href=jobs attr:class="quiet">
                    {text::its_jobs(lang)}
                </A>
            </div>
            <Load reading=reading draw=|slots| view! { <Table slots=slots/> }/>
        </section>
    }
}

#[component]
fn Table(slots: Vec<Slot>) -> impl IntoView {
    let lang = use_lang();
    if slots.is_empty() {
        let (title, why) = (text::slots_empty_title(lang), text::slots_empty_text(lang));
        return Either::Left(view! { <Empty sign=Sign::Clock title=title text=why/> });
    }
    Either::Right(view! {
        <table class="list slot-list">
            <caption>{text::slots_caption(lang)}</caption>
            <thead>
                <tr>
                    <th scope="col">{text::slot(lang)}</th>
                    <th scope="col">{text::outcome(lang)}</th>
                    <th scope="col">{text::job(lang)}</th>
                </tr>
            </thead>
            <tbody>
                {slots.into_iter().map(|slot| view! { <Line one=slot/> }).collect_view()}
            </tbody>
        </table>
    })
}

#[component]
fn Line(one: Slot) -> impl IntoView {
    let lang = use_lang();
    let together = (one.count > 1).then(|| text::together(lang, one.count));
    let why = [
        together,
        one.reason
            .map(|reason| text::reason(lang, reason).to_owned()),
    ];
    let why = why.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    view! {
        <tr data-row="">
            <td>
                <Moment at=one.slot/>
                <p class="second">
                    <When at=one.slot/>
                </p>
            </td>
            <td>
                <SlotMark status=one.status/>
                {(!why.is_empty()).then(|| view! { <p class="second">{why}</p> })}
            </td>
            <td>
                {match one.job_id {
                    Some(id) => {
                        Either::Left(
                            view! {
                                <A href=paths::job(id) attr:data-open="" attr:class="id">
                                    {format!("#{}", id.get())}
                                </A>
                            },
                        )
                    }
                    None => Either::Right(view! { <span class="second">"–"</span> }),
                }}
            </td>
        </tr>
    }
}
