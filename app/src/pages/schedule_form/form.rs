//! The form itself.

use conveyor_model::cron::{Gap, Overlap};
use conveyor_model::error::{FieldError, OperatorError};
use conveyor_model::lang::Lang;
use conveyor_model::schedule::{CatchUp, OverlapPolicy};
use conveyor_model::stats::KindInfo;
use leptos::ev::MouseEvent;
use leptos::prelude::*;
use leptos_router::components::A;

use super::check::Check;
use super::expression::{Expression, ZoneField};
use super::preview::Preview;
use crate::context::use_lang;
use crate::i18n::{schedule_form as text, schedules, word};
use crate::parts::action::{ActionForm, use_action_to};
use crate::parts::form_field::{ChoiceField, Faults, Field, TextField, described};
use crate::parts::raw_text::in_area;
use crate::parts::{Icon, Sign};
use crate::paths;
use crate::rpc::schedule_values::ScheduleValues;
use crate::rpc::schedules::{PutSchedule, ScheduleStart};
use crate::rpc::{Outcome, RpcError};

/// Form and preview side by side.
#[component]
pub(super) fn Form(start: ScheduleStart) -> impl IntoView {
    let lang = use_lang();
    let ScheduleStart {
        form_key,
        values,
        faults: first,
        version,
        kinds,
        zones,
        preview,
    } = start;
    let put = use_action_to::<PutSchedule>(|outcome| match outcome {
        Outcome::ScheduleSaved { schedule } => Some(paths::schedule_named(schedule)),
        _ => None,
    });
    let faults: Faults = Signal::derive(move || match put.outcome() {
        None => first.clone(),
        Some(Err(RpcError::Operator(OperatorError::Invalid(invalid)))) => invalid.errors,
        Some(_) => Vec::new(),
    });
    let check = Check::new(values.timing(), preview);
    let back = match version {
        0 => paths::SCHEDULES.to_owned(),
        _ => paths::schedule_named(&values.name),
    };
    let save = if version == 0 {
        text::save_new(lang)
    } else {
        text::save(lang)
    };
    let look = move |event: MouseEvent| {
        event.prevent_default();
        check.now();
    };
    view! {
        <ActionForm
            action=put
            attr:class="split schedule-form"
            on:change=move |event| check.take(&event)
        >
            <input type="hidden" name="form_key" value=form_key/>
            <input type="hidden" name="version" value=version.to_string()/>
            <div class="stack">
                <Refusal faults=faults/>
                <When values=values.clone() version=version zones=zones check=check faults=faults/>
                <What values=values.clone() kinds=kinds faults=faults/>
                <Rules values=values faults=faults/>
                <div class="buttons">
                    <button type="submit" class="button primary">
                        {save}
                    </button>
                    <button
                        type="submit"
                        class="button"
                        name="check"
                        value="yes"
                        formnovalidate=true
                        on:click=look
                    >
                        {text::check(lang)}
                    </button>
                    <A href=back attr:class="button bare">
                        {word::cancel(lang)}
                    </A>
                </div>
            </div>
            <Preview check=check/>
        </ActionForm>
    }
}

/// That nothing was saved, and what is wrong where no field shows it.
#[component]
fn Refusal(faults: Faults) -> impl IntoView {
    let lang = use_lang();
    let any = Memo::new(move |_| faults.with(|faults| !faults.is_empty()));
    view! {
        <Show when=move || any.get()>
            <p class="refusal" role="alert">
                <Icon sign=Sign::Alert/>
                <span>{text::faults(lang)}</span>
            </p>
        </Show>
    }
}

#[component]
fn When(
    values: ScheduleValues,
    version: i64,
    zones: Vec<String>,
    check: Check,
    faults: Faults,
) -> impl IntoView {
    let lang = use_lang();
    view! {
        <fieldset class="panel">
            <legend>{text::section_when(lang)}</legend>
            <div class="fields">
                <TextField
                    id="name"
                    name="schedule[name]"
                    label=text::name(lang)
                    hint=text::name_hint(lang)
                    value=values.name
                    pointer="/name"
                    faults=faults
                    readonly={version != 0}
                    required=true
                    wide=true
                />
                <Expression check=check faults=faults/>
                <ZoneField check=check zones=zones faults=faults/>
                <TextField
                    id="jitter"
                    name="schedule[jitter]"
                    label=text::jitter(lang)
                    hint=text::jitter_hint(lang)
                    value=values.jitter
                    pointer="/jitter_s"
                    faults=faults
                    sort="number"
                    min="0"
                    max="3600"
                />
                <TextField
                    id="starts_at"
                    name="schedule[starts_at]"
                    label=text::starts(lang)
                    value=values.starts_at
                    pointer="/starts_at"
                    faults=faults
                    sort="datetime-local"
                />
                <TextField
                    id="ends_at"
                    name="schedule[ends_at]"
                    label=text::ends(lang)
                    value=values.ends_at
                    pointer="/ends_at"
                    faults=faults
                    sort="datetime-local"
                />
            </div>
        </fieldset>
    }
}

