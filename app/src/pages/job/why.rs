//! The answer to the first question: why is it not running?

use conveyor_model::job::{Job, Progress};
use conveyor_model::operator::JobDetail;
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;
use conveyor_model::waiting::{Cause, WaitingReason};
use leptos::prelude::*;
use leptos_router::components::A;

use crate::context::use_lang;
use crate::i18n::{job as text, number};
use crate::parts::{Moment, When};
use crate::paths;

/// What holds the job, what runs it, or what it died of; nothing for one that ended well.
#[component]
pub(super) fn Why(detail: JobDetail) -> impl IntoView {
    let lang = use_lang();
    let job = &detail.job;
    let row = &job.row;
    let (title, body) = match row.state {
        State::Scheduled | State::Ready | State::Retrying | State::Blocked => {
            let reason = job.waiting_reason.clone()?;
            (text::why_waiting(lang), waiting(&reason))
        }
        State::Running if row.cancel_requested_at.is_some() => (
            text::asked_to_stop(lang),
            view! { <p>{text::asked_to_stop_text(lang)}</p> }.into_any(),
        ),
        State::Running => (text::runs_now(lang), running(job)),
        State::Dead => (text::why_dead(lang), died(&detail)),
        State::Succeeded | State::Cancelled => return None,
    };
    Some(view! {
        <section class="panel why" data-state=row.state.as_str()>
            <h2>{title}</h2>
            {body}
        </section>
    })
}

fn waiting(reason: &WaitingReason) -> AnyView {
    let lang = use_lang();
    let path = match &reason.cause {
        Cause::QueuePaused { queue, .. } => Some(paths::queue(queue)),
        cause => cause.link(),
    };
    let words = match &reason.cause {
        // Nothing holds it: what it needs is not there.
        Cause::NoWorker | Cause::NoWorkerForKind { .. } => text::see_workers(lang),
        _ => text::look(lang),
    };
    let link = path.map(|path| {
        view! {
            <p class="quiet">
                <A href=path>{words}</A>
            </p>
        }
    });
    view! {
        <p>{reason.cause.text(lang)}</p>
        {due(&reason.cause).map(starts)}
        {link}
    }
    .into_any()
}

const fn due(cause: &Cause) -> Option<Timestamp> {
    match cause {
        Cause::Scheduled { at } | Cause::Backoff { at, .. } => Some(*at),
        Cause::QueuePaused { .. }
        | Cause::NoWorker
        | Cause::NoWorkerForKind { .. }
        | Cause::WorkersQuiet
        | Cause::BehindOthers { .. }
        | Cause::SlotsBusy { .. }
        | Cause::Blocked
        | Cause::StartingNow => None,
    }
}

/// How soon; the sentence before it says when, and until the page lives there is no more to say.
fn starts(at: Timestamp) -> impl IntoView {
    view! {
        <p class="scripted">
            {text::starts(use_lang())} " "
            <strong>
                <When at=at/>
            </strong>
        </p>
    }
}

fn running(job: &Job) -> AnyView {
    let lang = use_lang();
    let row = &job.row;
    let worker = row.worker.as_ref().map(ToString::to_string);
    let lease = row.lease_until.map(|until| {
        view! {
            " · "
            {text::lease_until(lang)}
            " "
            <Moment at=until short=true/>
        }
    });
    view! {
        <p>
            {text::on_worker(lang)} " "
            <A href=paths::WORKERS>
                <code>{worker}</code>
            </A> {lease}
        </p>
        {job.progress.clone().map(progress)}
    }
    .into_any()
}

fn progress(progress: Progress) -> impl IntoView {
    let lang = use_lang();
    let percent = progress.percent.map(|percent| {
        view! {
            <progress max="100" value=percent.to_string() aria-label=text::progress(lang)></progress>
            <span>{number::decimal(lang, percent, 0)} " %"</span>
        }
    });
    view! { <p class="progress-line">{percent} <span class="quiet">{progress.message}</span></p> }
}

fn died(detail: &JobDetail) -> AnyView {
    let lang = use_lang();
    let job = &detail.job;
    let reason = job.dead_reason.as_deref().map(|reason| {
        let known = text::dead_reason(lang, reason);
        view! { <p>{known.map_or_else(|| reason.to_owned(), str::to_owned)}</p> }
    });
    let error = job.last_error.as_ref().map(|error| {
        view! {
            <p class="why-error">
                <strong>{error.class.clone()}</strong>
                ": "
                {error.message.clone()}
            </p>
        }
    });
    let nothing =
        (reason.is_none() && error.is_none()).then(|| view! { <p>{text::no_reason(lang)}</p> });
    let others = detail.same_cause.as_ref().and_then(|group| {
        let others = group.count.checked_sub(1).filter(|others| *others > 0)?;
        Some(view! {
            <p class="quiet">
                {text::others(lang, others)}
                " → "
                <A href=paths::dead_group(&group.fingerprint)>{text::see_group(lang)}</A>
            </p>
        })
    });
    view! {
        {reason}
        {error}
        {nothing}
        {others}
    }
    .into_any()
}
