//! Which moments of the wall clock an expression names, zone aside.

use crate::time::{Civil, days_in_month};

use super::field::{Field, Place, at_or_after, span, values};

/// The fields of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Calendar {
    pub(crate) second: Field,
    pub(crate) minute: Field,
    pub(crate) hour: Field,
    pub(crate) day: Field,
    pub(crate) month: Field,
    pub(crate) weekday: Field,
}

/// How the two day fields go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joint {
    /// A day must pass both; one that lets every day through takes no part.
    Both,
    /// A day that passes one of them is enough.
    Either,
}

/// How much work one question may still cost. It makes every answer, "never" too, come in a bounded
/// time: one unit is a look at one month, or a part of a look at the zone.
#[derive(Debug)]
pub(crate) struct Budget(u32);

/// Enough for the 4800 months after which the Gregorian calendar repeats, and for the zone besides.
pub(crate) const WORK: u32 = 8_000;

/// The last year in which a moment is looked for: local time may run a day past the year 9999.
const LAST_YEAR: i32 = 10_000;

impl Budget {
    /// The whole of it.
    pub(crate) fn full() -> Self {
        Budget(WORK)
    }

    /// Takes `units` away; `None` when there are not so many left.
    pub(crate) fn spend(&mut self, units: u32) -> Option<()> {
        self.0 = self.0.checked_sub(units)?;
        Some(())
    }

    /// How much was spent.
    #[cfg(test)]
    pub(crate) fn spent(&self) -> u32 {
        WORK - self.0
    }
}

impl Calendar {
    /// Whether it follows real elapsed time over a change of the clock.
    pub(crate) fn is_interval(&self) -> bool {
        self.minute.star || self.hour.star
    }

    /// How the two day fields go together: as in Vixie cron, `*` at the start of one decides.
    pub(crate) fn joint(&self) -> Joint {
        if self.day.star || self.weekday.star {
            Joint::Both
        } else {
            Joint::Either
        }
    }

    /// Whether some month that is chosen can be without any day of the day field.
    pub(crate) fn misses_months(&self) -> bool {
        let lacks = |month: u8| month_days(&self.day, days_in_month(2001, month), 0) == 0;
        values(self.month.set).any(lacks)
    }

    /// Whether any date at all passes.
    pub(crate) fn has_date(&self) -> bool {
        let eve = Civil {
            year: 1999,
            month: 12,
            day: 31,
            hour: 0,
            minute: 0,
            second: 0,
        };
        self.next_date(eve, &mut Budget::full()).is_some()
    }

    /// The days of a month that pass: bit n is the n-th.
    pub(crate) fn days(&self, year: i32, month: u8) -> u64 {
        let length = days_in_month(year, month);
        let first = Civil {
            year,
            month,
            day: 1,
            hour: 0,
            minute: 0,
            second: 0,
        }
        .weekday();
        let by_day = month_days(&self.day, length, first);
        let by_weekday = week_days(&self.weekday, length, first);
        match self.joint() {
            Joint::Both => by_day & by_weekday,
            Joint::Either => by_day | by_weekday,
        }
    }

    /// The first moment at or after `local`, both in seconds of wall clock since 1970.
    pub(crate) fn next_local(&self, local: i64, budget: &mut Budget) -> Option<i64> {
        let from = Civil::from_epoch_secs(local);
        budget.spend(1)?;
        let today = at_or_after(self.month.set, from.month) == Some(from.month)
            && self.days(from.year, from.month) >> from.day & 1 == 1;
        if today && let Some(found) = self.time_from(from) {
            return Some(found.epoch_secs());
        }
        let date = self.next_date(from, budget)?;
        self.time_from(date).map(Civil::epoch_secs)
    }

    /// The first time of day at or after that of `from`, on its date.
    fn time_from(&self, from: Civil) -> Option<Civil> {
        let (hours, minutes, seconds) = (self.hour.set, self.minute.set, self.second.set);
        let hour = at_or_after(hours, from.hour)?;
        if hour == from.hour
            && let Some(minute) = at_or_after(minutes, from.minute)
        {
            if minute > from.minute {
                return Some(Civil {
                    minute,
                    second: at_or_after(seconds, 0)?,
                    ..from
                });
            }
            if let Some(second) = at_or_after(seconds, from.second) {
                return Some(Civil { second, ..from });
            }
            if let Some(minute) = at_or_after(minutes, from.minute + 1) {
                return Some(Civil {
                    minute,
                    second: at_or_after(seconds, 0)?,
                    ..from
                });
            }
        }
        let hour = if hour > from.hour {
            hour
        } else {
            at_or_after(hours, from.hour + 1)?
        };
        let (minute, second) = (at_or_after(minutes, 0)?, at_or_after(seconds, 0)?);
        Some(Civil {
            hour,
            minute,
            second,
            ..from
        })
    }

    /// The start of the first date after that of `from`.
    fn next_date(&self, from: Civil, budget: &mut Budget) -> Option<Civil> {
        let (mut year, mut month, mut day) = (from.year, from.month, from.day + 1);
        while year <= LAST_YEAR {
            budget.spend(1)?;
            match at_or_after(self.month.set, month) {
                Some(open) if open == month => {
                    if let Some(day) = at_or_after(self.days(year, month), day) {
                        return Some(Civil {
                            year,
                            month,
                            day,
                            hour: 0,
                            minute: 0,
                            second: 0,
                        });
                    }
                    month += 1;
                }
                Some(open) => month = open,
                None => (year, month) = (year + 1, 1),
            }
            day = 1;
        }
        None
    }
}

/// The days of a month of `length` days, whose first is a `first` (Sunday = 0), by their number.
fn month_days(field: &Field, length: u8, first: u8) -> u64 {
    let mut days = field.set;
    for n in values(u64::from(field.from_end)) {
        days |= length.checked_sub(n).map_or(0, |day| 1 << day);
    }
    for day in values(u64::from(field.nearest)).filter(|day| *day <= length) {
        let working = match (first + day - 1) % 7 {
            6 if day == 1 => 3,
            6 => day - 1,
            0 if day == length => day - 2,
            0 => day + 1,
            _ => day,
        };
        days |= 1 << working;
    }
    days & span(1, length)
}

/// The days of a month of `length` days, whose first is a `first` (Sunday = 0), by their weekday.
fn week_days(field: &Field, length: u8, first: u8) -> u64 {
    let mut days = each_week(field.set, first);
    if field.counts_weekdays() {
        for (week, weekdays) in (0u8..).zip(field.nth) {
            let week = span(week * 7 + 1, week * 7 + 7);
            days |= each_week(u64::from(weekdays), first) & week;
        }
        days |= each_week(u64::from(field.last), first) & span(length - 6, length);
    }
    days & span(1, length)
}

/// The days of a five-week month that fall on one of `weekdays`.
fn each_week(weekdays: u64, first: u8) -> u64 {
    let all = Place::Weekday.full();
    let turned = (weekdays >> first | weekdays << (7 - first)) & all;
    [1, 8, 15, 22, 29]
        .into_iter()
        .fold(0, |days, day| days | turned << day)
}
