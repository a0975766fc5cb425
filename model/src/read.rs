//! Reading single values of a request from their JSON text, so that every fault is told in the queue's
//! own words and with its place.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde_json::value::RawValue;

use crate::error::Invalid;
use crate::fields::Fields;
use crate::name::{
    IdempotencyKey, JobId, Kind, LeaseToken, Priority, QueueName, ScheduleName, Tag, WorkerName,
};
use crate::time::{Span, Timestamp};

/// A type whose values stand in requests.
pub trait FromJson: Sized {
    /// Reads the value at the pointer `at`. What cannot be taken is noted, and none is the answer.
    fn from_json(json: &RawValue, at: &str, invalid: &mut Invalid) -> Option<Self>;
}

/// The value of a string; none when it is something else, or holds half a character.
fn string(json: &RawValue, at: &str, invalid: &mut Invalid) -> Option<String> {
    let text = json.get();
    if !text.starts_with('"') {
        invalid.add(at, "must be a string");
        return None;
    }
    let read = serde_json::from_str(text).ok();
    if read.is_none() {
        // Everything else was checked when the whole request was read.
        invalid.add(at, crate::json::LONE_SURROGATE);
    }
    read
}

/// A whole number from `from` to `to`. One with a fraction or an exponent is none, whatever its value.
pub(crate) fn whole(
    json: &RawValue,
    (from, to): (i64, i64),
    at: &str,
    invalid: &mut Invalid,
) -> Option<i64> {
    let number = json.get().parse().ok();
    let number = number.filter(|number| (from..=to).contains(number));
    if number.is_none() {
        let fault = format!("must be a whole number from {from} to {to}");
        invalid.add(at, fault);
    }
    number
}

/// A number of seconds, at most `most`; `too_long` is what a longer one is told.
pub(crate) fn span(
    json: &RawValue,
    (most, too_long): (Span, &str),
    at: &str,
    invalid: &mut Invalid,
) -> Option<Span> {
    // JSON has no text for what is not finite: infinite is only what is beyond all numbers.
    let Some(secs) = json.get().parse::<f64>().ok().filter(|secs| *secs >= 0.0) else {
        invalid.add(at, "must be a number of seconds, 0 or more");
        return None;
    };
    let span = Span::from_secs_f64(secs).filter(|span| *span <= most);
    if span.is_none() {
        invalid.add(at, too_long);
    }
    span
}

impl FromJson for String {
    fn from_json(json: &RawValue, at: &str, invalid: &mut Invalid) -> Option<Self> {
        string(json, at, invalid)
    }
}

impl FromJson for bool {
    fn from_json(json: &RawValue, at: &str, invalid: &mut Invalid) -> Option<Self> {
        match json.get() {
            "true" => Some(true),
            "false" => Some(false),
            _ => {
                invalid.add(at, "must be true or false");
                None
            }
        }
    }
}

/// Any number; one beyond the range of a double is infinite, which no field allows.
impl FromJson for f64 {
    fn from_json(json: &RawValue, at: &str, invalid: &mut Invalid) -> Option<Self> {
        let number = json.get().parse().ok();
        if number.is_none() {
            invalid.add(at, "must be a number");
        }
        number
    }
}

impl FromJson for Box<RawValue> {
    fn from_json(json: &RawValue, _: &str, _: &mut Invalid) -> Option<Self> {
        Some(json.to_owned())
    }
}

/// A number with a range of its own, whose fault says all.
fn number<T: TryFrom<i64, Error: ToString>>(
    json: &RawValue,
    at: &str,
    invalid: &mut Invalid,
) -> Option<T> {
    // What is no whole number at all is refused as one that is out of every range.
    match T::try_from(json.get().parse().unwrap_or(i64::MIN)) {
        Ok(number) => Some(number),
        Err(fault) => {
            invalid.add(at, fault.to_string());
            None
        }
    }
}

impl FromJson for JobId {
    fn from_json(json: &RawValue, at: &str, invalid: &mut Invalid) -> Option<Self> {
        number(json, at, invalid)
    }
}

impl FromJson for Priority {
    fn from_json(json: &RawValue, at: &str, invalid: &mut Invalid) -> Option<Self> {
        number(json, at, invalid)
    }
}

impl FromJson for LeaseToken {
    fn from_json(json: &RawValue, at: &str, invalid: &mut Invalid) -> Option<Self> {
        let token = json.get().parse().ok().map(LeaseToken);
        if token.is_none() {
            invalid.add(at, "must be a whole number");
        }
        token
    }
}

/// A value that is written as a string; its own reader says what is wrong with one.
fn parsed<T: FromStr<Err: ToString>>(
    json: &RawValue,
    at: &str,
    invalid: &mut Invalid,
) -> Option<T> {
    match string(json, at, invalid)?.parse() {
        Ok(value) => Some(value),
        Err(fault) => {
            let fault: T::Err = fault;
            invalid.add(at, fault.to_string());
            None
        }
    }
}

macro_rules! parsed {
    ($($type:ty),*) => {$(
        impl FromJson for $type {
            fn from_json(json: &RawValue, at: &str, invalid: &mut Invalid) -> Option<Self> {
                parsed(json, at, invalid)
            }
        }
    )*};
}

parsed!(
    Kind,
    QueueName,
    Tag,
    WorkerName,
    ScheduleName,
    IdempotencyKey,
    Timestamp
);

/// The value that a string says, one of a few that have words.
pub(crate) fn word<T: Copy>(
    json: &RawValue,
    words: &[(&str, T)],
    at: &str,
    invalid: &mut Invalid,
) -> Option<T> {
    let found = json
        .get()
        .starts_with('"')
        .then(|| serde_json::from_str::<String>(json.get()).ok())
        .flatten()
        .and_then(|text| words.iter().find(|(word, _)| *word == text));
    if found.is_none() {
        let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        invalid.add(at, format!("must be one of {}", words.join(", ")));
    }
    found.map(|(_, value)| *value)
}

