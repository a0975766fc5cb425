//! The fields of a job, read: a job to store, a change to make, or every fault by its field.

use std::hash::{DefaultHasher, Hash, Hasher};

use conveyor_model::error::{Invalid, OperatorError};
use conveyor_model::job::Job;
use conveyor_model::json::MAX_BYTES;
use conveyor_model::name::IdempotencyKey;
use conveyor_model::new_job::{JobPatch, NewJob};
use conveyor_model::time::{Span, Timestamp};

use super::typed::Typed;
use crate::rpc::job_values::JobValues;

impl JobValues {
    /// An empty form.
    pub(crate) fn blank() -> Self {
        JobValues {
            payload: "{}".to_owned(),
            queue: "default".to_owned(),
            priority: "5".to_owned(),
            due: "now".to_owned(),
            delay: "5".to_owned(),
            delay_unit: "min".to_owned(),
            max_attempts: "20".to_owned(),
            timeout: "300".to_owned(),
            ..JobValues::default()
        }
    }

    /// The fields of a job there is, to change it.
    pub(crate) fn of(job: &Job) -> Self {
        let tags: Vec<&str> = job.row.tags.iter().map(AsRef::as_ref).collect();
        JobValues {
            kind: job.row.kind.to_string(),
            payload: job.payload.as_str().to_owned(),
            queue: job.row.queue.to_string(),
            priority: job.row.priority.to_string(),
            due: "at".to_owned(),
            run_at: local_time(job.row.run_at),
            max_attempts: job.row.max_attempts.to_string(),
            timeout: seconds(job.timeout_s),
            tags: tags.join(", "),
            ..JobValues::blank()
        }
    }

    /// The fields of a job there is, to enqueue the same again: due at once, without its key.
    pub(crate) fn copy_of(job: &Job) -> Self {
        JobValues {
            due: "now".to_owned(),
            run_at: String::new(),
            ..JobValues::of(job)
        }
    }

    /// The job they describe. Without a key of its own it gets one from the form and its fields, so
    /// that sending one form twice stores one job, and a changed form another.
    pub(crate) fn read(&self, form_key: &str) -> Result<NewJob, OperatorError> {
        let mut typed = Typed::default();
        typed.text("kind", self.kind.trim());
        typed.text("queue", self.queue.trim());
        typed.json("payload", &self.payload);
        typed.whole("priority", &self.priority);
        typed.whole("max_attempts", &self.max_attempts);
        typed.number("timeout_s", &self.timeout);
        typed.text("idempotency_key", self.idempotency_key.trim());
        typed.list("tags", &self.tags);
        match self.due.as_str() {
            "after" => typed.span("delay_s", &self.delay, &self.delay_unit),
            "at" => typed.time("run_at", &self.run_at),
            _ => {}
        }
        let job = typed.read(|fields| NewJob::read(fields, MAX_BYTES))?;
        let key = match job.idempotency_key {
            Some(key) => Some(key),
            None if form_key.is_empty() => None,
            None => Some(self.form_key(form_key)?),
        };
        Ok(NewJob {
            idempotency_key: key,
            ..job
        })
    }

    fn form_key(&self, form_key: &str) -> Result<IdempotencyKey, Invalid> {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        IdempotencyKey::new(format!("form-{form_key}-{:016x}", hasher.finish()))
            .map_err(|fault| Invalid::one("", fault.to_string()))
    }

    /// What they change of a job: only what differs from the fields it had, so that a payload that
    /// went through a browser's field unchanged stays byte for byte.
    pub(crate) fn patch(&self, job: &Job) -> Result<JobPatch, OperatorError> {
        let was = JobValues::of(job);
        let mut typed = Typed::default();
        if lines(&self.payload) != lines(&was.payload) {
            typed.json("payload", &self.payload);
        }
        let differs = |now: &str, was: &str| now.trim() != was;
        if differs(&self.queue, &was.queue) {
            typed.required("queue", self.queue.trim());
        }
        if differs(&self.priority, &was.priority) {
            typed.whole("priority", &self.priority);
        }
        if differs(&self.run_at, &was.run_at) {
            typed.time("run_at", &self.run_at);
        }
        if differs(&self.max_attempts, &was.max_attempts) {
            typed.whole("max_attempts", &self.max_attempts);
        }
        if differs(&self.timeout, &was.timeout) {
            typed.number("timeout_s", &self.timeout);
        }
        if differs(&self.tags, &was.tags) {
            typed.list("tags", &self.tags);
        }
        typed.read(|fields| JobPatch::read(fields, MAX_BYTES))
    }
}

