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
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::{use_location, use_params_map};

use crate::context::{set_status, use_lang};
use crate::i18n::{frame, job as text};
use crate::parts::action::use_action_to;
use crate::parts::copy::CopyButton;
use crate::parts::load::{Refused, Skeleton, read};
use crate::parts::{Empty, Moment, PageHead, Sign, StateMark};
use crate::rpc::jobs::{Act, EditJob};
use crate::rpc::{Outcome, RpcError};
use crate::{paths, query, rpc};

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
    act: ServerAction<Act>,
    edit: ServerAction<EditJob>,
}

/// The page.
#[component]
pub(crate) fn JobPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.read().get("id").unwrap_or_default());
    let topics = move || match id.get().parse::<JobId>() {
        Ok(id) => vec![Topic::Job(id), Topic::Queues, Topic::Workers],
        Err(_) => Vec::new(),
    };
    let reading = read(move || id.get(), topics, 1, rpc::job_detail);
    let doing = Doing {
        act: use_action_to(|outcome| match outcome {
            Outcome::Acted {
                action: Action::Delete,
                ..
            } => Some(paths::JOBS.to_owned()),
            _ => None,
        }),
        edit: use_action_to(|outcome| match outcome {
            Outcome::Edited { id } => Some(paths::job(*id)),
            _ => None,
        }),
    };
    view! {
        <Transition fallback=Skeleton>
            {move || Suspend::new(async move {
                match reading.await {
                    Ok(detail) => view! { <Detail detail=detail doing=doing/> }.into_any(),
                    Err(error) if error.is_not_found() => {
                        view! { <NotFound id=id.get_untracked()/> }.into_any()
                    }
                    Err(error) => view! { <Away id=id.get_untracked() error=error/> }.into_any(),
                }
            })}
        </Transition>
    }
}

#[component]
fn Detail(detail: JobDetail, doing: Doing) -> impl IntoView {
    let lang = use_lang();
    let search = use_location().search;
    let editing =
        Memo::new(move |_| !query::value(search.get().trim_start_matches('?'), "edit").is_empty());
    let row = detail.job.row.clone();
    let (id, state) = (row.id, row.state);
    let title = row.kind.to_string();
    let beside = move || {
        view! {
            <span class="job-id">{format!("#{id}")}</span>
            <StateMark state=state/>
        }
    };
    let payload = detail.job.payload.as_str().to_owned();
    let result = detail.job.result.clone();
    view! {
        <PageHead title=title beside=beside lead=move || view! { <Lead row=row.clone()/> }>
            <Actions id=id state=state act=doing.act/>
        </PageHead>
        <Show when=move || editing.get()>
            <Edit id=id state=state action=doing.edit/>
        </Show>
        <Why detail=detail.clone()/>
        <div class="split">
            <div class="stack">
                <Timeline detail=detail.clone()/>
                <Attempts attempts=detail.attempts.clone() logs=detail.logs.clone()/>
            </div>
            <div class="stack">
                <PayloadPanel job=detail.job.clone() payload=payload/>
                {result
                    .map(|result| {
                        view! {
                            <JsonPanel
                                title=text::result(lang)
                                copy=text::copy_result(lang)
                                json=result.as_str().to_owned()
                            />
                        }
                    })}
                <Facts job=detail.job.clone()/>
                <Runs
                    runs=detail.recent_runs.clone()
                    kind=detail.job.row.kind.to_string()
                    this=id
                />
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

/// The page of a job that could not be read.
#[component]
fn Away(id: String, error: RpcError) -> impl IntoView {
    view! {
        <PageHead title=format!("{} #{id}", frame::jobs(use_lang()))/>
        <Refused error=error/>
    }
}
