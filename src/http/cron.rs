//! What a cron expression means, over REST.

use axum::extract::State;
use axum::response::Response;
use conveyor_model::cron::CronPreviewRequest;
use conveyor_model::error::Invalid;
use conveyor_model::fields::Fields;

use super::Server;
use super::answer::ok;
use super::openapi;
use super::problem::Problem;
use super::request::JsonObject;

/// Fires that are told when the request does not say how many.
const USUAL: usize = 5;

/// What a cron expression means, and when it fires
#[utoipa::path(post, path = "/cron/preview", tag = "Schedules", request_body = openapi::CronPreviewRequest,
    responses((status = 200, description = "In words, and the next fires.", body = openapi::CronPreview)))]
pub(crate) async fn preview(
    State(server): State<Server>,
    JsonObject(fields): JsonObject,
) -> Result<Response, Problem> {
    let request = read(fields)?;
    ok(&server.operator.preview_cron(request).await?)
}

/// The fields of a question.
const KNOWN: [&str; 9] = [
    "cron",
    "timezone",
    "from",
    "n",
    "lang",
    "name",
    "dst",
    "starts_at",
    "ends_at",
];

fn read(mut fields: Fields) -> Result<CronPreviewRequest, Invalid> {
    let cron = fields.require("cron");
    let timezone = fields.take("timezone");
    let from = fields.take("from");
    let lang = fields.take("lang");
    let name = fields.take("name");
    let dst = fields.take("dst");
    let (starts_at, ends_at) = (fields.take("starts_at"), fields.take("ends_at"));
    let most = i64::try_from(CronPreviewRequest::MOST).unwrap_or(i64::MAX);
    let n = fields.take_whole("n", 1, most).unwrap_or(USUAL);
    fields.finish(&KNOWN, || {
        Some(CronPreviewRequest {
            cron: cron?,
            timezone: timezone.unwrap_or_else(|| "UTC".to_owned()),
            from,
            n,
            lang: lang.unwrap_or_default(),
            name: name.unwrap_or_default(),
            dst: dst.unwrap_or_default(),
            starts_at,
            ends_at,
            anchor: None,
        })
    })
}
