//! Which jobs a list shows: the filter, its query string, its search text, and paging.
//!
//! The URL is the state of a list, so a filter and its query string are two forms of one thing. The
//! search text knows qualifiers (`kind:email.send state:dead priority:9 worker:… schedule:… tag:…
//! id:… error:…`); what is left is searched for in the payload, the error and the key.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::error::Invalid;
use crate::job::JobRow;
use crate::name::{JobId, Kind, Priority, QueueName, ScheduleName, Tag, WorkerName};
use crate::state::State;
use crate::time::Timestamp;

/// The most items on one page.
pub const MAX_LIMIT: u32 = 200;
/// The items on a page when nothing is said.
pub const DEFAULT_LIMIT: u32 = 50;
/// Totals are counted exactly up to here.
pub const TOTAL_CAP: u64 = 10_000;

/// The order of a list. Each has an index behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// Latest stored first.
    #[default]
    Newest,
    /// First stored first.
    Oldest,
}

/// Which jobs: every part that is given must hold; of several values in one part, one must.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct JobFilter {
    /// In one of these states.
    pub states: Vec<State>,
    /// Of one of these kinds.
    pub kinds: Vec<Kind>,
    /// In one of these queues.
    pub queues: Vec<QueueName>,
    /// With one of these tags.
    pub tags: Vec<Tag>,
    /// With one of these priorities.
    pub priorities: Vec<Priority>,
    /// Run by this worker now or last.
    pub worker: Option<WorkerName>,
    /// Enqueued by this schedule.
    pub schedule: Option<ScheduleName>,
    /// With this id.
    pub id: Option<JobId>,
    /// Dead, and of this group (see [`crate::dead`]).
    pub dead_group: Option<String>,
    /// Stored at or after.
    pub from: Option<Timestamp>,
    /// Stored before.
    pub to: Option<Timestamp>,
    /// With this text in the payload, the last error or the key; ASCII letters in any case.
    pub text: Option<String>,
    /// The order.
    pub sort: Sort,
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// At most this many items, 1 to [`MAX_LIMIT`].
    pub limit: u32,
    /// Start after the item this cursor names.
    pub after: Option<Cursor>,
}

/// A place in a list: the id of the last job seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cursor(pub JobId);

/// A page of jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobPage {
    /// The jobs.
    pub items: Vec<JobRow>,
    /// Where the next page starts; none on the last.
    pub next: Option<Cursor>,
    /// How many match: exact up to [`TOTAL_CAP`], and beyond where the counts know.
    pub total: u64,
    /// Whether there are more than `total`, or may be.
    pub total_capped: bool,
    /// A page is given up after a bounded time, a text search after a bounded number of jobs too; true
    /// when that happened before it was full, so that `next` may lead on even from an empty page.
    pub search_stopped: bool,
}

impl Default for Page {
    fn default() -> Self {
        Page {
            limit: DEFAULT_LIMIT,
            after: None,
        }
    }
}

impl Page {
    /// Reads `limit` and `after`; a limit out of range is clamped, another fault is told.
    pub fn read(limit: Option<&str>, after: Option<&str>) -> Result<Page, Invalid> {
        let mut invalid = Invalid::none();
        let limit = limit
            .map_or(Some(DEFAULT_LIMIT), clamped)
            .unwrap_or_else(|| {
                invalid.add("/limit", "must be a whole number from 1 to 200");
                DEFAULT_LIMIT
            });
        let after = after.and_then(|text| {
            let cursor = text.parse::<Cursor>();
            if let Err(fault) = &cursor {
                invalid.add("/after", fault.as_str());
            }
            cursor.ok()
        });
        invalid.or(|| Page { limit, after })
    }
}

/// The whole number in a text within the limits of a page, however long it is.
fn clamped(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    if digits.len() < text.len() {
        return Some(1);
    }
    Some(
        digits
            .parse::<u32>()
            .map_or(MAX_LIMIT, |n| n.clamp(1, MAX_LIMIT)),
    )
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::str::FromStr for Cursor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse()
            .map(Cursor)
            .map_err(|_| "is no cursor; take it from `next` of the page before".to_owned())
    }
}

/// The query parameters a filter is read from.
pub const FILTER_FIELDS: &[&str] = &[
    "state",
    "kind",
    "queue",
    "tag",
    "priority",
    "worker",
    "schedule",
    "id",
    "dead_group",
    "from",
    "to",
    "q",
    "sort",
];

