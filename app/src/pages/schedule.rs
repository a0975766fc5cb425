//! One schedule: what it means, when it fires next, and what became of its slots.

mod details;
mod slots;

use conveyor_model::event::Topic;
use conveyor_model::filter::JobFilter;
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_location;

use crate::context::use_lang;
use crate::i18n::schedules as text;
use crate::pages::schedules::{DeleteButton, OnMark, PauseButton, RunButton, Verbs, Waiting};
use crate::parts::follow::Follow;
use crate::parts::load::read;
use crate::parts::{Icon, PageHead, Panel, Sign};
use crate::paths;
use crate::query::percent_decode;
use crate::rpc::schedules::{ReadSchedule, ScheduleView};
use details::Details;
use slots::Slots;

/// The page.
#[component]
pub(crate) fn Schedule() -> impl IntoView {
    let lang = use_lang();
    let name = name_in_path();
    let reading = read(
        move || ReadSchedule {
            schedule: name.get(),
            lang: lang.tag().to_owned(),
        },
        || vec![Topic::Schedules],
        1,
    );
    view! {
        <Follow
            reading=reading
            title=text::title(lang)
            draw=|schedule| view! { <One schedule=schedule/> }.into_any()
        />
    }
}

/// The name in `/schedules/{name}`, decoded once; the router would decode it twice. It stays while the
/// page is being left, when the address is already that of the next page.
pub(crate) fn name_in_path() -> Memo<String> {
    let path = use_location().pathname;
    Memo::new(move |before: Option<&String>| {
        path.with(|path| named(path))
            .or_else(|| before.cloned())
            .unwrap_or_default()
    })
}

fn named(path: &str) -> Option<String> {
    let mut parts = path.strip_prefix(paths::SCHEDULES)?.split('/').skip(1);
    let name = parts.next().filter(|name| !name.is_empty())?;
    (path != paths::NEW_SCHEDULE).then(|| percent_decode(name))
}

#[component]
fn One(schedule: Signal<ScheduleView>) -> impl IntoView {
    let lang = use_lang();
    let verbs = Verbs::new();
    let name = schedule.with_untracked(|one| one.name.clone());
    let (run, pause, delete) = (name.clone(), name.clone(), name.clone());
    let (edit, jobs) = (paths::edit_schedule(&name), jobs_of(&name));
    let paused = Memo::new(move |_| schedule.with(|one| one.spec.paused));
    let words = move || schedule.with(|one| text::unbroken(&one.words));
    let zone = move || schedule.with(|one| one.spec.timezone.clone());
    let cron = move || schedule.with(|one| one.spec.cron.clone());
    view! {
        <PageHead
            title=name.clone()
            beside=move || view! { <OnMark schedule=schedule/> }
            lead=move || {
                view! {
                    <span class="words-line">{words}</span>
                    " · "
                    <code>{cron}</code>
                    " · "
                    {zone}
                }
            }
        >
            <RunButton name=run action=verbs.run/>
            <PauseButton name=pause paused=paused action=verbs.pause/>
            <A href=edit attr:class="button">
                <Icon sign=Sign::Edit/>
                <span>{text::edit(lang)}</span>
            </A>
            <DeleteButton name=delete action=verbs.delete/>
        </PageHead>
        <Standing schedule=schedule/>
        <div class="split">
            <Slots name=name jobs=jobs/>
            <Details schedule=schedule/>
        </div>
    }
}

/// What is out of the ordinary: a slot that waits, or why it fires no more.
#[component]
fn Standing(schedule: Signal<ScheduleView>) -> impl IntoView {
    let lang = use_lang();
    let waiting = Memo::new(move |_| schedule.with(|one| one.waiting_slot));
    let fault = Memo::new(move |_| schedule.with(|one| one.fault.clone()));
    view! {
        {move || waiting.get().map(|slot| view! { <Waiting at=slot/> })}
        {move || {
            fault
                .get()
                .map(|why| {
                    view! {
                        <Panel title=text::fault_title(lang)>
                            <p>{text::fault_text(lang)}</p>
                            <pre class="code">
                                <code>{why}</code>
                            </pre>
                        </Panel>
                    }
                })
        }}
    }
}

/// The jobs that a schedule enqueued.
fn jobs_of(name: &str) -> String {
    let filter = JobFilter {
        schedule: name.parse().ok(),
        ..JobFilter::default()
    };
    format!("{}?{}", paths::JOBS, filter.to_query())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_page_of_a_schedule_names_one() {
        assert_eq!(named("/schedules/a%2Fb%20c"), Some("a/b c".to_owned()));
        assert_eq!(named("/schedules/a/edit"), Some("a".to_owned()));
        for elsewhere in [
            "/schedules",
            "/schedules/",
            "/schedules/new",
            "/jobs/7",
            "/",
        ] {
            assert_eq!(named(elsewhere), None, "{elsewhere}");
        }
    }
}
