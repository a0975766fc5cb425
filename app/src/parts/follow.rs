//! Data that is drawn once and then followed: the page keeps its elements, its focus and what is
//! typed into its forms while what it shows is read again.

use std::sync::Arc;

use leptos::prelude::*;
use serde::de::DeserializeOwned;

use super::PageHead;
use super::load::{Answers, Reading, Refused, Skeleton};
use crate::rpc::RpcError;
use crate::rpc::call::{Answer, Text};

/// Whether there is a value to draw, or why there is none; nothing until there is an answer.
type Latest = RwSignal<Option<Result<(), RpcError>>>;

/// A value that is followed, and how it is drawn, whatever its type.
trait Followed: Send + Sync {
    /// Takes in what was read: into the signal that is drawn already, or into a new one.
    fn take(&self, text: &Text, anew: bool) -> Result<(), RpcError>;

    /// Draws the signal.
    fn draw(&self) -> AnyView;
}

/// A [`Followed`] value of one type.
struct One<T, D> {
    value: ArcStoredValue<Option<ArcRwSignal<T>>>,
    draw: D,
}

impl<T, D> Followed for One<T, D>
where
    T: DeserializeOwned + Send + Sync + 'static,
    D: Fn(Signal<T>) -> AnyView + Send + Sync,
{
    fn take(&self, text: &Text, anew: bool) -> Result<(), RpcError> {
        let read = text.read::<T>()?;
        match self.value.get_value().filter(|_| !anew) {
            Some(known) => known.set(read),
            None => self.value.set_value(Some(ArcRwSignal::new(read))),
        }
        Ok(())
    }

    fn draw(&self) -> AnyView {
        match self.value.get_value() {
            Some(value) => (self.draw)(RwSignal::from(value).into()),
            None => ().into_any(),
        }
    }
}

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
    T: DeserializeOwned + Send + Sync + 'static,
{
    let value = ArcStoredValue::new(None);
    let followed = Arc::new(One { value, draw });
    follow(
        reading.answer(),
        followed,
        Refusal { title, refused },
        meanwhile,
    )
}

fn follow(
    answer: Answers,
    followed: Arc<dyn Followed>,
    refusal: Refusal,
    meanwhile: fn() -> AnyView,
) -> AnyView {
    let latest = Latest::new(None);
    let (shown, refusal) = (Arc::clone(&followed), Arc::new(refusal));
    let first = Arc::clone(&followed);
    Effect::new(move |_| {
        if let Some(answer) = answer.get() {
            put(latest, &*followed, answer);
        }
    });
    // Were the reading tracked here, everything would be drawn anew each time.
    let first = move || {
        let (first, shown, refusal) = (first.clone(), shown.clone(), refusal.clone());
        untrack(|| {
            Suspend::new(async move {
                put(latest, &*first, answer.await);
                let view = move || match latest.get() {
                    Some(Ok(())) => shown.draw(),
                    Some(Err(error)) => refusal.view(error),
                    None => ().into_any(),
                };
                view.into_any()
            })
        })
    };
    // A `Suspense` would put the fallback in the place of everything each time it is read again.
    view! { <Transition fallback=meanwhile>{first()}</Transition> }.into_any()
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
    T: Clone + DeserializeOwned + Send + Sync + 'static,
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
    T: Clone + DeserializeOwned + Send + Sync + 'static,
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
fn put(latest: Latest, followed: &dyn Followed, answer: Answer) {
    let drawn = matches!(latest.get_untracked(), Some(Ok(())));
    let taken = answer.and_then(|text| followed.take(&text, !drawn));
    if !(drawn && taken.is_ok()) {
        latest.set(Some(taken));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_after_a_value_is_not_drawn_anew() {
        let owner = Owner::new();
        owner.set();
        let (latest, value) = (Latest::new(None), ArcStoredValue::new(None));
        let draw = |_: Signal<u8>| ().into_any();
        let followed = One { value, draw };
        let put = |answer| put(latest, &followed, answer);
        let text = |n: u8| serde_json::from_str(&n.to_string()).unwrap();
        let signal = || followed.value.get_value().unwrap();
        put(Ok(text(1)));
        let first = signal();
        put(Ok(text(2)));
        assert_eq!(first.get_untracked(), 2);
        put(Err(RpcError::SignedOut));
        put(Ok(text(3)));
        assert_eq!(first.get_untracked(), 2);
        assert_eq!(signal().get_untracked(), 3);
    }

    #[test]
    fn what_cannot_be_read_is_a_refusal() {
        let owner = Owner::new();
        owner.set();
        let (latest, value) = (Latest::new(None), ArcStoredValue::new(None));
        let draw = |_: Signal<u8>| ().into_any();
        put(
            latest,
            &One { value, draw },
            serde_json::from_str("\"x\"").map_err(|_| unreachable!()),
        );
        assert!(matches!(
            latest.get_untracked(),
            Some(Err(RpcError::Transport(_)))
        ));
    }
}
