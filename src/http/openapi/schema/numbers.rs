//! Kinds and charts.

use conveyor_model::stats::{KindInfo, Series};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// One page of kinds.
#[derive(Serialize, ToSchema)]
pub(crate) struct KindPage {
    /// The kinds, by name.
    items: Vec<KindInfo>,
    /// `after` of the next page; none on the last.
    #[schema(required)]
    next: Option<String>,
    /// How many there are.
    total: u64,
    /// Whether there are more than `total`, which stays at 10,000.
    total_capped: bool,
}

/// Points of a chart: whole, or of one metric.
#[expect(dead_code, reason = "it is described, never made")]
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum AnySeries {
    /// Every metric.
    Whole(Series),
    /// One metric.
    One(OneSeries),
}

/// Points of one metric.
#[derive(Serialize, ToSchema)]
pub(crate) struct OneSeries {
    /// Which.
    metric: String,
    /// The time between two points.
    step_s: f64,
    /// The points, `{at, value}`; `value` is a number, or the quantiles of a length.
    #[schema(value_type = Vec<Object>)]
    points: Vec<Value>,
}
