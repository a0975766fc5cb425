//! Fields of a form: a label, the control, a hint, and what is wrong with it.

use conveyor_model::error::{FieldError, OperatorError};
use leptos::prelude::*;

use super::spoken::spoken;
use crate::context::use_lang;
use crate::i18n::form;
use crate::rpc::{Outcome, RpcError};

/// The faults of a form as it was last sent.
pub(crate) type Faults = Signal<Vec<FieldError>>;

/// The faults the page came with until an action has answered, then those of its answer.
pub(crate) fn faults_of(
    came_with: Vec<FieldError>,
    answer: impl Fn() -> Option<Result<Outcome, RpcError>> + Send + Sync + 'static,
) -> Faults {
    let came_with = StoredValue::new(came_with);
    Signal::derive(move || match answer() {
        Some(Err(RpcError::Operator(OperatorError::Invalid(invalid)))) => invalid.errors,
        Some(_) => Vec::new(),
        None => came_with.get_value(),
    })
}

/// What is wrong with the field at `pointer`, in the reader's language; each fault once.
pub(crate) fn fault_at(faults: Faults, pointer: &'static str) -> Memo<Option<String>> {
    let lang = use_lang();
    Memo::new(move |_| {
        let mut details = faults.with(|faults| {
            let here = faults.iter().filter(|fault| is_at(fault, pointer));
            here.map(|fault| form::fault(lang, fault))
                .collect::<Vec<_>>()
        });
        details.dedup();
        (!details.is_empty()).then(|| details.join("; "))
    })
}

/// Whether a fault is of the field at `pointer`, or of a part of it.
fn is_at(fault: &FieldError, pointer: &str) -> bool {
    let rest = fault.pointer.strip_prefix(pointer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Says above a form that it was not taken.
#[component]
pub(crate) fn FaultSummary(faults: Faults) -> impl IntoView {
    let lang = use_lang();
    view! {
        <Show when=move || faults.with(|faults| !faults.is_empty())>
            <p class="refusal" role="alert">
                {form::faults(lang)}
            </p>
        </Show>
    }
}

/// The frame around a control: `children` gets the ids that describe it and whether it is wrong.
#[component]
pub(crate) fn Field(
    /// Of the control.
    id: &'static str,
    #[prop(into)] label: String,
    #[prop(optional, into)] hint: String,
    /// Where the faults of this field point to.
    pointer: &'static str,
    faults: Faults,
    #[prop(optional)] wide: bool,
    children: Children,
) -> impl IntoView {
    let fault = fault_at(faults, pointer);
    view! {
        <div
            class="field"
            class:wide-field=wide
            data-fault=move || fault.with(Option::is_some).then_some("")
        >
            <label for=id>{label}</label>
            {children()}
            {(!hint.is_empty())
                .then(|| {
                    view! {
                        <span class="field-hint" id=format!("{id}-hint")>
                            {hint}
                        </span>
                    }
                })}
            <span class="field-fault" id=format!("{id}-fault")>
                {move || fault.get().map(|fault| spoken(&fault))}
            </span>
        </div>
    }
}

/// A field of one line. `value` is what stands in it at first.
#[allow(
    clippy::fn_params_excessive_bools,
    reason = "each is a property that is named where it is given"
)]
#[component]
pub(crate) fn TextField(
    id: &'static str,
    name: &'static str,
    #[prop(into)] label: String,
    #[prop(into)] value: String,
    #[prop(optional, into)] hint: String,
    pointer: &'static str,
    faults: Faults,
    /// The type of the control.
    #[prop(default = "text")]
    sort: &'static str,
    /// The id of a list of proposals.
    #[prop(optional)]
    list: Option<&'static str>,
    #[prop(optional)] readonly: bool,
    #[prop(optional)] required: bool,
    #[prop(optional)] wide: bool,
    /// In the type of code.
    #[prop(optional)]
    mono: bool,
    /// Of a date and time, such as `1` for seconds; a number may have any fraction.
    #[prop(optional)]
    step: Option<&'static str>,
    /// For numbers.
    #[prop(optional)]
    min: Option<&'static str>,
    /// For numbers.
    #[prop(optional)]
    max: Option<&'static str>,
) -> impl IntoView {
    let fault = fault_at(faults, pointer);
    view! {
        <Field id=id label=label hint=hint pointer=pointer faults=faults wide=wide>
            <input
                id=id
                name=name
                type=sort
                value=value
                list=list
                readonly=readonly
                required=required
                min=min
                max=max
                step=step.or((sort == "number").then_some("any"))
                class:mono=mono
                autocomplete="off"
                spellcheck="false"
                aria-describedby=described(id)
                aria-invalid=move || fault.with(Option::is_some).then_some("true")
            />
        </Field>
    }
}

/// A choice of one of a few: value and name of each.
#[component]
pub(crate) fn ChoiceField(
    id: &'static str,
    name: &'static str,
    #[prop(into)] label: String,
    options: Vec<(&'static str, &'static str)>,
    #[prop(into)] value: String,
    pointer: &'static str,
    faults: Faults,
) -> impl IntoView {
    view! {
        <Field id=id label=label pointer=pointer faults=faults>
            <select id=id name=name aria-describedby=described(id)>
                {options
                    .into_iter()
                    .map(|(option, text)| {
                        view! {
                            <option value=option selected={option == value}>
                                {text}
                            </option>
                        }
                    })
                    .collect_view()}
            </select>
        </Field>
    }
}

/// The ids that describe a control.
pub(crate) fn described(id: &str) -> String {
    format!("{id}-hint {id}-fault")
}
