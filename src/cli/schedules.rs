//! `conveyor schedules`.

use std::process::ExitCode;

use axum::http::Method;
use serde_json::{Value, json};

use super::ask::{Queue, cell, cells};
use super::{Client, Output, output};
use crate::config::Config;

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
        n: u32,
    },
}

impl Schedules {
    /// Does it.
    pub(super) async fn run(self, client: &Client, config: &Config) -> anyhow::Result<ExitCode> {
        let queue = Queue::open(client, config).await?;
        let done = self.ask(&queue, client.output).await;
        queue.close().await;
        done.map(|()| ExitCode::SUCCESS)
    }

    async fn ask(self, queue: &Queue, form: Output) -> anyhow::Result<()> {
        match self {
            Schedules::List => {
                let answer = queue.ask(Method::GET, "/schedules?limit=200", None).await?;
                match form {
                    Output::Json => output::line(&answer.text),
                    Output::Table => {
                        let items = answer.value.get("items").cloned().unwrap_or_default();
                        output::table(&COLUMNS, cells(&items, &COLUMNS))
                    }
                }
            }
            Schedules::Preview { expression, tz, n } => {
                let body = json!({"cron": expression, "timezone": tz, "n": n}).to_string();
                let answer = queue.ask(Method::POST, "/cron/preview", Some(body)).await?;
                if form == Output::Json {
                    return output::line(&answer.text);
                }
                output::line(&cell(&answer.value, "description"))?;
                for list in ["next", "notes"] {
                    let items = answer.value.get(list).and_then(Value::as_array);
                    for item in items.into_iter().flatten().filter_map(Value::as_str) {
                        output::line(item)?;
                    }
                }
                Ok(())
            }
        }
    }
}
