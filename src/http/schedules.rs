//! Schedules over REST.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use conveyor_model::error::{ConflictCode, OperatorError, Thing};
use conveyor_model::name::ScheduleName;
use conveyor_model::schedule::{SCHEDULE_FIELDS, Schedule, ScheduleSpec, Slot};

use super::Server;
use super::answer::{Listing, json, needs_one, ok, tagged, versioned, wanted_version, with_header};
use super::gate::By;
use super::jobs::nothing_to_change;
use super::openapi;
use super::problem::{Code, Problem};
use super::request::{Bare, JsonObject, Name, NoParams, Params};

/// Every schedule, by name
#[utoipa::path(get, path = "/schedules", tag = "Schedules",
    params(
        ("limit" = Option<u32>, Query, description = "At most this many, 1 to 200; 50 when left out."),
        ("after" = Option<String>, Query, description = "`next` of the page before."),
    ),
    responses((status = 200, description = "One page.", body = openapi::SchedulePage)))]
pub(crate) async fn list(
    State(server): State<Server>,
    mut params: Params,
) -> Result<Response, Problem> {
    let all = server.operator.schedules().await?;
    let page = Listing::page(all, &mut params, |schedule| schedule.name.as_str());
    params.finish(&["limit", "after"])?;
    ok(&page)
}

/// One schedule
#[utoipa::path(get, path = "/schedules/{name}", tag = "Schedules", params(("name" = String, Path)),
    responses((status = 200, description = "The schedule.", body = openapi::Schedule), (status = 304, description = "The answer is still the one of `If-None-Match`.")))]
pub(crate) async fn show(
    State(server): State<Server>,
    name: Name,
    _: NoParams,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let schedule = server.operator.schedule(&name_of(&name)?).await?;
    versioned(&headers, schedule.version, &schedule)
}

/// Make a schedule, or replace what was written of it
///
/// It never fires by being written. `If-Match` replaces only that version, `If-None-Match: *` only makes.
#[utoipa::path(put, path = "/schedules/{name}", tag = "Schedules", request_body = openapi::ScheduleSpec,
    params(("name" = String, Path), ("If-Match" = Option<String>, Header), ("If-None-Match" = Option<String>, Header)),
    responses((status = 200, description = "Replaced.", body = openapi::Schedule), (status = 201, description = "Made.", body = openapi::Schedule)))]
pub(crate) async fn put(
    State(server): State<Server>,
    name: Name,
    headers: HeaderMap,
    By(actor): By,
    JsonObject(fields): JsonObject,
) -> Result<Response, Problem> {
    let name: ScheduleName = name.new_name()?;
    let version = wanted_version(&headers)?;
    let spec = ScheduleSpec::read(fields, None, server.config.max_payload)?;
    let is_new = matches!(
        server.operator.schedule(&name).await,
        Err(OperatorError::NotFound { .. })
    );
    if is_new && needs_one(&headers) {
        let detail = format!("there is no schedule {name} that If-Match could name");
        return Err(Problem::new(Code::VersionChanged, detail));
    }
    let schedule = server
        .operator
        .put_schedule(&name, spec, version, &actor)
        .await
        .map_err(unless_it_exists)?;
    if !is_new {
        return shown(StatusCode::OK, &schedule);
    }
    let mut address = "/api/v1/schedules/".to_owned();
    conveyor_model::filter::percent_encode(name.as_str(), &mut address);
    let response = shown(StatusCode::CREATED, &schedule)?;
    Ok(with_header(response, header::LOCATION, &address))
}

/// `If-None-Match: *` is a precondition of the request: where the schedule exists, it has failed.
fn unless_it_exists(error: OperatorError) -> Problem {
    match error {
        OperatorError::Conflict {
            code: ConflictCode::Exists,
            detail,
        } => Problem::new(Code::VersionChanged, detail),
        other => other.into(),
    }
}

/// Change a schedule
///
/// A field left out stays as it is; null takes `starts_at` or `ends_at` away, and is a payload.
#[utoipa::path(patch, path = "/schedules/{name}", tag = "Schedules", request_body = openapi::SchedulePatch,
    params(("name" = String, Path), ("If-Match" = Option<String>, Header)),
    responses((status = 200, description = "The schedule as it is now.", body = openapi::Schedule)))]
