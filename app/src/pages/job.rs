//! One job: what it is, why it is not running, what happened to it, and what can be done.

mod actions;
mod attempts;
mod edit;
mod facts;
mod json;
mod runs;
mod segments;
mod timeline;
mod why;

use conveyor_model::event::Topic;
use conveyor_model::name::JobId;
use conveyor_model::operator::JobDetail;
use conveyor_model::state::Action;
use conveyor_model::time::Timestamp;
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::{use_location, use_params_map};

use crate::context::{set_status, use_lang};
use crate::i18n::{frame, job as text};
use crate::parts::action::{Deed, use_action_to};
use crate::parts::copy::CopyButton;
use crate::parts::follow::{Follow, part};
use crate::parts::load::{Refused, read};
use crate::parts::{Empty, Moment, PageHead, Sign, StateMark};
use crate::rpc::jobs::{Act, EditJob, ReadJob};
use crate::rpc::{Outcome, RpcError};
use crate::{paths, query};

use actions::Actions;
use attempts::Attempts;
use edit::Edit;
use facts::Facts;
use json::{JsonPanel, PayloadPanel};
use runs::Runs;
use timeline::Timeline;
use why::Why;

/// What can be done on this page, made once for it.
#[derive(Clone, Copy)]
struct Doing {
    act: Deed,
    edit: Deed,
}

/// The page.
#[component]
pub(crate) fn JobPage() -> impl IntoView {
    let params = use_params_map();
    // The id stays while the page is being left, when the address is already that of the next page.
    let id = Memo::new(move |before: Option<&String>| {
        let named = params.read().get("id");
        named.or_else(|| before.cloned()).unwrap_or_default()
    });
    move || view! { <OneJob id=id.get()/> }
}

#[component]
fn OneJob(id: String) -> impl IntoView {
    let topics = match id.parse::<JobId>() {
        Ok(id) => vec![Topic::Job(id), Topic::Queues, Topic::Workers],
        Err(_) => Vec::new(),
    };
    let reading = read(
        move || ReadJob { id: id.clone() },
        move || topics.clone(),
        1,
    );
    let doing = Doing {
        act: use_action_to::<Act>(|outcome| match outcome {
            Outcome::Acted {
                action: Action::Delete,
                ..
            } => Some(paths::JOBS.to_owned()),
            _ => None,
        }),
        edit: use_action_to::<EditJob>(|outcome| match outcome {
            Outcome::Edited { id } => Some(paths::job(*id)),
            _ => None,
        }),
    };
    view! {
        <Follow
            reading=reading
            refused=refused
            draw=move |detail| view! { <Detail detail=detail doing=doing/> }.into_any()
        />
    }
}

#[component]
fn Detail(detail: Signal<JobDetail>, doing: Doing) -> impl IntoView {
    let lang = use_lang();
    let search = use_location().search;
    let editing =
        Memo::new(move |_| !query::value(search.get().trim_start_matches('?'), "edit").is_empty());
    let (id, kind) = detail.with_untracked(|detail| {
        let row = &detail.job.row;
        (row.id, row.kind.to_string())
    });
    let state = Memo::new(move |_| detail.with(|detail| detail.job.row.state));
    let beside = move || {
        view! {
            <span class="job-id">{format!("#{id}")}</span>
            {move || view! { <StateMark state=state.get()/> }}
        }
    };
    let lead = move || {
        part(
            detail,
            |detail| detail.job.row.clone(),
            |row| view! { <Lead row=row/> },
        )
    };
    // What the clock alone moves is drawn anew with what happens.
    let still = |detail: &JobDetail| JobDetail {
        now: Timestamp::MIN,
        ..detail.clone()
    };
    let result = |detail: &JobDetail| detail.job.result.clone();
    view! {
        <PageHead title=kind.clone() beside=beside lead=lead>
            {move || view! { <Actions id=id state=state.get() act=doing.act/> }}
        </PageHead>
        <Show when=move || editing.get()>
            <Edit id=id state=state action=doing.edit/>
        </Show>
        {part(detail, still, |detail| view! { <Why detail=detail/> })}
        <div class="split">
            <div class="stack">
                <Timeline detail=detail/>
                <Attempts detail=detail/>
            </div>
            <div class="stack">
                {part(
                    detail,
                    |detail| {
                        let job = &detail.job;
                        let row = &job.row;
                        (row.kind.clone(), row.queue.clone(), row.priority, job.payload.clone())
                    },
                    move |_| detail.with_untracked(|detail| view! { <PayloadPanel job=detail.job.clone()/> }),
                )}
                {part(
                    detail,
                    result,
                    move |result| {
                        result
                            .map(|result| {
                                view! {
                                    <JsonPanel
                                        title=text::result(lang)
                                        copy=text::copy_result(lang)
                                        json=result.as_str().to_owned()
                                    />
                                }
                            })
                    },
                )}
                {part(detail, |detail| detail.job.clone(), |job| view! { <Facts job=job/> })}
                {part(
                    detail,
                    |detail| detail.recent_runs.clone(),
                    move |runs| view! { <Runs runs=runs kind=kind.clone() this=id/> },
                )}
            </div>
        </div>
    }
}

/// The line below the heading.
#[component]
fn Lead(row: conveyor_model::job::JobRow) -> impl IntoView {
    let lang = use_lang();
    let by = row.schedule.map(|schedule| {
        let path = paths::schedule(&schedule);
        let by = text::by_schedule(lang, &schedule);
        view! {
            " "
            <A href=path>{by}</A>
        }
    });
    view! {
        <A href=paths::jobs_of_queue(&row.queue)>{row.queue.to_string()}</A>
        " · "
        {text::attempt_of(lang, &row.attempt, &row.max_attempts)}
        " · "
        {text::enqueued(lang)}
        " "
        <Moment at=row.created_at/>
        {by}
        " "
        <CopyButton text=row.id.to_string() label=text::copy_id(lang)/>
    }
}

/// What stands in the place of a job that is not there, or could not be read.
fn refused(error: RpcError) -> AnyView {
    let id = use_params_map()
        .read_untracked()
        .get("id")
        .unwrap_or_default();
    if error.is_not_found() {
        view! { <NotFound id=id/> }.into_any()
    } else {
        view! {
            <PageHead title=format!("{} #{id}", frame::jobs(use_lang()))/>
            <Refused error=error/>
        }
        .into_any()
    }
}

/// The page of an id that no job has; its status is 404.
#[component]
fn NotFound(id: String) -> impl IntoView {
    let lang = use_lang();
    set_status(404);
    let why = match id.parse::<JobId>() {
        Ok(id) => text::gone(lang, &id),
        Err(_) => text::malformed(lang, &id),
    };
    view! {
        <PageHead title=text::not_found(lang)/>
        <div class="panel">
            <Empty sign=Sign::Search title=why>
                <A href=paths::JOBS attr:class="button">
                    {text::to_jobs(lang)}
                </A>
            </Empty>
        </div>
    }
}
