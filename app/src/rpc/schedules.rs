//! Schedules: read, write, run, and what an expression means.

use conveyor_model::cron::CronPreview;
#[cfg(feature = "ssr")]
use conveyor_model::cron::CronPreviewRequest;
#[cfg(feature = "ssr")]
use conveyor_model::error::OperatorError;
use conveyor_model::error::{FieldError, Invalid};
use conveyor_model::schedule::{ScheduleSpec, Slot};
use conveyor_model::stats::KindInfo;
use conveyor_model::time::Timestamp;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use super::schedule_values::{ScheduleValues, Timing};
use super::{Outcome, RpcError};
#[cfg(feature = "ssr")]
use crate::paths;

/// A schedule on its way to the page: a `Schedule` with its parts side by side, since a payload that
/// is kept as text cannot be read out of a flattened struct.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ScheduleView {
    /// Its name.
    pub name: String,
    /// What people wrote.
    pub spec: ScheduleSpec,
    /// The expression in words, in the reader's language; empty when it cannot be read.
    pub words: String,
    /// The next slot.
    pub next_at: Option<Timestamp>,
    /// The slot that waits for the earlier job.
    pub waiting_slot: Option<Timestamp>,
    /// Why it stands still, in the words of the server.
    pub fault: Option<String>,
    /// What became of the latest slot.
    pub last_slot: Option<Slot>,
    /// Who paused it.
    pub paused_by: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Grows with each change.
    pub version: i64,
}

/// What the schedule form starts with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ScheduleStart {
    /// Names this filled-in form.
    pub form_key: String,
    /// The fields.
    pub values: ScheduleValues,
    /// What was wrong with them when they were last sent.
    pub faults: Vec<FieldError>,
    /// The version they were read at; 0 for a new schedule.
    pub version: i64,
    /// The kinds to choose from.
    pub kinds: Vec<KindInfo>,
    /// The zones to choose from.
    pub zones: Vec<String>,
    /// What the expression means, or what is wrong with it.
    pub preview: Result<CronPreview, RpcError>,
}

/// Every schedule, by name, in words of `lang`.
#[server(name = ReadSchedules, prefix = "/rpc", endpoint = "schedules")]
pub(crate) async fn schedules(lang: String) -> Result<Vec<ScheduleView>, RpcError> {
    use super::server;
    server::read(|operator| async move {
        let schedules = operator.schedules().await?;
        Ok(server::words::of_all(&*operator, schedules, &lang).await)
    })
    .await
}

/// One schedule, in words of `lang`.
#[server(name = ReadSchedule, prefix = "/rpc", endpoint = "schedule")]
pub(crate) async fn schedule(schedule: String, lang: String) -> Result<ScheduleView, RpcError> {
    use super::server;
    server::read(|operator| async move {
        let found = operator.schedule(&server::words::known(&schedule)?).await?;
        Ok(server::words::of(&*operator, found, &lang).await)
    })
    .await
}

/// A schedule's latest slots, newest first.
#[server(name = ReadSlots, prefix = "/rpc", endpoint = "slots")]
pub(crate) async fn slots(schedule: String) -> Result<Vec<Slot>, RpcError> {
    use super::server;
    server::read(|operator| async move { operator.slots(&server::words::known(&schedule)?).await })
        .await
}

/// What an expression means and when it fires, or what is wrong with it: while it is being typed, that
/// is an answer like any other.
#[server(name = ReadCronPreview, prefix = "/rpc", endpoint = "cron_preview")]
pub(crate) async fn cron_preview(
    timing: Timing,
    lang: String,
) -> Result<Result<CronPreview, Invalid>, RpcError> {
    use super::server;
    server::read(|operator| async move {
        match operator.preview_cron(timing.request(&lang)).await {
            Err(OperatorError::Invalid(invalid)) => Ok(Err(invalid)),
            answer => answer.map(Ok),
        }
    })
    .await
}

/// When a stored schedule fires next, or why its expression can no longer be read. The version that the
/// page shows is part of the question, so that it is asked again when there is another.
#[server(name = ReadFires, prefix = "/rpc", endpoint = "fires")]
pub(crate) async fn fires(
    schedule: String,
    #[server(default)] version: i64,
    lang: String,
) -> Result<Result<CronPreview, Invalid>, RpcError> {
    use super::server;
    let _ = version;
    server::read(|operator| async move {
        let schedule = operator.schedule(&server::words::known(&schedule)?).await?;
        let lang = lang.parse().unwrap_or_default();
        let request = CronPreviewRequest::of(&schedule, server::words::SHOWN_FIRES, lang);
        match operator.preview_cron(request).await {
            Err(OperatorError::Invalid(invalid)) => Ok(Err(invalid)),
            answer => answer.map(Ok),
        }
    })
    .await
}