impl JobFilter {
    /// Reads the filter from query parameters. A name may be repeated; an empty value counts as
    /// left out, as a form sends it; names that are no part of a filter are skipped.
    pub fn from_pairs<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, Invalid> {
        let mut filter = JobFilter::default();
        let mut invalid = Invalid::none();
        for (name, value) in pairs {
            if value.is_empty() || !FILTER_FIELDS.contains(&name) {
                continue;
            }
            if name == "q" {
                filter.search(value, &mut invalid);
            } else {
                filter.set(name, value, &mut invalid);
            }
        }
        invalid.or(|| filter)
    }

    /// Reads the filter from one search text.
    pub fn from_search(text: &str) -> Result<Self, Invalid> {
        JobFilter::from_pairs([("q", text)])
    }

    fn set(&mut self, name: &str, value: &str, invalid: &mut Invalid) {
        fn take<T: std::str::FromStr>(name: &str, value: &str, invalid: &mut Invalid) -> Option<T>
        where
            T::Err: ToString,
        {
            let parsed = value.parse::<T>();
            if let Err(fault) = &parsed {
                invalid.add(format!("/{name}"), fault.to_string());
            }
            parsed.ok()
        }
        match name {
            "state" => self.states.extend(take::<State>(name, value, invalid)),
            "kind" => self.kinds.extend(take::<Kind>(name, value, invalid)),
            "queue" => self.queues.extend(take::<QueueName>(name, value, invalid)),
            "tag" => self.tags.extend(take::<Tag>(name, value, invalid)),
            "priority" => {
                let priority = value
                    .parse::<i64>()
                    .ok()
                    .and_then(|n| Priority::try_from(n).ok());
                if priority.is_none() {
                    invalid.add("/priority", "must be a whole number from 0 to 9");
                }
                self.priorities.extend(priority);
            }
            "worker" => self.worker = take(name, value, invalid),
            "schedule" => self.schedule = take(name, value, invalid),
            "id" => self.id = take(name, value.trim_start_matches('#'), invalid),
            "dead_group" => self.dead_group = Some(value.to_owned()),
            "from" => self.from = take(name, value, invalid),
            "to" => self.to = take(name, value, invalid),
            "sort" => match value {
                "newest" => self.sort = Sort::Newest,
                "oldest" => self.sort = Sort::Oldest,
                _ => invalid.add("/sort", "must be newest or oldest"),
            },
            _ => {}
        }
    }

    fn search(&mut self, text: &str, invalid: &mut Invalid) {
        let Search { qualifiers, rest } = Search::read(text);
        for (name, value) in &qualifiers {
            self.set(name, value, invalid);
        }
        if !rest.is_empty() {
            let bare = |word: &String| word.strip_prefix("error:").unwrap_or(word).to_owned();
            let text = rest.iter().map(bare).collect::<Vec<_>>().join(" ");
            if text.chars().count() > 200 {
                invalid.add("/q", "a search text has at most 200 characters");
            }
            self.text = Some(text);
        }
    }

    /// The filter as a query string without `?`, empty when everything matches.
    pub fn to_query(&self) -> String {
        let mut query = String::new();
        let mut put = |name: &str, value: &str| {
            if !query.is_empty() {
                query.push('&');
            }
            query.push_str(name);
            query.push('=');
            percent_encode(value, &mut query);
        };
        self.states
            .iter()
            .for_each(|state| put("state", state.as_str()));
        self.kinds
            .iter()
            .for_each(|kind| put("kind", kind.as_str()));
        self.queues
            .iter()
            .for_each(|queue| put("queue", queue.as_str()));
        self.tags.iter().for_each(|tag| put("tag", tag.as_str()));
        self.priorities
            .iter()
            .for_each(|priority| put("priority", &priority.to_string()));
        if let Some(worker) = &self.worker {
            put("worker", worker.as_str());
        }
        if let Some(schedule) = &self.schedule {
            put("schedule", schedule.as_str());
        }
        if let Some(id) = &self.id {
            put("id", &id.to_string());
        }
        if let Some(group) = &self.dead_group {
            put("dead_group", group);
        }
        if let Some(from) = &self.from {
            put("from", &from.to_string());
        }
        if let Some(to) = &self.to {
            put("to", &to.to_string());
        }
        if let Some(text) = &self.text {
            put("q", text);
        }
        if self.sort == Sort::Oldest {
            put("sort", "oldest");
        }
        query
    }

