//! The dead letter, grouped by cause: jobs that died of the same error stand together.

use serde::{Deserialize, Serialize};

use crate::name::{JobId, Kind};
use crate::time::Timestamp;

/// Dead jobs of one kind that failed alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeadGroup {
    /// Names the group in URLs; made by [`fingerprint`].
    pub fingerprint: String,
    /// The kind of its jobs.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub kind: Kind,
    /// The sort of error.
    pub class: String,
    /// The message of one of its jobs.
    pub message: String,
    /// How many jobs are in it now.
    pub count: u64,
    /// When the first job of the group died.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub first_at: Timestamp,
    /// When the latest did.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub last_at: Timestamp,
    /// One of its jobs.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<i64>))]
    pub sample: Option<JobId>,
}

/// A name for "the same cause": kind, error class, and the message with its numbers, quoted parts
/// and long hexadecimal words left out. 16 hexadecimal digits of 64-bit FNV-1a.
pub fn fingerprint(kind: &Kind, class: &str, message: &str) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |text: &str| {
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    eat(kind.as_str());
    eat(class);
    eat(&normalised(message));
    format!("{hash:016x}")
}

/// The message's first line with what differs from job to job replaced by `*`.
fn normalised(message: &str) -> String {
    let line = message.lines().next().unwrap_or("");
    let mut out = String::new();
    let mut quote = None;
    let mut word = String::new();
    for c in line.chars().take(500).chain([' ']) {
        if let Some(end) = quote {
            if c == end {
                quote = None;
            }
            continue;
        }
        if c.is_alphanumeric() {
            word.push(c);
            continue;
        }
        let varies = word.contains(|c: char| c.is_ascii_digit())
            || (word.len() >= 16 && word.bytes().all(|b| b.is_ascii_hexdigit()));
        out.push_str(if varies { "*" } else { &word });
        word.clear();
        match c {
            '"' | '`' => quote = Some(c),
            '“' => quote = Some('”'),
            '«' => quote = Some('»'),
            c => out.push(c),
        }
    }
    out.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_differ_in_details_are_one_cause() {
        let kind = Kind::new("webhook.call").unwrap();
        let print = |message| fingerprint(&kind, "Timeout", message);
        assert_eq!(
            print("no answer within 10 s"),
            print("no answer within 30 s")
        );
        assert_eq!(
            print("user \"anna\" not found"),
            print("user \"ivan\" not found")
        );
        assert_eq!(print("id 3f2a-77 gone"), print("id 9b1c-01 gone"));
        assert_ne!(print("connection refused"), print("connection reset"));
        assert_ne!(print("x"), fingerprint(&kind, "Other", "x"));
        assert_eq!(print("").len(), 16);
    }
}
