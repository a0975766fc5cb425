//! The pages that the side bar and the dock lead to.

use conveyor_model::lang::Lang;
use conveyor_model::state::State;
use conveyor_model::stats::Counts;

use super::Sign;
use crate::i18n::frame;
use crate::paths;

/// One entry.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// Where it leads.
    pub(crate) path: &'static str,
    /// Its icon.
    pub(crate) sign: Sign,
    /// Its name.
    pub(crate) name: fn(Lang) -> &'static str,
    /// How many of its things there are.
    pub(crate) count: fn(&Counts) -> Option<u64>,
    /// Whether the count calls for attention.
    pub(crate) urgent: bool,
}

/// Every page, in the order of the side bar.
pub(crate) const ENTRIES: [Entry; 6] = [
    entry(paths::OVERVIEW, Sign::Pulse, frame::overview, |_| None),
    entry(paths::JOBS, Sign::Lines, frame::jobs, |_| None),
    entry(paths::QUEUES, Sign::Layers, frame::queues, |counts| {
        Some(counts.queues)
    }),
    entry(paths::SCHEDULES, Sign::Clock, frame::schedules, |counts| {
        Some(counts.schedules)
    }),
    entry(paths::WORKERS, Sign::Worker, frame::workers, |counts| {
        Some(counts.workers)
    }),
    Entry {
        urgent: true,
        ..entry(paths::DEAD, Sign::Octagon, frame::dead, |counts| {
            Some(counts.of(State::Dead)).filter(|dead| *dead > 0)
        })
    },
];

/// What fits at the bottom of a phone, besides "More".
pub(crate) const DOCK: [Entry; 4] = [ENTRIES[0], ENTRIES[1], ENTRIES[5], ENTRIES[2]];

/// What is behind "More" on a phone.
pub(crate) const MORE: [Entry; 2] = [ENTRIES[3], ENTRIES[4]];

const fn entry(
    path: &'static str,
    sign: Sign,
    name: fn(Lang) -> &'static str,
    count: fn(&Counts) -> Option<u64>,
) -> Entry {
    Entry {
        path,
        sign,
        name,
        count,
        urgent: false,
    }
}
