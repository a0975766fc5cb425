//! What a caller gives to have a job done, and what of a stored job can still be changed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::error::{Invalid, OperatorError};
use crate::fields::Fields;
use crate::json::{JsonText, MAX_BYTES};
use crate::name::{IdempotencyKey, Kind, Priority, QueueName, ScheduleName, Tag};
use crate::retry::{self, Backoff};
use crate::time::{Span, Timestamp};

/// The longest timeout and the longest snooze: 30 days.
pub const LONGEST_SPAN: Span = Span::from_secs(30 * 86_400);

/// The longest delay before a job is due: ten years.
pub const LONGEST_DELAY: Span = Span::from_secs(10 * 366 * 86_400);

const DEFAULT_MAX_ATTEMPTS: u32 = 20;
const DEFAULT_TIMEOUT: Span = Span::from_secs(300);
const MOST_TAGS: usize = 20;
const MOST_META: usize = 64;
const MOST_META_BYTES: usize = 16 * 1024;

/// When a new job is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Due {
    /// At once.
    #[default]
    Now,
    /// A while after it is stored.
    After(Span),
    /// At an instant; one in the past means at once.
    At(Timestamp),
}

impl Due {
    /// The instant, for a job stored at `now`.
    pub fn at(self, now: Timestamp) -> Timestamp {
        match self {
            Due::Now => now,
            Due::After(span) => now.plus(span),
            Due::At(at) => at,
        }
    }
}

/// A job to be stored. Every value in it is valid; [`NewJob::read`] makes one from JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewJob {
    /// Which handler runs it.
    pub kind: Kind,
    /// What the handler gets.
    pub payload: JsonText,
    /// The queue it waits in.
    pub queue: QueueName,
    /// 9 goes first.
    pub priority: Priority,
    /// When it may run.
    pub due: Due,
    /// How many attempts it gets, 1 to 100.
    pub max_attempts: u32,
    /// How long one attempt may take; zero means without limit.
    pub timeout: Span,
    /// The delay between attempts.
    pub backoff: Backoff,
    /// Makes a repeated enqueue harmless.
    pub idempotency_key: Option<IdempotencyKey>,
    /// Words to find it by, at most 20, in the order given, without repeats.
    pub tags: Vec<Tag>,
    /// Strings that travel with it, unread by the queue.
    pub meta: BTreeMap<String, String>,
    /// The schedule that enqueues it, if one does.
    pub schedule: Option<ScheduleName>,
}

/// The fields of an enqueue request.
pub const NEW_JOB_FIELDS: &[&str] = &[
    "kind",
    "payload",
    "queue",
    "priority",
    "delay_s",
    "run_at",
    "max_attempts",
    "timeout_s",
    "backoff",
    "idempotency_key",
    "tags",
    "meta",
];

impl NewJob {
    /// A job of `kind` with every other value at its default.
    pub fn new(kind: Kind, payload: JsonText) -> Self {
        NewJob {
            kind,
            payload,
            queue: QueueName::default(),
            priority: Priority::DEFAULT,
            due: Due::Now,
            max_attempts: DEFAULT_MAX_ATTEMPTS,
            timeout: DEFAULT_TIMEOUT,
            backoff: Backoff::default(),
            idempotency_key: None,
            tags: Vec::new(),
            meta: BTreeMap::new(),
            schedule: None,
        }
    }

