//! Cron expressions: types that the rest of the vocabulary needs.

use serde::{Deserialize, Serialize};

use crate::lang::Lang;
use crate::time::Timestamp;

/// What a fixed-time schedule does when clocks change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct DstRule {
    /// When its time does not exist.
    pub gap: Gap,
    /// When its time comes twice.
    pub overlap: Overlap,
}

/// What happens to a time that does not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Gap {
    /// It fires once, at the first minute after the jump.
    #[default]
    After,
    /// It does not fire.
    Skip,
}

/// What happens to a time that comes twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Overlap {
    /// It fires in the first pass only.
    #[default]
    First,
    /// It fires in the second pass only.
    Last,
    /// It fires in both.
    Both,
}

/// A question about an expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CronPreviewRequest {
    /// The expression.
    pub cron: String,
    /// An IANA time zone.
    pub timezone: String,
    /// Fires after this; now, if left out.
    #[serde(default)]
    pub from: Option<Timestamp>,
    /// How many fires, at most 100.
    pub n: usize,
    /// The language of the words.
    #[serde(default)]
    pub lang: Lang,
}

/// What an expression means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CronPreview {
    /// In words.
    pub description: String,
    /// The next fires.
    pub next: Vec<Timestamp>,
    /// What may surprise.
    pub notes: Vec<String>,
}
