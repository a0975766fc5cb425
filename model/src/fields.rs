//! Reading a JSON object field by field, so that a request's every fault is told at once.
//!
//! `serde` stops at the first fault and cannot say which fields were unknown; this reader collects
//! all of them with their pointers. Values are read from the raw text, so that payloads stay as they
//! were given.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::Invalid;

/// A JSON object whose fields are taken one by one.
#[derive(Debug)]
pub struct Fields {
    values: BTreeMap<String, Box<RawValue>>,
    invalid: Invalid,
}

/// Why a text is not a JSON object at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum NotFields {
    /// It is not JSON (400).
    #[error("the body is not valid JSON: {0}")]
    Malformed(String),
    /// It is JSON, but not an object (422).
    #[error("the body must be a JSON object")]
    NotAnObject,
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Fields, A::Error> {
        let mut fields = Fields {
            values: BTreeMap::new(),
            invalid: Invalid::none(),
        };
        while let Some((name, value)) = entries.next_entry::<String, Box<RawValue>>()? {
            match fields.values.entry(name) {
                Entry::Occupied(entry) => {
                    fields.invalid.add(pointer(entry.key()), "is given twice");
                }
                Entry::Vacant(entry) => {
                    entry.insert(value);
                }
            }
        }
        Ok(fields)
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor)
    }
}

/// The JSON Pointer of a field at the top.
fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

impl Fields {
    /// Reads the outer object of `text`.
    pub fn parse(text: &str) -> Result<Fields, NotFields> {
        serde_json::from_str(text).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => NotFields::NotAnObject,
            _ => NotFields::Malformed(error.to_string()),
        })
    }

    /// Whether the field is there.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Takes the field; `None` when it is missing, `null`, or cannot be read, which is then noted.
    pub fn take<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        self.take_or_null(name).flatten()
    }

    /// Like [`Fields::take`], but tells `null` (`Some(None)`) from missing (`None`).
    pub fn take_or_null<T: DeserializeOwned>(&mut self, name: &str) -> Option<Option<T>> {
        let raw = self.values.remove(name)?;
        match serde_json::from_str::<Option<T>>(raw.get()) {
            Ok(value) => Some(value),
            Err(error) => {
                self.fault(name, plain(&error));
                None
            }
        }
    }

    /// Takes the field as the exact text of its value, `null` included.
    pub fn take_raw(&mut self, name: &str) -> Option<Box<RawValue>> {
        self.values.remove(name)
    }

    /// Takes a field that must be there.
    pub fn require<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        if !self.has(name) {
            self.fault(name, "is required");
            return None;
        }
        let before = self.invalid.errors.len();
        let value = self.take(name);
        if value.is_none() && self.invalid.errors.len() == before {
            self.fault(name, "is required and must not be null");
        }
        value
    }

    /// Takes an object in a field, read by `read` as this one is.
    pub fn nested<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(Fields) -> Result<T, Invalid>,
    ) -> Option<T> {
        let raw = self.values.remove(name)?;
        if raw.get() == "null" {
            return None;
        }
        let Ok(inner) = Fields::parse(raw.get()) else {
            self.fault(name, "must be an object");
            return None;
        };
        match read(inner) {
            Ok(value) => Some(value),
            Err(invalid) => {
                self.invalid
                    .errors
                    .extend(invalid.under(&pointer(name)).errors);
                None
            }
        }
    }

    /// Notes a fault of a field.
    pub fn fault(&mut self, name: &str, detail: impl Into<String>) {
        self.invalid.add(pointer(name), detail);
    }

    /// Ends the reading: fields nobody took are unknown, which is a fault. `value` is made only when
    /// there is none.
    pub fn finish<T>(
        mut self,
        known: &[&str],
        value: impl FnOnce() -> Option<T>,
    ) -> Result<T, Invalid> {
        let unknown: Vec<String> = self.values.keys().cloned().collect();
        for name in unknown {
            self.fault(
                &name,
                format!("is not a known field; known are {}", known.join(", ")),
            );
        }
        if self.invalid.errors.is_empty()
            && let Some(value) = value()
        {
            return Ok(value);
        }
        if self.invalid.errors.is_empty() {
            self.invalid.add("", "the request is incomplete");
        }
        Err(self.invalid)
    }
}

/// A `serde_json` message without the place, which would be the place within the field.
fn plain(error: &serde_json::Error) -> String {
    let full = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    full.strip_suffix(&place).unwrap_or(&full).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_told_at_once() {
        let mut fields = Fields::parse(r#"{"a":"x","b":-1,"c/d":0,"a":2}"#).unwrap();
        assert_eq!(fields.take::<String>("a").as_deref(), Some("x"));
        assert_eq!(fields.take::<u8>("b"), None);
        assert_eq!(fields.require::<u8>("z"), None);
        let invalid = fields.finish(&["a", "b", "z"], || Some(())).unwrap_err();
        let pointers: Vec<_> = invalid.errors.iter().map(|e| e.pointer.as_str()).collect();
        assert_eq!(pointers, ["/a", "/b", "/z", "/c~1d"]);
    }

    #[test]
    fn what_is_no_object_is_told_from_what_is_no_json() {
        assert_eq!(Fields::parse("[]").unwrap_err(), NotFields::NotAnObject);
        assert!(matches!(Fields::parse("{"), Err(NotFields::Malformed(_))));
        assert!(matches!(Fields::parse(""), Err(NotFields::Malformed(_))));
    }

    #[test]
    fn a_fault_in_an_inner_object_has_the_whole_pointer() {
        let mut fields = Fields::parse(r#"{"o":{"n":"x"}}"#).unwrap();
        let inner = fields.nested("o", |mut f| {
            let n = f.take::<u8>("n");
            f.finish(&["n"], || n)
        });
        assert_eq!(inner, None);
        let invalid = fields.finish(&["o"], || Some(())).unwrap_err();
        assert_eq!(invalid.errors[0].pointer, "/o/n");
    }
}