/// Makes an enum readable by its words, which are those `serde` writes.
macro_rules! words {
    ($type:ty: $($word:literal => $value:ident),* $(,)?) => {
        impl $crate::read::FromJson for $type {
            fn from_json(
                json: &serde_json::value::RawValue,
                at: &str,
                invalid: &mut $crate::error::Invalid,
            ) -> Option<Self> {
                let words = [$(($word, <$type>::$value)),*];
                $crate::read::word(json, &words, at, invalid)
            }
        }

        #[cfg(test)]
        impl $crate::read::Worded for $type {
            fn words() -> Vec<(&'static str, Self)> {
                vec![$(($word, <$type>::$value)),*]
            }
        }
    };
}
pub(crate) use words;

/// The words of an enum, for the test that they are the ones that are written.
#[cfg(test)]
pub(crate) trait Worded: Sized {
    /// Each word with what it says.
    fn words() -> Vec<(&'static str, Self)>;
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(json: &RawValue, at: &str, invalid: &mut Invalid) -> Option<Self> {
        let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(json.get()) else {
            invalid.add(at, "must be an array");
            return None;
        };
        let before = invalid.errors.len();
        let read = items
            .into_iter()
            .enumerate()
            .filter_map(|(n, item)| T::from_json(item, &format!("{at}/{n}"), invalid))
            .collect();
        (invalid.errors.len() == before).then_some(read)
    }
}

/// An object of strings under any names.
impl FromJson for BTreeMap<String, String> {
    fn from_json(json: &RawValue, at: &str, invalid: &mut Invalid) -> Option<Self> {
        let Ok(fields) = Fields::parse(json.get()) else {
            invalid.add(at, "must be an object of strings");
            return None;
        };
        within(fields.strings(), at, invalid)
    }
}

/// What was read of an object at the pointer `at`; its faults are noted at their places below that.
fn within<T>(read: Result<T, Invalid>, at: &str, invalid: &mut Invalid) -> Option<T> {
    read.map_err(|inner| invalid.errors.extend(inner.under(at).errors))
        .ok()
}

/// Reads an object by its fields: what [`FromJson`] is for a type with some.
pub(crate) fn object<T>(
    json: &RawValue,
    known: &[&str],
    at: &str,
    invalid: &mut Invalid,
    read: impl FnOnce(Fields) -> Result<T, Invalid>,
) -> Option<T> {
    let Ok(fields) = Fields::parse(json.get()) else {
        invalid.add(at, format!("must be an object with {}", known.join(", ")));
        return None;
    };
    within(read(fields), at, invalid)
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;
    use crate::cron::{Gap, Overlap};
    use crate::job::LogLevel;
    use crate::lang::Lang;
    use crate::retry::Growth;
    use crate::schedule::{CatchUp, OverlapPolicy};
    use crate::worker::FinishOutcome;

    type Told = Vec<(String, String)>;

    fn faults<T: FromJson>(text: &str) -> Told {
        let json = RawValue::from_string(text.to_owned()).unwrap();
        let mut invalid = Invalid::none();
        assert!(T::from_json(&json, "/f", &mut invalid).is_none(), "{text}");
        let told = |error: crate::error::FieldError| (error.pointer, error.detail);
        invalid.errors.into_iter().map(told).collect()
    }

    #[test]
    fn a_fault_within_a_list_or_an_object_has_its_whole_place() {
        let pointers = |faults: Told| -> Vec<String> {
            faults.into_iter().map(|(pointer, _)| pointer).collect()
        };
        let tags = faults::<Vec<Tag>>(r#"["a"," b","c",1,null]"#);
        assert_eq!(pointers(tags), ["/f/1", "/f/3", "/f/4"]);
        let meta = faults::<BTreeMap<String, String>>(r#"{"a":{},"b/c":1,"d":"x"}"#);
        assert_eq!(pointers(meta), ["/f/a", "/f/b~1c"]);
        assert_eq!(pointers(faults::<Vec<Tag>>("{}")), ["/f"]);
    }

    #[test]
    fn no_fault_speaks_of_types_of_the_program() {
        let readers: [fn(&str) -> Told; 7] = [
            faults::<JobId>,
            faults::<QueueName>,
            faults::<Timestamp>,
            faults::<Growth>,
            faults::<Vec<bool>>,
            faults::<Vec<LeaseToken>>,
            faults::<Vec<f64>>,
        ];
        for reader in readers {
            for value in ["null", "true", "\"\\ud800\"", "[[]]", "[\"x\"]", "{}"] {
                for (_, told) in reader(value) {
                    for word in [
                        "invalid", "expected", "variant", "i64", "sequence", "struct",
                    ] {
                        assert!(!told.contains(word), "{value}: {told}");
                    }
                }
            }
        }
        assert_eq!(faults::<Priority>("1.5"), faults::<Priority>("10"));
        assert_eq!(
            faults::<bool>("1"),
            [("/f".into(), "must be true or false".into())]
        );
        let growth = "must be one of exponential, linear, fixed";
        assert_eq!(faults::<Growth>("\"foo\""), [("/f".into(), growth.into())]);
    }

    fn agree<T: Worded + Serialize>() {
        for (word, value) in T::words() {
            assert_eq!(serde_json::to_value(&value).unwrap(), word);
        }
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        agree::<Growth>();
        agree::<CatchUp>();
        agree::<OverlapPolicy>();
        agree::<FinishOutcome>();
        agree::<LogLevel>();
        agree::<Lang>();
        agree::<Gap>();
        agree::<Overlap>();
    }
}
