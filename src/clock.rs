//! The only source of the time of day. Everything that decides by time is given a [`Clock`], so that
//! tests move time by hand.

use std::sync::Mutex;

use conveyor_model::time::{Span, Timestamp};

/// Tells the time.
pub trait Clock: Send + Sync + 'static {
    /// The time now.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the machine's clock"
    )]
    fn now(&self) -> Timestamp {
        let since = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map(Span::from_std)
            .unwrap_or_default();
        Timestamp::MIN.plus(since)
    }
}

/// A clock that stands still until it is moved; for tests.
#[derive(Debug)]
pub struct ManualClock(Mutex<Timestamp>);

impl ManualClock {
    /// A clock that shows `now`.
    pub fn new(now: Timestamp) -> Self {
        ManualClock(Mutex::new(now))
    }

    /// Moves the clock forward.
    pub fn advance(&self, span: Span) {
        let mut now = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        *now = now.plus(span);
    }

    /// Sets the clock, backward too.
    pub fn set(&self, to: Timestamp) {
        *self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = to;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
