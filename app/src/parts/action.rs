//! Buttons that do something: each a form of its own, which works without scripts.

use leptos::ev::SubmitEvent;
use leptos::form::form_data_from_event;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate};
use serde::Serialize;
use web_sys::UrlSearchParams;

use super::layout::close_sheets;
use super::notice::use_notices;
use super::switch::ReturnTo;
use super::{Icon, Sign};
use crate::context::use_lang;
use crate::i18n::word;
use crate::live::use_live;
use crate::rpc::call::post;
use crate::rpc::{Outcome, RpcError};

/// Something that can be done: a server function that changes something and tells what. Whichever it
/// is, its fields are those of a form, so a page holds the code for sending them once.
#[derive(Clone, Copy)]
pub(crate) struct Deed {
    path: &'static str,
    sent: Action<String, Result<Outcome, RpcError>>,
}

impl Deed {
    /// Nothing was done yet; what comes of it is told by whoever asked.
    pub(crate) fn of<F: ServerFn<Output = Outcome, Error = RpcError>>() -> Self {
        Self::at(F::PATH)
    }

    fn at(path: &'static str) -> Self {
        let sent = Action::new(move |fields: &String| {
            let answer = post(path, fields.clone());
            async move { answer.await?.read() }
        });
        Deed { path, sent }
    }

    /// Does it with the fields of a form, encoded as a form does.
    pub(crate) fn send(self, fields: String) {
        self.sent.dispatch(fields);
    }

    /// Does it with `fields`, those of its function.
    pub(crate) fn send_with(self, fields: &impl Serialize) {
        self.send(serde_qs::to_string(fields).unwrap_or_default());
    }

    /// Whether it is at work.
    pub(crate) fn pending(self) -> Memo<bool> {
        self.sent.pending()
    }

    /// What came of it last.
    pub(crate) fn outcome(self) -> Option<Result<Outcome, RpcError>> {
        self.sent.value().get()
    }

    fn answers(self) -> Signal<usize> {
        self.sent.version().into()
    }
}

/// A form that does it: sent by the browser without scripts, by [`Deed::send`] with them.
#[component]
pub(crate) fn ActionForm(action: Deed, children: Children) -> impl IntoView {
    let submit = move |event: SubmitEvent| {
        if event.default_prevented() {
            return;
        }
        let Ok(form) = form_data_from_event(&event) else {
            return;
        };
        let fields = UrlSearchParams::new_with_str_sequence_sequence(&form);
        if let Some(fields) = fields
            .ok()
            .and_then(|fields| fields.to_string().as_string())
        {
            event.prevent_default();
            action.send(fields);
        }
    };
    view! {
        <form action=action.path method="post" on:submit=submit>
            {children()}
        </form>
    }
    .into_any()
}

/// An action whose outcome is told in the corner; everything shown is then read again. Made once a
/// page, outside of `Load`, which would make it anew while it is at work.
pub(crate) fn use_action<F: ServerFn<Output = Outcome, Error = RpcError>>() -> Deed {
    use_action_to::<F>(|_| None)
}

/// As [`use_action`], and goes where `lead` says.
pub(crate) fn use_action_to<F: ServerFn<Output = Outcome, Error = RpcError>>(
    lead: fn(&Outcome) -> Option<String>,
) -> Deed {
    let action = Deed::of::<F>();
    tell(action, lead);
    action
}

fn tell(action: Deed, lead: fn(&Outcome) -> Option<String>) {
    let (notices, live, navigate) = (use_notices(), use_live(), use_navigate());
    let here = use_location().pathname;
    let (pending, answers) = (action.pending(), action.answers());
    let waits = StoredValue::new(false);
    // One effect follows both, so that the wait ends only after what the answer asks for is known.
    Effect::new(move |before: Option<(bool, usize)>| {
        let (was_pending, heard) = before.unwrap_or_default();
        let (now_pending, answered) = (pending.get(), answers.get());
        if now_pending && !was_pending {
            waits.set_value(true);
            live.begin();
        }
        let answer = untrack(|| action.outcome());
        let answer = answer.filter(|_| answered > heard);
        let next = answer
            .as_ref()
            .and_then(|answer| lead(answer.as_ref().ok()?));
        // Another page reads by itself; this one may show what is no longer there.
        let leaves = next
            .as_ref()
            .is_some_and(|next| *next != here.get_untracked());
        if let Some(answer) = answer {
            close_sheets();
            notices.tell(answer);
            if !leaves {
                live.touch();
            }
        }
        if was_pending && !now_pending && !leaves {
            waits.set_value(false);
            live.end();
        }
        if let Some(path) = next {
            navigate(&path, NavigateOptions::default());
        }
        (now_pending, answered)
    });
    on_cleanup(move || {
        if waits.try_get_value() == Some(true) {
            live.end();
        }
    });
}

