//! Fields of a form: a label, the control, a hint, and what is wrong with it.

use conveyor_model::error::FieldError;
use leptos::prelude::*;

/// The faults of a form as it was last sent.
pub(crate) type Faults = Signal<Vec<FieldError>>;

/// What is wrong with the field at `pointer`; each fault once.
fn fault_at(faults: Faults, pointer: &'static str) -> Memo<Option<String>> {
    Memo::new(move |_| {
        let mut details = faults.with(|faults| {
            let here = faults.iter().filter(|fault| fault.pointer == pointer);
            here.map(|fault| fault.detail.clone()).collect::<Vec<_>>()
        });
        details.dedup();
        (!details.is_empty()).then(|| details.join("; "))
    })
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
                {move || fault.get()}
            </span>
        </div>
    }
}

/// A field of one line. `value` is what stands in it at first.
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
                step=(sort == "number").then_some("any")
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
