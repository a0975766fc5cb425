//! Enqueueing by a form.

use conveyor_model::error::FieldError;
use conveyor_model::stats::KindInfo;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use super::job_values::JobValues;
use super::{Outcome, RpcError};

/// What the enqueue form starts with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct EnqueueStart {
    /// Names this filled-in form: sent twice, it enqueues once.
    pub form_key: String,
    /// The fields.
    pub values: JobValues,
    /// What was wrong with them when they were last sent.
    pub faults: Vec<FieldError>,
    /// The kinds to choose from.
    pub kinds: Vec<KindInfo>,
}

/// The enqueue form: filled with a kind, with a copy of a job, or with what was refused before.
#[server(name = ReadEnqueueForm, prefix = "/rpc", endpoint = "enqueue_form")]
pub(crate) async fn enqueue_form(
    #[server(default)] kind: String,
    #[server(default)] copy: String,
    #[server(default)] draft: String,
) -> Result<EnqueueStart, RpcError> {
    use super::server;
    server::read(|operator| async move {
        let (values, faults) = match server::drafts::take(&draft) {
            Some(kept) => kept,
            None if copy.is_empty() => (JobValues::blank(), Vec::new()),
            None => {
                let job = operator.job(server::job_id(&copy)?).await?;
                (JobValues::copy_of(&job), Vec::new())
            }
        };
        let kind = Some(kind).filter(|kind| !kind.is_empty() && values.kind.is_empty());
        Ok(EnqueueStart {
            form_key: server::drafts::new_key(),
            values: JobValues {
                kind: kind.unwrap_or_else(|| values.kind.clone()),
                ..values
            },
            faults,
            kinds: operator.kinds().await?,
        })
    })
    .await
}

/// Stores a job. A plain form goes on to the job, or with `another` to the next form.
#[server(name = Enqueue, prefix = "/rpc", endpoint = "enqueue")]
pub(crate) async fn enqueue(
    job: JobValues,
    #[server(default)] form_key: String,
    #[server(default)] another: String,
) -> Result<Outcome, RpcError> {
    use super::server;
    let new = job.read(&form_key);
    let outcome = server::ask(|operator| async move {
        let stored = operator.enqueue(new?).await?;
        let (id, existing) = (stored.id, stored.existing);
        Ok(Outcome::Enqueued { id, existing })
    });
    let outcome = outcome.await;
    let page = match &outcome {
        Ok(Outcome::Enqueued { id, .. }) if another.is_empty() => format!("/jobs/{id}"),
        Ok(_) if server::posted_by_form() => {
            let next = JobValues {
                idempotency_key: String::new(),
                ..job
            };
            server::drafts::keep_with(&form_key, &next, Vec::new());
            format!("/jobs/new?draft={form_key}")
        }
        Ok(_) => String::new(),
        Err(error) if server::posted_by_form() => {
            server::drafts::keep(&form_key, &job, error);
            format!("/jobs/new?draft={form_key}")
        }
        Err(_) => String::new(),
    };
    server::settle(&page, outcome)
}
