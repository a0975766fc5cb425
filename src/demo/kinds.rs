//! Kinds that exist only in the demo: they pretend to work, tell how it goes, and some fail on
//! purpose.

use std::time::Duration;

use async_trait::async_trait;
use conveyor_model::job::{Failure, LogLevel};
use conveyor_model::json::JsonText;
use serde::Deserialize;
use serde_json::json;

use super::dice::Dice;
use super::orders::{BROKEN_BRANCH, LOST_BRANCH, LOST_WAREHOUSE, payload, valid};
use crate::worker::{Handler, JobContext, Outcome, Registry, RegistryError};

/// What a broken report panics with.
pub(super) const BROKEN: &str = "attempt to divide by zero: the branch sold nothing at all";

/// Adds the demo's own kinds.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.add(
        valid("report.build"),
        "Demo: builds a report step by step; some branches have no figures.",
        Report,
    )?;
    registry.add(
        valid("stock.sync"),
        "Demo: asks a stock service that does not always answer.",
        Stock,
    )
}

/// A branch without figures.
pub(super) fn no_figures(branch: &str) -> Failure {
    Failure::new(
        "DataMissing",
        format!("no figures from branch \"{branch}\""),
    )
}

/// A warehouse that says nothing.
pub(super) fn no_stock(warehouse: &str) -> Failure {
    Failure::new(
        "UpstreamUnavailable",
        format!("the stock service did not answer for warehouse \"{warehouse}\""),
    )
}

/// `report.build`.
struct Report;

#[derive(Deserialize)]
struct ReportPayload {
    branch: String,
    rows: i64,
}

#[async_trait]
impl Handler for Report {
    async fn run(&self, job: JobContext) -> Outcome {
        let asked: ReportPayload = match serde_json::from_str(job.payload().as_str()) {
            Ok(asked) => asked,
            Err(error) => return Outcome::dead("InvalidPayload", error),
        };
        job.log(LogLevel::Info, format!("reading {} rows", asked.rows));
        let steps = 10 + asked.rows / 4_000;
        for step in 1..=steps {
            if !pause(&job, Duration::from_millis(250)).await {
                return Outcome::Cancel;
            }
            if asked.branch == LOST_BRANCH && step == 3 {
                job.log(LogLevel::Error, "the branch has sent nothing");
                return Outcome::Dead(no_figures(LOST_BRANCH));
            }
            if step == steps / 2 {
                job.log(LogLevel::Info, "adding up");
                margin(&asked.branch);
            }
            let percent = share(step, steps);
            job.progress(percent, format!("step {step} of {steps}"));
        }
        let pages = asked.rows / 400 + 1;
        job.log(LogLevel::Info, format!("{pages} pages written"));
        done(&payload(&json!({"rows": asked.rows, "pages": pages})))
    }
}

/// The step that a broken branch does not survive.
fn margin(branch: &str) {
    assert!(branch != BROKEN_BRANCH, "{BROKEN}");
}

/// `stock.sync`.
struct Stock;

#[derive(Deserialize)]
struct StockPayload {
    warehouse: String,
    items: i64,
}

#[async_trait]
impl Handler for Stock {
    async fn run(&self, job: JobContext) -> Outcome {
        let asked: StockPayload = match serde_json::from_str(job.payload().as_str()) {
            Ok(asked) => asked,
            Err(error) => return Outcome::dead("InvalidPayload", error),
        };
        let mut dice = Dice::new(job.id().get().unsigned_abs() * 31 + u64::from(job.attempt()));
        job.log(
            LogLevel::Info,
            format!("asking about {} items", asked.items),
        );
        for step in 1..=4 {
            if !pause(&job, dice.about(180).to_std()).await {
                return Outcome::Cancel;
            }
            job.progress(share(step, 4), "");
        }
        if asked.warehouse == LOST_WAREHOUSE || dice.one_in(4) {
            let silent = format!("the stock service keeps silent about {}", asked.warehouse);
            job.log(LogLevel::Warn, silent);
            return Outcome::Retry {
                error: no_stock(&asked.warehouse),
                after: None,
            };
        }
        let changed = dice.between(0, asked.items.clamp(1, 120));
        job.log(LogLevel::Info, format!("{changed} items changed"));
        done(&payload(&json!({"changed": changed})))
    }
}

fn done(result: &JsonText) -> Outcome {
    Outcome::Done(Some(result.clone()))
}

/// Waits; false when the attempt was asked to stop.
async fn pause(job: &JobContext, length: Duration) -> bool {
    let cancelled = job.cancelled();
    tokio::select! {
        () = tokio::time::sleep(length) => true,
        () = cancelled.cancelled() => {
            // An attempt that is cut off for another reason ends here.
            tokio::time::sleep(Duration::from_millis(50)).await;
            false
        }
    }
}

/// `step` of `steps` in percent.
fn share(step: i64, steps: i64) -> f64 {
    i32::try_from(step * 100 / steps.max(1)).map_or(100.0, f64::from)
}
