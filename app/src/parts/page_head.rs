//! The head of a page: its one heading, the sentence below, and what can be done.

use leptos::html::H1;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_location;

use crate::context::use_lang;
use crate::i18n::frame;
use crate::parts::focus::Focused;
use crate::parts::raw_text::in_title;

/// `title` is the heading and the title of the window; `lead` the sentence below it; the children are
/// buttons and switches on the right. `beside` stands on the heading's line, such as a state.
///
/// After a navigation without a page load the heading gets the focus, as it would on a new page, unless
/// the person is in a field by then.
#[component]
pub(crate) fn PageHead(
    #[prop(into)] title: String,
    #[prop(optional, into)] lead: ViewFn,
    #[prop(optional, into)] beside: ViewFn,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let heading = NodeRef::<H1>::new();
    let path = use_location().pathname;
    let focused = use_context::<Focused>();
    Effect::new(move |_| {
        if let Some(heading) = heading.get()
            && focused.is_some_and(|focused| focused.moves_to(&path.get_untracked()))
        {
            let _ = heading.focus();
        }
    });
    let window_title = format!("{title} · {}", frame::product(use_lang()));
    view! {
        <Title text=in_title(&window_title)/>
        <header class="page-head">
            <div class="page-head-words">
                <div class="page-head-line">
                    <h1 tabindex="-1" node_ref=heading>
                        {title}
                    </h1>
                    {beside.run()}
                </div>
                <div class="lead">{lead.run()}</div>
            </div>
            {children.map(|children| view! { <div class="page-head-actions">{children()}</div> })}
        </header>
    }
    .into_any()
}
