//! What cron promises, in tables and in properties.

mod clocks;
mod properties;
mod syntax;
mod vectors;
mod warnings;
mod wording;
mod work;

use jiff::tz::TimeZone;

use crate::time::Timestamp;

use super::{Cron, DstRule, Transition, Zone};

/// A zone of the tz database.
struct Place(TimeZone);

impl Place {
    fn named(name: &str) -> Self {
        Place(TimeZone::get(name).unwrap())
    }
}

impl Zone for Place {
    fn offset_at(&self, utc: Timestamp) -> i32 {
        let at = jiff::Timestamp::from_microsecond(utc.micros()).unwrap();
        self.0.to_offset(at).seconds()
    }

    fn next_transition(&self, after: Timestamp) -> Option<Transition> {
        let after = jiff::Timestamp::from_microsecond(after.micros()).ok()?;
        let next = self.0.following(after).next()?;
        let at = Timestamp::from_secs(next.timestamp().as_second());
        let before = self.offset_at(Timestamp::from_secs(at.secs() - 1));
        let after = next.offset().seconds();
        Some(Transition { at, before, after })
    }
}

/// A zone given by the moves of its clock, in order.
struct Table {
    first: i32,
    moves: Vec<(Timestamp, i32)>,
}

impl Zone for Table {
    fn offset_at(&self, utc: Timestamp) -> i32 {
        let passed = self.moves.iter().take_while(|(at, _)| *at <= utc);
        passed.last().map_or(self.first, |(_, offset)| *offset)
    }

    fn next_transition(&self, after: Timestamp) -> Option<Transition> {
        let (at, offset) = *self.moves.iter().find(|(at, _)| *at > after)?;
        let before = self.offset_at(Timestamp::from_secs(at.secs() - 1));
        Some(Transition {
            at,
            before,
            after: offset,
        })
    }
}

fn cron(text: &str) -> Cron {
    Cron::parse(text, "nightly-report").unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn at(text: &str) -> Timestamp {
    text.parse()
        .unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

/// The first `n` fires, without the seconds that are zero: `2026-01-05T00:30`.
fn fires(expr: &str, from: &str, zone: &dyn Zone, dst: DstRule, n: usize) -> Vec<String> {
    let from = at(from);
    let fires = cron(expr).upcoming(from, n, zone, dst, from);
    fires
        .iter()
        .map(|fire| fire.to_string().trim_end_matches(":00Z").to_owned())
        .collect()
}

/// Checks that the fires after `from` are those listed, in the default way over clock changes.
fn check(zone: &dyn Zone, expr: &str, from: &str, wanted: &[&str]) {
    let found = fires(expr, from, zone, DstRule::default(), wanted.len());
    assert_eq!(found, wanted, "{expr} after {from}");
}
