//! Data that is drawn once and then followed: the page keeps its elements, its focus and what is
//! typed into its forms while what it shows is read again.

use std::sync::Arc;

use leptos::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::PageHead;
use super::load::{Reading, Refused, Skeleton};
use crate::rpc::RpcError;

/// What was read last: a value that is followed, or why there is none.
type Latest<T> = Option<Result<ArcRwSignal<T>, RpcError>>;

/// Draws what was read by `draw`, which gets a signal that holds what was read last. It runs again
/// only when there was a refusal in between. In the place of something refused stands why, below
/// `title` if the page has no heading without it; or whatever `refused` makes of it. Until there is an
/// answer, `meanwhile` stands there.
#[component]
pub(crate) fn Follow<T>(
    reading: Reading<T>,
    #[prop(optional, into)] title: Option<String>,
    #[prop(optional)] refused: Option<fn(RpcError) -> AnyView>,
    #[prop(default = skeleton)] meanwhile: fn() -> AnyView,
    draw: impl Fn(Signal<T>) -> AnyView + Send + Sync + 'static,
) -> impl IntoView
where
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
{
    let latest = RwSignal::new(None::<Result<ArcRwSignal<T>, RpcError>>);
    Effect::new(move |_| {
        if let Some(answer) = reading.get() {
            put(latest, answer);
        }
    });
    let draw = StoredValue::new(draw);
    let refused = StoredValue::new(Refusal { title, refused });
    // Were the reading tracked here, everything would be drawn anew each time.
    let first = move || {
        untrack(|| {
            Suspend::new(async move {
                put(latest, reading.await);
                view! { <Shown latest=latest refused=refused draw=draw/> }
            })
        })
    };
    // A `Suspense` would put the fallback in the place of everything each time it is read again.
    view! { <Transition fallback=meanwhile>{first()}</Transition> }
}

/// Draws what was read by `draw`, anew each time it is read; or says why it could not be read.
///
/// A `Suspend` that reads would do away with what the old view has made as soon as the answer is there,
/// and yet leave that view standing until the next answer, should one be on its way already.
#[component]
pub(crate) fn Load<T, V>(
    reading: Reading<T>,
    draw: impl Fn(T) -> V + Send + Sync + 'static,
) -> impl IntoView
where
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
    V: IntoView + 'static,
{
    view! { <Follow reading=reading draw=anew(draw)/> }
}

/// Draws a line from what was read, or nothing: for the head of a page whose body says the rest.
#[component]
pub(crate) fn LoadLine<T, V>(
    reading: Reading<T>,
    draw: impl Fn(T) -> V + Send + Sync + 'static,
) -> impl IntoView
where
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let nothing = || ().into_any();
    view! {
        <Follow
            reading=reading
            refused=|_| ().into_any()
            meanwhile=nothing
            draw=anew(draw)
        />
    }
}

/// Draws the whole again whenever it changes.
fn anew<T, V>(
    draw: impl Fn(T) -> V + Send + Sync + 'static,
) -> impl Fn(Signal<T>) -> AnyView + Send + Sync + 'static
where
    T: Clone + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let draw = Arc::new(draw);
    move |all| {
        let draw = Arc::clone(&draw);
        (move || draw(all.get())).into_any()
    }
}

fn skeleton() -> AnyView {
    view! { <Skeleton/> }.into_any()
}

/// How a refusal is shown.
struct Refusal {
    title: Option<String>,
    refused: Option<fn(RpcError) -> AnyView>,
}

impl Refusal {
    fn view(&self, error: RpcError) -> AnyView {
        if let Some(refused) = self.refused {
            return refused(error);
        }
        let head = self.title.clone();
        view! {
            {head.map(|title| view! { <PageHead title=title/> })}
            <Refused error=error/>
        }
        .into_any()
    }
}

#[component]
fn Shown<T, D>(
    latest: RwSignal<Latest<T>>,
    refused: StoredValue<Refusal>,
    draw: StoredValue<D>,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
    D: Fn(Signal<T>) -> AnyView + Send + Sync + 'static,
{
    move || match latest.get() {
        Some(Ok(value)) => draw.with_value(|draw| draw(RwSignal::from(value).into())),
        Some(Err(error)) => refused.with_value(|refused| refused.view(error)),
        None => ().into_any(),
    }
}

/// Draws a part of what is followed, and draws it anew only when that part has changed.
pub(crate) fn part<T, P, V>(
    all: Signal<T>,
    of: impl Fn(&T) -> P + Send + Sync + 'static,
    draw: impl Fn(P) -> V + Send + Sync + 'static,
) -> impl Fn() -> V + Send + Sync + 'static
where
    T: Send + Sync + 'static,
    P: Clone + PartialEq + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let part = Memo::new(move |_| all.with(&of));
    move || draw(part.get())
}

/// A value that follows a value only changes what the signal holds.
fn put<T>(latest: RwSignal<Latest<T>>, answer: Result<T, RpcError>)
where
    T: Send + Sync + 'static,
{
    let known = latest.with_untracked(|latest| match latest {
        Some(Ok(value)) => Some(value.clone()),
        Some(Err(_)) | None => None,
    });
    match (known, answer) {
        (Some(known), Ok(value)) => known.set(value),
        (_, Ok(value)) => latest.set(Some(Ok(ArcRwSignal::new(value)))),
        (_, Err(error)) => latest.set(Some(Err(error))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_after_a_value_is_not_drawn_anew() {
        let owner = Owner::new();
        owner.set();
        let latest = RwSignal::new(None);
        put(latest, Ok(1));
        let Some(Ok(first)) = latest.get_untracked() else {
            panic!("there is a value");
        };
        put(latest, Ok(2));
        assert_eq!(first.get_untracked(), 2);
        put(latest, Err(RpcError::SignedOut));
        put(latest, Ok(3));
        assert_eq!(first.get_untracked(), 2);
    }
}
