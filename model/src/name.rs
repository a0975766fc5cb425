//! Ids and names that cannot hold what they must not: each is checked once, where it enters.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Why a text is not a valid name or id; says what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NameError(String);

/// The id of a job: positive, unique for ever in one database, growing with the order of storing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct JobId(i64);

impl JobId {
    /// The id as the number it is.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl TryFrom<i64> for JobId {
    type Error = NameError;

    fn try_from(id: i64) -> Result<Self, NameError> {
        if id > 0 {
            Ok(JobId(id))
        } else {
            Err(NameError("a job id is a whole number from 1".to_owned()))
        }
    }
}

impl From<JobId> for i64 {
    fn from(id: JobId) -> i64 {
        id.0
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for JobId {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let plain = text.bytes().all(|b| b.is_ascii_digit());
        text.parse::<i64>()
            .ok()
            .filter(|_| plain)
            .ok_or_else(|| NameError("a job id is a whole number from 1".to_owned()))
            .and_then(JobId::try_from)
    }
}

/// The fencing token of a lease: grows by one with each claim of its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LeaseToken(pub i64);

/// How soon a ready job is taken: 0 to 9, 9 goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Priority(u8);

impl Priority {
    /// What a job gets when nothing is said.
    pub const DEFAULT: Priority = Priority(5);

    /// The priority as a number, 0 to 9.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl Default for Priority {
    fn default() -> Self {
        Priority::DEFAULT
    }
}

impl TryFrom<i64> for Priority {
    type Error = NameError;

    fn try_from(n: i64) -> Result<Self, NameError> {
        u8::try_from(n)
            .ok()
            .filter(|n| *n <= 9)
            .map(Priority)
            .ok_or_else(|| {
                NameError("a priority is a whole number from 0 to 9, 9 goes first".to_owned())
            })
    }
}

impl From<Priority> for i64 {
    fn from(priority: Priority) -> i64 {
        i64::from(priority.0)
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A text of 1 to `longest` characters without control characters and without a blank at either end.
fn check_free(what: &str, text: &str, longest: usize) -> Result<(), NameError> {
    let count = text.chars().count();
    if count == 0 || count > longest {
        return Err(NameError(format!(
            "{what} has 1 to {longest} characters, this one has {count}"
        )));
    }
    if text.chars().any(char::is_control) {
        return Err(NameError(format!("{what} holds no control characters")));
    }
    if text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace) {
        return Err(NameError(format!(
            "{what} neither begins nor ends with a blank"
        )));
    }
    Ok(())
}

fn check_kind(text: &str) -> Result<(), NameError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "._:-".contains(c);
    if text.is_empty() || text.chars().count() > 128 || !text.chars().all(allowed) {
        return Err(NameError(
            "a kind has 1 to 128 characters of A–Z a–z 0–9 . _ : -".to_owned(),
        ));
    }
    Ok(())
}

fn check_key(text: &str) -> Result<(), NameError> {
    if text.is_empty() || text.len() > 255 {
        return Err(NameError(format!(
            "an idempotency key has 1 to 255 bytes, this one has {}",
            text.len()
        )));
    }
    if text.chars().any(char::is_control) {
        return Err(NameError(
            "an idempotency key holds no control characters".to_owned(),
        ));
    }
    Ok(())
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $check:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Checks `text` and takes it.
            pub fn new(text: impl Into<String>) -> Result<Self, NameError> {
                let text = text.into();
                let check: fn(&str) -> Result<(), NameError> = $check;
                check(&text)?;
                Ok($name(text))
            }

            /// The text itself.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = NameError;

            fn try_from(text: String) -> Result<Self, NameError> {
                $name::new(text)
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.0
            }
        }

        impl FromStr for $name {
            type Err = NameError;

            fn from_str(text: &str) -> Result<Self, NameError> {
                $name::new(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    };
}

name!(
    /// Which handler runs a job, such as `email.send`: 1 to 128 characters of `A–Z a–z 0–9 . _ : -`.
    Kind,
    check_kind
);
name!(
    /// The queue a job waits in: 1 to 128 characters, any but control characters, no blank at either end.
    QueueName,
    |text| check_free("a queue name", text, 128)
);
name!(
    /// A word put on a job to find it by: 1 to 64 characters, any but control characters.
    Tag,
    |text| check_free("a tag", text, 64)
);
name!(
    /// A worker process: a name plus a part made at random when it started; 1 to 128 characters.
    WorkerName,
    |text| check_free("a worker name", text, 128)
);
name!(
    /// A schedule: 1 to 128 characters, any but control characters, no blank at either end.
    ScheduleName,
    |text| check_free("a schedule name", text, 128)
);
name!(
    /// The key that makes a repeated enqueue harmless: 1 to 255 bytes, compared byte for byte.
    IdempotencyKey,
    check_key
);

impl Default for QueueName {
    fn default() -> Self {
        QueueName("default".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_any_text_but_control_characters_and_outer_blanks() {
        for good in [
            "a",
            "a/b c?д",
            "😀",
            "<script>alert(1)</script>",
            &"x".repeat(128),
        ] {
            assert!(QueueName::new(good).is_ok(), "{good}");
        }
        for bad in ["", " a", "a\t", "a\nb", "a\0", &"x".repeat(129)] {
            assert!(QueueName::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn kinds_are_plain_ascii() {
        assert!(Kind::new("email.send:v2_x-1").is_ok());
        for bad in ["", "a b", "é", "a/b", &"k".repeat(129)] {
            assert!(Kind::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn keys_are_counted_in_bytes() {
        assert!(IdempotencyKey::new("k".repeat(255)).is_ok());
        assert!(IdempotencyKey::new("k".repeat(256)).is_err());
        assert!(IdempotencyKey::new("é".repeat(128)).is_err());
        assert!(IdempotencyKey::new("a\0b").is_err());
        assert_ne!(
            IdempotencyKey::new("\u{e9}").unwrap(),
            IdempotencyKey::new("e\u{301}").unwrap()
        );
    }

    #[test]
    fn ids_and_priorities_stay_in_their_range() {
        assert!("0".parse::<JobId>().is_err());
        assert!("-1".parse::<JobId>().is_err());
        assert!("+1".parse::<JobId>().is_err());
        assert!("9223372036854775808".parse::<JobId>().is_err());
        assert_eq!(
            "9223372036854775807".parse::<JobId>().unwrap().get(),
            i64::MAX
        );
        assert!(serde_json::from_str::<Priority>("10").is_err());
        assert!(serde_json::from_str::<Priority>("-1").is_err());
        assert_eq!(serde_json::from_str::<Priority>("9").unwrap().get(), 9);
    }
}
