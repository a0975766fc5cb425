//! Data of a page: read while the page is drawn, read again when something changed, and what stands
//! in its place while it is away.

use std::sync::Arc;

use conveyor_model::event::Topic;
use leptos::prelude::*;
use leptos_router::components::A;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::switch::use_here;
use super::{Empty, Sign};
use crate::context::{set_status, use_lang};
use crate::i18n::{outcome, word};
use crate::live::use_live;
use crate::paths;
use crate::rpc::RpcError;

/// What a page reads.
pub(crate) type Reading<T> = Resource<Result<T, RpcError>>;

/// Reads `fetch(source())`: when the page is drawn, when `source` changes, and when something in
/// `topics` changed, at most every `seconds`. While the server is away, what was read last stays.
pub(crate) fn read<S, T, Fut>(
    source: impl Fn() -> S + Send + Sync + 'static,
    topics: impl Fn() -> Vec<Topic> + Send + Sync + 'static,
    seconds: u32,
    fetch: impl Fn(S) -> Fut + Send + Sync + 'static,
) -> Reading<T>
where
    S: Clone + PartialEq + Send + Sync + 'static,
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
    Fut: Future<Output = Result<T, RpcError>> + Send + 'static,
{
    let revision = use_live().watch(topics, seconds);
    let last = StoredValue::new(None::<(S, T)>);
    let source = Arc::new(source);
    let of_page = Arc::clone(&source);
    let reading = Resource::new_blocking(
        move || (source(), revision.get()),
        move |(source, _)| {
            let fetched = fetch(source.clone());
            async move {
                match fetched.await {
                    Ok(value) => {
                        last.try_set_value(Some((source, value.clone())));
                        Ok(value)
                    }
                    Err(RpcError::Transport(why)) => last
                        .try_get_value()
                        .flatten()
                        .filter(|(of, _)| *of == source)
                        .map(|(_, value)| value)
                        .ok_or(RpcError::Transport(why)),
                    Err(refused) => Err(refused),
                }
            }
        },
    );
    // What came with the page was not fetched here, and must outlast a lost connection as well.
    Effect::new(move |_| {
        let value = reading.get().and_then(Result::ok);
        if last.try_with_value(Option::is_none) == Some(true) {
            last.try_set_value(value.map(|value| (untrack(|| of_page()), value)));
        }
    });
    reading
}

/// What stands where something is being loaded.
#[component]
pub(crate) fn Skeleton() -> impl IntoView {
    view! {
        <div class="skeleton" role="status" aria-label=word::loading(use_lang())>
            <span></span>
            <span></span>
        </div>
    }
}

/// Why something is not shown, and what to do.
#[component]
pub(crate) fn Refused(error: RpcError) -> impl IntoView {
    let lang = use_lang();
    let here = use_here();
    set_status(error.status());
    let text = outcome::refused(lang, &error);
    let sign = if error.is_not_found() {
        Sign::Search
    } else {
        Sign::Alert
    };
    let action = move || match &error {
        RpcError::SignedOut => view! {
            <a class="button primary" href=move || paths::login(&here.get()) rel="external">
                {crate::i18n::frame::log_in(lang)}
            </a>
        }
        .into_any(),
        error if error.is_not_found() => view! {
            <A href=paths::OVERVIEW attr:class="button">
                {crate::i18n::frame::to_overview(lang)}
            </A>
        }
        .into_any(),
        _ => view! {
            <a class="button" href=here rel="external">
                {word::try_again(lang)}
            </a>
        }
        .into_any(),
    };
    view! {
        <div class="panel">
            <Empty sign=sign title=text>
                {action()}
            </Empty>
        </div>
    }
    .into_any()
}
