//! A list whose rows stay what they are while the list is read again.

use std::sync::Arc;

use leptos::prelude::*;

/// One row to be: what tells it from the others, and how it is drawn if it is new.
struct Row {
    key: String,
    draw: Box<dyn FnOnce() -> AnyView + Send>,
}

/// Draws an item by `children` once, and moves and keeps what was drawn as long as `each` gives an item
/// of the same `key`. Unlike `For` it compares and moves rows by the same code whatever they show.
#[component]
pub(crate) fn Each<T, V, I, K, D>(each: I, key: K, children: D) -> impl IntoView
where
    I: Fn() -> Vec<T> + Send + Sync + 'static,
    K: Fn(&T) -> String + Send + Sync + 'static,
    D: Fn(T) -> V + Send + Sync + 'static,
    V: IntoView + 'static,
    T: Send + 'static,
{
    let children = Arc::new(children);
    rows(Box::new(move || {
        let row = |item| {
            let (key, children) = (key(&item), Arc::clone(&children));
            let draw = Box::new(move || children(item).into_any());
            Row { key, draw }
        };
        each().into_iter().map(row).collect()
    }))
}

fn rows(each: Box<dyn Fn() -> Vec<Row> + Send + Sync>) -> AnyView {
    view! { <For each=each key=|row| row.key.clone() children=|row| (row.draw)()/> }.into_any()
}
