//! `@every 2h30m`: a fixed length of real time.

use crate::time::{MICROS, Span, Timestamp};

use super::error::CronError;

/// The longest length: 366 days.
const LONGEST_SECS: i64 = 366 * 86_400;

/// The units, longest first, with their seconds.
const UNITS: [(char, i64); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

const HINT: &str = "write whole numbers with d, h, m and s, as in @every 2h30m";

/// Reads a length that begins at character `position`.
pub(crate) fn parse(text: &str, position: usize) -> Result<Span, CronError> {
    let mut total = 0_i64;
    let mut units = UNITS.as_slice();
    let mut rest = text;
    while !rest.is_empty() {
        let here = position + text.len() - rest.len();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, tail) = rest.split_at(digits);
        let unit = tail.chars().next().map(|c| c.to_ascii_lowercase());
        let known = units.iter().position(|(name, _)| Some(*name) == unit);
        if number.is_empty() {
            return Err(CronError::new(here, "expected a number and a unit").hint(HINT));
        }
        let Some(known) = known else {
            let detail = "a unit is one of d, h, m, s, each at most once and the longest first";
            return Err(CronError::new(here + digits, detail).hint(HINT));
        };
        let secs = number
            .parse()
            .ok()
            .and_then(|n: i64| n.checked_mul(units[known].1));
        total = secs
            .and_then(|secs| total.checked_add(secs))
            .filter(|n| *n <= LONGEST_SECS)
            .ok_or_else(|| CronError::new(here, "the length must be at most 366 days"))?;
        units = &units[known + 1..];
        // The unit is one of four ASCII letters, so it is one byte long.
        rest = &tail[1..];
    }
    if text.is_empty() {
        return Err(CronError::new(position, "@every needs a length of time").hint(HINT));
    }
    if total == 0 {
        return Err(CronError::new(position, "the length must be at least 1s"));
    }
    Ok(Span::from_secs(total))
}

/// The first multiple of `span` after `anchor` that lies after `from`.
pub(crate) fn next(span: Span, from: Timestamp, anchor: Timestamp) -> Option<Timestamp> {
    let length = span.micros().max(MICROS);
    let gone = from.micros().checked_sub(anchor.micros())?.max(0) / length;
    let at = gone
        .checked_add(1)?
        .checked_mul(length)?
        .checked_add(anchor.micros())?;
    Some(Timestamp::from_micros(at)).filter(|at| (Timestamp::MIN..=Timestamp::MAX).contains(at))
}
