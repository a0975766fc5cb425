//! Jobs: lists, one job, and what may be done with them.

use conveyor_model::error::FieldError;
use conveyor_model::filter::Cursor;
use conveyor_model::job::JobRow;
use conveyor_model::operator::JobDetail;
#[cfg(feature = "ssr")]
use conveyor_model::state::Action;
use conveyor_model::time::Timestamp;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use super::job_values::JobValues;
use super::{Outcome, RpcError};
#[cfg(feature = "ssr")]
use crate::paths;

/// One page of the jobs list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct JobList {
    /// The jobs, in the order of the filter.
    pub items: Vec<JobRow>,
    /// Where the page before this one ends; none on the first.
    pub before: Option<Cursor>,
    /// Where the next page starts; none on the last.
    pub after: Option<Cursor>,
    /// How many match, exact up to the model's cap.
    pub total: u64,
    /// Whether there are more than `total`.
    pub total_capped: bool,
    /// The text search stopped early: `after` leads on even from an empty page.
    pub search_stopped: bool,
    /// Class and message of the error that all jobs died of, when they were asked for by their cause.
    pub cause: Option<(String, String)>,
    /// When this was read.
    pub now: Timestamp,
}

/// What the form that edits a job starts with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct JobStart {
    /// The fields.
    pub values: JobValues,
    /// What was wrong with them when they were last sent.
    pub faults: Vec<FieldError>,
    /// The version the fields were read at.
    pub version: i64,
    /// Names this filled-in form.
    pub form_key: String,
}

/// The jobs that match a filter's query string, after or before a cursor (empty: from the start).
#[server(name = ReadJobs, prefix = "/rpc", endpoint = "jobs")]
pub(crate) async fn jobs(
    query: String,
    #[server(default)] after: String,
    #[server(default)] before: String,
) -> Result<JobList, RpcError> {
    use super::server;
    server::read(
        |operator| async move { server::list::page(&*operator, &query, &after, &before).await },
    )
    .await
}

/// Everything about one job.
#[server(name = ReadJob, prefix = "/rpc", endpoint = "job")]
pub(crate) async fn job_detail(id: String) -> Result<JobDetail, RpcError> {
    use super::server;
    server::read(|operator| async move { operator.job_detail(server::job_id(&id)?).await }).await
}

/// The fields of a job to edit, or those of a refused change that is kept under `draft`.
#[server(name = ReadJobForm, prefix = "/rpc", endpoint = "job_form")]
pub(crate) async fn job_form(
    id: String,
    #[server(default)] draft: String,
) -> Result<JobStart, RpcError> {
    use super::server;
    server::read(|operator| async move {
        let job = operator.job(server::job_id(&id)?).await?;
        let (values, faults) =
            server::drafts::take(&draft).unwrap_or_else(|| (JobValues::of(&job), Vec::new()));
        Ok(JobStart {
            values,
            faults,
            version: job.row.version,
            form_key: server::drafts::new_key(),
        })
    })
    .await
}

/// Runs, retries, cancels, discards, duplicates or deletes a job.
#[server(name = Act, prefix = "/rpc", endpoint = "act")]
pub(crate) async fn act(
    id: i64,
    action: String,
    #[server(default)] return_to: String,
) -> Result<Outcome, RpcError> {
    use super::server;
    let outcome = server::ask(|operator| async move {
        let id = server::job_id(&id.to_string())?;
        let action = server::name("action", &action)?;
        let result = operator.act(id, action).await?;
        Ok(Outcome::Acted { id, action, result })
    });
    let outcome = outcome.await;
    let page = match &outcome {
        Ok(Outcome::Acted {
            id,
            action: Action::Delete,
            ..
        }) => server::away_from(&paths::job(*id), &return_to, paths::JOBS),
        Ok(_) | Err(_) => &return_to,
    };
    server::settle(page, outcome)
}

/// The same on several jobs, each for itself. What removes or discards jobs wants `sure` to be `yes`.
#[server(name = ActOn, prefix = "/rpc", endpoint = "act_on")]
pub(crate) async fn act_on(
    #[server(default)] ids: Vec<i64>,
    #[server(default)] action: String,
    #[server(default)] sure: String,
    #[server(default)] return_to: String,
) -> Result<Outcome, RpcError> {
    use super::server;
    server::change(&return_to, |operator| async move {
        let (ids, action) = server::list::chosen(ids, &action, &sure)?;
        let results = operator.act_on(ids, action).await?;
        Ok(server::list::summary(action, &results))
    })
    .await
}

/// Changes a job that is not running, only at the version the form was read at.
#[server(name = EditJob, prefix = "/rpc", endpoint = "edit_job")]
pub(crate) async fn edit_job(
    id: i64,
    version: i64,
    job: JobValues,
    form_key: String,
) -> Result<Outcome, RpcError> {
    use super::server;
    let fields = &job;
    let outcome = server::ask(|operator| async move {
        let id = server::job_id(&id.to_string())?;
        let patch = fields.patch(&operator.job(id).await?)?;
        operator.edit(id, patch, Some(version)).await?;
        Ok(Outcome::Edited { id })
    });
    let outcome = outcome.await;
    let mut page = format!("/jobs/{id}");
    if let Err(error) = &outcome
        && server::posted_by_form()
    {
        server::drafts::keep(&form_key, &job, error);
        page = format!("{page}?edit=1&draft={form_key}");
    }
    server::settle(&page, outcome)
}
