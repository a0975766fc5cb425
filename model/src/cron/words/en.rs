//! Sentences in English.

use crate::lang::{Lang, Plural};

use super::days::{self, Plain};
use super::{
    Beat, Clock, Days, Marks, MonthDays, Months, Shape, Unit, WeekDays, WeekSet, Windows, listed,
};

const WEEKDAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const ORDINALS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];

/// The whole of it.
pub(crate) fn sentence(shape: &Shape) -> String {
    let Shape { beat, days, months } = shape;
    if let Beat::At(times) = beat {
        let (on, at) = (on(days, months, true), listed(times, "and"));
        // A time at the end would seem to belong to the last part only.
        return match days {
            Days::Every | Days::Month(_) | Days::Week(_) => format!("{on} at {at}"),
            Days::Either(..) | Days::Both(..) => format!("at {at}, {on}"),
        };
    }
    let often = often(beat);
    match (days, months) {
        (Days::Every, Months::All) => often,
        _ => format!("{often}, {}", on(days, months, false)),
    }
}

/// `@every`.
pub(crate) fn every(parts: &[(Unit, u64)]) -> String {
    if let [(unit, 1)] = parts {
        return format!("every {}", noun(*unit, 1));
    }
    let parts = parts
        .iter()
        .map(|(unit, n)| format!("{n} {}", noun(*unit, *n)));
    format!("every {}", parts.collect::<Vec<_>>().join(" "))
}

fn noun(unit: Unit, n: u64) -> &'static str {
    match (unit, Lang::En.plural(n)) {
        (Unit::Second, Plural::One) => "second",
        (Unit::Second, Plural::Few | Plural::Many) => "seconds",
        (Unit::Minute, Plural::One) => "minute",
        (Unit::Minute, Plural::Few | Plural::Many) => "minutes",
        (Unit::Hour, Plural::One) => "hour",
        (Unit::Hour, Plural::Few | Plural::Many) => "hours",
    }
}

fn often(beat: &Beat) -> String {
    match beat {
        Beat::At(times) => format!("at {}", listed(times, "and")),
        Beat::Hours { step, windows } => {
            format!(
                "{}{}",
                every(&[(Unit::Hour, u64::from(*step))]),
                within(windows)
            )
        }
        Beat::Pulse {
            unit,
            step,
            windows,
            start,
            second,
        } => {
            let mut text = every(&[(*unit, u64::from(*step))]);
            let whole = if *unit == Unit::Second {
                "minute"
            } else {
                "hour"
            };
            let unit = noun(*unit, 1);
            if *start > 0 && !matches!(windows, Windows::Spans(_)) {
                text = format!("{text} starting at {unit} {start} of each {whole}");
            }
            if *second > 0 {
                text = format!("{text}, at second {second}");
            }
            text + &within(windows)
        }
        Beat::Marks {
            unit,
            marks,
            windows,
        } => {
            let whole = if *unit == Unit::Second {
                "minute"
            } else {
                "hour"
            };
            let text = match marks {
                Marks::List(marks) => {
                    let last = marks.last().map_or(0, |last| u64::from(*last));
                    let n = if marks.len() == 1 { last } else { 0 };
                    format!(
                        "at {} {} past every {whole}",
                        listed(marks, "and"),
                        noun(*unit, n)
                    )
                }
                Marks::Range(first, last) => {
                    format!(
                        "every {} from {first} to {last} past every {whole}",
                        noun(*unit, 1)
                    )
                }
            };
            match windows {
                Windows::All => text,
                Windows::Spans(_) | Windows::Hours(_) => format!("{text}{}", within(windows)),
            }
        }
    }
}

fn within(windows: &Windows) -> String {
    let stretch = |(first, last): &(Clock, Clock)| format!("from {first} to {last}");
    match windows {
        Windows::All => String::new(),
        Windows::Spans(spans) => format!(" {}", listed(spans.iter().map(stretch), "and")),
        Windows::Hours(hours) => format!(", while the hour is {}", listed(hours, "or")),
    }
}

