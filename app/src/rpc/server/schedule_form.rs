//! The fields of a schedule, read: a schedule to store, or every fault by its field.

use conveyor_model::cron::{CronPreviewRequest, DstRule, Gap, Overlap};
use conveyor_model::error::OperatorError;
use conveyor_model::json::MAX_BYTES;
use conveyor_model::schedule::{CatchUp, OverlapPolicy, ScheduleSpec};
use conveyor_model::time::Timestamp;
use serde::Serialize;

use super::job_form::{local_time, seconds};
use super::typed::{Typed, instant};
use super::words::SHOWN_FIRES;
use crate::rpc::job_values::JobValues;
use crate::rpc::schedule_values::{ScheduleValues, Timing};

impl ScheduleValues {
    /// An empty form.
    pub(crate) fn blank() -> Self {
        let job = JobValues::blank();
        ScheduleValues {
            cron: "0 9 * * 1-5".to_owned(),
            timezone: "UTC".to_owned(),
            payload: job.payload,
            queue: job.queue,
            priority: job.priority,
            max_attempts: job.max_attempts,
            timeout: job.timeout,
            catch_up: word(&CatchUp::default()),
            overlap: word(&OverlapPolicy::default()),
            gap: word(&Gap::default()),
            twice: word(&Overlap::default()),
            jitter: "0".to_owned(),
            ..ScheduleValues::default()
        }
    }

    /// The fields of a schedule there is.
    pub(crate) fn of(name: &str, spec: &ScheduleSpec) -> Self {
        let time = |at: Option<Timestamp>| at.map(local_time).unwrap_or_default();
        ScheduleValues {
            name: name.to_owned(),
            cron: spec.cron.clone(),
            timezone: spec.timezone.clone(),
            kind: spec.kind.to_string(),
            payload: spec.payload.as_str().to_owned(),
            queue: spec.queue.to_string(),
            priority: spec.priority.to_string(),
            max_attempts: spec.max_attempts.to_string(),
            timeout: seconds(spec.timeout_s),
            catch_up: word(&spec.catch_up),
            overlap: word(&spec.overlap),
            gap: word(&spec.dst.gap),
            twice: word(&spec.dst.overlap),
            jitter: seconds(spec.jitter_s),
            starts_at: time(spec.starts_at),
            ends_at: time(spec.ends_at),
            paused: if spec.paused { "on" } else { "" }.to_owned(),
        }
    }

    /// The schedule they describe.
    pub(crate) fn read(&self) -> Result<ScheduleSpec, OperatorError> {
        let mut typed = Typed::default();
        typed.text("cron", self.cron.trim());
        typed.text("timezone", self.timezone.trim());
        typed.text("kind", self.kind.trim());
        typed.json("payload", &self.payload);
        typed.text("queue", self.queue.trim());
        typed.whole("priority", &self.priority);
        typed.whole("max_attempts", &self.max_attempts);
        typed.number("timeout_s", &self.timeout);
        typed.text("catch_up", &self.catch_up);
        typed.text("overlap", &self.overlap);
        typed.put("dst", serde_json::json!(self.timing().dst()).to_string());
        typed.number("jitter_s", &self.jitter);
        typed.put("paused", (!self.paused.is_empty()).to_string());
        for (name, time) in [("starts_at", &self.starts_at), ("ends_at", &self.ends_at)] {
            if !time.trim().is_empty() {
                typed.time(name, time);
            }
        }
        let spec = typed.read(|fields| ScheduleSpec::read(fields, None, MAX_BYTES))?;
        spec.check()?;
        Ok(spec)
    }
}

impl Timing {
    /// The rule for changes of the clock they name.
    fn dst(&self) -> DstRule {
        let word = |text: &str| serde_json::Value::from(text);
        DstRule {
            gap: serde_json::from_value(word(&self.gap)).unwrap_or_default(),
            overlap: serde_json::from_value(word(&self.twice)).unwrap_or_default(),
        }
    }

    /// The question when it would fire next. A limit that is no time yet is none.
    pub(crate) fn request(&self, lang: &str) -> CronPreviewRequest {
        let time = |text: &str| instant(text).parse().ok();
        CronPreviewRequest {
            cron: self.cron.trim().to_owned(),
            timezone: self.timezone.trim().to_owned(),
            from: None,
            n: SHOWN_FIRES,
            lang: lang.parse().unwrap_or_default(),
            name: self.name.trim().to_owned(),
            dst: self.dst(),
            starts_at: time(&self.starts_at),
            ends_at: time(&self.ends_at),
            anchor: None,
        }
    }
}

/// The word an enum is written as in JSON.
fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use conveyor_model::time::Span;

    use super::*;

    fn nightly() -> ScheduleValues {
        ScheduleValues {
            name: "nightly".to_owned(),
            kind: "report.build".to_owned(),
            payload: "{\"n\":9007199254740993}".to_owned(),
            timezone: "Europe/Berlin".to_owned(),
            overlap: "queue_one".to_owned(),
            twice: "both".to_owned(),
            jitter: "1.5".to_owned(),
            starts_at: "2026-12-01T00:00".to_owned(),
            paused: "on".to_owned(),
            ..ScheduleValues::blank()
        }
    }

    #[test]
    fn every_field_reaches_the_schedule_and_comes_back() {
        let spec = nightly().read().unwrap();
        assert_eq!(spec.payload.as_str(), "{\"n\":9007199254740993}");
        assert_eq!(spec.overlap, OverlapPolicy::QueueOne);
        assert_eq!(spec.dst.overlap, Overlap::Both);
        assert_eq!(spec.jitter_s, Span::from_millis(1500));
        assert!(spec.paused && spec.starts_at.is_some());
        let back = ScheduleValues::of("nightly", &spec);
        assert_eq!(back.read().unwrap(), spec);
    }

    #[test]
    fn every_bad_field_is_named() {
        let bad = ScheduleValues {
            kind: "a b".to_owned(),
            payload: "{".to_owned(),
            catch_up: "maybe".to_owned(),
            jitter: "9999".to_owned(),
            ..nightly()
        };
        let Err(OperatorError::Invalid(invalid)) = bad.read() else {
            panic!("it was taken");
        };
        assert_eq!(invalid.errors.len(), 4, "{invalid}");
        let turned = ScheduleValues {
            ends_at: "2026-11-01T00:00".to_owned(),
            ..nightly()
        };
        assert!(turned.read().is_err());
    }
}
