//! Lengths of time as they are read, exact enough to compare: `41 ms`, `4.1 s`, `2 min 14 s`; and how
//! far an instant lies from now: `3 min ago`, `через 5 мин`.

use conveyor_model::lang::{Lang, Plural};
use conveyor_model::time::{MICROS, Span, Timestamp};

use super::number::decimal;

/// Between a number and its unit: never the end of a line.
const GAP: char = '\u{a0}';

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Day,
    Hour,
    Minute,
    Second,
    Milli,
}

impl Unit {
    const fn short(self, lang: Lang) -> &'static str {
        match (lang, self) {
            (Lang::En, Unit::Day) => "d",
            (Lang::En, Unit::Hour) => "h",
            (Lang::En, Unit::Minute) => "min",
            (Lang::En, Unit::Second) => "s",
            (Lang::En, Unit::Milli) => "ms",
            (Lang::Ru, Unit::Day) => "д",
            (Lang::Ru, Unit::Hour) => "ч",
            (Lang::Ru, Unit::Minute) => "мин",
            (Lang::Ru, Unit::Second) => "с",
            (Lang::Ru, Unit::Milli) => "мс",
        }
    }

    /// The word after `n`, in the accusative, as it stands before "назад" and after "через".
    const fn word(self, lang: Lang, n: u64) -> &'static str {
        match (lang, self, lang.plural(n)) {
            (Lang::En, Unit::Day, Plural::One) => "day",
            (Lang::En, Unit::Day, _) => "days",
            (Lang::En, Unit::Hour, Plural::One) => "hour",
            (Lang::En, Unit::Hour, _) => "hours",
            (Lang::En, Unit::Minute, Plural::One) => "minute",
            (Lang::En, Unit::Minute, _) => "minutes",
            (Lang::En, Unit::Second, Plural::One) => "second",
            (Lang::En, Unit::Second, _) => "seconds",
            (Lang::En, Unit::Milli, Plural::One) => "millisecond",
            (Lang::En, Unit::Milli, _) => "milliseconds",
            (Lang::Ru, Unit::Day, Plural::One) => "день",
            (Lang::Ru, Unit::Day, Plural::Few) => "дня",
            (Lang::Ru, Unit::Day, Plural::Many) => "дней",
            (Lang::Ru, Unit::Hour, Plural::One) => "час",
            (Lang::Ru, Unit::Hour, Plural::Few) => "часа",
            (Lang::Ru, Unit::Hour, Plural::Many) => "часов",
            (Lang::Ru, Unit::Minute, Plural::One) => "минуту",
            (Lang::Ru, Unit::Minute, Plural::Few) => "минуты",
            (Lang::Ru, Unit::Minute, Plural::Many) => "минут",
            (Lang::Ru, Unit::Second, Plural::One) => "секунду",
            (Lang::Ru, Unit::Second, Plural::Few) => "секунды",
            (Lang::Ru, Unit::Second, Plural::Many) => "секунд",
            (Lang::Ru, Unit::Milli, Plural::One) => "миллисекунду",
            (Lang::Ru, Unit::Milli, Plural::Few) => "миллисекунды",
            (Lang::Ru, Unit::Milli, Plural::Many) => "миллисекунд",
        }
    }

    /// Seconds in one.
    const fn seconds(self) -> u64 {
        match self {
            Unit::Day => 86_400,
            Unit::Hour => 3600,
            Unit::Minute => 60,
            Unit::Second | Unit::Milli => 1,
        }
    }
}

/// A length in one or two units, as a number and its unit apart, for a large figure: `("1.8", "s")`.
pub(crate) fn figure(lang: Lang, span: Span) -> (String, &'static str) {
    let micros = span.micros();
    let seconds = span.secs_f64();
    if micros < MICROS {
        (span.millis().to_string(), Unit::Milli.short(lang))
    } else if micros < 100 * MICROS {
        (decimal(lang, seconds, 1), Unit::Second.short(lang))
    } else if micros < 6000 * MICROS {
        (decimal(lang, seconds / 60.0, 0), Unit::Minute.short(lang))
    } else if micros < 172_800 * MICROS {
        (decimal(lang, seconds / 3600.0, 1), Unit::Hour.short(lang))
    } else {
        (decimal(lang, seconds / 86_400.0, 1), Unit::Day.short(lang))
    }
}

/// A length: milliseconds below a second, tenths below ten, then the two largest units.
pub(crate) fn length(lang: Lang, span: Span) -> String {
    if span.micros() < 10 * MICROS {
        let (number, unit) = figure(lang, span);
        return format!("{number}{GAP}{unit}");
    }
    let seconds = whole_seconds(span);
    let (large, small) = match seconds {
        86_400.. => (Unit::Day, Some(Unit::Hour)),
        3600.. => (Unit::Hour, Some(Unit::Minute)),
        60.. => (Unit::Minute, Some(Unit::Second)),
        _ => (Unit::Second, None),
    };
    let mut out = format!("{}{GAP}{}", seconds / large.seconds(), large.short(lang));
    if let Some(small) = small {
        let rest = seconds % large.seconds() / small.seconds();
        if rest > 0 {
            out.push_str(&format!(" {rest}{GAP}{}", small.short(lang)));
        }
    }
    out
}

