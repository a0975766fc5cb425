//! What can be done with a schedule.

use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::schedules as text;
use crate::parts::action::{ActionButton, Confirm, Deed, Weight, use_action, use_action_to};
use crate::paths;
use crate::rpc::schedules::{DeleteSchedule, PauseSchedule, RunSchedule};

/// The actions of a page, made once for all its rows.
#[derive(Clone, Copy)]
pub(crate) struct Verbs {
    pub(crate) run: Deed,
    pub(crate) pause: Deed,
    pub(crate) delete: Deed,
}

impl Verbs {
    /// Those of this page.
    pub(crate) fn new() -> Self {
        Verbs {
            run: use_action::<RunSchedule>(),
            pause: use_action::<PauseSchedule>(),
            delete: use_action_to::<DeleteSchedule>(|_| Some(paths::SCHEDULES.to_owned())),
        }
    }
}

/// Enqueues the job now; the next slot stays where it is.
#[component]
pub(crate) fn RunButton(
    name: String,
    action: Deed,
    #[prop(optional)] small: bool,
) -> impl IntoView {
    view! {
        <ActionButton
            action=action
            label=text::run_now(use_lang())
            small=small
            fields=vec![("schedule", name)]
        />
    }
}

/// Stops or resumes firing, whichever makes sense now.
#[component]
pub(crate) fn PauseButton(
    name: String,
    #[prop(into)] paused: Signal<bool>,
    action: Deed,
    #[prop(optional)] small: bool,
) -> impl IntoView {
    let lang = use_lang();
    move || {
        let (want, label) = if paused.get() {
            ("no", text::resume(lang))
        } else {
            ("yes", text::pause(lang))
        };
        view! {
            <ActionButton
                action=action
                label=label
                small=small
                fields=vec![("schedule", name.clone()), ("paused", want.to_owned())]
            />
        }
    }
}

/// Removes the schedule, after a second thought, and goes to the list.
#[component]
pub(crate) fn DeleteButton(name: String, action: Deed) -> impl IntoView {
    let lang = use_lang();
    let confirm = Confirm {
        id: "delete-schedule".to_owned(),
        question: text::delete_title(lang, &name),
        consequence: text::delete_text(lang).to_owned(),
    };
    view! {
        <ActionButton
            action=action
            label=text::delete(lang)
            weight=Weight::Danger
            confirm=confirm
            fields=vec![("schedule", name)]
        />
    }
}
