//! Reading a JSON object field by field, so that a request's every fault is told at once.
//!
//! `serde` stops at the first fault and cannot say which fields were unknown; this reader collects
//! all of them with their pointers. Values are read from the raw text, so that payloads stay as they
//! were given.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::Invalid;
use crate::json::JsonFault;
use crate::read::{self, FromJson};
use crate::time::Span;

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
    #[error("the body is not valid JSON: {}", .0.placed())]
    Malformed(JsonFault),
    /// It is JSON, but not an object (422).
    #[error("the body must be a JSON object")]
    NotAnObject,
}

/// What was in a field.
enum Taken<T> {
    /// Nothing, or what cannot be read, which was noted.
    Nothing,
    Null,
    Value(T),
}

impl<T> Taken<T> {
    fn value(self) -> Option<T> {
        match self {
            Taken::Value(value) => Some(value),
            Taken::Nothing | Taken::Null => None,
        }
    }
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
pub(crate) fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

impl Fields {
    /// Reads the outer object of `text`.
    pub fn parse(text: &str) -> Result<Fields, NotFields> {
        serde_json::from_str(text).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => NotFields::NotAnObject,
            _ => NotFields::Malformed(JsonFault::of(&error, text)),
        })
    }

    /// Whether the field is there.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Whether the field is there and not `null`.
    pub fn has_value(&self, name: &str) -> bool {
        self.values.get(name).is_some_and(|raw| raw.get() != "null")
    }

    /// Whether there is no field at all.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Takes the field; `None` when it is missing, `null`, or cannot be read, which is then noted.
    pub fn take<T: FromJson>(&mut self, name: &str) -> Option<T> {
        self.take_or_null(name).flatten()
    }

    /// Like [`Fields::take`], but tells `null` (`Some(None)`) from missing (`None`).
    pub fn take_or_null<T: FromJson>(&mut self, name: &str) -> Option<Option<T>> {
        match self.read(name, T::from_json) {
            Taken::Nothing => None,
            Taken::Null => Some(None),
            Taken::Value(value) => Some(Some(value)),
        }
    }

    /// Takes a whole number within a range, as [`Fields::take`] does.
    pub fn take_whole<T: TryFrom<i64>>(&mut self, name: &str, from: i64, to: i64) -> Option<T> {
        let number = self.read(name, |json, at, invalid| {
            read::whole(json, (from, to), at, invalid)
        });
        number.value().and_then(|number| T::try_from(number).ok())
    }

    /// Takes a number of seconds, as [`Fields::take`] does. `too_long` is what is told of one that is
    /// longer than `most`.
    pub fn take_span(&mut self, name: &str, most: Span, too_long: &str) -> Option<Span> {
        let span = self.read(name, |json, at, invalid| {
            read::span(json, (most, too_long), at, invalid)
        });
        span.value()
    }

    fn read<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&RawValue, &str, &mut Invalid) -> Option<T>,
    ) -> Taken<T> {
        match self.values.remove(name) {
            None => Taken::Nothing,
            Some(raw) if raw.get() == "null" => Taken::Null,
            Some(raw) => {
                read(&raw, &pointer(name), &mut self.invalid).map_or(Taken::Nothing, Taken::Value)
            }
        }
    }

    /// Refuses `null` in every field but those of `except`: where a field left out stays as it is,
    /// null would say neither that nor anything else.
    pub fn refuse_nulls(&mut self, except: &[&str]) {
        let mut nulls: Vec<String> = self.values.keys().cloned().collect();
        nulls.retain(|name| !self.has_value(name) && !except.contains(&name.as_str()));
        for name in nulls {
            self.values.remove(&name);
            self.fault(&name, "must not be null; a field left out stays as it is");
        }
    }

    /// Every field as a string; one that is none is a fault.
    pub(crate) fn strings(mut self) -> Result<BTreeMap<String, String>, Invalid> {
        let mut strings = BTreeMap::new();
        for (name, raw) in std::mem::take(&mut self.values) {
            let value = String::from_json(&raw, &pointer(&name), &mut self.invalid);
            strings.extend(value.map(|value| (name, value)));
        }
        self.invalid.or(|| strings)
    }

    /// Takes the field as the exact text of its value, `null` included.
    pub fn take_raw(&mut self, name: &str) -> Option<Box<RawValue>> {
        self.values.remove(name)
    }

    /// Takes a field that must be there.
    pub fn require<T: FromJson>(&mut self, name: &str) -> Option<T> {
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

    /// Takes an object of the fields `known`, read by `read` as this one is.
    pub fn nested<T>(
        &mut self,
        name: &str,
        known: &[&str],
        read: impl FnOnce(Fields) -> Result<T, Invalid>,
    ) -> Option<T> {
        let value = self.read(name, |json, at, invalid| {
            read::object(json, known, at, invalid, read)
        });
        value.value()
    }

    /// Notes a fault of a field.
    pub fn fault(&mut self, name: &str, detail: impl Into<String>) {
        self.invalid.add(pointer(name), detail);
    }

    /// Notes a fault of the object as a whole.
    pub fn fault_of_all(&mut self, detail: impl Into<String>) {
        self.invalid.add("", detail);
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
            let fault = if known.is_empty() {
                "is not a known field; none is taken here".to_owned()
            } else {
                format!("is not a known field; known are {}", known.join(", "))
            };
            self.fault(&name, fault);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_told_at_once() {
        let mut fields = Fields::parse(r#"{"a":"x","b":-1,"c/d":0,"a":2}"#).unwrap();
        assert_eq!(fields.take::<String>("a").as_deref(), Some("x"));
        assert_eq!(fields.take_whole::<u8>("b", 0, 9), None);
        assert_eq!(fields.require::<f64>("z"), None);
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
        let inner = fields.nested("o", &["n"], |mut f| {
            let n = f.take::<f64>("n");
            f.finish(&["n"], || n)
        });
        assert_eq!(inner, None);
        let invalid = fields.finish(&["o"], || Some(())).unwrap_err();
        assert_eq!(invalid.errors[0].pointer, "/o/n");
    }
}
