//! Sentences in Russian. Weekdays and months stand in the case and gender their place asks for, so
//! each has its forms in a table; nothing is built from endings.

use crate::lang::{Lang, Plural};

use super::days::{self, Plain};
use super::{
    Beat, Clock, Days, Marks, MonthDays, Months, Shape, Unit, WeekDays, WeekSet, Windows, listed,
};

/// The forms of a weekday.
struct Weekday {
    /// Это понедельник.
    is: &'static str,
    /// С понедельника.
    from: &'static str,
    /// По пятницу; каждую пятницу.
    to: &'static str,
    /// По понедельникам.
    habit: &'static str,
    each: &'static str,
    last: &'static str,
    /// Первую … пятую.
    nth: [&'static str; 5],
}

const HE: [&str; 5] = ["первый", "второй", "третий", "четвёртый", "пятый"];
const SHE: [&str; 5] = ["первую", "вторую", "третью", "четвёртую", "пятую"];
const IT: [&str; 5] = ["первое", "второе", "третье", "четвёртое", "пятое"];

const WEEKDAYS: [Weekday; 7] = [
    he("понедельник", "с понедельника", "понедельникам"),
    he("вторник", "со вторника", "вторникам"),
    she("среда", "со среды", "среду", "средам"),
    he("четверг", "с четверга", "четвергам"),
    she("пятница", "с пятницы", "пятницу", "пятницам"),
    she("суббота", "с субботы", "субботу", "субботам"),
    Weekday {
        is: "воскресенье",
        from: "с воскресенья",
        to: "воскресенье",
        habit: "воскресеньям",
        each: "каждое",
        last: "последнее",
        nth: IT,
    },
];

const fn he(is: &'static str, from: &'static str, habit: &'static str) -> Weekday {
    Weekday {
        is,
        from,
        to: is,
        habit,
        each: "каждый",
        last: "последний",
        nth: HE,
    }
}

const fn she(
    is: &'static str,
    from: &'static str,
    to: &'static str,
    habit: &'static str,
) -> Weekday {
    Weekday {
        is,
        from,
        to,
        habit,
        each: "каждую",
        last: "последнюю",
        nth: SHE,
    }
}

/// Январь; января; в январе.
const MONTHS: [[&str; 3]; 12] = [
    ["январь", "января", "январе"],
    ["февраль", "февраля", "феврале"],
    ["март", "марта", "марте"],
    ["апрель", "апреля", "апреле"],
    ["май", "мая", "мае"],
    ["июнь", "июня", "июне"],
    ["июль", "июля", "июле"],
    ["август", "августа", "августе"],
    ["сентябрь", "сентября", "сентябре"],
    ["октябрь", "октября", "октябре"],
    ["ноябрь", "ноября", "ноябре"],
    ["декабрь", "декабря", "декабре"],
];

/// The whole of it.
pub(crate) fn sentence(shape: &Shape) -> String {
    let Shape { beat, days, months } = shape;
    if let Beat::At(times) = beat {
        let (on, at) = (on(days, months, true), listed(times, "и"));
        // A time at the end would seem to belong to the last part only.
        return match days {
            Days::Every | Days::Month(_) | Days::Week(_) => format!("{on} в {at}"),
            Days::Either(..) | Days::Both(..) => format!("в {at}, {on}"),
        };
    }
    let often = often(beat);
    match (days, months) {
        (Days::Every, Months::All) => often,
        _ => format!("{often}, {}", on(days, months, false)),
    }
}

/// `@every`. Several units are abbreviated: «каждые» agrees with all of them only so.
pub(crate) fn every(parts: &[(Unit, u64)]) -> String {
    match parts {
        [(Unit::Hour, 1)] => "каждый час".to_owned(),
        [(Unit::Minute, 1)] => "каждую минуту".to_owned(),
        [(Unit::Second, 1)] => "каждую секунду".to_owned(),
        [(unit, n)] => format!("каждые {n} {}", noun(*unit, *n)),
        several => {
            let short = |unit: &Unit| match unit {
                Unit::Hour => "ч",
                Unit::Minute => "мин",
                Unit::Second => "с",
            };
            let parts = several
                .iter()
                .map(|(unit, n)| format!("{n} {}", short(unit)));
            format!("каждые {}", parts.collect::<Vec<_>>().join(" "))
        }
    }
}

/// The accusative that follows a number.
fn noun(unit: Unit, n: u64) -> &'static str {
    match (unit, Lang::Ru.plural(n)) {
        (Unit::Second, Plural::One) => "секунду",
        (Unit::Second, Plural::Few) => "секунды",
        (Unit::Second, Plural::Many) => "секунд",
        (Unit::Minute, Plural::One) => "минуту",
        (Unit::Minute, Plural::Few) => "минуты",
        (Unit::Minute, Plural::Many) => "минут",
        (Unit::Hour, Plural::One) => "час",
        (Unit::Hour, Plural::Few) => "часа",
        (Unit::Hour, Plural::Many) => "часов",
    }
}