/// The days; `single` when a time of day follows and not a rhythm.
fn on(days: &Days, months: &Months, single: bool) -> String {
    match days {
        Days::Every => format!("every day{}", in_months(months)),
        Days::Month(by_day) => match days::yearly(by_day, months).filter(|_| single) {
            Some((day, of)) => format!("every year on {day} {}", month(of)),
            None => month_days(by_day, months),
        },
        Days::Week(by_weekday) => week_days(by_weekday, months, single),
        Days::Either(by_day, by_weekday) => {
            format!(
                "{} or {}",
                month_days(by_day, months),
                week_days(by_weekday, months, false)
            )
        }
        Days::Both(by_day, set) => {
            let only = match set {
                WeekSet::List(list) => listed(list.iter().map(|day| weekday(*day)), "or"),
                WeekSet::Range(first, last) => {
                    format!("a day from {} to {}", weekday(*first), weekday(*last))
                }
            };
            format!("{}, but only if that is {only}", month_days(by_day, months))
        }
    }
}

fn month_days(days: &MonthDays, months: &Months) -> String {
    let mut on = Vec::new();
    let mut parts = Vec::new();
    match &days.plain {
        Plain::Odd => on.push("odd days".to_owned()),
        Plain::Even => on.push("even days".to_owned()),
        Plain::Runs(runs) => {
            let (single, long): (Vec<_>, Vec<_>) = runs.iter().partition(|(a, b)| a == b);
            on.extend(
                single
                    .iter()
                    .map(|(day, _)| format!("the {}", ordinal(*day))),
            );
            parts.extend(long.iter().map(|(first, last)| {
                format!("from the {} to the {}", ordinal(*first), ordinal(*last))
            }));
        }
    }
    for n in &days.from_end {
        match n {
            0 => on.push("the last day".to_owned()),
            1 => on.push("the second-to-last day".to_owned()),
            n => parts.push(format!("{n} days before the last day")),
        }
    }
    let nearest = days.nearest.iter();
    on.extend(nearest.map(|day| format!("the weekday nearest to the {}", ordinal(*day))));
    if !on.is_empty() {
        parts.insert(0, format!("on {}", listed(on, "and")));
    }
    format!("{} {}", listed(parts, "and"), of_months(months))
}

fn week_days(days: &WeekDays, months: &Months, single: bool) -> String {
    let mut parts = Vec::new();
    match &days.weekly {
        Some(WeekSet::List(list)) if single => {
            let names = list.iter().map(|day| weekday(*day));
            parts.push(format!(
                "every {}{}",
                listed(names, "and"),
                in_months(months)
            ));
        }
        Some(WeekSet::List(list)) => {
            let names = list.iter().map(|day| format!("{}s", weekday(*day)));
            parts.push(format!("on {}{}", listed(names, "and"), in_months(months)));
        }
        Some(WeekSet::Range(first, last)) => {
            let range = format!("{} to {}", weekday(*first), weekday(*last));
            parts.push(format!("{range}{}", in_months(months)));
        }
        None => {}
    }
    let nth = days
        .nth
        .iter()
        .map(|(n, day)| (ORDINALS[usize::from(n - 1)], day));
    let all = nth.chain(days.last.iter().map(|day| ("last", day)));
    let counted: Vec<String> = all
        .map(|(which, day)| format!("the {which} {}", weekday(*day)))
        .collect();
    if !counted.is_empty() {
        parts.push(format!(
            "on {} {}",
            listed(counted, "and"),
            of_months(months)
        ));
    }
    listed(parts, "and")
}

fn in_months(months: &Months) -> String {
    match months {
        Months::All => String::new(),
        Months::List(list) => format!(" in {}", listed(list.iter().map(|m| month(*m)), "and")),
        Months::Range(first, last) => format!(" from {} to {}", month(*first), month(*last)),
    }
}

fn of_months(months: &Months) -> String {
    match months {
        Months::All => "of every month".to_owned(),
        Months::List(list) => format!("of {}", listed(list.iter().map(|m| month(*m)), "and")),
        Months::Range(first, last) => {
            format!("of every month from {} to {}", month(*first), month(*last))
        }
    }
}

fn weekday(day: u8) -> &'static str {
    WEEKDAYS[usize::from(day - 1)]
}

fn month(month: u8) -> &'static str {
    MONTHS[usize::from(month - 1)]
}

fn ordinal(n: u8) -> String {
    let ending = match (n % 10, n) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}