/// An instant as a browser's date-and-time field writes it, in UTC.
pub(crate) fn local_time(at: Timestamp) -> String {
    at.civil().to_string().replace(' ', "T")
}

/// A length of time in seconds, with a fraction only where there is one.
pub(crate) fn seconds(span: Span) -> String {
    span.secs_f64().to_string()
}

/// A text with the line ends every browser gives back.
pub(crate) fn lines(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use conveyor_model::new_job::Due;

    use super::*;

    fn pointers(values: &JobValues) -> Vec<String> {
        match values.read("k") {
            Err(OperatorError::Invalid(invalid)) => {
                invalid.errors.into_iter().map(|e| e.pointer).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    fn email() -> JobValues {
        JobValues {
            kind: "email.send".to_owned(),
            ..JobValues::blank()
        }
    }

    #[test]
    fn a_kind_is_enough() {
        let job = email().read("").unwrap();
        let plain = NewJob::from_json(r#"{"kind":"email.send"}"#).unwrap();
        assert_eq!(job, plain);
    }

    #[test]
    fn every_bad_field_is_named() {
        let values = JobValues {
            payload: "{\n\"a\": tru}".to_owned(),
            queue: "a\tb".to_owned(),
            priority: "high".to_owned(),
            due: "after".to_owned(),
            delay: "-1".to_owned(),
            max_attempts: "0".to_owned(),
            timeout: "long".to_owned(),
            tags: "x".repeat(65),
            ..JobValues::blank()
        };
        let mut named = pointers(&values);
        named.sort();
        assert_eq!(
            named,
            [
                "/delay_s",
                "/kind",
                "/max_attempts",
                "/payload",
                "/priority",
                "/queue",
                "/tags/0",
                "/timeout_s"
            ]
        );
    }

    #[test]
    fn a_delay_counts_in_its_unit_and_a_time_is_utc() {
        let mut values = JobValues {
            due: "after".to_owned(),
            delay: "1.5".to_owned(),
            delay_unit: "h".to_owned(),
            ..email()
        };
        let due = values.read("").unwrap().due;
        assert_eq!(due, Due::After(Span::from_secs(5400)));
        values.due = "at".to_owned();
        values.run_at = "2026-11-30T09:00".to_owned();
        let due = values.read("").unwrap().due;
        assert_eq!(due, Due::At("2026-11-30T09:00:00Z".parse().unwrap()));
        values.run_at = String::new();
        assert_eq!(pointers(&values), ["/run_at"]);
    }

    #[test]
    fn one_form_sent_twice_has_one_key_and_a_changed_one_another() {
        let key = |values: &JobValues| values.read("f1").unwrap().idempotency_key.unwrap();
        let first = email();
        let changed = JobValues {
            payload: "[]".to_owned(),
            ..email()
        };
        assert_eq!(key(&first), key(&first.clone()));
        assert_ne!(key(&first), key(&changed));
        let own = JobValues {
            idempotency_key: "order-1".to_owned(),
            ..email()
        };
        assert_eq!(key(&own).as_str(), "order-1");
    }

    #[test]
    fn a_payload_is_taken_as_it_was_typed() {
        let values = JobValues {
            payload: "{\"n\":9223372036854775807,\r\n \"n\":1e2}".to_owned(),
            ..email()
        };
        let payload = values.read("").unwrap().payload;
        assert_eq!(payload.as_str(), "{\"n\":9223372036854775807,\n \"n\":1e2}");
    }
}
