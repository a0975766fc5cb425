//! What a person should know about an expression before trusting it.

mod en;
mod ru;

use crate::lang::Lang;
use crate::time::{Civil, Span, Timestamp};

use super::calendar::{Budget, Calendar, Joint};
use super::dst::{DstRule, Gap, Overlap};
use super::field::{Caution, Place, span, values};
use super::parse::Plan;
use super::zone::{Transition, Zone};

/// The most moves of the clock that are spoken of.
const MOST_MOVES: usize = 10;
/// The most moves of the clock that are looked at.
const MOST_LOOKS: usize = 1_000;
/// How far around the fires a move of the clock can matter.
const AROUND: Span = Span::from_secs(2 * 86_400);
/// Fires closer than this are worth a word.
const OFTEN_SECS: u8 = 10;

/// One thing to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// A step that is as long as its field, or longer.
    OnlyValue { place: Place, step: u16, value: u8 },
    /// A step that does not come out even.
    Uneven { place: Place, step: u16 },
    /// Either day field is enough.
    Either,
    /// Both day fields must match although both are restricted.
    Both,
    /// Only 29 February.
    LeapYears,
    /// Some months have no such day.
    ShortMonths,
    /// Not every month has a fifth one.
    FifthWeekday,
    /// Fires less than ten seconds apart.
    Often,
    /// `H` is hashed from a name that is not known yet.
    Unnamed,
    /// Nothing fires any more.
    NoMore,
    /// The clock is moved from one wall time to another.
    Moved { from: Civil, to: Civil, fate: Fate },
}

/// What becomes of the fires that a move of the clock touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Fixed times in the gap: once, after it.
    Once,
    /// Fixed times in the gap: not at all.
    Skipped,
    /// A rhythm in the gap: nothing is missing, as no time passes.
    NoTime,
    /// Times that come twice: only the first counts.
    FirstTime,
    /// Times that come twice: only the second counts.
    SecondTime,
    /// Times that come twice: both count.
    BothTimes,
}

/// The notes for the fires in `next`, which were asked for after `from`.
pub(crate) fn notes(
    plan: &Plan,
    (from, next): (Timestamp, &[Timestamp]),
    zone: &dyn Zone,
    dst: DstRule,
    lang: Lang,
) -> Vec<String> {
    let found = match plan {
        Plan::Every(span) if *span < Span::from_secs(i64::from(OFTEN_SECS)) => vec![Note::Often],
        Plan::Every(_) => Vec::new(),
        Plan::Calendar(calendar) => {
            let mut found = lasting(calendar);
            found.extend(moves(calendar, from, next, zone, dst));
            found
        }
    };
    let say = match lang {
        Lang::En => en::say,
        Lang::Ru => ru::say,
    };
    found.iter().map(say).collect()
}

/// What a person should know who asks by a preview: `named` tells whether the schedule's name was
/// given, `hashed` whether the expression asks for it, `any` whether there are fires.
pub(crate) fn asked(hashed: bool, named: bool, any: bool, lang: Lang) -> Vec<String> {
    let say = match lang {
        Lang::En => en::say,
        Lang::Ru => ru::say,
    };
    let unnamed = (hashed && !named).then_some(Note::Unnamed);
    let none = (!any).then_some(Note::NoMore);
    unnamed.iter().chain(&none).map(say).collect()
}

/// What is true at any time and in any zone.
fn lasting(calendar: &Calendar) -> Vec<Note> {
    let Calendar {
        second,
        minute,
        hour,
        day,
        month,
        weekday,
    } = calendar;
    let fields = [second, minute, hour, day, month, weekday];
    let mut notes = Vec::new();
    for (place, field) in Place::ALL.into_iter().zip(fields) {
        notes.extend(field.caution.map(|Caution { step, only }| match only {
            Some(value) => Note::OnlyValue { place, step, value },
            None => Note::Uneven { place, step },
        }));
    }
    let restricted = !day.is_full(Place::Day) && !weekday.is_full(Place::Weekday);
    if restricted {
        notes.push(match calendar.joint() {
            Joint::Either => Note::Either,
            Joint::Both => Note::Both,
        });
    }
    if calendar.joint() == Joint::Both || restricted {
        if day.set == span(29, 29) && month.set == span(2, 2) && day.nearest | day.from_end == 0 {
            notes.push(Note::LeapYears);
        } else if calendar.misses_months() {
            notes.push(Note::ShortMonths);
        }
    }
    if weekday.nth[4] != 0 {
        notes.push(Note::FifthWeekday);
    }
    if is_often(calendar) {
        notes.push(Note::Often);
    }
    notes
}

