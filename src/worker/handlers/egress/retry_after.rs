//! `Retry-After`: when a target asks to be called again.

use conveyor_model::time::{Span, Timestamp};
use reqwest::header::{HeaderMap, RETRY_AFTER};

/// The longest wait that a target can ask for.
const LONGEST: Span = Span::from_secs(86_400);

/// How long the target asks to wait: a number of seconds, or an HTTP date. At most a day.
pub(super) fn read(headers: &HeaderMap, now: Timestamp) -> Option<Span> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let span = if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        text.parse().map_or(LONGEST, Span::from_secs)
    } else {
        let at = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
        Timestamp::from_secs(at.as_second()).since(now)
    };
    Some(span.min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(text: &str) -> Option<Span> {
        let now: Timestamp = "2026-11-30T09:00:00Z".parse().unwrap();
        let headers = HeaderMap::from_iter([(RETRY_AFTER, text.parse().unwrap())]);
        read(&headers, now)
    }

    #[test]
    fn seconds_and_dates_are_both_understood() {
        assert_eq!(wait("120"), Some(Span::from_secs(120)));
        assert_eq!(
            wait("Mon, 30 Nov 2026 09:00:07 GMT"),
            Some(Span::from_secs(7))
        );
        assert_eq!(wait("Mon, 30 Nov 2026 08:00:00 GMT"), Some(Span::ZERO));
    }

    #[test]
    fn a_wait_is_at_most_a_day() {
        assert_eq!(wait("99999999999999999999"), Some(LONGEST));
        assert_eq!(wait("Mon, 30 Nov 2099 09:00:00 GMT"), Some(LONGEST));
    }

    #[test]
    fn what_is_no_time_is_no_wait() {
        for text in ["", "-1", "soon", "1.5"] {
            assert_eq!(wait(text), None, "{text}");
        }
        assert_eq!(read(&HeaderMap::new(), Timestamp::MIN), None);
    }
}
