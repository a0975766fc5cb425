//! One line or band of a chart.

/// Values under one name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    /// What it is, such as "succeeded" or "p95".
    pub(crate) name: String,
    /// Its class in the style sheet, which gives the colour.
    pub(crate) class: &'static str,
    /// One value for each instant; none where there was nothing to measure.
    pub(crate) values: Vec<Option<f64>>,
}
