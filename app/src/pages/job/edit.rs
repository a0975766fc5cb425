//! Changing a job that is not running.

use conveyor_model::name::JobId;
use conveyor_model::state::{Action, State};
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_location;

use crate::context::use_lang;
use crate::i18n::{form, job as text, word};
use crate::parts::action::{ActionForm, Deed, busy};
use crate::parts::follow::Load;
use crate::parts::form_field::{FaultSummary, TextField, faults_of};
use crate::parts::job_fields::{LimitFields, LimitNames, PayloadField};
use crate::parts::load::read_once;
use crate::parts::{Empty, Panel, Sign};
use crate::rpc::jobs::{JobStart, ReadJobForm};
use crate::{paths, query};

/// The form, or why there is none. A form that is open stays, with what is typed, whatever becomes of
/// the job: saving then tells that it has changed.
#[component]
pub(super) fn Edit(id: JobId, state: Memo<State>, action: Deed) -> impl IntoView {
    let lang = use_lang();
    let state = state.get_untracked();
    if !state.allows(Action::Edit) {
        return view! {
            <Panel title=text::edit(lang)>
                <Empty
                    sign=Sign::of(state)
                    title=text::cannot_edit(lang)
                    text=text::why_not(lang, Action::Edit, state)
                />
            </Panel>
        }
        .into_any();
    }
    let search = use_location().search;
    let draft = query::value(search.get_untracked().trim_start_matches('?'), "draft");
    // Read once: what is typed must not be replaced by what changes meanwhile.
    let reading = read_once(move || ReadJobForm {
        id: id.to_string(),
        draft: draft.clone(),
    });
    view! {
        <Load
            reading=reading
            draw=move |start| view! { <Form id=id start=start action=action/> }
        />
    }
    .into_any()
}

#[component]
fn Form(id: JobId, start: JobStart, action: Deed) -> impl IntoView {
    let lang = use_lang();
    let JobStart {
        values,
        faults,
        version,
        form_key,
    } = start;
    let pending = action.pending();
    let faults = faults_of(faults, move || action.outcome());
    view! {
        <section class="panel edit">
            <div class="panel-head">
                <h2>{text::edit(lang)}</h2>
                <span class="quiet">{text::edit_note(lang)}</span>
            </div>
            <ActionForm action=action attr:class="job-form">
                <FaultSummary faults=faults/>
                <input type="hidden" name="id" value=id.to_string()/>
                <input type="hidden" name="version" value=version.to_string()/>
                <input type="hidden" name="form_key" value=form_key/>
                <div class="split">
                    <PayloadField name="job[payload]" value=values.payload faults=faults/>
                    <div class="fields">
                        <LimitFields
                            names=LimitNames::JOB
                            queue=values.queue
                            priority=values.priority
                            max_attempts=values.max_attempts
                            timeout=values.timeout
                            faults=faults
                        />
                        <TextField
                            id="run-at"
                            name="job[run_at]"
                            label=form::due_utc(lang)
                            value=values.run_at
                            pointer="/run_at"
                            faults=faults
                            sort="datetime-local"
                            step="1"
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
                </div>
                <div class="buttons">
                    <button
                        type="submit"
                        class="button primary"
                        data-busy=move || busy(pending)
                    >
                        {text::save(lang)}
                    </button>
                    <A href=paths::job(id) attr:class="button">
                        {word::cancel(lang)}
                    </A>
                </div>
            </ActionForm>
        </section>
    }
}
