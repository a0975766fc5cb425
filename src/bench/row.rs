//! One job queue under the terms that all are measured under: a row of the table that puts them side
//! by side.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::number::percentile;

/// What was measured of a queue; what `benches/peers/run` prints of each.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Row {
    /// Its name, and that of its settings where it is measured with several.
    pub(super) peer: String,
    /// Why nothing was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) not_run: Option<String>,
    /// Whether an acknowledged enqueue survives a power cut, in words.
    pub(super) durable: String,
    /// Whether each acknowledgement waits for a sync. We are compared by speed with those that do.
    pub(super) synced: bool,
    /// Whether it works inside the caller's process, without a socket between.
    pub(super) embedded: bool,
    /// Versions and choices.
    pub(super) settings: String,
    /// Jobs a second: by one caller, by 64, a thousand a call, and out of a backlog.
    pub(super) enqueue_1: Option<f64>,
    pub(super) enqueue_64: Option<f64>,
    pub(super) bulk: Option<f64>,
    pub(super) drain: Option<f64>,
    /// From the call to the start of the handler.
    pub(super) latency_ms: Option<Latency>,
    /// The most resident memory during the drain, in MiB.
    pub(super) rss_mb: Option<f64>,
    /// Jobs that waited when the drain of a deep backlog began, its rate, and the memory it took.
    pub(super) deep_backlog: Option<f64>,
    pub(super) deep_drain: Option<f64>,
    pub(super) deep_rss_mb: Option<f64>,
    /// How many jobs a figure is of, where time was up before all were done.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) reduced: BTreeMap<String, f64>,
    /// Why a figure is missing.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) failed: BTreeMap<String, String>,
    /// How long it all took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seconds: Option<f64>,
}

/// Milliseconds that are not exceeded by so many jobs of a hundred.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Latency {
    pub(super) p50: f64,
    pub(super) p95: f64,
    pub(super) p99: f64,
}

impl Latency {
    /// Out of what was measured.
    pub(super) fn of(waits: &[f64]) -> Self {
        Latency {
            p50: percentile(waits, 0.5),
            p95: percentile(waits, 0.95),
            p99: percentile(waits, 0.99),
        }
    }
}

impl Row {
    /// A queue of which nothing was measured.
    pub(super) fn not_run(peer: &str, why: String) -> Self {
        Row {
            peer: peer.to_owned(),
            not_run: Some(why),
            ..Row::default()
        }
    }

    /// The part of its rate that it keeps before a deep backlog.
    pub(super) fn held(&self) -> Option<f64> {
        Some(self.deep_drain? / self.drain.filter(|rate| *rate > 0.0)?)
    }

    /// Its figures: name, unit, value.
    pub(super) fn figures(&self) -> Vec<(String, &'static str, f64)> {
        let latency = |part: fn(Latency) -> f64| self.latency_ms.map(part);
        let all = [
            ("enqueue_1", "jobs/s", self.enqueue_1),
            ("enqueue_64", "jobs/s", self.enqueue_64),
            ("bulk", "jobs/s", self.bulk),
            ("drain", "jobs/s", self.drain),
            ("latency_ms.p50", "ms", latency(|of| of.p50)),
            ("latency_ms.p95", "ms", latency(|of| of.p95)),
            ("latency_ms.p99", "ms", latency(|of| of.p99)),
            ("rss_mb", "MB", self.rss_mb),
            ("deep_backlog", "jobs", self.deep_backlog),
            ("deep_drain", "jobs/s", self.deep_drain),
            ("deep_rss_mb", "MB", self.deep_rss_mb),
        ];
        let named = |(name, unit, value): (&str, _, Option<f64>)| {
            Some((format!("{PREFIX}{}.{name}", self.peer), unit, value?))
        };
        all.into_iter().filter_map(named).collect()
    }
}

/// What the names of such figures begin with.
pub(super) const PREFIX: &str = "peers.";