fn often(beat: &Beat) -> String {
    match beat {
        Beat::At(times) => format!("в {}", listed(times, "и")),
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
            if *start > 0 && !matches!(windows, Windows::Spans(_)) {
                let (unit, whole) = if *unit == Unit::Second {
                    ("секунды", "каждой минуты")
                } else {
                    ("минуты", "каждого часа")
                };
                text = format!("{text}, начиная {} {unit} {whole}", from_feminine(*start));
            }
            if *second > 0 {
                text = format!("{text}, на {second}-й секунде");
            }
            text + &within(windows)
        }
        Beat::Marks {
            unit,
            marks,
            windows,
        } => {
            let (on, to, whole) = if *unit == Unit::Second {
                ("секунде", "секунду", "каждой минуты")
            } else {
                ("минуте", "минуту", "каждого часа")
            };
            let text = match marks {
                Marks::List(marks) => {
                    let marks = listed(marks.iter().map(|mark| format!("{mark}-й")), "и");
                    format!("на {marks} {on} {whole}")
                }
                Marks::Range(first, last) => {
                    format!("каждую {to} {} по {last}-ю {whole}", from_feminine(*first))
                }
            };
            match windows {
                Windows::All => text,
                Windows::Spans(_) => format!("{text},{}", within(windows)),
                Windows::Hours(_) => format!("{text}{}", within(windows)),
            }
        }
    }
}

fn within(windows: &Windows) -> String {
    let stretch = |(first, last): &(Clock, Clock)| format!("с {first} до {last}");
    match windows {
        Windows::All => String::new(),
        Windows::Spans(spans) => format!(" {}", listed(spans.iter().map(stretch), "и")),
        Windows::Hours(hours) => format!(", пока час равен {}", listed(hours, "или")),
    }
}

fn from_feminine(n: u8) -> String {
    format!("{} {n}-й", with_second("с", "со", n))
}

/// «Со 2-го», «ко 2-му»: only the word for 2 begins with such consonants.
fn with_second(plain: &'static str, before_two: &'static str, n: u8) -> &'static str {
    if n == 2 { before_two } else { plain }
}

/// The days; `single` when a time of day follows and not a rhythm.
fn on(days: &Days, months: &Months, single: bool) -> String {
    match days {
        Days::Every => format!("каждый день{}", in_months(months)),
        Days::Month(by_day) => match days::yearly(by_day, months).filter(|_| single) {
            Some((day, of)) => format!("каждый год {day} {}", month(of, 1)),
            None => month_days(by_day, months),
        },
        Days::Week(by_weekday) => week_days(by_weekday, months, single),
        Days::Either(by_day, by_weekday) => {
            let weekday = week_days(by_weekday, months, true);
            format!("{} или {weekday}", month_days(by_day, months))
        }
        Days::Both(by_day, set) => {
            let only = match set {
                WeekSet::List(list) => listed(list.iter().map(|day| weekday(*day).is), "или"),
                WeekSet::Range(first, last) => {
                    format!("день {} по {}", weekday(*first).from, weekday(*last).to)
                }
            };
            format!("{}, но только если это {only}", month_days(by_day, months))
        }
    }
}

