//! The form that enqueues a job.

use conveyor_model::name::JobId;
use conveyor_model::stats::KindInfo;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::components::A;
use leptos_router::hooks::{use_location, use_navigate};

use crate::context::use_lang;
use crate::i18n::{enqueue as text, form, frame};
use crate::live::use_live;
use crate::parts::action::{ActionForm, Deed, busy};
use crate::parts::follow::Load;
use crate::parts::form_field::{FaultSummary, Faults, Field, TextField, fault_at, faults_of};
use crate::parts::job_fields::{DueFields, LimitFields, LimitNames, PayloadField};
use crate::parts::load::read_once;
use crate::parts::notice::use_notices;
use crate::parts::{Icon, PageHead, Panel, Sign};
use crate::rpc::enqueue::{Enqueue, EnqueueStart, ReadEnqueueForm};
use crate::rpc::{Outcome, RpcError};
use crate::{paths, query};

/// The page. `?kind=` and `?copy=` fill it in; `?draft=` shows what was refused.
#[component]
pub(crate) fn EnqueuePage() -> impl IntoView {
    let lang = use_lang();
    let search = use_location().search;
    let asked = Memo::new(move |_| {
        let search = search.get();
        let search = search.trim_start_matches('?');
        ["kind", "copy", "draft"].map(|name| query::value(search, name))
    });
    // Not read again by itself: what is typed must stay.
    let reading = read_once(move || {
        let [kind, copy, draft] = asked.get();
        ReadEnqueueForm { kind, copy, draft }
    });
    let copied = move || asked.get()[1].parse::<JobId>().ok();
    let lead = move || {
        view! {
            {text::lead(lang)}
            {move || {
                copied()
                    .map(|id| {
                        view! {
                            " "
                            {text::copied(lang)}
                            " "
                            <A href=paths::job(id)>{format!("#{id}")}</A>
                            "."
                        }
                    })
            }}
        }
    };
    view! {
        <PageHead title=frame::enqueue_long(lang) lead=lead/>
        <Load reading=reading draw=|start| view! { <Form start=start/> }/>
    }
}

#[component]
fn Form(start: EnqueueStart) -> impl IntoView {
    let lang = use_lang();
    let action = Deed::of::<Enqueue>();
    let again = RwSignal::new(false);
    let sent = RwSignal::new(0_u32);
    let done = RwSignal::new(None::<Outcome>);
    let (navigate, notices, live) = (use_navigate(), use_notices(), use_live());
    Effect::new(move |_| match action.outcome() {
        Some(Ok(outcome)) => {
            live.touch();
            if again.get_untracked() {
                // The next one is another form, though it may look the same.
                sent.update(|sent| *sent += 1);
                done.set(Some(outcome));
            } else if let Outcome::Enqueued { id, .. } = outcome {
                notices.tell(Ok(outcome));
                navigate(&paths::job(id), NavigateOptions::default());
            }
        }
        Some(Err(error)) => {
            done.set(None);
            if !is_about_fields(&error) {
                notices.tell(Err(error));
            }
        }
        None => {}
    });
    let EnqueueStart {
        form_key,
        values,
        faults,
        kinds,
    } = start;
    let key = move || match sent.get() {
        0 => form_key.clone(),
        sent => format!("{form_key}-{sent}"),
    };
    let first_key = key();
    let faults = faults_of(faults, move || action.outcome());
    let pending = action.pending();
    let busy = move || busy(pending);
    view! {
        <Done done=done/>
        <ActionForm action=action attr:class="job-form">
            <FaultSummary faults=faults/>
            <input type="hidden" name="form_key" value=first_key prop:value=key/>
            <div class="split">
                <Panel>
                    <div class="stack">
                        <KindField value=values.kind kinds=kinds faults=faults/>
                        <PayloadField name="job[payload]" value=values.payload faults=faults/>
                    </div>
                </Panel>
                <Panel title=form::options(lang)>
                    <div class="stack">
                        <DueFields
                            due=values.due
                            delay=values.delay
                            unit=values.delay_unit
                            run_at=values.run_at
                            faults=faults
                        />
                        <div class="fields narrow">
                            <LimitFields
                                names=LimitNames::JOB
                                queue=values.queue
                                priority=values.priority
                                max_attempts=values.max_attempts
                                timeout=values.timeout
                                faults=faults
                            />
                        </div>
                        <TextField
                            id="key"
                            name="job[idempotency_key]"
                            label=form::key(lang)
                            hint=form::key_hint(lang)
                            value=values.idempotency_key
                            pointer="/idempotency_key"
            faults=faults
                            mono=true
                        />
                        <TextField
                            id="tags"
                            name="job[tags]"
                            label=form::tags(lang)
                            hint=form::tags_hint(lang)
                            value=values.tags
                            pointer="/tags"
            faults=faults
                        />
                    </div>
                </Panel>
            </div>
            <div class="form-end">
                <button
                    type="submit"
                    class="button primary"
                    data-busy=busy
                    on:click=move |_| again.set(false)
                >
                    <Icon sign=Sign::Plus/>
                    <span>{frame::enqueue(lang)}</span>
                </button>
                <button
                    type="submit"
                    class="button"
                    name="another"
                    value="yes"
                    data-busy=busy
                    on:click=move |_| again.set(true)
                >
                    {text::another(lang)}
                </button>
                <span class="quiet">{text::double(lang)}</span>
            </div>
        </ActionForm>
    }
}

