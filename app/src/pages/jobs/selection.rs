//! What can be done with the picked jobs: a bar at the bottom that appears with the first pick, and
//! without scripts a plain choice of the action.

use conveyor_model::lang::Lang;
use conveyor_model::state::{Action, State};
use leptos::prelude::*;

use super::picks::Picks;
use crate::context::use_lang;
use crate::i18n::{jobs as text, word};
use crate::parts::action::{Confirm, ConfirmSheet, Deed};
use crate::parts::{Icon, Sign};
use crate::rpc::jobs::ActOn;

/// What is offered, in this order.
const OFFERED: [Action; 5] = [
    Action::Retry,
    Action::Run,
    Action::Cancel,
    Action::Discard,
    Action::Delete,
];

/// The bar. Each button says how many of the picked jobs it can be done with.
#[component]
pub(super) fn Bar(picks: Picks, act: Deed) -> impl IntoView {
    let lang = use_lang();
    let count = move || u64::try_from(picks.count()).unwrap_or(0);
    view! {
        <Show when=move || picks.count().gt(&0)>
            <div class="selection" role="region" aria-label=text::selection(lang)>
                <strong role="status">{move || text::selected(lang, count())}</strong>
                <button type="button" class="selection-clear" data-unpick="" on:click=move |_| picks.clear()>
                    {text::unselect(lang)}
                </button>
                <span class="selection-gap"></span>
                {OFFERED
                    .into_iter()
                    .map(|action| view! { <Offer action=action picks=picks act=act/> })
                    .collect_view()}
            </div>
        </Show>
    }
}

#[component]
fn Offer(action: Action, picks: Picks, act: Deed) -> impl IntoView {
    let lang = use_lang();
    let run = move |_| {
        act.send_with(&ActOn {
            ids: picks.ids(),
            action: action.as_str().to_owned(),
            sure: "yes".to_owned(),
            return_to: String::new(),
        });
    };
    let able = move || picks.allowing(action);
    let some = move || (able() < picks.count()).then(able);
    let name = move || {
        view! {
            <span>{word::action(lang, action)}</span>
            {move || some().map(|able| view! { <span class="count">{able}</span> })}
        }
    };
    let Some(asks) = question(lang, action) else {
        return view! {
            <Show when=move || able().gt(&0)>
                <button type="button" class="button" on:click=run>
                    {name()}
                </button>
            </Show>
        }
        .into_any();
    };
    let id = StoredValue::new(format!("sure-{action}"));
    let number = Memo::new(move |_| u64::try_from(able()).unwrap_or(u64::MAX));
    let sheet = move || {
        let (question, consequence) = asks(number.get());
        let confirm = Confirm {
            id: id.get_value(),
            question,
            consequence,
        };
        view! {
            <ConfirmSheet confirm=confirm>
                <button type="button" class="button danger" on:click=run>
                    {word::action(lang, action)}
                </button>
            </ConfirmSheet>
        }
    };
    view! {
        <Show when=move || able().gt(&0)>
            <button type="button" class="button" popovertarget=id.get_value()>
                {name()}
            </button>
            {sheet}
        </Show>
    }
    .into_any()
}

/// What is asked before so many jobs are acted on, and what follows from it; nothing where it can be
/// taken back.
fn question(lang: Lang, action: Action) -> Option<impl Fn(u64) -> (String, String) + Copy> {
    let (question, text): (fn(Lang, u64) -> String, _) = match action {
        Action::Delete => (text::delete_question, text::delete_text(lang)),
        Action::Discard => (text::discard_question, text::discard_text(lang)),
        Action::Run | Action::Retry | Action::Cancel | Action::Edit | Action::Duplicate => {
            return None;
        }
    };
    Some(move |number| (question(lang, number), text.to_owned()))
}

/// The choice for readers without scripts, of what can be done with a job in one of `states`; hidden
/// as soon as scripts run.
#[component]
pub(super) fn PlainBar(states: Vec<State>) -> impl IntoView {
    let lang = use_lang();
    view! {
        <div class="plain-bar panel">
            <label>
                <span>{text::with_selected(lang)}</span>
                " "
                <select name="action" required=true>
                    <option value="">{text::choose(lang)}</option>
                    {OFFERED
                        .into_iter()
                        .filter(|action| states.iter().any(|state| state.allows(*action)))
                        .map(|action| {
                            view! { <option value=action.as_str()>{word::action(lang, action)}</option> }
                        })
                        .collect_view()}
                </select>
            </label>
            <label class="check">
                <input type="checkbox" name="sure" value="yes"/>
                <span>{text::sure(lang)}</span>
            </label>
            <button type="submit" class="button">
                <Icon sign=Sign::Check/>
                <span>{text::do_it(lang)}</span>
            </button>
        </div>
    }
}
