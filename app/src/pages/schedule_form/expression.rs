//! The fields that say when: expression, presets, zone.

use leptos::ev::MouseEvent;
use leptos::prelude::*;

use super::check::Check;
use crate::context::use_lang;
use crate::i18n::schedule_form as text;
use crate::parts::form_field::{Faults, Field, described};

/// The expression and expressions that are often wanted.
#[component]
pub(super) fn Expression(check: Check, faults: Faults) -> impl IntoView {
    let lang = use_lang();
    let cron = check.cron;
    let first = cron.get_untracked();
    let invalid = move || check.preview.with(Result::is_err).then_some("true");
    let presets = [
        ("*/5 * * * *", text::every_5_minutes(lang)),
        ("@hourly", text::hourly(lang)),
        ("0 3 * * *", text::nightly(lang)),
        ("0 9 * * 1-5", text::weekdays(lang)),
        ("0 8 * * mon", text::mondays(lang)),
        ("0 0 L * *", text::month_end(lang)),
    ];
    let preset = move |(expression, name): (&'static str, &'static str)| {
        let put = move |_: MouseEvent| cron.set(expression.to_owned());
        view! {
            <button type="button" class="chip" title=expression on:click=put>
                {name}
            </button>
        }
    };
    view! {
        <Field
            id="cron"
            label=text::cron(lang)
            hint=text::cron_hint(lang)
            pointer="/cron"
            faults=faults
            wide=true
        >
            <input
                id="cron"
                name="schedule[cron]"
                class="mono"
                value=first
                prop:value=move || cron.get()
                on:input=move |event| cron.set(event_target_value(&event))
                required=true
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                aria-describedby=described("cron")
                aria-invalid=invalid
            />
            <div class="presets" role="group" aria-label=text::presets(lang)>
                {presets.into_iter().map(preset).collect_view()}
            </div>
        </Field>
    }
}

/// The zone, with the known ones to choose from.
#[component]
pub(super) fn ZoneField(check: Check, zones: Vec<String>, faults: Faults) -> impl IntoView {
    let lang = use_lang();
    let zone = check.zone;
    view! {
        <Field
            id="timezone"
            label=text::zone(lang)
            hint=text::zone_hint(lang)
            pointer="/timezone"
            faults=faults
        >
            <input
                id="timezone"
                name="schedule[timezone]"
                list="zones"
                value=zone.get_untracked()
                on:input=move |event| zone.set(event_target_value(&event))
                required=true
                autocomplete="off"
                spellcheck="false"
                aria-describedby=described("timezone")
            />
            <datalist id="zones">
                {zones
                    .into_iter()
                    .map(|zone| view! { <option value=zone></option> })
                    .collect_view()}
            </datalist>
        </Field>
    }
}
