//! Numbers for Prometheus. What this process does is counted here as it happens; what the queue holds
//! and has done is read from the database at each scrape ([`families`]), so that those counters go on
//! after a restart and agree between processes. What is counted here begins anew with the process.

use std::time::Duration;

use prometheus::process_collector::ProcessCollector;
use prometheus::proto::MetricFamily;
use prometheus::{
    Encoder, Error, HistogramOpts, HistogramVec, IntCounterVec, IntGauge, Opts, Registry,
    TextEncoder,
};

pub mod families;
pub mod meters;

/// Upper bounds for requests, in seconds.
const REQUEST_BUCKETS: [f64; 11] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 30.0,
];

/// What this process counts itself.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    durations: HistogramVec,
    /// Live streams that are open.
    pub streams: IntGauge,
}

impl Metrics {
    /// Counters at zero. Fails only if two metrics had one name.
    pub fn new() -> Result<Self, Error> {
        let registry = Registry::new();
        let requests = IntCounterVec::new(
            Opts::new("conveyor_http_requests_total", "Requests answered."),
            &["method", "route", "status"],
        )?;
        let durations = HistogramVec::new(
            HistogramOpts::new(
                "conveyor_http_request_duration_seconds",
                "Time from a request's head to its answer's head.",
            )
            .buckets(REQUEST_BUCKETS.to_vec()),
            &["method", "route", "status"],
        )?;
        let streams = IntGauge::new("conveyor_sse_clients", "Live streams that are open.")?;
        registry.register(Box::new(requests.clone()))?;
        registry.register(Box::new(durations.clone()))?;
        registry.register(Box::new(streams.clone()))?;
        registry.register(Box::new(ProcessCollector::for_self()))?;
        Ok(Metrics {
            registry,
            requests,
            durations,
            streams,
        })
    }

    /// Counts a request. `route` is the pattern, never the address itself, so that there are few.
    pub fn request(&self, method: &str, route: &str, status: u16, took: Duration) {
        let class = match status / 100 {
            1 => "1xx",
            2 => "2xx",
            3 => "3xx",
            4 => "4xx",
            _ => "5xx",
        };
        self.requests
            .with_label_values(&[method, route, class])
            .inc();
        self.durations
            .with_label_values(&[method, route, class])
            .observe(took.as_secs_f64());
    }

    /// Everything as text: what was counted here and `more`.
    pub fn text(&self, more: Vec<MetricFamily>) -> Result<String, Error> {
        let mut all = self.registry.gather();
        all.extend(
            more.into_iter()
                .filter(|family| !family.get_metric().is_empty()),
        );
        all.sort_by(|a, b| a.name().cmp(b.name()));
        let mut text = Vec::new();
        TextEncoder::new().encode(&all, &mut text)?;
        String::from_utf8(text).map_err(|_| Error::Msg("the text is not UTF-8".to_owned()))
    }
}
