//! Telling a worker to take no new jobs, to take them again, or to end.

use conveyor_model::name::WorkerName;
use conveyor_model::worker::{Worker, WorkerHealth, WorkerState};
use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::workers as text;
use crate::parts::act_sheet::ActSheet;
use crate::parts::action::{ActionButton, Deed, Weight};

/// The buttons that make sense for the worker now; one that is lost hears nothing.
#[component]
pub(super) fn Tell(worker: Memo<Worker>, name: WorkerName, action: Deed) -> impl IntoView {
    let lang = use_lang();
    let name = name.as_str().to_owned();
    let heard = Memo::new(move |_| worker.with(|worker| worker.health != WorkerHealth::Lost));
    let told = Memo::new(move |_| worker.with(|worker| worker.state));
    let in_process = worker.with_untracked(|worker| worker.in_process);
    view! {
        <div class="buttons row-buttons">
            {
                let name = name.clone();
                move || {
                    let (state, label) = match told.get() {
                        WorkerState::Run => (WorkerState::Quiet, text::quiet(lang)),
                        WorkerState::Quiet | WorkerState::Stop => {
                            (WorkerState::Run, text::resume(lang))
                        }
                    };
                    heard
                        .get()
                        .then(|| {
                            view! {
                                <TellButton name=name.clone() state=state label=label action=action/>
                            }
                        })
                }
            }
            {move || {
                (heard.get() && !in_process && told.get() != WorkerState::Stop)
                    .then(|| {
                        view! { <Stop worker=worker name=name.clone() action=action/> }
                    })
            }}
        </div>
    }
}

#[component]
fn TellButton(
    name: String,
    state: WorkerState,
    label: &'static str,
    action: Deed,
    #[prop(optional)] weight: Weight,
) -> impl IntoView {
    view! {
        <ActionButton
            action=action
            label=label
            small=true
            weight=weight
            fields=vec![("worker", name), ("state", state.as_str().to_owned())]
        />
    }
}

/// Asks once more, saying how many jobs it runs.
#[component]
fn Stop(worker: Memo<Worker>, name: String, action: Deed) -> impl IntoView {
    let lang = use_lang();
    let busy = Memo::new(move |_| worker.with(|worker| u64::from(worker.busy)));
    view! {
        <ActSheet
            id=format!("stop-{name}")
            label=text::stop(lang)
            title=text::stop_title(lang, &name)
            class="bare"
        >
            <p class="quiet">
                {text::stop_text(lang)} " "
                {move || (busy.get() > 0).then(|| text::stop_busy(lang, busy.get()))}
            </p>
            <TellButton
                name=name
                state=WorkerState::Stop
                label=text::stop_do(lang)
                action=action
                weight=Weight::Danger
            />
        </ActSheet>
    }
}
