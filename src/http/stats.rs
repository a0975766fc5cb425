//! Counts, rates and charts over REST.

use axum::extract::State;
use axum::response::Response;
use conveyor_model::stats::{Overview, Point, Range, Series, SeriesFilter};
use conveyor_model::time::{Span, Timestamp};
use serde::Serialize;
use serde_json::value::RawValue;

use super::Server;
use super::answer::ok;
use super::openapi;
use super::problem::Problem;
use super::request::Params;

const METRICS: [&str; 6] = ["enqueued", "succeeded", "retried", "dead", "wait", "run"];

/// Everything the overview shows
#[utoipa::path(get, path = "/stats", tag = "Statistics",
    params(("range" = Option<String>, Query, description = "How far back its series looks: `5m`, `1h` (the default) or `24h`.")),
    responses((status = 200, description = "The numbers.", body = Overview)))]
pub(crate) async fn overview(
    State(server): State<Server>,
    mut params: Params,
) -> Result<Response, Problem> {
    let range = params.take("range").unwrap_or_default();
    params.finish(&["range"])?;
    ok(&server.operator.overview(range).await?)
}

/// One value of a series.
#[derive(Serialize)]
struct Value {
    at: Timestamp,
    value: Option<Box<RawValue>>,
}

#[derive(Serialize)]
struct Values {
    metric: String,
    step_s: Span,
    points: Vec<Value>,
}

/// Points of a chart, oldest first
///
/// History is kept in steps of 10 s for an hour, of a minute for two days, of 15 minutes beyond.
#[utoipa::path(get, path = "/stats/series", tag = "Statistics",
    params(
        ("metric" = Option<String>, Query, description = "Only one of `enqueued, succeeded, retried, dead, wait, run`, as `value`; all of them when left out."),
        ("queue" = Option<String>, Query, description = "Only of this queue."),
        ("kind" = Option<String>, Query, description = "Only of this kind."),
        ("range" = Option<String>, Query, description = "`5m`, `1h` (the default) or `24h`."),
        ("step" = Option<u32>, Query, description = "Seconds between points: 10, 60 or 900. Instead of `range`."),
        ("from" = Option<String>, Query, description = "No point before."),
        ("to" = Option<String>, Query, description = "No point at or after."),
    ),
    responses((status = 200, description = "The points.", body = openapi::AnySeries)))]
pub(crate) async fn series(
    State(server): State<Server>,
    mut params: Params,
) -> Result<Response, Problem> {
    let filter = SeriesFilter {
        queue: params.take("queue"),
        kind: params.take("kind"),
    };
    let metric = params.text("metric");
    if metric
        .as_deref()
        .is_some_and(|metric| !METRICS.contains(&metric))
    {
        params.fault("metric", format!("must be one of {}", METRICS.join(", ")));
    }
    let from = params.take::<Timestamp>("from");
    let to = params.take::<Timestamp>("to");
    let range = range(&mut params, from, server.clock.now());
    params.finish(&["metric", "queue", "kind", "range", "step", "from", "to"])?;

    let mut series = server.operator.series(range, &filter).await?;
    series.points.retain(|point| {
        from.is_none_or(|from| point.at >= from) && to.is_none_or(|to| point.at < to)
    });
    match metric {
        None => ok(&series),
        Some(metric) => ok(&only(metric, &series)),
    }
}

/// The range that is asked for: by name, by its step, or the shortest that reaches back to `from`.
fn range(params: &mut Params, from: Option<Timestamp>, now: Timestamp) -> Range {
    let named = params.take::<Range>("range");
    let step = params.text("step");
    let by_step = step.as_deref().and_then(|step| {
        let step = Span::from_secs(step.parse().ok()?);
        Range::ALL.into_iter().find(|range| range.step() == step)
    });
    if step.is_some() && by_step.is_none() {
        params.fault("step", "must be 10, 60 or 900 seconds");
    }
    if let (Some(named), Some(by_step)) = (named, by_step)
        && named != by_step
    {
        params.fault(
            "step",
            format!(
                "the range {} has steps of {} s",
                named.as_str(),
                named.step().millis() / 1000
            ),
        );
    }
    let reaching = from.and_then(|from| {
        Range::ALL
            .into_iter()
            .find(|range| now.since(from) <= range.length())
    });
    named.or(by_step).or(reaching).unwrap_or(if from.is_some() {
        Range::Day
    } else {
        Range::Hour
    })
}

fn only(metric: String, series: &Series) -> Values {
    let value = |point: &Point| -> Option<Box<RawValue>> {
        let raw = match metric.as_str() {
            "enqueued" => serde_json::value::to_raw_value(&point.enqueued),
            "succeeded" => serde_json::value::to_raw_value(&point.succeeded),
            "retried" => serde_json::value::to_raw_value(&point.retried),
            "dead" => serde_json::value::to_raw_value(&point.dead),
            "wait" => serde_json::value::to_raw_value(&point.wait),
            _ => serde_json::value::to_raw_value(&point.run),
        };
        // Numbers only are in it, which JSON can always hold.
        raw.ok()
    };
    let points = series.points.iter().map(|point| Value {
        at: point.at,
        value: value(point),
    });
    Values {
        points: points.collect(),
        step_s: series.step_s,
        metric,
    }
}
