//! What the evaluator asks of a time zone: an offset, and when it changes next.
//!
//! The rules of the world's zones live outside this crate, so that it stays small in the browser.

use crate::time::Timestamp;

/// A place's clock: how far it is from UTC at each instant.
pub trait Zone {
    /// Seconds east of UTC that the clock shows at `utc`.
    fn offset_at(&self, utc: Timestamp) -> i32;

    /// The first change of the clock strictly after `after`; `None` when it never changes again.
    ///
    /// A transition whose two offsets are equal is allowed and has no effect.
    fn next_transition(&self, after: Timestamp) -> Option<Transition>;
}

/// A moment at which a zone's clock is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The first instant with the new offset; a whole second.
    pub at: Timestamp,
    /// Seconds east of UTC until then.
    pub before: i32,
    /// Seconds east of UTC from then on.
    pub after: i32,
}

/// A clock that is never moved, so many seconds east of UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixedZone(pub i32);

/// Universal time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Utc;

impl Zone for FixedZone {
    fn offset_at(&self, _utc: Timestamp) -> i32 {
        self.0
    }

    fn next_transition(&self, _after: Timestamp) -> Option<Transition> {
        None
    }
}

impl Zone for Utc {
    fn offset_at(&self, _utc: Timestamp) -> i32 {
        0
    }

    fn next_transition(&self, _after: Timestamp) -> Option<Transition> {
        None
    }
}
