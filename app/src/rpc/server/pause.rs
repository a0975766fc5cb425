//! What a person says when a queue is paused or purged.

use conveyor_model::error::Invalid;
use conveyor_model::queue::PauseRequest;
use conveyor_model::time::{Span, Timestamp};

pub(crate) fn request(note: &str, until: &str, now: Timestamp) -> Result<PauseRequest, Invalid> {
    let note = note.trim();
    let mut invalid = Invalid::none();
    if note.len() > 500 {
        invalid.add("/note", "must have at most 500 bytes");
    }
    let until = match (until.trim(), until.trim().parse::<i64>()) {
        ("", _) => None,
        (_, Ok(minutes)) if (1..=525_600).contains(&minutes) => {
            Some(now.plus(Span::from_secs(minutes * 60)))
        }
        (_, Ok(_)) => {
            invalid.add("/until", "must be 1 to 525600 minutes");
            None
        }
        (text, Err(_)) => match text.parse::<Timestamp>() {
            Ok(until) => Some(until),
            Err(fault) => {
                invalid.add("/until", fault.to_string());
                None
            }
        },
    };
    invalid.or(|| PauseRequest {
        note: Some(note.to_owned()).filter(|note| !note.is_empty()),
        until,
    })
}

pub(crate) fn confirmed(queue: &str, typed: &str) -> Result<(), Invalid> {
    if typed == queue {
        Ok(())
    } else {
        Err(Invalid::one("/typed", "must be the name of the queue"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_ends_after_minutes_or_at_an_instant() {
        let now = Timestamp::from_secs(1_000_000);
        assert_eq!(request(" ", "", now).unwrap(), PauseRequest::default());
        let hour = request("x", "60", now).unwrap();
        assert_eq!(hour.until, Some(Timestamp::from_secs(1_003_600)));
        assert!(request("", "2026-11-30T12:00:00Z", now).is_ok());
        assert!(request("", "0", now).is_err());
        assert!(request("", "soon", now).is_err());
        assert!(request(&"x".repeat(501), "", now).is_err());
    }

    #[test]
    fn a_purge_needs_the_very_name() {
        assert!(confirmed("mail", "mail").is_ok());
        assert!(confirmed("mail", "Mail").is_err());
        assert!(confirmed("mail", "").is_err());
    }
}
