//! The filter: fields that write the address, and the parts that are active.

use conveyor_model::lang::Lang;
use leptos::html::{Details, Input, Select};
use leptos::prelude::*;
use leptos::web_sys::SubmitEvent;
use leptos_router::NavigateOptions;
use leptos_router::components::A;
use leptos_router::hooks::use_navigate;

use super::asked::Asked;
use crate::context::use_lang;
use crate::i18n::{jobs as text, word};
use crate::parts::follow::LoadLine;
use crate::parts::load::read_once;
use crate::parts::{Icon, Sign};
use crate::paths;
use crate::rpc::overview::ReadKnown;

/// The fields and the chips. Without scripts it is a plain form that gets the address.
#[component]
pub(super) fn Filters(asked: Memo<Asked>) -> impl IntoView {
    let lang = use_lang();
    let (q, kind) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let (queue, tag) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let (sort, fold) = (NodeRef::<Select>::new(), NodeRef::<Details>::new());
    let navigate = use_navigate();
    let typed = move |input: NodeRef<Input>| {
        input
            .get_untracked()
            .map(|input| input.value())
            .unwrap_or_default()
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let order = sort
            .get_untracked()
            .map(|sort| sort.value())
            .unwrap_or_default();
        let wanted = asked.get_untracked().with(vec![
            ("q", typed(q)),
            ("kind", typed(kind)),
            ("queue", typed(queue)),
            ("tag", typed(tag)),
            ("sort", order),
        ]);
        if let Some(fold) = fold.get_untracked() {
            fold.set_open(false);
        }
        navigate(&wanted.path(), NavigateOptions::default());
    };
    let field = move |name: &'static str,
                      label: &'static str,
                      hint: &'static str,
                      list: Option<&'static str>,
                      input: NodeRef<Input>| {
        view! {
            <label class="filter">
                <span>{label}</span>
                <input
                    type="text"
                    name=name
                    value=asked.read_untracked().value(name)
                    prop:value=move || asked.get().value(name)
                    placeholder=hint
                    list=list
                    autocomplete="off"
                    spellcheck="false"
                    node_ref=input
                />
            </label>
        }
    };
    let kept = move || asked.get().parts().len();
    view! {
        <details class="filters-fold" node_ref=fold open=asked.read_untracked().parts().len().gt(&0).then_some("")>
            <summary class="button">
                <Icon sign=Sign::Search/>
                <span>{text::filters(lang)}</span>
                <span class="count">{move || Some(kept()).filter(|kept| *kept > 0)}</span>
            </summary>
            <form class="filters" method="get" action=paths::JOBS on:submit=submit>
                {move || {
                    let state = asked.get().value("state");
                    (!state.is_empty()).then(|| view! { <input type="hidden" name="state" value=state/> })
                }}
                {field("q", text::text(lang), text::text_hint(lang), None, q)}
                {field("kind", text::kind(lang), "", Some("known-kinds"), kind)}
                {field("queue", text::queue(lang), "", Some("known-queues"), queue)}
                {field("tag", text::tag(lang), "", None, tag)}
                <label class="filter">
                    <span>{text::order(lang)}</span>
                    <select name="sort" node_ref=sort prop:value=move || asked.get().value("sort")>
                        <option value="" selected=asked.read_untracked().value("sort") != "oldest">
                            {text::newest(lang)}
                        </option>
                        <option value="oldest" selected=asked.read_untracked().value("sort") == "oldest">
                            {text::oldest(lang)}
                        </option>
                    </select>
                </label>
                <button type="submit" class="button">
                    {text::apply(lang)}
                </button>
            </form>
        </details>
        <Known/>
        <Chips asked=asked/>
    }
}

/// The kinds and queues there are, for the fields to suggest.
#[component]
fn Known() -> impl IntoView {
    let known = read_once(|| ReadKnown {});
    let options = |names: Vec<String>| {
        let option = |name: String| view! { <option value=name></option> };
        names.into_iter().map(option).collect_view()
    };
    view! {
        <LoadLine
            reading=known
            draw=move |(kinds, queues): (Vec<String>, Vec<String>)| {
                view! {
                    <datalist id="known-kinds">{options(kinds)}</datalist>
                    <datalist id="known-queues">{options(queues)}</datalist>
                }
            }
        />
    }
}

/// A part of the filter in words: its name and its value. A cause has no name that says anything.
pub(super) fn said(lang: Lang, between: &str, name: &str, value: &str) -> String {
    let value = match name {
        "dead_group" => return text::one_cause(lang).to_owned(),
        "state" => value
            .parse()
            .map_or(value, |state| word::states(lang, state)),
        _ => value,
    };
    format!("{}{between}{value}", text::part(lang, name))
}

/// The active parts, each with a way to take it away.
#[component]
fn Chips(asked: Memo<Asked>) -> impl IntoView {
    let lang = use_lang();
    let chip = move |part: (String, String)| {
        let said = said(lang, ": ", &part.0, &part.1);
        let remove = text::remove(lang, &said);
        view! {
            <li>
                <A
                    href=asked.get_untracked().without(&part)
                    attr:class="chip active"
                    attr:title=remove.clone()
                    attr:aria-label=remove
                >
                    <span>{said}</span>
                    <Icon sign=Sign::Cross/>
                </A>
            </li>
        }
    };
    let parts = move || asked.get().parts();
    view! {
        <Show when=move || !parts().is_empty()>
            <ul class="chips" aria-label=text::active(lang)>
                {move || parts().into_iter().map(chip).collect_view()}
                <li>
                    <A href=paths::JOBS attr:class="clear">
                        {text::clear(lang)}
                    </A>
                </li>
            </ul>
        </Show>
    }
}
