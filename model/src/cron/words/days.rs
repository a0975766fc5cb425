//! The shape of the day and month fields.

use crate::cron::calendar::{Calendar, Joint};
use crate::cron::field::{Field, Place, span, values};
use crate::time::days_in_month;

use super::beat::runs;

/// The most elements of one kind in a sentence.
const LONG_LIST: usize = 12;

/// On which days of the months.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Days {
    Every,
    Month(MonthDays),
    Week(WeekDays),
    /// One of the two is enough.
    Either(MonthDays, WeekDays),
    /// Those of the first kind that are also of the second.
    Both(MonthDays, WeekSet),
}

/// Days by their number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MonthDays {
    /// The odd or the even ones, or a few.
    pub(crate) plain: Plain,
    /// So many days before the last one; 0 is the last one.
    pub(crate) from_end: Vec<u8>,
    /// The working day nearest to each of these.
    pub(crate) nearest: Vec<u8>,
}

/// Days by plain number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    Odd,
    Even,
    /// Stretches, each from its first to its last day; perhaps none.
    Runs(Vec<(u8, u8)>),
}

/// Days by their weekday.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct WeekDays {
    pub(crate) weekly: Option<WeekSet>,
    /// The first (1) to fifth such weekday of the month.
    pub(crate) nth: Vec<(u8, u8)>,
    /// The last such weekday of the month.
    pub(crate) last: Vec<u8>,
}

/// Weekdays of every week; Monday is 1 and Sunday is 7, so that they go up through a week.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum WeekSet {
    List(Vec<u8>),
    Range(u8, u8),
}

/// In which months.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Months {
    All,
    List(Vec<u8>),
    Range(u8, u8),
}

/// The shape of the two day fields; `None` when no sentence can say it.
pub(crate) fn days(calendar: &Calendar) -> Option<Days> {
    let (day, weekday) = (&calendar.day, &calendar.weekday);
    let any_day = day.is_full(Place::Day);
    let any_weekday = weekday.is_full(Place::Weekday);
    Some(match (calendar.joint(), any_day, any_weekday) {
        (Joint::Both, true, true) | (Joint::Either, true, _) | (Joint::Either, _, true) => {
            Days::Every
        }
        (Joint::Both, false, true) => Days::Month(month_days(day)?),
        (Joint::Both, true, false) => Days::Week(week_days(weekday)?),
        (Joint::Either, false, false) => Days::Either(month_days(day)?, week_days(weekday)?),
        (Joint::Both, false, false) if weekday.counts_weekdays() => return None,
        (Joint::Both, false, false) => Days::Both(month_days(day)?, week_set(weekday.set)?),
    })
}

/// The shape of the month field.
pub(crate) fn months(calendar: &Calendar) -> Months {
    let all: Vec<u8> = values(calendar.month.set).collect();
    match (all.len(), runs(&all).as_slice()) {
        (12, _) => Months::All,
        (3.., [(first, last)]) => Months::Range(*first, *last),
        _ => Months::List(all),
    }
}

/// The day and month of a single date that every year has.
pub(crate) fn yearly(days: &MonthDays, months: &Months) -> Option<(u8, u8)> {
    let Months::List(months) = months else {
        return None;
    };
    let Plain::Runs(runs) = &days.plain else {
        return None;
    };
    let plain_only = days.from_end.is_empty() && days.nearest.is_empty();
    match (runs.as_slice(), months.as_slice()) {
        ([(first, last)], [month]) if plain_only && first == last => {
            (*first <= days_in_month(2001, *month)).then_some((*first, *month))
        }
        _ => None,
    }
}

fn month_days(field: &Field) -> Option<MonthDays> {
    let all: Vec<u8> = values(field.set).collect();
    let step = |first: u8| {
        (first..=31)
            .step_by(2)
            .fold(0_u64, |set, day| set | 1 << day)
    };
    let plain = if field.set == step(1) {
        Plain::Odd
    } else if field.set == step(2) {
        Plain::Even
    } else {
        // Two neighbours are said one by one.
        let runs = runs(&all).into_iter().flat_map(|(first, last)| {
            let pair = last - first == 1;
            [(first, if pair { first } else { last })]
                .into_iter()
                .chain(pair.then_some((last, last)))
        });
        Plain::Runs(runs.collect())
    };
    let days = MonthDays {
        from_end: values(u64::from(field.from_end)).collect(),
        nearest: values(u64::from(field.nearest)).collect(),
        plain,
    };
    let plain = if let Plain::Runs(runs) = &days.plain {
        runs.len()
    } else {
        1
    };
    (plain + days.from_end.len() + days.nearest.len() <= LONG_LIST).then_some(days)
}

fn week_days(field: &Field) -> Option<WeekDays> {
    let mut nth = Vec::new();
    for (week, set) in (1..).zip(field.nth) {
        nth.extend(
            week_values(u64::from(set))
                .into_iter()
                .map(|day| (week, day)),
        );
    }
    let last = week_values(u64::from(field.last));
    let weekly = if field.set == 0 {
        None
    } else {
        Some(week_set(field.set)?)
    };
    (nth.len() + last.len() <= LONG_LIST).then_some(WeekDays { weekly, nth, last })
}

fn week_set(set: u64) -> Option<WeekSet> {
    let all = week_values(set);
    match (all.len(), runs(&all).as_slice()) {
        (0, _) => None,
        (3.., [(first, last)]) => Some(WeekSet::Range(*first, *last)),
        _ => Some(WeekSet::List(all)),
    }
}

/// The weekdays of a set, Monday (1) first and Sunday (7) last.
fn week_values(set: u64) -> Vec<u8> {
    values(set & span(1, 6) | (set & 1) << 7).collect()
}
