//! A page that is one list: what its four examples have in common.

use conveyor_model::lang::Lang;
use leptos::prelude::*;
use serde::de::DeserializeOwned;

use super::follow::Follow;
use super::load::Reading;
use super::{PageHead, Panel};
use crate::context::use_lang;

/// What was read, as it is followed.
pub(crate) type Items<T> = Signal<Vec<T>>;

/// The heading with `lead` below it and `actions` on its right; then `table`, or `empty` in its place
/// while there is nothing to list.
#[component]
pub(crate) fn ListPage<T>(
    reading: Reading<Vec<T>>,
    title: &'static str,
    lead: fn(Items<T>) -> AnyView,
    #[prop(optional)] actions: Option<fn() -> AnyView>,
    empty: fn() -> AnyView,
    table: fn(Items<T>) -> AnyView,
) -> impl IntoView
where
    T: Clone + DeserializeOwned + Send + Sync + 'static,
{
    let draw = move |items: Items<T>| {
        let none = Memo::new(move |_| items.with(Vec::is_empty));
        let lead = move || lead(items);
        let head = match actions {
            Some(actions) => {
                view! { <PageHead title=title lead=lead>{actions()}</PageHead> }.into_any()
            }
            None => view! { <PageHead title=title lead=lead/> }.into_any(),
        };
        view! {
            {head}
            <Panel flush=true>
                <Show when=move || none.get() fallback=move || table(items)>
                    {empty()}
                </Show>
            </Panel>
        }
        .into_any()
    };
    view! { <Follow reading=reading title=title draw=draw/> }.into_any()
}

/// A sentence about what is listed; nothing while that is nothing.
pub(crate) fn sentence<T>(items: Items<T>, words: fn(Lang, &[T]) -> String) -> AnyView
where
    T: Send + Sync + 'static,
{
    let lang = use_lang();
    let told = move || items.with(|items| (!items.is_empty()).then(|| words(lang, items)));
    view! { {told} }.into_any()
}
