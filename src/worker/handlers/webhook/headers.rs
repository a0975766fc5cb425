//! Which headers a payload may set: none that steer the connection or pretend to be ours.

use std::collections::BTreeMap;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::worker::handlers::failure::HandlerError;

const MOST: usize = 64;
const MOST_BYTES: usize = 16 * 1024;

/// Headers that belong to the connection, to cookies, or to the server's signature.
const REFUSED: &[&str] = &[
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "keep-alive",
    "upgrade",
    "te",
    "trailer",
    "expect",
    "cookie",
];
const REFUSED_FRONTS: &[&str] = &["proxy-", "webhook-"];

/// The headers of a payload, checked.
pub(super) fn read(given: &BTreeMap<String, String>) -> Result<HeaderMap, HandlerError> {
    let bytes: usize = given
        .iter()
        .map(|(name, value)| name.len() + value.len())
        .sum();
    if given.len() > MOST || bytes > MOST_BYTES {
        return Err(HandlerError::invalid(
            "headers: at most 64 are allowed, 16 KiB together",
        ));
    }
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        let lower = name.to_ascii_lowercase();
        if REFUSED.contains(&lower.as_str())
            || REFUSED_FRONTS.iter().any(|front| lower.starts_with(front))
        {
            return Err(HandlerError::invalid(format!(
                "headers: {lower} cannot be set by a job"
            )));
        }
        let parsed = HeaderName::try_from(&lower)
            .ok()
            .zip(HeaderValue::from_str(value).ok());
        let Some((parsed_name, parsed_value)) = parsed else {
            return Err(HandlerError::invalid(format!(
                "headers: {name:?} is no header, or its value holds control characters"
            )));
        };
        if headers.insert(parsed_name, parsed_value).is_some() {
            return Err(HandlerError::invalid(format!(
                "headers: {lower} is given twice"
            )));
        }
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str, value: &str) -> Result<HeaderMap, HandlerError> {
        read(&BTreeMap::from([(name.to_owned(), value.to_owned())]))
    }

    #[test]
    fn headers_of_the_connection_are_refused() {
        for name in [
            "Host",
            "content-length",
            "Transfer-Encoding",
            "CONNECTION",
            "Upgrade",
            "Proxy-Authorization",
            "Cookie",
            "Webhook-Signature",
            "a b",
            "",
            "x\r\ny",
        ] {
            assert!(one(name, "v").is_err(), "{name}");
        }
        for value in ["a\r\nX-Evil: 1", "a\nb", "a\0b"] {
            assert!(one("x-note", value).is_err(), "{value:?}");
        }
        assert!(one("Authorization", "Bearer x").is_ok());
    }

    #[test]
    fn two_spellings_of_one_header_are_refused() {
        let twice = BTreeMap::from([
            ("X-A".to_owned(), "1".to_owned()),
            ("x-a".to_owned(), "2".to_owned()),
        ]);
        assert!(read(&twice).is_err());
    }

    #[test]
    fn there_is_a_limit_to_headers() {
        let many = |n: usize| (0..n).map(|n| (format!("x-{n}"), String::new())).collect();
        assert!(read(&many(64)).is_ok());
        assert!(read(&many(65)).is_err());
        assert!(one("x-a", &"v".repeat(MOST_BYTES)).is_err());
    }
}