    /// Reads an enqueue request. Every field that cannot be taken is named in the error; a payload
    /// over `max_payload` bytes is [`OperatorError::TooLarge`].
    pub fn read(mut fields: Fields, max_payload: usize) -> Result<NewJob, OperatorError> {
        let kind = fields.require::<Kind>("kind");
        let payload =
            take_payload(&mut fields, max_payload)?.unwrap_or_else(JsonText::empty_object);
        let queue = fields.take("queue").unwrap_or_default();
        let priority = fields.take("priority").unwrap_or_default();
        let due = take_due(&mut fields);
        let max_attempts = take_max_attempts(&mut fields).unwrap_or(DEFAULT_MAX_ATTEMPTS);
        let timeout = take_timeout(&mut fields).unwrap_or(DEFAULT_TIMEOUT);
        let backoff = fields
            .nested("backoff", BACKOFF_FIELDS, read_backoff)
            .unwrap_or_default();
        let idempotency_key = fields.take("idempotency_key");
        let tags = take_tags(&mut fields).unwrap_or_default();
        let meta = take_meta(&mut fields).unwrap_or_default();
        let job = fields.finish(NEW_JOB_FIELDS, || {
            Some(NewJob {
                queue,
                priority,
                due: due.unwrap_or_default(),
                max_attempts,
                timeout,
                backoff,
                idempotency_key,
                tags,
                meta,
                ..NewJob::new(kind?, payload)
            })
        })?;
        Ok(job)
    }

    /// Reads an enqueue request from its JSON text with the usual payload limit.
    pub fn from_json(text: &str) -> Result<NewJob, OperatorError> {
        let fields = Fields::parse(text).map_err(|fault| Invalid::one("", fault.to_string()))?;
        NewJob::read(fields, MAX_BYTES)
    }
}

/// Changes to a job that is not running; a field left out stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobPatch {
    /// A new payload.
    pub payload: Option<JsonText>,
    /// Another queue.
    pub queue: Option<QueueName>,
    /// Another priority.
    pub priority: Option<Priority>,
    /// Another time.
    pub run_at: Option<Timestamp>,
    /// Another number of attempts.
    pub max_attempts: Option<u32>,
    /// Another time limit for one attempt; zero means without limit.
    pub timeout: Option<Span>,
    /// Other tags, replacing all there are.
    pub tags: Option<Vec<Tag>>,
}

/// The fields of a change to a job.
pub const JOB_PATCH_FIELDS: &[&str] = &[
    "payload",
    "queue",
    "priority",
    "run_at",
    "max_attempts",
    "timeout_s",
    "tags",
];

impl JobPatch {
    /// Reads a change request as [`NewJob::read`] reads an enqueue request.
    pub fn read(mut fields: Fields, max_payload: usize) -> Result<JobPatch, OperatorError> {
        fields.refuse_nulls(&["payload"]);
        let payload = take_payload(&mut fields, max_payload)?;
        let patch = JobPatch {
            payload,
            queue: fields.take("queue"),
            priority: fields.take("priority"),
            run_at: fields.take("run_at"),
            max_attempts: take_max_attempts(&mut fields),
            timeout: take_timeout(&mut fields),
            tags: take_tags(&mut fields),
        };
        Ok(fields.finish(JOB_PATCH_FIELDS, || Some(patch))?)
    }
}

pub(crate) fn take_payload(
    fields: &mut Fields,
    most: usize,
) -> Result<Option<JsonText>, OperatorError> {
    let Some(raw) = fields.take_raw("payload") else {
        return Ok(None);
    };
    if raw.get().len() > most {
        return Err(OperatorError::TooLarge {
            what: "payload".to_owned(),
            bytes: raw.get().len(),
            most,
        });
    }
    match JsonText::parse(raw.get()) {
        Ok(payload) => Ok(Some(payload)),
        Err(fault) => {
            fields.fault("payload", fault.to_string());
            Ok(None)
        }
    }
}

fn take_due(fields: &mut Fields) -> Option<Due> {
    let too_long = "must be at most 316224000 seconds (ten years)";
    let delay = fields.take_span("delay_s", LONGEST_DELAY, too_long);
    let run_at = fields.take::<Timestamp>("run_at");
    match (delay, run_at) {
        (Some(_), Some(_)) => {
            fields.fault("run_at", "give either delay_s or run_at, not both");
            None
        }
        (Some(delay), None) => Some(Due::After(delay)),
        (None, Some(at)) => Some(Due::At(at)),
        (None, None) => None,
    }
}

