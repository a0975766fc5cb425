//! The limits on what callers give, for jobs that did not come through the JSON reader: those of the
//! library face and of the dashboard's own calls.

use conveyor_model::error::{Invalid, OperatorError};
use conveyor_model::json::{JsonText, MAX_BYTES};
use conveyor_model::new_job::{Due, JobPatch, LONGEST_SPAN, NewJob};
use conveyor_model::retry::Backoff;
use conveyor_model::schedule::ScheduleSpec;
use conveyor_model::time::Span;

/// How large things may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a payload.
    pub payload: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { payload: MAX_BYTES }
    }
}

impl Limits {
    /// Whether `job` may be stored.
    pub(super) fn check_job(self, job: &NewJob) -> Result<(), OperatorError> {
        self.check_payload(&job.payload)?;
        let mut invalid = Invalid::none();
        check_attempts(job.max_attempts, &mut invalid);
        check_timeout(job.timeout, &mut invalid);
        check_tags(job.tags.len(), &mut invalid);
        check_backoff(&job.backoff, &mut invalid);
        if let Due::After(span) = job.due
            && span > Span::from_secs(10 * 366 * 86_400)
        {
            invalid.add("/delay_s", "must be at most 316224000 seconds (ten years)");
        }
        Ok(invalid.or(|| ())?)
    }

    /// Whether `patch` may be applied.
    pub(super) fn check_patch(self, patch: &JobPatch) -> Result<(), OperatorError> {
        if let Some(payload) = &patch.payload {
            self.check_payload(payload)?;
        }
        let mut invalid = Invalid::none();
        if let Some(attempts) = patch.max_attempts {
            check_attempts(attempts, &mut invalid);
        }
        if let Some(timeout) = patch.timeout {
            check_timeout(timeout, &mut invalid);
        }
        if let Some(tags) = &patch.tags {
            check_tags(tags.len(), &mut invalid);
        }
        Ok(invalid.or(|| ())?)
    }

    /// Whether `spec` may be stored, its expression and zone aside.
    pub(super) fn check_schedule(self, spec: &ScheduleSpec) -> Result<(), OperatorError> {
        self.check_payload(&spec.payload)?;
        let mut invalid = spec.check().err().unwrap_or_default();
        check_attempts(spec.max_attempts, &mut invalid);
        check_timeout(spec.timeout_s, &mut invalid);
        if spec.jitter_s > Span::from_secs(3600) {
            invalid.add("/jitter_s", "must be at most 3600 seconds");
        }
        Ok(invalid.or(|| ())?)
    }

    fn check_payload(self, payload: &JsonText) -> Result<(), OperatorError> {
        let bytes = payload.as_str().len();
        if bytes > self.payload {
            return Err(OperatorError::TooLarge {
                what: "payload".to_owned(),
                bytes,
                most: self.payload,
            });
        }
        Ok(())
    }
}

fn check_attempts(attempts: u32, invalid: &mut Invalid) {
    if !(1..=100).contains(&attempts) {
        invalid.add("/max_attempts", "must be a whole number from 1 to 100");
    }
}

fn check_timeout(timeout: Span, invalid: &mut Invalid) {
    if timeout > LONGEST_SPAN {
        invalid.add(
            "/timeout_s",
            "must be at most 2592000 seconds (30 days); 0 means without limit",
        );
    }
}

fn check_tags(count: usize, invalid: &mut Invalid) {
    if count > 20 {
        invalid.add(
            "/tags",
            format!("holds {count} tags, at most 20 are allowed"),
        );
    }
}

fn check_backoff(backoff: &Backoff, invalid: &mut Invalid) {
    for (field, detail) in backoff.faults() {
        invalid.add(format!("/backoff/{field}"), detail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use conveyor_model::name::Kind;

    #[test]
    fn every_fault_of_a_made_job_is_named() {
        let mut job = NewJob::new(Kind::new("a").unwrap(), JsonText::null());
        assert_eq!(Limits::default().check_job(&job), Ok(()));
        job.max_attempts = 0;
        job.timeout = Span::from_secs(i64::MAX);
        job.backoff.jitter = 2.0;
        job.due = Due::After(Span::from_secs(i64::MAX));
        let Err(OperatorError::Invalid(invalid)) = Limits::default().check_job(&job) else {
            panic!("it was taken");
        };
        let pointers: Vec<_> = invalid.errors.iter().map(|e| e.pointer.as_str()).collect();
        assert_eq!(
            pointers,
            ["/max_attempts", "/timeout_s", "/backoff/jitter", "/delay_s"]
        );
    }

    #[test]
    fn a_payload_over_the_limit_is_too_large() {
        let job = NewJob::new(Kind::new("a").unwrap(), JsonText::empty_object());
        let refused = Limits { payload: 1 }.check_job(&job).unwrap_err();
        assert_eq!(refused.status(), 413);
    }
}
