//! What people wrote of a schedule, and when it fires next.

use conveyor_model::lang::Lang;
use conveyor_model::schedule::ScheduleSpec;
use conveyor_model::time::{Span, Timestamp};
use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::{length, schedules as text};
use crate::pages::schedules::fires::Fires;
use crate::parts::follow::Load;
use crate::parts::load::read;
use crate::parts::{Moment, Panel};
use crate::rpc::schedules::{ReadFires, ScheduleView};

/// The panels beside the slots.
#[component]
pub(super) fn Details(schedule: Signal<ScheduleView>) -> impl IntoView {
    let lang = use_lang();
    let version = Memo::new(move |_| schedule.with(|one| (one.name.clone(), one.version)));
    let reading = read(
        move || {
            let (schedule, version) = version.get();
            let lang = lang.tag().to_owned();
            ReadFires {
                schedule,
                version,
                lang,
            }
        },
        Vec::new,
        60,
    );
    let paused = Memo::new(move |_| schedule.with(|one| one.spec.paused));
    let zone = move || schedule.with_untracked(|one| one.spec.timezone.clone());
    view! {
        <div class="stack">
            <Panel title=text::fires(lang)>
                {move || {
                    paused
                        .get()
                        .then(|| view! { <p class="quiet">{text::fires_paused(lang)}</p> })
                }}
                <Load
                    reading=reading
                    draw=move |preview| match preview {
                        Ok(preview) => view! { <Fires preview=preview zone=zone()/> }.into_any(),
                        Err(_) => view! { <p class="quiet">{text::unreadable(lang)}</p> }.into_any(),
                    }
                />
            </Panel>
            <Panel title=text::details(lang)>
                {move || schedule.with(|one| facts(lang, one))}
            </Panel>
            <Panel title=text::payload(lang)>
                <pre class="code">
                    <code>
                        {move || schedule.with(|one| one.spec.payload.as_str().to_owned())}
                    </code>
                </pre>
            </Panel>
        </div>
    }
}

/// Names and values.
fn facts(lang: Lang, schedule: &ScheduleView) -> impl IntoView + use<> {
    let spec = &schedule.spec;
    let plain = [
        (text::kind(lang), spec.kind.as_str().to_owned()),
        (text::queue(lang), spec.queue.as_str().to_owned()),
        (text::priority(lang), spec.priority.to_string()),
        (text::attempts(lang), spec.max_attempts.to_string()),
        (
            text::timeout(lang),
            span(lang, spec.timeout_s, text::no_limit(lang)),
        ),
        (text::jitter(lang), span(lang, spec.jitter_s, "–")),
        (
            text::catch_up(lang),
            text::catch_up_choice(lang, spec.catch_up).to_owned(),
        ),
        (
            text::overlap(lang),
            text::overlap_choice(lang, spec.overlap).to_owned(),
        ),
        (
            text::gap(lang),
            text::gap_choice(lang, spec.dst.gap).to_owned(),
        ),
        (
            text::twice(lang),
            text::twice_choice(lang, spec.dst.overlap).to_owned(),
        ),
    ];
    view! {
        <dl class="facts">
            {plain
                .into_iter()
                .map(|(name, value)| {
                    view! {
                        <dt>{name}</dt>
                        <dd>{value}</dd>
                    }
                })
                .collect_view()}
            {times(lang, spec, schedule)}
        </dl>
    }
}

fn times(lang: Lang, spec: &ScheduleSpec, schedule: &ScheduleView) -> impl IntoView + use<> {
    let times = [
        (text::starts(lang), spec.starts_at),
        (text::ends(lang), spec.ends_at),
        (text::created(lang), Some(schedule.created_at)),
        (text::updated(lang), Some(schedule.updated_at)),
    ];
    let fact = |(name, at): (&'static str, Option<Timestamp>)| {
        at.map(|at| {
            view! {
                <dt>{name}</dt>
                <dd>
                    <Moment at=at/>
                </dd>
            }
        })
    };
    times.into_iter().map(fact).collect_view()
}

fn span(lang: Lang, span: Span, zero: &str) -> String {
    if span == Span::ZERO {
        zero.to_owned()
    } else {
        length::length(lang, span)
    }
}
