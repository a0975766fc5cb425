//! Payloads and results: JSON kept as the exact text that came in, and the one rule that says which
//! texts are taken.
//!
//! A text is taken when it is valid JSON by a full parse, nests at most [`MAX_DEPTH`] deep, holds no
//! NUL character, no lone surrogate and no number that overflows a double. Both databases, the page
//! and every worker can then read it for ever. It is never turned into a tree and back, which would
//! change large numbers, key order and repeated keys.

use std::fmt;

use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// The deepest nesting of arrays and objects that is taken.
pub const MAX_DEPTH: usize = 64;

/// The longest text taken unless the configuration says otherwise: 1 MiB.
pub const MAX_BYTES: usize = 1 << 20;

/// A JSON text that passed the rule of this module, byte for byte as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonText(Box<str>);

/// Where and why a text is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{detail} (line {line}, column {column})")]
pub struct JsonFault {
    /// Line from 1.
    pub line: usize,
    /// Column from 1, in bytes.
    pub column: usize,
    /// What is wrong, without the place.
    pub detail: String,
}

impl JsonText {
    /// Checks `text` by the rule of this module. Blanks around the value are cut off.
    pub fn parse(text: &str) -> Result<Self, JsonFault> {
        let mut parser = serde_json::Deserializer::from_str(text);
        Check { depth: 0 }
            .deserialize(&mut parser)
            .and_then(|()| parser.end())
            .map_err(|error| JsonFault::of(&error, text))?;
        Ok(JsonText(text.trim_matches([' ', '\t', '\n', '\r']).into()))
    }

    /// Takes text that was checked when it was stored.
    pub fn from_store(text: String) -> Self {
        JsonText(text.into())
    }

    /// Turns any value into JSON text; fails only for a value that JSON cannot hold.
    pub fn of<T: Serialize>(value: &T) -> Result<Self, JsonFault> {
        let text = serde_json::to_string(value).map_err(|error| JsonFault::of(&error, ""))?;
        JsonText::parse(&text)
    }

    /// The empty object.
    pub fn empty_object() -> Self {
        JsonText("{}".into())
    }

