//! `conveyor enqueue`.

use std::io::Read;
use std::process::ExitCode;

use anyhow::Context;
use axum::http::Method;
use conveyor_model::json::JsonText;
use serde::Serialize;

use super::ask::{Queue, cell};
use super::{Client, Output, output};
use crate::config::Config;

/// A job to enqueue.
#[derive(Debug, clap::Args)]
pub(super) struct Enqueue {
    /// Which handler runs it
    kind: String,
    /// JSON: the text itself, @FILE, or - for standard input
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    payload: Option<String>,
    /// The queue
    #[arg(long)]
    queue: Option<String>,
    /// 9 goes first
    #[arg(long)]
    priority: Option<u8>,
    /// Due this many seconds from now
    #[arg(long, value_name = "SECONDS", conflicts_with = "run_at")]
    delay: Option<f64>,
    /// Due at this time, such as 2026-11-30T09:00:00Z
    #[arg(long, value_name = "TIME")]
    run_at: Option<String>,
    /// How many attempts it gets
    #[arg(long, value_name = "N")]
    max_attempts: Option<u32>,
    /// Seconds one attempt may take; 0 means without limit
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
    /// Makes a repeated enqueue harmless
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// A word to find it by; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
}

/// The request.
#[derive(Serialize)]
struct Body {
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<JsonText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queue: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delay_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_attempts: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotency_key: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
}

impl Enqueue {
    /// Enqueues it and writes its id, or the whole job.
    pub(super) async fn run(self, client: &Client, config: &Config) -> anyhow::Result<ExitCode> {
        let payload = self.payload.as_deref().map(payload).transpose()?;
        let body = Body {
            kind: self.kind,
            payload,
            queue: self.queue,
            priority: self.priority,
            delay_s: self.delay,
            run_at: self.run_at,
            max_attempts: self.max_attempts,
            timeout_s: self.timeout,
            idempotency_key: self.key,
            tags: self.tags,
        };
        let text = serde_json::to_string(&body)?;
        let queue = Queue::open_or_make(client, config).await?;
        let answer = queue.ask(Method::POST, "/jobs", Some(text)).await;
        queue.close().await;
        let answer = answer?;
        match client.output {
            Output::Json => output::line(&answer.text)?,
            Output::Table => output::line(&cell(&answer.value, "id"))?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The payload as it is written, in a file, or on standard input.
fn payload(text: &str) -> anyhow::Result<JsonText> {
    let text = match text.strip_prefix('@') {
        Some(path) => {
            std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?
        }
        None if text == "-" => {
            let mut read = String::new();
            std::io::stdin()
                .read_to_string(&mut read)
                .context("cannot read standard input")?;
            read
        }
        None => text.to_owned(),
    };
    JsonText::parse(&text).context("the payload is not allowed JSON")
}
