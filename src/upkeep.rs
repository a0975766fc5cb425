//! What has to happen by itself: due jobs become ready, lost leases are rescued, schedules fire,
//! pauses end, old rows go. Each duty is a function of the store and the time; [`Upkeep`] calls them.

mod decision;
mod readiness;
mod schedules;
mod sweep;
mod window;

pub use readiness::Readiness;
pub use schedules::{Fired, Watch, fire, note_pause, realign};
pub use sweep::{end_pauses, promote, prune, rescue};