fn month_days(days: &MonthDays, months: &Months) -> String {
    let mut parts = Vec::new();
    match &days.plain {
        Plain::Odd => parts.push("по нечётным числам".to_owned()),
        Plain::Even => parts.push("по чётным числам".to_owned()),
        Plain::Runs(runs) => {
            let (single, long): (Vec<_>, Vec<_>) = runs.iter().partition(|(a, b)| a == b);
            if !single.is_empty() {
                let single = single.iter().map(|(day, _)| format!("{day}-го"));
                parts.push(format!("{} числа", listed(single, "и")));
            }
            if !long.is_empty() {
                let long = long.iter().map(|(first, last)| {
                    format!("{} {first}-го по {last}-е", with_second("с", "со", *first))
                });
                parts.push(format!("{} число", listed(long, "и")));
            }
        }
    }
    parts.extend(days.from_end.iter().map(|n| match n {
        0 => "в последний день".to_owned(),
        1 => "в предпоследний день".to_owned(),
        n => {
            let days = match Lang::Ru.plural(u64::from(*n)) {
                Plural::One => "день",
                Plural::Few => "дня",
                Plural::Many => "дней",
            };
            format!("за {n} {days} до последнего дня")
        }
    }));
    parts.extend(days.nearest.iter().map(|day| {
        format!(
            "в ближайший {} {day}-му числу будний день",
            with_second("к", "ко", *day)
        )
    }));
    format!("{} {}", listed(parts, "и"), of_months(months))
}

fn week_days(days: &WeekDays, months: &Months, single: bool) -> String {
    let mut parts = Vec::new();
    match &days.weekly {
        Some(WeekSet::List(list)) => match list.as_slice() {
            [day] if single => {
                let day = weekday(*day);
                parts.push(format!("{} {}{}", day.each, day.to, in_months(months)));
            }
            several => {
                let habits = listed(several.iter().map(|day| weekday(*day).habit), "и");
                parts.push(format!("по {habits}{}", in_months(months)));
            }
        },
        Some(WeekSet::Range(first, last)) => {
            let range = format!("{} по {}", weekday(*first).from, weekday(*last).to);
            parts.push(format!("{range}{}", in_months(months)));
        }
        None => {}
    }
    let nth = days.nth.iter().map(|(n, day)| {
        let day = weekday(*day);
        let preposition = with_second("в", "во", *n);
        format!("{preposition} {} {}", day.nth[usize::from(n - 1)], day.to)
    });
    let last = days
        .last
        .iter()
        .map(|day| format!("в {} {}", weekday(*day).last, weekday(*day).to));
    let counted: Vec<String> = nth.chain(last).collect();
    if !counted.is_empty() {
        parts.push(format!("{} {}", listed(counted, "и"), of_months(months)));
    }
    listed(parts, "и")
}

fn in_months(months: &Months) -> String {
    match months {
        Months::All => String::new(),
        Months::List(list) => format!(" в {}", listed(list.iter().map(|m| month(*m, 2)), "и")),
        Months::Range(first, last) => format!(" с {} по {}", month(*first, 1), month(*last, 0)),
    }
}

fn of_months(months: &Months) -> String {
    match months {
        Months::All => "каждого месяца".to_owned(),
        Months::List(list) => listed(list.iter().map(|m| month(*m, 1)), "и"),
        Months::Range(first, last) => {
            format!(
                "каждого месяца с {} по {}",
                month(*first, 1),
                month(*last, 0)
            )
        }
    }
}

fn weekday(day: u8) -> &'static Weekday {
    &WEEKDAYS[usize::from(day - 1)]
}

fn month(month: u8, form: usize) -> &'static str {
    MONTHS[usize::from(month - 1)][form]
}
