//! `conveyor schedules`.

use std::process::ExitCode;

use anyhow::anyhow;
use axum::http::Method;
use conveyor_model::cron::{CronPreview, CronPreviewRequest};
use conveyor_model::error::OperatorError;
use serde_json::json;

use super::ask::{Queue, cells, reason};
use super::{Client, Output, output};
use crate::clock::{Clock, SystemClock};
use crate::config::Config;
use crate::service;

const COLUMNS: [&str; 6] = ["name", "cron", "timezone", "kind", "next_at", "description"];

/// What to do with schedules.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Schedules {
    /// Every schedule
    List,
    /// What a cron expression means, and when it fires
    Preview {
        /// The expression, such as "0 9 * * MON-FRI"
        expression: String,
        /// An IANA time zone
        #[arg(long, default_value = "UTC", value_name = "ZONE")]
        tz: String,
        /// How many fires
        #[arg(long, short, default_value_t = 5)]
        n: usize,
    },
}

impl Schedules {
    /// Does it.
    pub(super) async fn run(self, client: &Client, config: &Config) -> anyhow::Result<ExitCode> {
        match self {
            Schedules::List => list(client, config).await?,
            Schedules::Preview { expression, tz, n } => {
                let asked = CronPreviewRequest::new(&expression, &tz, n);
                preview(asked, client, config).await?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

async fn list(client: &Client, config: &Config) -> anyhow::Result<()> {
    let queue = Queue::open(client, config).await?;
    let answer = queue.ask(Method::GET, "/schedules?limit=200", None).await;
    queue.close().await;
    let answer = answer?;
    match client.output {
        Output::Json => output::line(&answer.text),
        Output::Table => {
            let items = answer.value.get("items").cloned().unwrap_or_default();
            output::table(&COLUMNS, cells(&items, &COLUMNS))
        }
    }
}

/// Words, fires on the clock of the zone and in UTC, and notes. Without a server none is asked: what an
/// expression means is the same everywhere.
async fn preview(
    asked: CronPreviewRequest,
    client: &Client,
    config: &Config,
) -> anyhow::Result<()> {
    let text = match &client.url {
        Some(url) => {
            let queue = Queue::server(url, client, config)?;
            let body = serde_json::to_string(&asked)?;
            queue
                .ask(Method::POST, "/cron/preview", Some(body))
                .await?
                .text
        }
        None => serde_json::to_string(&preview_here(&asked)?)?,
    };
    if client.output == Output::Json {
        return output::line(&text);
    }
    let preview: CronPreview = serde_json::from_str(&text)?;
    output::line(&preview.description)?;
    for (at, offset) in preview.next.iter().zip(&preview.offsets) {
        output::line(&match offset {
            0 => at.to_string(),
            offset => format!("{}  ({at})", at.with_offset(*offset)),
        })?;
    }
    preview.notes.iter().try_for_each(|note| output::line(note))
}

fn preview_here(asked: &CronPreviewRequest) -> anyhow::Result<CronPreview> {
    service::preview_cron(asked, SystemClock.now()).map_err(|error| match error {
        OperatorError::Invalid(invalid) => anyhow!(reason(&json!({"errors": invalid.errors}))),
        other => other.into(),
    })
}
