//! An expression in words: first its shape, the same for every language, then a sentence.
//!
//! A shape is made only when a sentence can say it exactly; otherwise there is none and the caller
//! shows the expression itself.

mod beat;
mod days;
pub(crate) mod en;
pub(crate) mod ru;

use std::fmt;

use crate::lang::Lang;
use crate::time::Span;

use super::parse::Plan;

pub(crate) use beat::{Beat, Marks, Unit, Windows};
pub(crate) use days::{Days, MonthDays, Months, WeekDays, WeekSet};

/// What a sentence is made of.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) beat: Beat,
    pub(crate) days: Days,
    pub(crate) months: Months,
}

/// A time of day; the seconds are shown only where the expression has some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    pub(crate) hour: u8,
    pub(crate) minute: u8,
    pub(crate) second: Option<u8>,
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.hour, self.minute)?;
        self.second
            .map_or(Ok(()), |second| write!(f, ":{second:02}"))
    }
}

/// The sentence; `None` when the shape has no sure wording.
pub(crate) fn describe(plan: &Plan, lang: Lang) -> Option<String> {
    let calendar = match plan {
        Plan::Every(span) => return Some(every(*span, lang)),
        Plan::Calendar(calendar) => calendar,
    };
    let shape = Shape {
        beat: beat::beat(calendar)?,
        days: days::days(calendar)?,
        months: days::months(calendar),
    };
    Some(match lang {
        Lang::En => en::sentence(&shape),
        Lang::Ru => ru::sentence(&shape),
    })
}

fn every(span: Span, lang: Lang) -> String {
    let secs = span.micros().unsigned_abs() / 1_000_000;
    let parts = [
        (Unit::Hour, secs / 3600),
        (Unit::Minute, secs / 60 % 60),
        (Unit::Second, secs % 60),
    ];
    let parts: Vec<(Unit, u64)> = parts.into_iter().filter(|(_, n)| *n > 0).collect();
    match lang {
        Lang::En => en::every(&parts),
        Lang::Ru => ru::every(&parts),
    }
}

/// `a, b and c`, with the word of the language in place of `and`.
pub(crate) fn listed<T: ToString>(items: impl IntoIterator<Item = T>, word: &str) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}
