//! The fields that describe a job, in the forms that enqueue it, change it, and schedule it.

use leptos::html::Textarea;
use leptos::prelude::*;

use super::form_field::{Faults, Field, TextField, fault_at};
use super::pretty::pretty;
use super::raw_text::in_area;
use super::spoken::spoken;
use crate::context::use_lang;
use crate::i18n::form as text;
use crate::rpc::job_values::payload_fault;

/// The payload: checked as it is typed, with the line and the column of a fault.
#[component]
pub(crate) fn PayloadField(name: &'static str, value: String, faults: Faults) -> impl IntoView {
    let lang = use_lang();
    let area = NodeRef::<Textarea>::new();
    let typed = RwSignal::new(value.clone());
    let touched = RwSignal::new(false);
    let told = fault_at(faults, "/payload");
    let wrong = Memo::new(move |_| typed.with(|typed| payload_fault(typed)));
    // What the server said is of the text it got; after a change the browser knows better.
    let line = move || {
        let here = wrong.get().map(|why| text::bad_json(lang, &why));
        here.or_else(|| told.get().filter(|_| !touched.get()))
    };
    let set_out = move |_| {
        let text = typed.get_untracked();
        if payload_fault(&text).is_none()
            && let Some(area) = area.get_untracked()
        {
            let set = pretty(text.trim());
            area.set_value(&set);
            typed.set(set);
        }
    };
    let invalid = move || line().is_some();
    view! {
        <div class="field payload">
            <div class="field-line">
                <label for="payload">{text::payload(lang)}</label>
                <span class="payload-state" data-bad=move || invalid().then_some("")>
                    {move || (!invalid()).then(|| text::payload_good(lang))}
                </span>
                <button
                    type="button"
                    class="button bare small scripted"
                    prop:disabled=invalid
                    on:click=set_out
                >
                    {text::set_out(lang)}
                </button>
            </div>
            <textarea
                id="payload"
                name=name
                rows="12"
                spellcheck="false"
                autocomplete="off"
                node_ref=area
                aria-invalid=move || invalid().then_some("true")
                aria-describedby="payload-hint payload-fault"
                on:input=move |event| {
                    touched.set(true);
                    typed.set(event_target_value(&event));
                }
            >
                {in_area(&value)}
            </textarea>
            <p class="field-hint" id="payload-hint">
                {text::payload_hint(lang)}
            </p>
            <p class="field-fault" id="payload-fault" role="status">
                {move || line().map(|line| spoken(&line))}
            </p>
        </div>
    }
}

/// Queue, priority, attempts and timeout. `prefix` is the name of the struct the fields belong to.
#[component]
pub(crate) fn LimitFields(
    names: LimitNames,
    queue: String,
    priority: String,
    max_attempts: String,
    timeout: String,
    faults: Faults,
) -> impl IntoView {
    let lang = use_lang();
    view! {
        <TextField
            id="queue"
            name=names.queue
            label=text::queue(lang)
            value=queue
            pointer="/queue"
            faults=faults
        />
        <TextField
            id="priority"
            name=names.priority
            label=text::priority(lang)
            hint=text::priority_hint(lang)
            value=priority
            pointer="/priority"
            faults=faults
            sort="number"
            min="0"
            max="9"
        />
        <TextField
            id="max-attempts"
            name=names.max_attempts
            label=text::attempts(lang)
            hint=text::attempts_hint(lang)
            value=max_attempts
            pointer="/max_attempts"
            faults=faults
            sort="number"
            min="1"
            max="100"
        />
        <TextField
            id="timeout"
            name=names.timeout
            label=text::timeout(lang)
            hint=text::timeout_hint(lang)
            value=timeout
            pointer="/timeout_s"
            faults=faults
            sort="number"
            min="0"
            max="2592000"
            step="any"
        />
    }
}

/// The names of the limits in a form.
#[derive(Clone, Copy)]
pub(crate) struct LimitNames {
    queue: &'static str,
    priority: &'static str,
    max_attempts: &'static str,
    timeout: &'static str,
}

impl LimitNames {
    /// Of a job.
    pub(crate) const JOB: LimitNames = LimitNames {
        queue: "job[queue]",
        priority: "job[priority]",
        max_attempts: "job[max_attempts]",
        timeout: "job[timeout]",
    };
}

/// When a job is due: three ways, of which one counts.
#[component]
pub(crate) fn DueFields(
    due: String,
    delay: String,
    unit: String,
    run_at: String,
    faults: Faults,
) -> impl IntoView {
    let lang = use_lang();
    let due = if due.is_empty() {
        "now".to_owned()
    } else {
        due
    };
    let way = |value: &'static str, name: &'static str| {
        view! {
            <label class="check">
                <input type="radio" name="job[due]" value=value checked=due == value/>
                <span>{name}</span>
            </label>
        }
    };
    let units = [
        ("s", text::seconds(lang)),
        ("min", text::minutes(lang)),
        ("h", text::hours(lang)),
        ("d", text::days(lang)),
    ]
    .into_iter()
    .map(|(value, name)| {
        view! {
            <option value=value selected=unit == value>
                {name}
            </option>
        }
    })
    .collect_view();
    view! {
        <fieldset class="field due">
            <legend>{text::when(lang)}</legend>
            <div class="ways">
                {way("now", text::at_once(lang))} {way("after", text::after_delay(lang))}
                {way("at", text::at_time(lang))}
            </div>
            <div class="due-after">
                <Field id="delay" label=text::delay(lang) pointer="/delay_s" faults=faults>
                    <div class="joined">
                        <input
                            id="delay"
                            type="number"
                            name="job[delay]"
                            value=delay
                            min="0"
                            step="any"
                            aria-describedby="delay-fault"
                        />
                        <select name="job[delay_unit]" aria-label=text::unit(lang)>
                            {units}
                        </select>
                    </div>
                </Field>
            </div>
            <div class="due-at">
                <TextField
                    id="run-at"
                    name="job[run_at]"
                    label=text::time_utc(lang)
                    value=run_at
                    pointer="/run_at"
            faults=faults
                    sort="datetime-local"
                    step="1"
                />
            </div>
        </fieldset>
    }
}