    /// `null`.
    pub fn null() -> Self {
        JsonText("null".into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text's first `max` characters, with an ellipsis where something was cut off.
    pub fn preview(&self, max: usize) -> String {
        let mut preview: String = self.0.chars().take(max).collect();
        if preview.len() < self.0.len() {
            preview.pop();
            preview.push('…');
        }
        preview
    }
}

/// What is told of half a character.
pub(crate) const LONE_SURROGATE: &str =
    "a lone surrogate, `\\ud800` to `\\udfff` without its other half, is not allowed";

impl JsonFault {
    /// What the parser says of `text`, in the queue's words.
    pub fn of(error: &serde_json::Error, text: &str) -> Self {
        let full = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let (line, column) = match (error.line(), error.column()) {
            // The parser stands behind a line break: the fault is at the end of the line before.
            (line, 0) if line > 1 => (line - 1, text.lines().nth(line - 2).map_or(1, str::len)),
            (line, column) => (line, column),
        };
        JsonFault {
            line: line.max(1),
            column: column.max(1),
            detail: said(full.strip_suffix(&place).unwrap_or(&full)).to_owned(),
        }
    }

    /// The fault and its place, as it is told of a whole request.
    pub fn placed(&self) -> String {
        format!(
            "{} at line {} column {}",
            self.detail, self.line, self.column
        )
    }
}

/// A message of the parser in words that need no knowledge of it.
fn said(parser: &str) -> &str {
    match parser {
        "EOF while parsing a value" => "the text ends where a value is expected",
        "EOF while parsing an object" => "the text ends within an object",
        "EOF while parsing a list" => "the text ends within an array",
        "EOF while parsing a string" => "the text ends within a string",
        "expected ident" => "expected `true`, `false` or `null`",
        "expected value" => "expected a value",
        "trailing comma" => "a comma before a closing bracket is not allowed",
        "trailing characters" => "characters follow the value",
        "invalid escape" => "no such escape after `\\`",
        "invalid number" => "a number is not complete or begins with 0",
        "number out of range" => "the number is beyond the range of a double",
        // The parser means the same by both: the other half is missing, or is not one.
        "lone leading surrogate in hex escape" | "unexpected end of hex escape" => LONE_SURROGATE,
        "recursion limit exceeded" => "nested too deep",
        other => other,
    }
}

/// Walks one value and keeps nothing of it.
#[derive(Clone, Copy)]
struct Check {
    depth: usize,
}

impl Check {
    fn deeper<E: de::Error>(self) -> Result<Check, E> {
        if self.depth == MAX_DEPTH {
            return Err(E::custom(format_args!(
                "nested deeper than {MAX_DEPTH} levels"
            )));
        }
        Ok(Check {
            depth: self.depth + 1,
        })
    }
}

impl<'de> DeserializeSeed<'de> for Check {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Check {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        if text.contains('\0') {
            return Err(E::custom("the character NUL (\\u0000) is not allowed"));
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let inner = self.deeper()?;
        while items.next_element_seed(inner)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let inner = self.deeper()?;
        while entries.next_key_seed(inner)?.is_some() {
            entries.next_value_seed(inner)?;
        }
        Ok(())
    }
}

impl fmt::Display for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Written into the surrounding JSON as it is, not as a string.
impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        <&RawValue>::deserialize(&mut serde_json::Deserializer::from_str(&self.0))
            .map_err(serde::ser::Error::custom)?
            .serialize(serializer)
    }
}

/// Taken from the surrounding JSON as it stands there, then checked.
impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        JsonText::parse(raw.get()).map_err(|fault| de::Error::custom(&fault.detail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_blank_and_repeated_key_is_kept() {
        for text in [
            r#"{"id":1970670598291982290}"#,
            "18446744073709551616",
            "0.1000000000000000055511151231257827",
            "-0",
            "1.0",
            "1e2",
            r#"{"a":1,  "a":2, "b":[ ]}"#,
            "null",
            r#""\u00e9""#,
        ] {
            let kept: JsonText = serde_json::from_str(text).unwrap();
            assert_eq!(kept.as_str(), text);
            assert_eq!(serde_json::to_string(&kept).unwrap(), text);
        }
    }

    #[test]
    fn what_no_reader_could_use_is_refused() {
        for text in [
            "",
            "{",
            "[1,]",
            "1 2",
            "nul",
            r#""\ud800""#,
            "1e400",
            "-1e400",
            r#"{"a":"x\u0000y"}"#,
            r#"{"x\u0000":1}"#,
            "\"a\nb\"",
            "NaN",
            "'a'",
        ] {
            assert!(JsonText::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn half_a_character_is_told_as_such() {
        for text in [
            r#""\ud800""#,
            r#""\ud800X""#,
            r#""\udc00""#,
            r#""\ud800\u0041""#,
        ] {
            let fault = JsonText::parse(text).unwrap_err();
            assert_eq!(fault.detail, LONE_SURROGATE, "{text}");
        }
    }

    #[test]
    fn nesting_stops_at_the_limit() {
        let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert!(JsonText::parse(&nested(MAX_DEPTH)).is_ok());
        assert!(
            JsonText::parse(&nested(MAX_DEPTH + 1))
                .unwrap_err()
                .detail
                .contains("64")
        );
        assert!(JsonText::parse(&nested(10_000)).is_err());
        assert!(JsonText::parse(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn a_fault_names_its_line_and_column() {
        let fault = JsonText::parse("{\n  \"a\": tru\n}").unwrap_err();
        assert_eq!(fault.line, 2);
        assert!(fault.column >= 8, "{fault:?}");
    }

    #[test]
    fn a_preview_is_cut_at_a_character() {
        let text = JsonText::parse(&format!("\"{}\"", "д".repeat(300))).unwrap();
        let preview = text.preview(200);
        assert_eq!(preview.chars().count(), 200);
        assert!(preview.ends_with('…'));
        assert_eq!(JsonText::null().preview(200), "null");
    }
}