#[component]
fn What(values: ScheduleValues, kinds: Vec<KindInfo>, faults: Faults) -> impl IntoView {
    let lang = use_lang();
    let wrong = Memo::new(move |_| {
        faults.with(|faults| {
            faults
                .iter()
                .any(|fault: &FieldError| fault.pointer == "/payload")
        })
    });
    view! {
        <fieldset class="panel">
            <legend>{text::section_what(lang)}</legend>
            <div class="fields">
                <TextField
                    id="kind"
                    name="schedule[kind]"
                    label=text::kind(lang)
                    hint=text::kind_hint(lang)
                    value=values.kind
                    pointer="/kind"
                    faults=faults
                    list="kinds"
                    required=true
                    wide=true
                />
                <datalist id="kinds">
                    {kinds
                        .into_iter()
                        .map(|info| {
                            view! { <option value=info.kind.as_str().to_owned()></option> }
                        })
                        .collect_view()}
                </datalist>
                <Field
                    id="payload"
                    label=text::payload(lang)
                    hint=text::payload_hint(lang)
                    pointer="/payload"
                    faults=faults
                    wide=true
                >
                    <textarea
                        id="payload"
                        name="schedule[payload]"
                        rows="6"
                        spellcheck="false"
                        aria-describedby=described("payload")
                        aria-invalid=move || wrong.get().then_some("true")
                    >
                        {in_area(&values.payload)}
                    </textarea>
                </Field>
                <TextField
                    id="queue"
                    name="schedule[queue]"
                    label=text::queue(lang)
                    value=values.queue
                    pointer="/queue"
                    faults=faults
                />
                <TextField
                    id="priority"
                    name="schedule[priority]"
                    label=text::priority(lang)
                    hint=text::priority_hint(lang)
                    value=values.priority
                    pointer="/priority"
                    faults=faults
                    sort="number"
                    min="0"
                    max="9"
                />
                <TextField
                    id="max_attempts"
                    name="schedule[max_attempts]"
                    label=text::attempts(lang)
                    value=values.max_attempts
                    pointer="/max_attempts"
                    faults=faults
                    sort="number"
                    min="1"
                />
                <TextField
                    id="timeout"
                    name="schedule[timeout]"
                    label=text::timeout(lang)
                    hint=text::timeout_hint(lang)
                    value=values.timeout
                    pointer="/timeout_s"
                    faults=faults
                    sort="number"
                    min="0"
                />
            </div>
        </fieldset>
    }
}

#[component]
fn Rules(values: ScheduleValues, faults: Faults) -> impl IntoView {
    let lang = use_lang();
    view! {
        <fieldset class="panel">
            <legend>{text::section_rules(lang)}</legend>
            <div class="fields">
                <ChoiceField
                    id="catch_up"
                    name="schedule[catch_up]"
                    label=text::catch_up(lang)
                    options=catch_up_options(lang)
                    value=values.catch_up
                    pointer="/catch_up"
                    faults=faults
                />
                <ChoiceField
                    id="overlap"
                    name="schedule[overlap]"
                    label=text::overlap(lang)
                    options=overlap_options(lang)
                    value=values.overlap
                    pointer="/overlap"
                    faults=faults
                />
                <ChoiceField
                    id="gap"
                    name="schedule[gap]"
                    label=text::gap(lang)
                    options=gap_options(lang)
                    value=values.gap
                    pointer="/dst/gap"
                    faults=faults
                />
                <ChoiceField
                    id="twice"
                    name="schedule[twice]"
                    label=text::twice(lang)
                    options=twice_options(lang)
                    value=values.twice
                    pointer="/dst/overlap"
                    faults=faults
                />
            </div>
            <label class="check">
                <input
                    type="checkbox"
                    name="schedule[paused]"
                    value="on"
                    checked=!values.paused.is_empty()
                />
                <span>{text::make_paused(lang)}</span>
            </label>
        </fieldset>
    }
}

fn catch_up_options(lang: Lang) -> Vec<(&'static str, &'static str)> {
    [
        (CatchUp::Latest, "latest"),
        (CatchUp::Skip, "skip"),
        (CatchUp::All, "all"),
    ]
    .map(|(choice, value)| (value, schedules::catch_up_choice(lang, choice)))
    .to_vec()
}

fn overlap_options(lang: Lang) -> Vec<(&'static str, &'static str)> {
    [
        (OverlapPolicy::Allow, "allow"),
        (OverlapPolicy::Skip, "skip"),
        (OverlapPolicy::QueueOne, "queue_one"),
        (OverlapPolicy::CancelRunning, "cancel_running"),
    ]
    .map(|(choice, value)| (value, schedules::overlap_choice(lang, choice)))
    .to_vec()
}

fn gap_options(lang: Lang) -> Vec<(&'static str, &'static str)> {
    [(Gap::After, "after"), (Gap::Skip, "skip")]
        .map(|(choice, value)| (value, schedules::gap_choice(lang, choice)))
        .to_vec()
}

fn twice_options(lang: Lang) -> Vec<(&'static str, &'static str)> {
    [
        (Overlap::First, "first"),
        (Overlap::Last, "last"),
        (Overlap::Both, "both"),
    ]
    .map(|(choice, value)| (value, schedules::twice_choice(lang, choice)))
    .to_vec()
}
