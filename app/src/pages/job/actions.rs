//! What can be done with the job now; what cannot, and why, is behind "More".

use conveyor_model::name::JobId;
use conveyor_model::state::{Action, State};
use leptos::prelude::*;
use leptos_router::components::A;

use crate::context::use_lang;
use crate::i18n::{frame, job as text, word};
use crate::parts::action::{ActionButton, Confirm, Deed, Weight};
use crate::parts::{Icon, Sign};
use crate::paths;

/// The buttons on the right of the heading.
#[component]
pub(super) fn Actions(id: JobId, state: State, act: Deed) -> impl IntoView {
    let lang = use_lang();
    // Both would make a waiting retry due at once.
    let retries = state.allows(Action::Retry) && !state.allows(Action::Run);
    view! {
        {state
            .allows(Action::Run)
            .then(|| view! { <Do id=id action=Action::Run weight=Weight::Primary confirm=None act=act/> })}
        {retries
            .then(|| {
                let confirm = (state == State::Succeeded)
                    .then(|| Confirm {
                        id: "again".to_owned(),
                        question: text::again_question(lang, &id),
                        consequence: text::again_text(lang).to_owned(),
                    });
                let weight = if state == State::Succeeded {
                    Weight::Plain
                } else {
                    Weight::Primary
                };
                view! { <Do id=id action=Action::Retry weight=weight confirm=confirm act=act/> }
            })}
        {state
            .allows(Action::Edit)
            .then(|| {
                view! {
                    <A href=paths::edit_job(id) attr:class="button">
                        {word::action(lang, Action::Edit)}
                    </A>
                }
            })}
        <A href=paths::copy_of(id) attr:class="button">
            {word::action(lang, Action::Duplicate)}
        </A>
        {state
            .allows(Action::Cancel)
            .then(|| view! { <Do id=id action=Action::Cancel weight=Weight::Danger confirm=None act=act/> })}
        <More id=id state=state act=act/>
    }
}

/// One action as a form of its own.
#[component]
fn Do(
    id: JobId,
    action: Action,
    act: Deed,
    weight: Weight,
    confirm: Option<Confirm>,
) -> impl IntoView {
    let label = word::action(use_lang(), action);
    let fields = vec![
        ("id", id.to_string()),
        ("action", action.as_str().to_owned()),
    ];
    match confirm {
        Some(confirm) => view! {
            <ActionButton action=act label=label weight=weight confirm=confirm fields=fields/>
        }
        .into_any(),
        None => {
            view! { <ActionButton action=act label=label weight=weight fields=fields/> }.into_any()
        }
    }
}

#[component]
fn More(id: JobId, state: State, act: Deed) -> impl IntoView {
    let lang = use_lang();
    let discard = Confirm {
        id: "discard".to_owned(),
        question: text::discard_question(lang, &id),
        consequence: text::discard_text(lang).to_owned(),
    };
    let delete = Confirm {
        id: "delete".to_owned(),
        question: text::delete_question(lang, &id),
        consequence: text::delete_text(lang).to_owned(),
    };
    let offer = |action: Action, confirm: Confirm| {
        state.allows(action).then(|| {
            view! { <Do id=id action=action weight=Weight::Danger confirm=Some(confirm) act=act/> }
        })
    };
    let hidden = |action: &Action| *action == Action::Retry && state.allows(Action::Run);
    let refused: Vec<Action> = Action::ALL
        .into_iter()
        .filter(|action| !state.allows(*action) && !hidden(action))
        .collect();
    let reasons = refused
        .into_iter()
        .map(|action| {
            view! {
                <li>
                    <strong>{word::action(lang, action)}</strong>
                    ": "
                    {text::why_not(lang, action, state)}
                </li>
            }
        })
        .collect::<Vec<_>>();
    view! {
        <details class="menu">
            <summary class="button" aria-label=frame::more(lang) title=frame::more(lang)>
                <Icon sign=Sign::Dots/>
            </summary>
            <div class="menu-sheet">
                <div class="buttons">
                    {offer(Action::Discard, discard)} {offer(Action::Delete, delete)}
                </div>
                {(!reasons.is_empty())
                    .then(|| {
                        view! {
                            <p class="menu-title">{text::not_now(lang)}</p>
                            <ul class="reasons">{reasons}</ul>
                        }
                    })}
            </div>
        </details>
    }
}