pub(crate) fn take_max_attempts(fields: &mut Fields) -> Option<u32> {
    fields.take_whole("max_attempts", 1, 100)
}

pub(crate) fn take_timeout(fields: &mut Fields) -> Option<Span> {
    let too_long = "must be at most 2592000 seconds (30 days); 0 means without limit";
    fields.take_span("timeout_s", LONGEST_SPAN, too_long)
}

/// Tags in the order given; a repeat is left out.
fn take_tags(fields: &mut Fields) -> Option<Vec<Tag>> {
    let mut tags = fields.take::<Vec<Tag>>("tags")?;
    let mut seen = BTreeSet::new();
    tags.retain(|tag| seen.insert(tag.clone()));
    if tags.len() > MOST_TAGS {
        fields.fault(
            "tags",
            format!("holds {} tags, at most {MOST_TAGS} are allowed", tags.len()),
        );
        return None;
    }
    Some(tags)
}

fn take_meta(fields: &mut Fields) -> Option<BTreeMap<String, String>> {
    let meta = fields.take::<BTreeMap<String, String>>("meta")?;
    let bytes: usize = meta
        .iter()
        .map(|(name, value)| name.len() + value.len())
        .sum();
    let has_nul = meta
        .iter()
        .any(|(name, value)| name.contains('\0') || value.contains('\0'));
    if meta.len() > MOST_META || bytes > MOST_META_BYTES || has_nul {
        fields.fault(
            "meta",
            "holds at most 64 strings, 16 KiB together, without NUL characters",
        );
        return None;
    }
    Some(meta)
}

const BACKOFF_FIELDS: &[&str] = &["kind", "base_s", "factor", "max_s", "jitter"];

