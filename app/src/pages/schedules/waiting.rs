//! A slot that has come and waits for the schedule's earlier job.

use conveyor_model::time::Timestamp;
use leptos::prelude::*;

use crate::context::use_lang;
use crate::i18n::schedules as text;
use crate::parts::Moment;

/// That it waits, and which slot it is.
#[component]
pub(crate) fn Waiting(at: Timestamp) -> impl IntoView {
    view! {
        <p>{text::waits_for_last(use_lang())} " " <Moment at=at/></p>
    }
}
