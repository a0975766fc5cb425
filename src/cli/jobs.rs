//! `conveyor jobs` and `conveyor queues`.

use std::process::ExitCode;

use axum::http::Method;
use conveyor_model::filter::percent_encode;
use conveyor_model::name::JobId;
use serde_json::Value;

use super::ask::{Queue, cell, cells};
use super::{Client, Output, output};
use crate::config::Config;

const COLUMNS: [&str; 7] = [
    "id",
    "state",
    "kind",
    "queue",
    "attempt",
    "run_at",
    "payload_preview",
];
const QUEUE_COLUMNS: [&str; 7] = [
    "name",
    "ready",
    "running",
    "scheduled",
    "retrying",
    "dead",
    "oldest_ready_age_s",
];
const ONE: [&str; 15] = [
    "id",
    "state",
    "kind",
    "queue",
    "priority",
    "attempt",
    "max_attempts",
    "worker",
    "run_at",
    "created_at",
    "started_at",
    "finished_at",
    "tags",
    "payload",
    "result",
];

/// What to do with jobs.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Jobs {
    /// The newest jobs that match
    List {
        /// A search, as on the page: kind:email.send state:dead and words of the payload
        search: Vec<String>,
        /// At most this many, 1 to 200
        #[arg(long, default_value_t = 50)]
        limit: u32,
    },
    /// One job; as JSON with its attempts
    Show {
        /// The job
        id: JobId,
    },
    /// Give a finished or retrying job a new attempt
    Retry {
        /// The jobs
        #[arg(required = true)]
        ids: Vec<JobId>,
    },
    /// Call jobs off
    Cancel {
        /// The jobs
        #[arg(required = true)]
        ids: Vec<JobId>,
    },
}

impl Jobs {
    /// Does it.
    pub(super) async fn run(self, client: &Client, config: &Config) -> anyhow::Result<ExitCode> {
        let queue = Queue::open(client, config).await?;
        let done = self.ask(&queue, client.output).await;
        queue.close().await;
        done
    }

    async fn ask(self, queue: &Queue, form: Output) -> anyhow::Result<ExitCode> {
        match self {
            Jobs::List { search, limit } => {
                let mut path = format!("/jobs?limit={limit}&q=");
                percent_encode(&search.join(" "), &mut path);
                let answer = queue.ask(Method::GET, &path, None).await?;
                match form {
                    Output::Json => output::line(&answer.text)?,
                    Output::Table => {
                        let items = answer.value.get("items").cloned().unwrap_or_default();
                        output::table(&COLUMNS, cells(&items, &COLUMNS))?;
                    }
                }
            }
            Jobs::Show { id } => {
                let answer = queue.ask(Method::GET, &format!("/jobs/{id}"), None).await?;
                match form {
                    Output::Json => output::line(&answer.text)?,
                    Output::Table => {
                        output::table(&["field", "value"], fields(&answer.value, &answer.text))?;
                    }
                }
            }
            Jobs::Retry { ids } => return act(queue, &ids, "retry").await,
            Jobs::Cancel { ids } => return act(queue, &ids, "cancel").await,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Does the same to each job; one that is refused does not stop the others.
async fn act(queue: &Queue, ids: &[JobId], verb: &str) -> anyhow::Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for id in ids {
        match queue
            .ask(Method::POST, &format!("/jobs/{id}/{verb}"), None)
            .await
        {
            Ok(answer) => output::line(&format!("{id} {}", cell(&answer.value, "state")))?,
            Err(error) => {
                output::complain(&format!("{id}: {error:#}"));
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

/// A job as rows of name and value. Payload and result come from the text itself, with all digits.
fn fields(value: &Value, text: &str) -> Vec<Vec<String>> {
    let mut raw = conveyor_model::fields::Fields::parse(text).ok();
    let mut exact = |name: &str| {
        let taken = raw.as_mut().and_then(|raw| raw.take_raw(name));
        taken.map(|raw| raw.get().to_owned())
    };
    let mut rows: Vec<Vec<String>> = ONE
        .iter()
        .map(|name| match *name {
            "payload" => (name, exact(name).unwrap_or_default()),
            "result" => (
                name,
                exact(name)
                    .filter(|text| text != "null")
                    .unwrap_or_default(),
            ),
            name_of_plain => (name, cell(value, name_of_plain)),
        })
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| vec![(*name).to_owned(), text])
        .collect();
    let more = [("waiting_reason", "text"), ("last_error", "message")];
    for (name, part) in more {
        if let Some(inner) = value.get(name).filter(|inner| !inner.is_null()) {
            rows.push(vec![name.to_owned(), cell(inner, part)]);
        }
    }
    rows
}

/// `conveyor queues`.
pub(super) async fn queues(client: &Client, config: &Config) -> anyhow::Result<ExitCode> {
    let queue = Queue::open(client, config).await?;
    let answer = queue.ask(Method::GET, "/queues", None).await;
    queue.close().await;
    let answer = answer?;
    match client.output {
        Output::Json => output::line(&answer.text)?,
        Output::Table => output::table(&QUEUE_COLUMNS, cells(&answer.value, &QUEUE_COLUMNS))?,
    }
    Ok(ExitCode::SUCCESS)
}