/// How far `at` lies from `now`: `3 min ago`, `in 1 h 5 min`, `now`.
pub(crate) fn relative(lang: Lang, at: Timestamp, now: Timestamp) -> String {
    far(lang, at, now, |_, unit| unit.short(lang))
}

/// The same in whole words: `3 minutes ago`, `через 5 минут`.
pub(crate) fn relative_in_words(lang: Lang, at: Timestamp, now: Timestamp) -> String {
    far(lang, at, now, |n, unit| unit.word(lang, n))
}

fn far(
    lang: Lang,
    at: Timestamp,
    now: Timestamp,
    name: impl Fn(u64, Unit) -> &'static str,
) -> String {
    let past = at <= now;
    let seconds = whole_seconds(if past { now.since(at) } else { at.since(now) });
    let parts = distance(seconds);
    if parts.is_empty() {
        return just_now(lang).to_owned();
    }
    let parts: Vec<String> = parts
        .into_iter()
        .map(|(n, unit)| format!("{n}{GAP}{}", name(n, unit)))
        .collect();
    direction(lang, &parts.join(" "), past)
}

const fn just_now(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "now",
        Lang::Ru => "сейчас",
    }
}

fn direction(lang: Lang, how_far: &str, past: bool) -> String {
    match (lang, past) {
        (Lang::En, true) => format!("{how_far} ago"),
        (Lang::En, false) => format!("in {how_far}"),
        (Lang::Ru, true) => format!("{how_far} назад"),
        (Lang::Ru, false) => format!("через {how_far}"),
    }
}

/// Nothing below a second; else the largest unit that fits and, from an hour on, the next one below
/// it, since an hour or a day is too much to be rounded off. Ten days are exact enough.
fn distance(seconds: u64) -> Vec<(u64, Unit)> {
    let (large, small) = match seconds {
        0 => return Vec::new(),
        864_000.. => (Unit::Day, None),
        86_400.. => (Unit::Day, Some(Unit::Hour)),
        3600.. => (Unit::Hour, Some(Unit::Minute)),
        60.. => (Unit::Minute, None),
        _ => (Unit::Second, None),
    };
    let rest = small.map(|small| (seconds % large.seconds() / small.seconds(), small));
    let first = (seconds / large.seconds(), large);
    [first]
        .into_iter()
        .chain(rest.filter(|(n, _)| *n > 0))
        .collect()
}

fn whole_seconds(span: Span) -> u64 {
    u64::try_from(span.micros() / MICROS).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        text.replace(GAP, " ")
    }

    #[test]
    fn a_length_has_at_most_two_units() {
        for (millis, en, ru) in [
            (0, "0 ms", "0 мс"),
            (41, "41 ms", "41 мс"),
            (4_100, "4.1 s", "4,1 с"),
            (12_400, "12 s", "12 с"),
            (134_000, "2 min 14 s", "2 мин 14 с"),
            (7_200_000, "2 h", "2 ч"),
            (270_000_000, "3 d 3 h", "3 д 3 ч"),
        ] {
            let span = Span::from_millis(millis);
            assert_eq!(plain(&length(Lang::En, span)), en);
            assert_eq!(plain(&length(Lang::Ru, span)), ru);
        }
    }

    #[test]
    fn russian_words_stand_in_the_right_case() {
        let now = Timestamp::from_secs(1_000_000);
        let ago = |secs| {
            plain(&relative_in_words(
                Lang::Ru,
                now.minus(Span::from_secs(secs)),
                now,
            ))
        };
        assert_eq!(ago(1), "1 секунду назад");
        assert_eq!(ago(22), "22 секунды назад");
        assert_eq!(ago(5 * 60), "5 минут назад");
        assert_eq!(ago(21 * 3600), "21 час назад");
        assert_eq!(ago(3 * 86_400), "3 дня назад");
        let later = now.plus(Span::from_secs(121 * 60));
        assert_eq!(
            plain(&relative_in_words(Lang::Ru, later, now)),
            "через 2 часа 1 минуту"
        );
        assert_eq!(plain(&relative(Lang::Ru, later, now)), "через 2 ч 1 мин");
    }

    #[test]
    fn different_distances_read_differently_where_it_matters() {
        let now = Timestamp::from_secs(1_000_000);
        for (secs, text) in [
            (59, "in 59 s"),
            (62, "in 1 min"),
            (3540, "in 59 min"),
            (3600, "in 1 h"),
            (108 * 60, "in 1 h 48 min"),
            (32 * 3600, "in 1 d 8 h"),
            (48 * 3600 + 59, "in 2 d"),
            (25 * 86_400 + 7200, "in 25 d"),
        ] {
            let at = now.plus(Span::from_secs(secs));
            assert_eq!(plain(&relative(Lang::En, at, now)), text);
        }
    }

    #[test]
    fn the_past_and_the_future_read_differently() {
        let now = Timestamp::from_secs(1_000_000);
        assert_eq!(relative(Lang::En, now, now), "now");
        assert_eq!(
            plain(&relative(Lang::En, now.minus(Span::from_secs(180)), now)),
            "3 min ago"
        );
        assert_eq!(
            plain(&relative_in_words(
                Lang::En,
                now.plus(Span::from_secs(1)),
                now
            )),
            "in 1 second"
        );
        assert_eq!(
            relative(Lang::Ru, now.plus(Span::from_millis(400)), now),
            "сейчас"
        );
    }
}
