//! Refusals that come from behind the model: of the server, and of the parser of JSON where no
//! request leads to them.

use super::super::{operator, split};

/// What the server says, as it stands in `src`, with made-up names and numbers.
pub(super) const REFUSALS: &[&str] = &[
    "must lie in the future",
    "it has had 1 attempt already; at least 2 is needed",
    "it has had 3 attempts already; at least 4 is needed",
    "is not a known field; none is taken here",
    "must be a whole number from 1 to 100",
    "10001 jobs, at most 10000 are allowed",
    "\"Mars/Phobos\" is no IANA time zone; write one like UTC or Europe/Berlin",
    "an edit needs the new values; use PATCH",
    "not stored, because another job of the same request was refused",
    "a schedule named NIGHTLY exists already",
    "the lease is not held any more; stop this attempt",
    "the database is away; try again later",
    "the server is stopping; ask again later",
    "a running job cannot be deleted; cancel it first, or wait until its attempt ends",
    "a blocked job cannot be deleted; cancel it first",
    "a ready job cannot be run now; it starts as soon as a worker is free",
    "a running job cannot be retried; it runs already",
    "a dead job cannot be run now; retry it instead",
    "a scheduled job cannot be retried; run it now instead",
    "a succeeded job cannot be edited; duplicate it instead",
    "a dead job cannot be edited; give the fields to change",
    "a cancelled job cannot be cancelled",
    "a retrying job cannot be discarded",
    "a ready job cannot be duplicated",
];

/// Messages of the parser that a payload cannot bring about.
pub(super) const PARSER: &[&str] = &[
    "expected `\"`",
    "nested too deep",
    "invalid unicode code point",
    "invalid value: expected key to be a number in quotes",
    "float key must be finite (got NaN or +/-inf)",
];

/// Where those texts are written.
const SOURCES: &[&str] = &[
    include_str!("../../../../../model/src/error.rs"),
    include_str!("../../../../../src/service/jobs.rs"),
    include_str!("../../../../../src/service/protocol.rs"),
    include_str!("../../../../../src/service/queues.rs"),
    include_str!("../../../../../src/service/schedules.rs"),
    include_str!("../../../../../src/store.rs"),
    include_str!("../../../../../src/store/sqlite/act.rs"),
    include_str!("../../../../../src/store/sqlite/schedules.rs"),
    include_str!("../../../../../src/zones.rs"),
];

#[test]
fn the_server_still_says_what_is_translated() {
    let refusals = [operator::REFUSALS, operator::INSTEAD].concat();
    for (mut english, _) in refusals {
        while !english.is_empty() {
            let (said, _, rest) = split(english).unwrap_or((english, "", ""));
            let known = said.len() < 8 || SOURCES.iter().any(|source| source.contains(said));
            assert!(known, "nobody says {said:?} any more");
            english = rest;
        }
    }
}
