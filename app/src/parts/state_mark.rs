//! The state of a job: shape, word and colour together.

use conveyor_model::state::State;
use leptos::prelude::*;

use super::{Icon, Sign};
use crate::context::use_lang;
use crate::i18n::word;

/// Icon and word of a state.
#[component]
pub(crate) fn StateMark(state: State) -> impl IntoView {
    let lang = use_lang();
    view! {
        <span class="state-mark" data-state=state.as_str()>
            <Icon sign=Sign::of(state)/>
            <span>{word::state(lang, state)}</span>
        </span>
    }
}
