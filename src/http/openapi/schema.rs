//! Descriptions of bodies that are read and written field by field, for the OpenAPI document only.
//! A test compares them with what the handlers really take and give.

mod jobs;
mod numbers;
mod queues;
mod schedules;
mod workers;

use conveyor_model::error::FieldError;
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use jobs::*;
pub(crate) use numbers::*;
pub(crate) use queues::*;
pub(crate) use schedules::*;
pub(crate) use workers::*;

/// An error (RFC 9457).
#[derive(Serialize, ToSchema)]
pub(crate) struct Problem {
    /// `/problems/{code}`, which explains it.
    r#type: String,
    /// The same for every problem of this code.
    title: String,
    /// The HTTP status.
    status: u16,
    /// What is particular about this one.
    detail: String,
    /// A stable word for programs.
    code: String,
    /// The fields it is about.
    errors: Option<Vec<FieldError>>,
    /// Names the request in the server's log.
    request_id: Option<String>,
}