/// Whether two fires can be less than ten seconds apart.
fn is_often(calendar: &Calendar) -> bool {
    let seconds: Vec<u8> = values(calendar.second.set).collect();
    let minutes = calendar.minute.set;
    // Minute 59 is followed by minute 0 of the next hour.
    let neighbours = minutes & minutes >> 1 != 0 || (minutes & 1 == 1 && minutes >> 59 & 1 == 1);
    let around = match seconds.as_slice() {
        [first, .., last] => neighbours && 60 - last + first < OFTEN_SECS,
        _ => false,
    };
    around
        || seconds
            .windows(2)
            .any(|pair| pair[1] - pair[0] < OFTEN_SECS)
}

/// What the moves of the clock around the fires do to them.
fn moves(
    calendar: &Calendar,
    from: Timestamp,
    next: &[Timestamp],
    zone: &dyn Zone,
    dst: DstRule,
) -> Vec<Note> {
    let Some(last) = next.last() else {
        return Vec::new();
    };
    let first_look = zone.next_transition(from.minus(AROUND));
    let changes = std::iter::successors(first_look, |change| {
        zone.next_transition(change.at)
            .filter(|later| later.at > change.at)
    });
    let near = changes
        .take(MOST_LOOKS)
        .take_while(|change| change.at <= last.plus(AROUND));
    near.filter_map(|change| moved(calendar, &change, from, next, dst))
        .take(MOST_MOVES)
        .collect()
}

/// The note on one move of the clock, when it touches one of the fires.
fn moved(
    calendar: &Calendar,
    change: &Transition,
    from: Timestamp,
    next: &[Timestamp],
    dst: DstRule,
) -> Option<Note> {
    let local = |offset: i32| change.at.secs() + i64::from(offset);
    let (old, new) = (local(change.before), local(change.after));
    let named = calendar.next_local(old.min(new), &mut Budget::full())?;
    if named >= old.max(new) {
        return None;
    }
    let span = Span::from_secs((new - old).abs());
    let between = next
        .last()
        .is_some_and(|last| from < change.at && change.at <= *last);
    let twice = |at: &Timestamp| change.at.minus(span) <= *at && *at < change.at.plus(span);
    let forward = new > old;
    let (fate, touched) = match (calendar.is_interval(), forward) {
        (true, true) => (Fate::NoTime, between),
        (true, false) => (Fate::BothTimes, next.iter().any(twice)),
        (false, true) => match dst.gap {
            Gap::After => (Fate::Once, next.contains(&change.at)),
            Gap::Skip => (Fate::Skipped, between),
        },
        (false, false) => {
            let fate = match dst.overlap {
                Overlap::First => Fate::FirstTime,
                Overlap::Last => Fate::SecondTime,
                Overlap::Both => Fate::BothTimes,
            };
            (fate, next.iter().any(twice))
        }
    };
    let note = Note::Moved {
        from: Civil::from_epoch_secs(old),
        to: Civil::from_epoch_secs(new),
        fate,
    };
    touched.then_some(note)
}

/// A wall time: the date only where it is not that of `beside`.
pub(crate) fn wall(time: Civil, beside: Civil) -> String {
    let text = time.to_string();
    let (date, clock) = text.split_at(text.len() - "hh:mm:ss".len());
    let clock = clock.strip_suffix(":00").unwrap_or(clock);
    if time.epoch_days() == beside.epoch_days() {
        clock.to_owned()
    } else {
        format!("{date}{clock}")
    }
}

/// The date of a wall time.
pub(crate) fn date(time: Civil) -> String {
    format!("{:04}-{:02}-{:02}", time.year, time.month, time.day)
}