    /// Whether it lets every job through.
    pub fn is_empty(&self) -> bool {
        *self
            == JobFilter {
                sort: self.sort,
                ..JobFilter::default()
            }
    }
}

/// A search text taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// Names of query parameters and their values: `kind:a` is `("kind", "a")`.
    pub qualifiers: Vec<(String, String)>,
    /// The words that are left, to be searched for as they are.
    pub rest: Vec<String>,
}

impl Search {
    /// Reads a search text.
    pub fn read(text: &str) -> Self {
        let mut search = Search::default();
        for word in words(text) {
            match qualified(&word) {
                Some((name, value)) => search.qualifiers.push((name.to_owned(), value.to_owned())),
                None => search.rest.push(word),
            }
        }
        search
    }
}

fn qualified(word: &str) -> Option<(&str, &str)> {
    if let Some(id) = word.strip_prefix('#') {
        return id.parse::<JobId>().is_ok().then_some(("id", id));
    }
    word.split_once(':').filter(|(name, value)| {
        let names = [
            "state", "kind", "queue", "tag", "priority", "worker", "schedule", "id",
        ];
        !value.is_empty() && names.contains(name)
    })
}

/// The words of a search text; double quotes hold blanks together.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => words.push(String::new()),
            c => {
                if let Some(word) = words.last_mut() {
                    word.push(c);
                }
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Appends `text` with every byte percent-encoded that is not unreserved in RFC 3986.
pub fn percent_encode(text: &str, out: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_text_is_a_filter() {
        let filter = JobFilter::from_search(
            r#"kind:email.send state:dead queue:"a b" tag:vip refused "by peer""#,
        )
        .unwrap();
        assert_eq!(filter.kinds[0].as_str(), "email.send");
        assert_eq!(filter.states, [State::Dead]);
        assert_eq!(filter.queues[0].as_str(), "a b");
        assert_eq!(filter.text.as_deref(), Some("refused by peer"));
        assert_eq!(JobFilter::from_search("#42").unwrap().id.unwrap().get(), 42);
        assert_eq!(
            JobFilter::from_search("to:anna").unwrap().text.as_deref(),
            Some("to:anna")
        );
    }

    #[test]
    fn a_query_string_says_all_a_filter_holds() {
        let pairs = [
            ("state", "dead"),
            ("state", "ready"),
            ("queue", "a/b c?д&=+"),
            ("kind", "k"),
            ("tag", "<t>"),
            ("priority", "9"),
            ("worker", "w"),
            ("schedule", "s"),
            ("id", "7"),
            ("sort", "oldest"),
            ("from", "2026-01-01T00:00:00Z"),
            ("to", "2026-02-01T00:00:00Z"),
            ("q", "x y"),
            ("other", "z"),
            ("kind", ""),
        ];
        let filter = JobFilter::from_pairs(pairs).unwrap();
        let query = filter.to_query();
        assert!(
            query.contains("queue=a%2Fb%20c%3F%D0%B4%26%3D%2B"),
            "{query}"
        );
        assert_eq!(query.matches('=').count(), 13);
        assert!(JobFilter::from_pairs([]).unwrap().is_empty());
    }

    #[test]
    fn every_bad_part_is_named() {
        let invalid = JobFilter::from_pairs([
            ("state", "done"),
            ("kind", "a b"),
            ("priority", "99999999999999999999"),
            ("id", "x"),
            ("from", "yesterday"),
            ("sort", "size"),
        ])
        .unwrap_err();
        assert_eq!(invalid.errors.len(), 6);
    }

    #[test]
    fn a_limit_is_clamped_and_a_false_cursor_refused() {
        assert_eq!(Page::read(Some("0"), None).unwrap().limit, 1);
        assert_eq!(Page::read(Some("9999999"), None).unwrap().limit, 200);
        assert_eq!(Page::read(Some(&"9".repeat(30)), None).unwrap().limit, 200);
        assert_eq!(Page::read(Some("-7"), None).unwrap().limit, 1);
        for bad in ["NaN", "", "-", "1.5", "+1"] {
            assert!(Page::read(Some(bad), None).is_err(), "{bad}");
        }
        assert!(Page::read(None, Some("-5")).is_err());
        assert_eq!(
            Page::read(None, Some("5")).unwrap().after.unwrap().0.get(),
            5
        );
    }
}