/// Whether the refusal stands beside the fields already.
fn is_about_fields(error: &RpcError) -> bool {
    matches!(
        error,
        RpcError::Operator(conveyor_model::error::OperatorError::Invalid(_))
    )
}

/// The kind, with the kinds there are to choose from and what the chosen one does.
#[component]
fn KindField(value: String, kinds: Vec<KindInfo>, faults: Faults) -> impl IntoView {
    let lang = use_lang();
    let typed = RwSignal::new(value.clone());
    let options = kinds
        .iter()
        .map(|kind| {
            let about = kind.description.clone();
            view! { <option value=kind.kind.to_string()>{about}</option> }
        })
        .collect_view();
    let kinds = StoredValue::new(kinds);
    let about = move || {
        let typed = typed.get();
        kinds.with_value(|kinds| {
            let kind = kinds
                .iter()
                .find(|kind| kind.kind.as_str() == typed.trim())?;
            let nobody = (!kind.has_worker).then(|| form::no_worker(lang));
            let about: Vec<&str> = kind
                .description
                .as_deref()
                .into_iter()
                .chain(nobody)
                .collect();
            Some(about.join(" "))
        })
    };
    let fault = fault_at(faults, "/kind");
    view! {
        <Field id="kind" label=form::kind(lang) hint=form::kind_hint(lang) pointer="/kind" faults=faults>
            <input
                id="kind"
                type="text"
                name="job[kind]"
                class="mono"
                value=value
                list="kinds"
                required=true
                autocomplete="off"
                spellcheck="false"
                autocapitalize="none"
                aria-invalid=move || fault.with(Option::is_some).then_some("true")
                aria-describedby="kind-hint kind-about kind-fault"
                on:input=move |event| typed.set(event_target_value(&event))
            />
            <datalist id="kinds">{options}</datalist>
            <p class="kind-about" id="kind-about">
                {about}
            </p>
        </Field>
    }
}

/// Says that a job was enqueued while the form stays for the next one.
#[component]
fn Done(done: RwSignal<Option<Outcome>>) -> impl IntoView {
    let lang = use_lang();
    let told = move || match done.get() {
        Some(Outcome::Enqueued { id, existing }) => Some((id, existing)),
        _ => None,
    };
    view! {
        <div role="status">
            {move || {
                told()
                    .map(|(id, existing)| {
                        let rest = if existing {
                            text::existing_text(lang)
                        } else {
                            text::done_text(lang)
                        };
                        view! {
                            <p class="notice" data-tone="done">
                                <Icon sign=Sign::Check/>
                                <span>
                                    {text::done(lang)} " " <A href=paths::job(id)>{format!("#{id}")}</A>
                                    " " {rest}
                                </span>
                            </p>
                        }
                    })
            }}
        </div>
    }
}
