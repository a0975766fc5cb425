//! A button and the sheet it opens: for an action that wants a word more, or a second thought.

use conveyor_model::filter::percent_encode;
use leptos::prelude::*;

use super::{Icon, Sign};
use crate::context::use_lang;
use crate::i18n::word;

/// The button says `label`; the sheet in the middle of the window has a title and holds the form. The
/// browser opens and closes it, so it works before the page lives; an action that is done closes it.
///
/// `id` must be the only one on the page and equal on both sides; it may hold a name as it is.
#[component]
pub(crate) fn ActSheet(
    #[prop(into)] id: String,
    #[prop(into)] label: String,
    #[prop(into)] title: String,
    #[prop(optional, into)] class: String,
    children: Children,
) -> impl IntoView {
    let id = without_blanks(&id);
    let (opens, closes) = (id.clone(), id.clone());
    let heading = format!("{id}-title");
    let titled = heading.clone();
    view! {
        <button type="button" class=format!("button small {class}") popovertarget=opens>
            {label}
        </button>
        <div class="confirm" popover="auto" id=id role="dialog" aria-labelledby=titled>
            <div class="dialog-head">
                <h2 id=heading>{title}</h2>
                <button
                    type="button"
                    class="icon-button"
                    popovertarget=closes
                    popovertargetaction="hide"
                    aria-label=word::close(use_lang())
                >
                    <Icon sign=Sign::Cross/>
                </button>
            </div>
            {children()}
        </div>
    }
}

/// An attribute that lists ids is split at blanks.
fn without_blanks(id: &str) -> String {
    let mut encoded = String::new();
    percent_encode(id, &mut encoded);
    encoded
}
