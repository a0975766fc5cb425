//! Time as the queue keeps it: UTC microseconds since 1970, and spans of them.
//!
//! Both are plain integers, so that they order, store and travel exactly; only text shown to people
//! and JSON use RFC 3339 (section 5.6, always with `Z`) and decimal seconds.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

pub use civil::{Civil, days_in_month};

mod civil;

/// Microseconds in one second.
pub const MICROS: i64 = 1_000_000;

/// An instant: microseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// A length of time in microseconds, never negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(i64);

/// Why a text is not an instant or a length of time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TimeError(String);

impl Timestamp {
    /// The earliest instant the queue accepts: 1970-01-01T00:00:00Z.
    pub const MIN: Timestamp = Timestamp(0);
    /// The latest instant the queue accepts: 9999-12-31T23:59:59.999999Z.
    pub const MAX: Timestamp = Timestamp(253_402_300_799_999_999);

    /// From microseconds since 1970.
    pub const fn from_micros(micros: i64) -> Self {
        Timestamp(micros)
    }

    /// From whole seconds since 1970.
    pub const fn from_secs(secs: i64) -> Self {
        Timestamp(secs.saturating_mul(MICROS))
    }

    /// Microseconds since 1970.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970, rounded down.
    pub const fn secs(self) -> i64 {
        self.0.div_euclid(MICROS)
    }

    /// This instant moved later; stops at [`Timestamp::MAX`].
    #[must_use]
    pub fn plus(self, span: Span) -> Self {
        Timestamp(self.0.saturating_add(span.0).min(Self::MAX.0))
    }

    /// This instant moved earlier; stops at [`Timestamp::MIN`].
    #[must_use]
    pub fn minus(self, span: Span) -> Self {
        Timestamp(self.0.saturating_sub(span.0).max(Self::MIN.0))
    }

    /// How long after `earlier` this is; zero when it is not after.
    pub fn since(self, earlier: Timestamp) -> Span {
        Span(self.0.saturating_sub(earlier.0).max(0))
    }

    /// The start of the minute this instant lies in.
    #[must_use]
    pub fn minute(self) -> Self {
        Timestamp(self.0.div_euclid(60 * MICROS) * 60 * MICROS)
    }

    /// The date and time of day in UTC.
    pub fn civil(self) -> Civil {
        Civil::from_epoch_secs(self.secs())
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);

    /// From microseconds; a negative number becomes zero.
    pub const fn from_micros(micros: i64) -> Self {
        Span(if micros < 0 { 0 } else { micros })
    }

    /// From milliseconds.
    pub const fn from_millis(millis: i64) -> Self {
        Span::from_micros(millis.saturating_mul(1000))
    }

    /// From whole seconds.
    pub const fn from_secs(secs: i64) -> Self {
        Span::from_micros(secs.saturating_mul(MICROS))
    }

    /// From seconds with a fraction; `None` for a number that is negative, not finite, or longer
    /// than 10,000 years. A positive number is never rounded to none at all, which for a time limit
    /// would be the opposite: it is a microsecond at least.
    pub fn from_secs_f64(secs: f64) -> Option<Self> {
        const LONGEST: f64 = 3.2e11;
        if !(0.0..=LONGEST).contains(&secs) {
            return None;
        }
        #[expect(
            clippy::as_conversions,
            clippy::cast_possible_truncation,
            reason = "bounded just above"
        )]
        let micros = (secs * 1e6).round() as i64;
        Some(Span(micros.max(i64::from(secs > 0.0))))
    }

    /// Microseconds.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Milliseconds, rounded down.
    pub const fn millis(self) -> i64 {
        self.0 / 1000
    }

    /// Seconds with a fraction.
    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "for people and JSON"
    )]
    pub fn secs_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// The same length for `std` and tokio.
    pub fn to_std(self) -> std::time::Duration {
        std::time::Duration::from_micros(self.0.unsigned_abs())
    }

    /// From a `std` length; stops at the longest span.
    pub fn from_std(duration: std::time::Duration) -> Self {
        Span(i64::try_from(duration.as_micros()).unwrap_or(i64::MAX))
    }
}

/// RFC 3339 in UTC with `Z`, and as many fraction digits as needed: none, three or six.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Civil {
            year,
            month,
            day,
            hour,
            minute,
            second,
        } = self.civil();
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
        )?;
        match self.0.rem_euclid(MICROS) {
            0 => {}
            micros if micros % 1000 == 0 => write!(f, ".{:03}", micros / 1000)?,
            micros => write!(f, ".{micros:06}")?,
        }
        f.write_str("Z")
    }
}

impl Timestamp {
    /// RFC 3339 on a clock that is `seconds` ahead of UTC.
    pub fn with_offset(self, seconds: i32) -> String {
        let local = Timestamp(self.0 + i64::from(seconds) * MICROS).to_string();
        let (sign, minutes) = (if seconds < 0 { '-' } else { '+' }, seconds.abs() / 60);
        let (hours, minutes) = (minutes / 60, minutes % 60);
        format!(
            "{}{sign}{hours:02}:{minutes:02}",
            local.trim_end_matches('Z')
        )
    }
}

