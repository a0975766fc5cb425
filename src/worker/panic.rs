//! Panics of handlers: caught where they happen, kept with their place and backtrace, and turned
//! into the attempt's failure.

use std::any::Any;
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::pin::Pin;
use std::sync::Once;
use std::task::{Context, Poll};

use conveyor_model::job::Failure;

thread_local! {
    /// Whether this thread is running a handler just now.
    static RUNNING: Cell<bool> = const { Cell::new(false) };
    /// Where the last panic of a handler on this thread happened.
    static TRACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A caught panic, in a form that can be thrown on from one thread to another.
#[derive(Debug)]
pub(super) struct Caught(pub(super) Failure);

/// Keeps the traces of handlers' panics from here on; other panics go where they went before.
pub(super) fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if RUNNING.get() {
                TRACE.set(Some(trace(info)));
            } else {
                before(info);
            }
        }));
    });
}

/// The place, then the frames of the handler.
fn trace(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    format!("at {place}\n{}", Backtrace::force_capture())
}

/// Runs `f` as a part of a handler; a panic becomes a failure.
pub(super) fn catch<T>(f: impl FnOnce() -> T) -> Result<T, Caught> {
    let outer = RUNNING.replace(true);
    let caught = catch_unwind(AssertUnwindSafe(f));
    RUNNING.set(outer);
    caught.map_err(|payload| from_payload(payload, TRACE.take()))
}

/// The failure that a panic's payload stands for.
pub(super) fn from_payload(payload: Box<dyn Any + Send>, trace: Option<String>) -> Caught {
    let payload = match payload.downcast::<Caught>() {
        Ok(caught) => return *caught,
        Err(payload) => payload,
    };
    let message = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned());
    // The payload's own drop may panic, too.
    let dropped = catch_unwind(AssertUnwindSafe(|| drop(payload)));
    if let Err(second) = dropped {
        std::mem::forget(second);
    }
    Caught(
        Failure {
            class: "Panic".to_owned(),
            message,
            backtrace: trace,
        }
        .bounded(),
    )
}

/// A future whose panics, its drop included, become failures.
pub(super) struct Guarded<F>(Option<Pin<Box<F>>>);

impl<F> Guarded<F> {
    pub(super) fn new(future: F) -> Self {
        Guarded(Some(Box::pin(future)))
    }
}

impl<F: Future> Future for Guarded<F> {
    type Output = Result<F::Output, Caught>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let polled = catch(|| match &mut self.0 {
            Some(future) => future.as_mut().poll(context),
            None => Poll::Pending,
        });
        let done = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(caught) => Err(caught),
        };
        let future = self.0.take();
        Poll::Ready(catch(|| drop(future)).and(done))
    }
}

impl<F> Drop for Guarded<F> {
    fn drop(&mut self) {
        let future = self.0.take();
        if let Err(caught) = catch(|| drop(future)) {
            tracing::warn!(
                message = caught.0.message,
                "a handler panicked as it was dropped"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("while it was dropped");
        }
    }

    fn run<F: Future>(future: F) -> Result<F::Output, Caught> {
        install_hook();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(Guarded::new(future))
    }

    #[test]
    fn a_panic_keeps_its_message_and_its_place() {
        let Caught(failure) = run(async { panic!("no {}", "luck") })
            .map(drop)
            .unwrap_err();
        assert_eq!(
            (failure.class.as_str(), failure.message.as_str()),
            ("Panic", "no luck")
        );
        let trace = failure.backtrace.unwrap();
        assert!(trace.starts_with("at src/worker/panic.rs:"), "{trace}");
    }

    #[test]
    fn a_panic_in_a_drop_is_caught_as_well() {
        let Caught(failure) = run(async {
            let _bomb = Bomb;
            std::future::pending::<()>().await;
        }
        .or_ready())
        .unwrap_err();
        assert_eq!(failure.message, "while it was dropped");
    }

    /// A future that is over at its second poll, with the first one's values still alive.
    trait OrReady: Future + Sized {
        async fn or_ready(self) {
            let mut inner = Box::pin(self);
            std::future::poll_fn(|context| {
                let _ = inner.as_mut().poll(context);
                Poll::Ready(())
            })
            .await;
        }
    }

    impl<F: Future> OrReady for F {}
}