pub(crate) async fn edit(
    State(server): State<Server>,
    name: Name,
    headers: HeaderMap,
    By(actor): By,
    JsonObject(fields): JsonObject,
) -> Result<Response, Problem> {
    let name = name_of(&name)?;
    let wanted = wanted_version(&headers)?;
    let before = server.operator.schedule(&name).await?;
    if fields.is_empty() {
        return Err(nothing_to_change(SCHEDULE_FIELDS).into());
    }
    let spec = ScheduleSpec::read(fields, Some(&before.spec), server.config.max_payload)?;
    // What was left out is as it was read: it must not undo a change made in between.
    let version = Some(wanted.unwrap_or(before.version));
    let schedule = server
        .operator
        .put_schedule(&name, spec, version, &actor)
        .await?;
    shown(StatusCode::OK, &schedule)
}

/// Remove a schedule; its jobs stay
#[utoipa::path(delete, path = "/schedules/{name}", tag = "Schedules",
    params(("name" = String, Path), ("If-Match" = Option<String>, Header)),
    responses((status = 204, description = "Removed.")))]
pub(crate) async fn delete(
    State(server): State<Server>,
    name: Name,
    headers: HeaderMap,
    _: Bare,
) -> Result<Response, Problem> {
    let (name, version) = (name_of(&name)?, wanted_version(&headers)?);
    server.operator.delete_schedule(&name, version).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Enqueue a schedule's job now
///
/// The next slot stays where it is.
#[utoipa::path(post, path = "/schedules/{name}/run", tag = "Schedules", params(("name" = String, Path)),
    responses((status = 201, description = "The job.", body = openapi::Job, headers(("Location" = String, description = "The job's address.")))))]
pub(crate) async fn run(
    State(server): State<Server>,
    name: Name,
    _: Bare,
) -> Result<Response, Problem> {
    let id = server.operator.run_schedule(&name_of(&name)?).await?;
    let job = server.operator.job(id).await?;
    let response = json(StatusCode::CREATED, &job)?;
    Ok(with_header(
        response,
        header::LOCATION,
        &format!("/api/v1/jobs/{id}"),
    ))
}

/// Stop firing
#[utoipa::path(post, path = "/schedules/{name}/pause", tag = "Schedules", params(("name" = String, Path)),
    responses((status = 200, description = "The schedule as it is now.", body = openapi::Schedule)))]
pub(crate) async fn pause(
    State(server): State<Server>,
    name: Name,
    By(actor): By,
    _: Bare,
) -> Result<Response, Problem> {
    let schedule = server
        .operator
        .pause_schedule(&name_of(&name)?, true, &actor)
        .await?;
    shown(StatusCode::OK, &schedule)
}

/// Fire again
#[utoipa::path(post, path = "/schedules/{name}/resume", tag = "Schedules", params(("name" = String, Path)),
    responses((status = 200, description = "The schedule as it is now.", body = openapi::Schedule)))]
pub(crate) async fn resume(
    State(server): State<Server>,
    name: Name,
    By(actor): By,
    _: Bare,
) -> Result<Response, Problem> {
    let schedule = server
        .operator
        .pause_schedule(&name_of(&name)?, false, &actor)
        .await?;
    shown(StatusCode::OK, &schedule)
}

/// What became of a schedule's latest slots, newest first
#[utoipa::path(get, path = "/schedules/{name}/slots", tag = "Schedules", params(("name" = String, Path)),
    responses((status = 200, description = "At most 200 slots.", body = Vec<Slot>)))]
pub(crate) async fn slots(
    State(server): State<Server>,
    name: Name,
    _: NoParams,
) -> Result<Response, Problem> {
    ok(&server.operator.slots(&name_of(&name)?).await?)
}

fn name_of(name: &Name) -> Result<ScheduleName, Problem> {
    name.of(Thing::Schedule)
}

fn shown(status: StatusCode, schedule: &Schedule) -> Result<Response, Problem> {
    tagged(status, schedule.version, schedule)
}
