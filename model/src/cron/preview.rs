//! The question "what would this expression do?" and its answer, as they travel.

use serde::{Deserialize, Serialize};

use super::DstRule;
use crate::lang::Lang;
use crate::schedule::Schedule;
use crate::time::Timestamp;

/// What an expression would do in a zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CronPreviewRequest {
    /// The expression, at most 32 KiB.
    pub cron: String,
    /// The name of a zone in the tz database.
    #[serde(default = "utc")]
    pub timezone: String,
    /// Fires after this instant are wanted; now when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub from: Option<Timestamp>,
    /// How many fires, at most [`CronPreviewRequest::MOST`].
    #[serde(default = "ten")]
    #[cfg_attr(feature = "openapi", schema(maximum = 100))]
    pub n: usize,
    /// The language of the words and notes.
    #[serde(default)]
    pub lang: Lang,
    /// The schedule's name, which `H` is hashed from.
    #[serde(default)]
    pub name: String,
    /// What becomes of times that the clock jumps over or shows twice.
    #[serde(default)]
    pub dst: DstRule,
    /// No fire before this instant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub starts_at: Option<Timestamp>,
    /// No fire at or after this instant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub ends_at: Option<Timestamp>,
    /// What `@every` counts from, for a schedule that is stored; `from` when there is none.
    #[serde(skip)]
    pub anchor: Option<Timestamp>,
}

/// What an expression does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CronPreview {
    /// The expression in words.
    pub description: String,
    /// The next fires in order.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub next: Vec<Timestamp>,
    /// How far the schedule's clock is ahead of UTC at each of them, in seconds.
    #[serde(default)]
    pub offsets: Vec<i32>,
    /// What a person should know: one sentence each.
    pub notes: Vec<String>,
}

impl CronPreviewRequest {
    /// The most fires that may be asked for.
    pub const MOST: usize = 100;

    /// The next `n` fires of an expression in a zone, everything else as usual.
    pub fn new(cron: impl Into<String>, timezone: impl Into<String>, n: usize) -> Self {
        CronPreviewRequest {
            cron: cron.into(),
            timezone: timezone.into(),
            from: None,
            n,
            lang: Lang::default(),
            name: String::new(),
            dst: DstRule::default(),
            starts_at: None,
            ends_at: None,
            anchor: None,
        }
    }

    /// The next `n` fires of a stored schedule.
    pub fn of(schedule: &Schedule, n: usize, lang: Lang) -> Self {
        let spec = &schedule.spec;
        CronPreviewRequest {
            lang,
            name: schedule.name.to_string(),
            dst: spec.dst,
            starts_at: spec.starts_at,
            ends_at: spec.ends_at,
            anchor: Some(schedule.anchor),
            ..CronPreviewRequest::new(&spec.cron, &spec.timezone, n)
        }
    }
}

fn utc() -> String {
    "UTC".to_owned()
}

fn ten() -> usize {
    10
}
