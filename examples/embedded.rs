//! A web shop that sends its receipts in the background: its own handler, its own route beside the
//! mounted dashboard, one job from order to receipt.
//!
//! `cargo run --example embedded` serves on a free port, places one order through its own route,
//! waits until the receipt is written, and ends.

use std::sync::Arc;

use anyhow::Context;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use conveyor::model::job::LogLevel;
use conveyor::model::name::JobId;
use conveyor::{Conveyor, JobContext};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

/// The payload of a `receipt.write` job.
#[derive(Debug, Serialize, Deserialize)]
struct Receipt {
    order: u64,
    cents: u64,
}

/// Runs a `receipt.write` job. What it answers is kept as the job's result.
async fn write_receipt(job: JobContext, receipt: Receipt) -> anyhow::Result<String> {
    anyhow::ensure!(receipt.cents > 0, "order {} is free", receipt.order);
    job.log(
        LogLevel::Info,
        format!("writing the receipt of order {}", receipt.order),
    );
    let (euros, cents) = (receipt.cents / 100, receipt.cents % 100);
    Ok(format!("order {}: {euros}.{cents:02} EUR", receipt.order))
}

/// `POST /orders/{order}`: the receipt is on disk as a job when this answers.
async fn place_order(
    State(queue): State<Arc<Conveyor>>,
    Path(order): Path<u64>,
) -> Result<Json<JobId>, StatusCode> {
    let receipt = Receipt { order, cents: 1999 };
    match queue.enqueue("receipt.write", &receipt).await {
        Ok(stored) => Ok(Json(stored.id)),
        Err(error) => {
            tracing::error!(%error, "the order was not taken");
            Err(StatusCode::SERVICE_UNAVAILABLE)
        }
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let queue = Conveyor::builder()
        .data_dir(folder.path())
        .slots(4)
        .handle("receipt.write", write_receipt)
        .api_token("an-example-token")
        .build()
        .await?;
    let queue = Arc::new(queue);
    queue.start()?;

    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let app = Router::new()
        .route("/orders/{order}", post(place_order))
        .with_state(Arc::clone(&queue))
        .merge(queue.router());
    let server = tokio::spawn(async move { axum::serve(listener, app).await });

    let url = format!("http://{address}/orders/7");
    // The client comes without a TLS provider of its own; one that is installed already serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let answer = reqwest::Client::new()
        .post(url)
        .send()
        .await?
        .error_for_status()?;
    let id: JobId = answer.json().await?;
    let done = queue.finished(id).await?;
    let result = done.result.context("the job has no result")?;
    writeln(&format!("job {id} {}: {result}", done.row.state))?;

    queue.stop().await;
    server.abort();
    Ok(())
}

/// Writes a line to standard output.
fn writeln(line: &str) -> std::io::Result<()> {
    use std::io::Write;
    writeln!(std::io::stdout(), "{line}")
}