/// The form of a new schedule (`schedule` empty), of one there is, or of what is kept under `draft`.
/// `cron` fills in an expression to begin with.
#[server(name = ReadScheduleForm, prefix = "/rpc", endpoint = "schedule_form")]
pub(crate) async fn schedule_form(
    #[server(default)] schedule: String,
    #[server(default)] draft: String,
    #[server(default)] cron: String,
    #[server(default)] kind: String,
    lang: String,
) -> Result<ScheduleStart, RpcError> {
    use super::server;
    server::read(|operator| async move {
        let (mut values, version) = if schedule.is_empty() {
            (ScheduleValues::blank(), 0)
        } else {
            let found = operator.schedule(&server::words::known(&schedule)?).await?;
            (ScheduleValues::of(&schedule, &found.spec), found.version)
        };
        values.kind = if kind.is_empty() { values.kind } else { kind };
        values.cron = if cron.is_empty() { values.cron } else { cron };
        let (values, faults) = server::drafts::take(&draft).unwrap_or_else(|| (values, Vec::new()));
        let request = values.timing().request(&lang);
        Ok(ScheduleStart {
            form_key: server::drafts::new_key(),
            preview: operator.preview_cron(request).await.map_err(RpcError::from),
            kinds: operator.kinds().await?,
            zones: operator.time_zones().await?,
            values,
            faults,
            version,
        })
    })
    .await
}

/// Makes a schedule (version 0) or changes the one of that name, only at that version. With `check`
/// nothing is stored: a plain form comes back with the preview of what was typed.
#[server(name = PutSchedule, prefix = "/rpc", endpoint = "put_schedule")]
pub(crate) async fn put_schedule(
    schedule: ScheduleValues,
    version: i64,
    #[server(default)] form_key: String,
    #[server(default)] check: String,
) -> Result<Outcome, RpcError> {
    use super::server;
    let form = server::words::form_page(&schedule.name, version, &form_key);
    if !check.is_empty() {
        server::drafts::keep_with(&form_key, &schedule, Vec::new());
        server::see_other(&form);
        let schedule = schedule.name;
        return Ok(Outcome::ScheduleSaved { schedule });
    }
    let read = server::words::both(server::name("name", schedule.name.trim()), schedule.read());
    let outcome = server::ask(|operator| async move {
        let (known, spec) = read?;
        operator
            .put_schedule(&known, spec, Some(version), &server::actor())
            .await?;
        let schedule = known.to_string();
        Ok(Outcome::ScheduleSaved { schedule })
    });
    let outcome = outcome.await;
    let page = match &outcome {
        Err(error) if server::posted_by_form() => {
            server::drafts::keep(&form_key, &schedule, error);
            form
        }
        _ => server::words::page(schedule.name.trim()),
    };
    server::settle(&page, outcome)
}

/// Removes a schedule; its jobs stay.
#[server(name = DeleteSchedule, prefix = "/rpc", endpoint = "delete_schedule")]
pub(crate) async fn delete_schedule(
    schedule: String,
    #[server(default)] return_to: String,
) -> Result<Outcome, RpcError> {
    use super::server;
    let page = server::words::page(&schedule);
    let outcome = server::ask(|operator| async move {
        operator
            .delete_schedule(&server::words::known(&schedule)?, None)
            .await?;
        Ok(Outcome::ScheduleDeleted { schedule })
    });
    let outcome = outcome.await;
    let next = match &outcome {
        Ok(_) => server::away_from(&page, &return_to, paths::SCHEDULES),
        Err(_) => &return_to,
    };
    server::settle(next, outcome)
}

/// Enqueues a schedule's job now; its next slot stays where it is.
#[server(name = RunSchedule, prefix = "/rpc", endpoint = "run_schedule")]
pub(crate) async fn run_schedule(
    schedule: String,
    #[server(default)] return_to: String,
) -> Result<Outcome, RpcError> {
    use super::server;
    server::change(&return_to, |operator| async move {
        let id = operator
            .run_schedule(&server::words::known(&schedule)?)
            .await?;
        Ok(Outcome::ScheduleRun { schedule, id })
    })
    .await
}

/// Stops (`yes`) or resumes (`no`) firing.
#[server(name = PauseSchedule, prefix = "/rpc", endpoint = "pause_schedule")]
pub(crate) async fn pause_schedule(
    schedule: String,
    paused: String,
    #[server(default)] return_to: String,
) -> Result<Outcome, RpcError> {
    use super::server;
    server::change(&return_to, |operator| async move {
        let paused = paused == "yes";
        let known = server::words::known(&schedule)?;
        operator
            .pause_schedule(&known, paused, &server::actor())
            .await?;
        Ok(Outcome::SchedulePaused { schedule, paused })
    })
    .await
}
