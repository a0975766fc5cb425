//! Fields of a form, each with what is wrong with it.

use conveyor_model::error::{FieldError, OperatorError};
use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::form;
use crate::rpc::{Outcome, RpcError};

/// What is wrong with the fields of a form.
#[derive(Clone, Copy)]
pub(crate) struct Faults(Signal<Vec<FieldError>>);

impl Faults {
    /// What the last answer of an action said; before there is one, what the page came with.
    pub(crate) fn new(
        came_with: Vec<FieldError>,
        answer: impl Fn() -> Option<Result<Outcome, RpcError>> + Send + Sync + 'static,
    ) -> Self {
        let came_with = StoredValue::new(came_with);
        Faults(Signal::derive(move || match answer() {
            Some(Err(RpcError::Operator(OperatorError::Invalid(invalid)))) => invalid.errors,
            Some(_) => Vec::new(),
            None => came_with.get_value(),
        }))
    }

    /// The fault of a field, named as the model names it.
    pub(crate) fn of(self, field: &'static str) -> Signal<Option<FieldError>> {
        Signal::derive(move || {
            self.0.with(|faults| {
                let inner = |error: &&FieldError| {
                    let pointer = error.pointer.trim_start_matches('/');
                    pointer.split('/').next() == Some(field)
                };
                faults.iter().find(inner).cloned()
            })
        })
    }

    /// Whether there is any.
    pub(crate) fn any(self) -> bool {
        self.0.with(|faults| !faults.is_empty())
    }
}

/// A label, its control, a hint and the fault. The control gets `id` and names the lines below it.
#[component]
pub(crate) fn Field(
    id: &'static str,
    #[prop(into)] label: String,
    #[prop(into, optional)] hint: String,
    fault: Signal<Option<FieldError>>,
    children: Children,
) -> impl IntoView {
    view! {
        <div class="field">
            <label for=id>{label}</label>
            {children()}
            {(!hint.is_empty())
                .then(|| {
                    view! {
                        <p class="field-hint" id=format!("{id}-hint")>
                            {hint}
                        </p>
                    }
                })}
            <FaultLine id=id fault=fault/>
        </div>
    }
}

/// What is wrong, below the control.
#[component]
pub(crate) fn FaultLine(id: &'static str, fault: Signal<Option<FieldError>>) -> impl IntoView {
    let lang = use_lang();
    view! {
        <p class="field-fault" id=format!("{id}-fault") role="alert">
            {move || fault.get().map(|error| form::fault(lang, &error))}
        </p>
    }
}

/// A field of one line of text.
#[component]
pub(crate) fn TextField(
    id: &'static str,
    name: &'static str,
    #[prop(into)] label: String,
    #[prop(into, optional)] hint: String,
    value: String,
    fault: Signal<Option<FieldError>>,
    #[prop(default = "text")] kind: &'static str,
    #[prop(optional)] list: Option<&'static str>,
    #[prop(optional)] required: bool,
    #[prop(optional)] mono: bool,
    #[prop(optional)] min: Option<&'static str>,
    #[prop(optional)] max: Option<&'static str>,
    #[prop(optional)] step: Option<&'static str>,
) -> impl IntoView {
    view! {
        <Field id=id label=label hint=hint.clone() fault=fault>
            <input
                id=id
                type=kind
                name=name
                value=value
                list=list
                required=required
                class:mono=mono
                min=min
                max=max
                step=step
                autocomplete="off"
                spellcheck="false"
                aria-invalid=move || fault.with(Option::is_some).then_some("true")
                aria-describedby=format!("{id}-hint {id}-fault")
            />
        </Field>
    }
}

/// A field that offers a few values.
#[component]
pub(crate) fn SelectField(
    id: &'static str,
    name: &'static str,
    #[prop(into)] label: String,
    #[prop(into, optional)] hint: String,
    value: String,
    /// Value and name of each.
    options: Vec<(&'static str, &'static str)>,
    fault: Signal<Option<FieldError>>,
) -> impl IntoView {
    let options = options
        .into_iter()
        .map(|(option, name)| {
            view! {
                <option value=option selected=option == value>
                    {name}
                </option>
            }
        })
        .collect_view();
    view! {
        <Field id=id label=label hint=hint fault=fault>
            <select
                id=id
                name=name
                aria-invalid=move || fault.with(Option::is_some).then_some("true")
                aria-describedby=format!("{id}-hint {id}-fault")
            >
                {options}
            </select>
        </Field>
    }
}

/// Says above a form that it was not taken.
#[component]
pub(crate) fn FaultSummary(faults: Faults) -> impl IntoView {
    let lang = use_lang();
    view! {
        <Show when=move || faults.any()>
            <p class="refusal" role="alert">
                {form::faults(lang)}
            </p>
        </Show>
    }
}
