//! What became of a slot: shape, word and colour together.

use conveyor_model::schedule::SlotStatus;
use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::schedules as text;
use crate::parts::{Icon, Sign};

/// Icon and word.
#[component]
pub(crate) fn SlotMark(status: SlotStatus) -> impl IntoView {
    let lang = use_lang();
    let (state, sign) = match status {
        SlotStatus::Fired => ("running", Sign::Check),
        SlotStatus::Late => ("retrying", Sign::Clock),
        SlotStatus::Skipped => ("cancelled", Sign::Slash),
    };
    view! {
        <span class="state-mark" data-state=state>
            <Icon sign=sign/>
            <span>{text::status(lang, status)}</span>
        </span>
    }
}