fn read_backoff(mut fields: Fields) -> Result<Backoff, Invalid> {
    let usual = Backoff::default();
    let too_long = retry::TOO_LONG;
    let backoff = Backoff {
        kind: fields.take("kind").unwrap_or(usual.kind),
        base_s: fields
            .take_span("base_s", LONGEST_SPAN, too_long)
            .unwrap_or(usual.base_s),
        factor: fields.take("factor").unwrap_or(usual.factor),
        max_s: fields
            .take_span("max_s", LONGEST_SPAN, too_long)
            .unwrap_or(usual.max_s),
        jitter: fields.take("jitter").unwrap_or(usual.jitter),
    };
    for (name, detail) in backoff.faults() {
        fields.fault(name, detail);
    }
    fields.finish(BACKOFF_FIELDS, || Some(backoff))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        match NewJob::from_json(text) {
            Err(OperatorError::Invalid(invalid)) => invalid
                .errors
                .into_iter()
                .map(|error| error.pointer)
                .collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_kind_is_enough() {
        let job = NewJob::from_json(r#"{"kind":"a.b"}"#).unwrap();
        assert_eq!(
            job,
            NewJob::new(Kind::new("a.b").unwrap(), JsonText::empty_object())
        );
        assert_eq!((job.max_attempts, job.timeout), (20, Span::from_secs(300)));
    }

    #[test]
    fn the_payload_is_kept_as_it_was_written() {
        let job = NewJob::from_json(
            "{\"kind\":\"a\",\"payload\": {\"n\":1e2, \"n\":18446744073709551616} }",
        )
        .unwrap();
        assert_eq!(
            job.payload.as_str(),
            r#"{"n":1e2, "n":18446744073709551616}"#
        );
        let null = NewJob::from_json(r#"{"kind":"a","payload":null}"#).unwrap();
        assert_eq!(null.payload.as_str(), "null");
    }

    #[test]
    fn every_bad_field_is_named() {
        assert_eq!(
            faults(
                r#"{"payload":{"a":"\ud800"},"queue":"","priority":10,"delay_s":-1,"max_attempts":0,
                    "timeout_s":1e18,"backoff":{"factor":0,"x":1},"idempotency_key":"","tags":[" a"],
                    "meta":{"a":1},"colour":"red"}"#
            ),
            [
                "/kind",
                "/payload",
                "/queue",
                "/priority",
                "/delay_s",
                "/max_attempts",
                "/timeout_s",
                "/backoff/factor",
                "/backoff/x",
                "/idempotency_key",
                "/tags/0",
                "/meta/a",
                "/colour",
            ]
        );
    }

    #[test]
    fn times_that_no_queue_can_order_are_refused() {
        for bad in [
            r#""delay_s":9223372036854775807"#,
            r#""delay_s":1e18"#,
            r#""run_at":"2026-02-30T00:00:00Z""#,
            r#""run_at":"0001-01-01T00:00:00Z""#,
            r#""run_at":"2026-06-30T23:59:60Z""#,
            r#""delay_s":1,"run_at":"2026-01-01T00:00:00Z""#,
        ] {
            assert_eq!(
                faults(&format!(r#"{{"kind":"a",{bad}}}"#)).len(),
                1,
                "{bad}"
            );
        }
        let last = NewJob::from_json(r#"{"kind":"a","run_at":"9999-12-31T23:59:59Z"}"#).unwrap();
        assert_eq!(
            last.due.at(Timestamp::MIN).to_string(),
            "9999-12-31T23:59:59Z"
        );
    }

    #[test]
    fn a_large_payload_is_told_from_an_invalid_one() {
        let fields = Fields::parse(r#"{"kind":"a","payload":"0123456789"}"#).unwrap();
        assert!(matches!(
            NewJob::read(fields, 11),
            Err(OperatorError::TooLarge {
                bytes: 12,
                most: 11,
                ..
            })
        ));
    }

    #[test]
    fn every_limit_on_a_length_is_told() {
        for (field, most) in [
            (r#""delay_s":1e18"#, "316224000"),
            (r#""timeout_s":1e18"#, "2592000"),
            (r#""timeout_s":1e400"#, "2592000"),
            (r#""backoff":{"max_s":1e300}"#, "2592000"),
            (r#""backoff":{"base_s":1e300}"#, "2592000"),
        ] {
            let read = NewJob::from_json(&format!(r#"{{"kind":"a",{field}}}"#));
            let told = read.unwrap_err().to_string();
            assert!(told.contains(&format!("at most {most} seconds")), "{told}");
        }
        let told = NewJob::from_json(r#"{"kind":"a","delay_s":"1"}"#).unwrap_err();
        assert!(told.to_string().contains("a number of seconds"), "{told}");
    }

    #[test]
    fn tags_stay_in_the_order_given_without_repeats() {
        let job = NewJob::from_json(r#"{"kind":"a","tags":["t10","t2","t10","t1"]}"#).unwrap();
        let tags: Vec<&str> = job.tags.iter().map(Tag::as_str).collect();
        assert_eq!(tags, ["t10", "t2", "t1"]);
    }

    #[test]
    fn null_in_a_patch_is_only_for_the_payload() {
        let text = r#"{"payload":null,"queue":null,"priority":null,"run_at":null,"max_attempts":null,
            "timeout_s":null,"tags":null}"#;
        let refused = JobPatch::read(Fields::parse(text).unwrap(), MAX_BYTES).unwrap_err();
        let OperatorError::Invalid(invalid) = refused else {
            panic!("{refused}");
        };
        assert_eq!(
            invalid.errors.len(),
            JOB_PATCH_FIELDS.len() - 1,
            "{invalid}"
        );
    }

    #[test]
    fn a_patch_changes_only_what_it_names() {
        let fields = Fields::parse(r#"{"payload":null,"priority":1}"#).unwrap();
        let patch = JobPatch::read(fields, MAX_BYTES).unwrap();
        assert_eq!(patch.payload, Some(JsonText::null()));
        assert_eq!(patch.priority.unwrap().get(), 1);
        assert_eq!(patch.queue, None);
        assert!(JobPatch::read(Fields::parse(r#"{"kind":"b"}"#).unwrap(), MAX_BYTES).is_err());
    }
}
