//! Data of a page: read while the page is drawn, read again when something changed, and what stands
//! in its place while it is away.

use std::marker::PhantomData;
use std::sync::Arc;

use conveyor_model::event::Topic;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_router::components::A;
use serde::Serialize;

use super::switch::use_here;
use super::{Empty, Sign};
use crate::context::{set_status, use_lang};
use crate::i18n::{outcome, word};
use crate::live::use_live;
use crate::paths;
use crate::rpc::RpcError;
use crate::rpc::call::{Answer, Call, Text};

/// Answers as they come, each in place of the one before.
pub(super) type Answers = Resource<Answer>;

/// The page waits for what it is about: only then its status is known.
const BLOCKING: bool = true;

/// What a page reads. It is held as the JSON it came as, so that the browser's code for reading exists
/// once, whatever is read.
pub(crate) struct Reading<T> {
    answer: Answers,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Reading<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Reading<T> {}

impl<T> Reading<T> {
    fn new(answer: Answers) -> Self {
        let of = PhantomData;
        Reading { answer, of }
    }

    /// What was answered last, as JSON.
    pub(super) fn answer(self) -> Answers {
        self.answer
    }
}

/// Reads `source()`: when the page is drawn, when it becomes another call, and when something in
/// `topics` changed, at most every `seconds`. While the server is away, what was read last stays.
pub(crate) fn read<F>(
    source: impl Fn() -> F + Send + Sync + 'static,
    topics: impl Fn() -> Vec<Topic> + Send + Sync + 'static,
    seconds: u32,
) -> Reading<F::Output>
where
    F: ServerFn<Error = RpcError> + Serialize + Clone + Send + Sync + 'static,
    F::Output: Serialize,
{
    let calls = Arc::new(move || Call::of(source()));
    Reading::new(watch(calls, Box::new(topics), seconds))
}

/// Reads `source()` when the page is drawn and when it becomes another call, and never by itself.
pub(crate) fn read_once<F>(source: impl Fn() -> F + Send + Sync + 'static) -> Reading<F::Output>
where
    F: ServerFn<Error = RpcError> + Serialize + Clone + Send + Sync + 'static,
    F::Output: Serialize,
{
    let calls: Calls = Arc::new(move || Call::of(source()));
    Reading::new(Answers::new_with_options(
        move || calls(),
        Call::ask,
        BLOCKING,
    ))
}

/// What is to be asked now.
type Calls = Arc<dyn Fn() -> Call + Send + Sync>;

fn watch(calls: Calls, topics: Box<dyn Fn() -> Vec<Topic> + Send + Sync>, seconds: u32) -> Answers {
    let revision = use_live().watch(topics, seconds);
    let last = StoredValue::new(None::<(Call, Text)>);
    let of_page = Arc::clone(&calls);
    let reading = Answers::new_with_options(
        move || (calls(), revision.get()),
        move |(call, _)| {
            let answer = call.clone().ask();
            async move {
                match answer.await {
                    Ok(text) => {
                        last.try_set_value(Some((call, text.clone())));
                        Ok(text)
                    }
                    Err(RpcError::Transport(why)) => last
                        .try_get_value()
                        .flatten()
                        .filter(|(of, _)| *of == call)
                        .map(|(_, text)| text)
                        .ok_or(RpcError::Transport(why)),
                    Err(refused) => Err(refused),
                }
            }
        },
        BLOCKING,
    );
    // What came with the page was not fetched here, and must outlast a lost connection as well.
    Effect::new(move |_| {
        let text = reading.get().and_then(Result::ok);
        if last.try_with_value(Option::is_none) == Some(true) {
            last.try_set_value(text.map(|text| (untrack(|| of_page()), text)));
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