/// How much a button stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Weight {
    /// One of several.
    #[default]
    Plain,
    /// What usually helps.
    Primary,
    /// It cannot be taken back.
    Danger,
}

/// What is asked before something is done. The question opens over the page without scripts too.
#[derive(Clone, Debug)]
pub(crate) struct Confirm {
    /// Unlike any other on the page, such as `delete-7`.
    pub(crate) id: String,
    /// The question, such as "Delete job #7?".
    pub(crate) question: String,
    /// What follows from it.
    pub(crate) consequence: String,
}

/// A button that posts `fields` (and where to come back to) to a server function.
#[component]
pub(crate) fn ActionButton(
    action: Deed,
    #[prop(into)] label: String,
    #[prop(optional)] sign: Option<Sign>,
    #[prop(optional)] weight: Weight,
    #[prop(optional)] small: bool,
    #[prop(optional)] confirm: Option<Confirm>,
    fields: Vec<(&'static str, String)>,
) -> impl IntoView {
    let pending = action.pending();
    let class = button_class(weight, small);
    let button = {
        let label = label.clone();
        move || {
            view! {
                <button type="submit" class=class data-busy=move || busy(pending)>
                    {sign.map(|sign| view! { <Icon sign=sign/> })}
                    <span>{label}</span>
                </button>
            }
        }
    };
    match confirm {
        None => view! {
            <ActionForm action=action attr:class="action">
                <Fields fields=fields/>
                {button()}
            </ActionForm>
        }
        .into_any(),
        Some(confirm) => {
            let id = confirm.id.clone();
            view! {
                <button type="button" class=class popovertarget=id>
                    {sign.map(|sign| view! { <Icon sign=sign/> })}
                    <span>{label}"…"</span>
                </button>
                <ConfirmSheet confirm=confirm>
                    <ActionForm action=action attr:class="action">
                        <Fields fields=fields/>
                        {button()}
                    </ActionForm>
                </ConfirmSheet>
            }
            .into_any()
        }
    }
}

/// The question over the page, with a way out beside the button in `children`.
#[component]
pub(crate) fn ConfirmSheet(confirm: Confirm, children: Children) -> impl IntoView {
    let Confirm {
        id,
        question,
        consequence,
    } = confirm;
    let confirm_id = id.clone();
    view! {
        <div class="confirm" id=id popover="auto" role="dialog" aria-label=question.clone()>
            <h2>{question.clone()}</h2>
            <p>{consequence}</p>
            <div class="buttons">
                <button
                    type="button"
                    class="button"
                    popovertarget=confirm_id
                    popovertargetaction="hide"
                    autofocus=true
                >
                    {word::cancel(use_lang())}
                </button>
                {children()}
            </div>
        </div>
    }
    .into_any()
}

/// `data-busy` of a button while its action is at work. The answer may take away the part of the page
/// that the button stands in, and with it `pending`, before the button itself.
pub(crate) fn busy(pending: Memo<bool>) -> Option<&'static str> {
    pending.try_get().unwrap_or(false).then_some("")
}

#[component]
fn Fields(fields: Vec<(&'static str, String)>) -> impl IntoView {
    view! {
        <ReturnTo/>
        {fields
            .into_iter()
            .map(|(name, value)| view! { <input type="hidden" name=name value=value/> })
            .collect_view()}
    }
}

fn button_class(weight: Weight, small: bool) -> &'static str {
    match (weight, small) {
        (Weight::Plain, false) => "button",
        (Weight::Plain, true) => "button small",
        (Weight::Primary, false) => "button primary",
        (Weight::Primary, true) => "button primary small",
        (Weight::Danger, false) => "button danger",
        (Weight::Danger, true) => "button danger small",
    }
}
