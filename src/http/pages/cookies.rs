//! Cookies of the dashboard that hold no secret.

use axum::http::{HeaderMap, HeaderValue, header};
use conveyor_model::filter::percent_encode;

/// The decoded value of a cookie.
pub(super) fn find(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(found, _)| *found == name)
        .and_then(|(_, value)| decode(value))
}

/// Keeps a choice for a year.
pub(super) fn keep(name: &str, value: &str) -> Option<HeaderValue> {
    let mut cookie = format!("{name}=");
    percent_encode(value, &mut cookie);
    cookie.push_str("; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax");
    HeaderValue::try_from(cookie).ok()
}

/// Takes a cookie back.
pub(super) fn forget(name: &str) -> Option<HeaderValue> {
    HeaderValue::try_from(format!(
        "{name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
    ))
    .ok()
}

/// Percent-encoded UTF-8; none when it is anything else.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        if *first == b'%' {
            let digits = tail.get(..2)?;
            let digits = std::str::from_utf8(digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back_as_it_was_kept() {
        let text = "{\"a\": \"б; c=%\"}";
        let kept = keep("x", text).unwrap();
        let pair = kept.to_str().unwrap().split(';').next().unwrap().to_owned();
        let mut headers = HeaderMap::new();
        headers.insert(
            header::COOKIE,
            HeaderValue::try_from(format!("other=1; {pair}")).unwrap(),
        );
        assert_eq!(find(&headers, "x").as_deref(), Some(text));
        assert_eq!(find(&headers, "y"), None);
    }

    #[test]
    fn a_broken_value_is_no_value() {
        for text in ["%", "%4", "%zz", "%ff"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