/// Reads RFC 3339 with any offset; digits past the sixth of the fraction are dropped.
impl FromStr for Timestamp {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let fault = |why: &str| TimeError(format!("{why}; write a time like 2026-11-30T09:00:00Z"));
        let bytes = text.as_bytes();
        let shape = fault("not an RFC 3339 time");
        if bytes.len() < 20 || !text.is_ascii() {
            return Err(shape);
        }
        let marks: [(usize, &[u8]); 5] =
            [(4, b"-"), (7, b"-"), (10, b"Tt"), (13, b":"), (16, b":")];
        if marks
            .iter()
            .any(|(at, allowed)| !allowed.contains(&bytes[*at]))
        {
            return Err(shape);
        }
        let number = |from: usize, to: usize| -> Result<u8, TimeError> {
            digits(&bytes[from..to])
                .and_then(|n| u8::try_from(n).ok())
                .ok_or_else(|| shape.clone())
        };
        let year = digits(&bytes[0..4])
            .and_then(|n| i32::try_from(n).ok())
            .ok_or_else(|| shape.clone())?;
        let civil = Civil {
            year,
            month: number(5, 7)?,
            day: number(8, 10)?,
            hour: number(11, 13)?,
            minute: number(14, 16)?,
            second: number(17, 19)?,
        };
        if !(1..=12).contains(&civil.month) {
            return Err(fault("the month must be 01 to 12"));
        }
        if civil.day == 0 || civil.day > days_in_month(civil.year, civil.month) {
            return Err(fault("that day does not exist in that month"));
        }
        if civil.hour > 23 || civil.minute > 59 || civil.second > 59 {
            return Err(fault("the time of day must be 00:00:00 to 23:59:59"));
        }
        let (micros, offset) = fraction_and_offset(&bytes[19..]).ok_or(shape)?;
        let instant = Timestamp((civil.epoch_secs() - offset) * MICROS + micros);
        if instant < Timestamp::MIN || instant > Timestamp::MAX {
            return Err(fault("the time must lie in the years 1970 to 9999"));
        }
        Ok(instant)
    }
}

/// The number that a run of ASCII digits means; `None` if anything else is in it.
fn digits(bytes: &[u8]) -> Option<i64> {
    bytes.iter().try_fold(0i64, |n, b| {
        b.is_ascii_digit()
            .then(|| n.checked_mul(10)?.checked_add(i64::from(b - b'0')))?
    })
}

/// `.123456Z` or `+02:00` as microseconds and the offset in seconds east of UTC.
fn fraction_and_offset(mut rest: &[u8]) -> Option<(i64, i64)> {
    let mut micros = 0;
    if rest.first() == Some(&b'.') {
        let end = rest.iter().skip(1).position(|b| !b.is_ascii_digit())? + 1;
        if end == 1 {
            return None;
        }
        let shown = &rest[1..end.min(7)];
        micros = digits(shown)? * 10i64.pow(u32::try_from(6 - shown.len()).ok()?);
        rest = &rest[end..];
    }
    match rest {
        [b'Z' | b'z'] => Some((micros, 0)),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let (hours, minutes) = (digits(&[*h1, *h2])?, digits(&[*m1, *m2])?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let offset = hours * 3600 + minutes * 60;
            Some((micros, if *sign == b'-' { -offset } else { offset }))
        }
        _ => None,
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// Seconds as a JSON number; whole seconds have no fraction.
impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % MICROS == 0 {
            serializer.serialize_i64(self.0 / MICROS)
        } else {
            serializer.serialize_f64(self.secs_f64())
        }
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let secs = f64::deserialize(deserializer)?;
        Span::from_secs_f64(secs)
            .ok_or_else(|| de::Error::custom("must be a number of seconds, 0 or more"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_reads_back_as_it_was_written() {
        for text in [
            "1970-01-01T00:00:00Z",
            "2024-02-29T23:59:59.999999Z",
            "2026-11-30T01:40:12.345Z",
            "9999-12-31T23:59:59Z",
        ] {
            assert_eq!(text.parse::<Timestamp>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn an_offset_is_taken_to_utc() {
        let shifted: Timestamp = "2026-11-30T03:00:00.1234567+02:00".parse().unwrap();
        assert_eq!(shifted.to_string(), "2026-11-30T01:00:00.123456Z");
        for (offset, text) in [
            (7200, "2026-11-30T03:00:00.123456+02:00"),
            (-34_200, "2026-11-29T15:30:00.123456-09:30"),
            (0, "2026-11-30T01:00:00.123456+00:00"),
        ] {
            assert_eq!(shifted.with_offset(offset), text);
            assert_eq!(text.parse::<Timestamp>().unwrap(), shifted);
        }
    }

    #[test]
    fn impossible_times_are_refused() {
        for text in [
            "",
            "2026-02-30T00:00:00Z",
            "2026-06-30T23:59:60Z",
            "+262143-01-01T00:00:00Z",
            "0001-01-01T00:00:00Z",
            "2026-01-01",
            "2026-01-01T00:00:00",
            "2026-13-01T00:00:00Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00+2:00",
            "9999-12-31T23:59:59-01:00",
        ] {
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
    }

    #[test]
    fn dates_and_days_agree_over_eight_centuries() {
        for day in (-200_000..200_000).step_by(7) {
            let civil = Civil::from_epoch_secs(day * 86_400);
            assert_eq!(civil.epoch_days(), day);
            assert!(civil.day >= 1 && civil.day <= days_in_month(civil.year, civil.month));
        }
        assert_eq!(
            "2026-11-30T00:00:00Z"
                .parse::<Timestamp>()
                .unwrap()
                .civil()
                .weekday(),
            1
        );
    }

    #[test]
    fn a_span_refuses_what_is_no_length() {
        for secs in [-1.0, f64::NAN, f64::INFINITY, 1e18] {
            assert_eq!(Span::from_secs_f64(secs), None);
        }
        assert_eq!(Span::from_secs_f64(1e-9), Some(Span::from_micros(1)));
        assert_eq!(Span::from_secs_f64(-0.0), Some(Span::ZERO));
        assert_eq!(
            serde_json::to_string(&Span::from_millis(1500)).unwrap(),
            "1.5"
        );
        assert_eq!(serde_json::to_string(&Span::from_secs(30)).unwrap(), "30");
    }
}
