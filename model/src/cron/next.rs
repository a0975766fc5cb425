//! From the wall clock to instants: when a calendar fires next in a zone whose clock is moved.
//!
//! Between two moves of the clock, local time is UTC plus a constant, so the search goes from one
//! such stretch to the next. Fixed times are looked for in one *pass*: each wall time then has one
//! instant, and later wall times never have earlier ones, so "the next" cannot lie in the past.

use crate::time::Timestamp;

use super::calendar::{Budget, Calendar};
use super::dst::{DstRule, Gap, Overlap};
use super::zone::Zone;

/// What a look at the zone costs, in units of a look at a month.
const ZONE_COST: u32 = 10;

/// No clock is moved by so much; days this far from each other keep their order in every zone.
const SAFE_SECS: i64 = 3 * 86_400;

/// Which instant a wall time stands for where the clock shows it twice.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Both; and none where the clock jumps over it: every instant whose wall time matches.
    Real,
    /// The first.
    First,
    /// The second.
    Last,
}

/// The first instant after `from`; `None` when there is none up to [`Timestamp::MAX`].
pub(crate) fn next(
    calendar: &Calendar,
    from: Timestamp,
    zone: &dyn Zone,
    dst: DstRule,
    budget: &mut Budget,
) -> Option<Timestamp> {
    let mut look = |pass| search(calendar, from, zone, (pass, dst.gap), budget);
    let secs = match (calendar.is_interval(), dst.overlap) {
        (true, _) => look(Pass::Real),
        (false, Overlap::First) => look(Pass::First),
        (false, Overlap::Last) => look(Pass::Last),
        (false, Overlap::Both) => [look(Pass::First), look(Pass::Last)]
            .into_iter()
            .flatten()
            .min(),
    };
    secs.map(Timestamp::from_secs)
        .filter(|at| *at <= Timestamp::MAX)
}

fn search(
    calendar: &Calendar,
    from: Timestamp,
    zone: &dyn Zone,
    (pass, gap): (Pass, Gap),
    budget: &mut Budget,
) -> Option<i64> {
    let mut at = from.secs().max(Timestamp::MIN.secs() - 1).checked_add(1)?;
    // How far the wall clock had run before: in the first pass, no time below it is new.
    let mut reached = match pass {
        Pass::First => reached_before(at, zone, budget)?,
        Pass::Real | Pass::Last => i64::MIN,
    };
    loop {
        budget.spend(ZONE_COST)?;
        let offset = i64::from(zone.offset_at(Timestamp::from_secs(at)));
        let local = calendar.next_local((at + offset).max(reached), budget)?;
        let Some(change) = zone.next_transition(Timestamp::from_secs(at)) else {
            return Some(local - offset);
        };
        let edge = change.at.secs();
        let after = i64::from(change.after);
        // What comes again after the edge belongs to the second pass.
        let shared = if pass == Pass::Last {
            offset.min(after)
        } else {
            offset
        };
        if local < edge + shared {
            return Some(local - offset);
        }
        if pass != Pass::Real && gap == Gap::After && local < edge + after {
            return Some(edge);
        }
        let near = local - offset - SAFE_SECS;
        if near > edge && edge - at > SAFE_SECS {
            at = near;
        } else {
            at = edge;
            if pass == Pass::First {
                reached = reached.max(edge + offset);
            }
        }
    }
}

/// The latest wall time that a recent stretch before `at` ended with.
fn reached_before(at: i64, zone: &dyn Zone, budget: &mut Budget) -> Option<i64> {
    let mut reached = i64::MIN;
    let mut probe = Timestamp::from_secs(at - SAFE_SECS);
    loop {
        budget.spend(ZONE_COST)?;
        match zone.next_transition(probe) {
            Some(change) if change.at.secs() <= at && change.at > probe => {
                reached = reached.max(change.at.secs() + i64::from(change.before));
                probe = change.at;
            }
            Some(_) | None => return Some(reached),
        }
    }
}
