//! The world's time zones for schedules. The rules are built into the program, so that every server
//! of one version answers alike, whatever is installed on its machine.

mod plan;

use std::sync::OnceLock;

use conveyor_model::cron::{Transition, Zone};
use conveyor_model::error::Invalid;
use conveyor_model::time::Timestamp;
use jiff::tz::{TimeZone, TimeZoneDatabase};

pub use plan::Plan;

/// A time zone of the IANA database.
#[derive(Clone, Debug)]
pub struct IanaZone(TimeZone);

fn database() -> &'static TimeZoneDatabase {
    static DATABASE: OnceLock<TimeZoneDatabase> = OnceLock::new();
    DATABASE.get_or_init(TimeZoneDatabase::bundled)
}

/// The zone of that name, in any case of letters; a fault at `/timezone` when there is none.
pub fn zone(name: &str) -> Result<IanaZone, Invalid> {
    database()
        .get(name)
        .ok()
        .filter(|zone| !zone.is_unknown())
        .map(IanaZone)
        .ok_or_else(|| {
            let shown: String = name.chars().take(60).collect();
            Invalid::one(
                "/timezone",
                format!("{shown:?} is no IANA time zone; write one like UTC or Europe/Berlin"),
            )
        })
}

/// The names a schedule may use, sorted.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = database()
        .available()
        .map(|name| name.as_str().to_owned())
        .filter(|name| zone(name).is_ok())
        .collect();
    names.sort();
    names
}

/// The same instant for jiff, whose last one is a little earlier than ours.
fn instant(at: Timestamp) -> jiff::Timestamp {
    jiff::Timestamp::from_microsecond(at.micros()).unwrap_or(jiff::Timestamp::MAX)
}

impl Zone for IanaZone {
    fn offset_at(&self, utc: Timestamp) -> i32 {
        self.0.to_offset(instant(utc)).seconds()
    }

    fn next_transition(&self, after: Timestamp) -> Option<Transition> {
        let next = self.0.following(instant(after)).next()?;
        let at = Timestamp::from_micros(next.timestamp().as_microsecond());
        Some(Transition {
            at,
            before: self.offset_at(Timestamp::from_micros(at.micros() - 1)),
            after: next.offset().seconds(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_zone_knows_its_next_change() {
        let berlin = zone("Europe/Berlin").unwrap();
        let spring = Transition {
            at: at("2026-03-29T01:00:00Z"),
            before: 3600,
            after: 7200,
        };
        assert_eq!(
            berlin.next_transition(at("2026-01-01T00:00:00Z")),
            Some(spring)
        );
        let autumn = berlin.next_transition(spring.at).unwrap();
        assert_eq!(autumn.at, at("2026-10-25T01:00:00Z"));
        let far = berlin.next_transition(at("2099-04-01T00:00:00Z")).unwrap();
        assert_eq!(far.at, at("2099-10-25T01:00:00Z"));
    }

    #[test]
    fn a_zone_without_changes_has_none() {
        let utc = zone("utc").unwrap();
        assert_eq!(utc.next_transition(Timestamp::MIN), None);
        assert_eq!(utc.offset_at(Timestamp::MAX), 0);
    }

    #[test]
    fn only_zones_that_exist_are_taken() {
        for name in ["", "Mars/Phobos", "Etc/Unknown", "+02:00", "../etc/passwd"] {
            let fault = zone(name).err().unwrap();
            assert_eq!(fault.errors[0].pointer, "/timezone", "{name}");
        }
    }

    #[test]
    fn the_list_holds_what_people_look_for() {
        let names = names();
        for name in [
            "UTC",
            "Europe/Moscow",
            "America/New_York",
            "Australia/Lord_Howe",
        ] {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
    }
}
