//! Notes in English.

use crate::cron::field::Place;

use super::{Fate, Note, date, wall};

/// One note as a sentence.
pub(crate) fn say(note: &Note) -> String {
    match *note {
        Note::OnlyValue { place, step, value } => format!(
            "The step {step} in the {} field is as long as the field itself: it reaches only {value}.",
            place.name()
        ),
        Note::Uneven { place, step } => format!(
            "The step {step} in the {} field starts anew every {}, so the gap across that border can \
             be of another length.",
            place.name(),
            whole(place)
        ),
        Note::Either => "The day of the month and the day of the week are both set: it fires when \
                         either matches."
            .to_owned(),
        Note::Both => {
            "One of the day fields begins with *, so a day must match both of them.".to_owned()
        }
        Note::LeapYears => "29 February exists only in leap years.".to_owned(),
        Note::ShortMonths => "Months without such a day are left out.".to_owned(),
        Note::FifthWeekday => "Not every month has a fifth one of a weekday.".to_owned(),
        Note::Often => "It fires more often than every 10 seconds.".to_owned(),
        Note::Unnamed => {
            "H is hashed from the schedule's name: give the name to see its own times.".to_owned()
        }
        Note::NoMore => "It does not fire any more after this time.".to_owned(),
        Note::Moved { from, to, fate } => {
            let (day, old, new) = (date(from), wall(from, from), wall(to, from));
            match fate {
                Fate::Once => format!(
                    "On {day} the clock jumps from {old} to {new}: what was due in between fires \
                     once, at {new}."
                ),
                Fate::Skipped => format!(
                    "On {day} the clock jumps from {old} to {new}: what was due in between is skipped."
                ),
                Fate::NoTime => format!(
                    "On {day} the clock jumps from {old} to {new}: the times in between do not exist, \
                     nothing fires for them."
                ),
                Fate::FirstTime => back(&day, &old, &new, "fire only the first time"),
                Fate::SecondTime => back(&day, &old, &new, "fire only the second time"),
                Fate::BothTimes => back(&day, &old, &new, "fire both times"),
            }
        }
    }
}

fn back(day: &str, old: &str, new: &str, fate: &str) -> String {
    format!(
        "On {day} the clock goes back from {old} to {new}: the times in between come twice and {fate}."
    )
}

/// What a field's values start anew in.
fn whole(place: Place) -> &'static str {
    match place {
        Place::Second => "minute",
        Place::Minute => "hour",
        Place::Hour => "day",
        Place::Day => "month",
        Place::Month => "year",
        Place::Weekday => "week",
    }
}
