//! Query strings, read and written exactly. The router decodes a value twice, which would change a
//! queue called `100%25`; pages that carry names in their query read it here.

use conveyor_model::filter::percent_encode;

/// The names and values of a query string without `?`, decoded once, in their order.
pub(crate) fn pairs(query: &str) -> Vec<(String, String)> {
    query
        .split('&')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (decode(name), decode(value))
        })
        .collect()
}

/// The first value of `name`, empty when there is none.
pub(crate) fn value(query: &str, name: &str) -> String {
    pairs(query)
        .into_iter()
        .find(|(is, _)| is == name)
        .map(|(_, value)| value)
        .unwrap_or_default()
}

/// A query string with `?` in front, empty when there are no pairs.
pub(crate) fn write<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut query = String::new();
    for (name, value) in pairs {
        query.push(if query.is_empty() { '?' } else { '&' });
        percent_encode(name, &mut query);
        query.push('=');
        percent_encode(value, &mut query);
    }
    query
}

/// One part of a URL, with what is percent-encoded in it decoded and `+` read as a blank.
fn decode(text: &str) -> String {
    percent_decode(&text.replace('+', " "))
}

/// `text` with every `%41` as the byte it stands for; what is no such triple stays as it is.
pub(crate) fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits = text
            .get(at + 1..at + 3)
            .filter(|digits| byte == b'%' && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let decoded = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(decoded.unwrap_or(byte));
        at += if decoded.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_decoded_once() {
        let query = write([("queue", "100%25"), ("q", "a b+c&d=ж"), ("queue", "")]);
        assert_eq!(
            pairs(query.trim_start_matches('?')),
            [
                ("queue".to_owned(), "100%25".to_owned()),
                ("q".to_owned(), "a b+c&d=ж".to_owned()),
                ("queue".to_owned(), String::new()),
            ]
        );
        assert_eq!(value("a=1&b=x+y&b=2", "b"), "x y");
    }

    #[test]
    fn what_is_not_encoded_stays() {
        assert_eq!(percent_decode("100%"), "100%");
        assert_eq!(percent_decode("%zz%4"), "%zz%4");
        assert_eq!(percent_decode("%+1"), "%+1");
        assert_eq!(percent_decode("%D0%B4"), "д");
        assert_eq!(percent_decode("%дд"), "%дд");
    }
}
