//! What is asked before a queue is paused, resumed or emptied.

use conveyor_model::name::QueueName;
use conveyor_model::queue::Queue;
use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::queues as text;
use crate::parts::act_sheet::ActSheet;
use crate::parts::action::{ActionButton, ActionForm, Deed};
use crate::parts::switch::ReturnTo;

/// Pause, with a note for others and maybe an end.
#[component]
pub(super) fn PauseForm(name: QueueName, action: Deed) -> impl IntoView {
    let lang = use_lang();
    let name = name.as_str().to_owned();
    let ends = [
        ("", text::until_resumed(lang)),
        ("15", text::after_minutes_15(lang)),
        ("60", text::after_hour(lang)),
        ("240", text::after_hours_4(lang)),
        ("1440", text::after_day(lang)),
    ];
    view! {
        <ActSheet
            id=format!("pause-{name}")
            label=text::pause(lang)
            title=text::pause_title(lang, &name)
        >
            <p class="quiet">{text::pause_text(lang)}</p>
            <ActionForm action=action attr:class="stack">
                <input type="hidden" name="queue" value=name/>
                <ReturnTo/>
                <label class="field">
                    <span>{text::note(lang)}</span>
                    <input
                        name="note"
                        maxlength="500"
                        placeholder=text::note_hint(lang)
                        autocomplete="off"
                        autofocus=true
                    />
                </label>
                <label class="field">
                    <span>{text::until(lang)}</span>
                    <select name="until">
                        {ends
                            .into_iter()
                            .map(|(value, label)| view! { <option value=value>{label}</option> })
                            .collect_view()}
                    </select>
                </label>
                <button type="submit" class="button primary">
                    {text::pause(lang)}
                </button>
            </ActionForm>
        </ActSheet>
    }
}

/// Resume, at once.
#[component]
pub(super) fn ResumeForm(name: QueueName, action: Deed) -> impl IntoView {
    view! {
        <ActionButton
            action=action
            label=text::resume(use_lang())
            small=true
            fields=vec![("queue", name.as_str().to_owned())]
        />
    }
}

/// Deletes the waiting jobs of a queue whose name was typed.
#[component]
pub(super) fn PurgeForm(queue: Memo<Queue>, name: QueueName, action: Deed) -> impl IntoView {
    let lang = use_lang();
    let name = name.as_str().to_owned();
    let waiting = move || queue.with(|queue| queue.ready + queue.scheduled + queue.retrying);
    view! {
        <ActSheet
            id=format!("purge-{name}")
            label=text::purge(lang)
            title=text::purge_title(lang, &name)
            class="bare"
        >
            <p class="quiet">{move || text::purge_text(lang, waiting())}</p>
            <ActionForm action=action attr:class="stack">
                <input type="hidden" name="queue" value=name.clone()/>
                <ReturnTo/>
                <label class="field">
                    <span>{text::purge_type(lang)}</span>
                    <input
                        name="typed"
                        required=true
                        autocomplete="off"
                        spellcheck="false"
                        placeholder=name
                        autofocus=true
                    />
                </label>
                <button type="submit" class="button danger">
                    {text::purge_do(lang)}
                </button>
            </ActionForm>
        </ActSheet>
    }
}
