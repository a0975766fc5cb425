//! The list of jobs, filtered and in pages.

use axum::extract::State;
use axum::response::Response;
use conveyor_model::filter::{FILTER_FIELDS, JobFilter, Page};
use conveyor_model::job::{Attempt, Job, JobRow};
use conveyor_model::json::JsonText;
use serde::Serialize;

use crate::http::Server;
use crate::http::answer::{capped, ok};
use crate::http::openapi;
use crate::http::problem::Problem;
use crate::http::request::Params;

/// What may be included in the rows.
#[derive(Clone, Copy, Default)]
struct Include {
    payload: bool,
    result: bool,
    attempts: bool,
}

#[derive(Serialize)]
struct Jobs {
    items: Vec<Listed>,
    next: Option<String>,
    total: u64,
    total_capped: bool,
    search_stopped: bool,
}

#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    row: JobRow,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<JsonText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<JsonText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts: Option<Vec<Attempt>>,
}

/// List jobs
///
/// Every part of the filter that is given must hold; of several values in one part, one must.
#[utoipa::path(get, path = "/jobs", tag = "Jobs",
    params(
        ("state" = Option<Vec<conveyor_model::state::State>>, Query, description = "In one of these states; the parameter may be repeated."),
        ("queue" = Option<Vec<String>>, Query, description = "In one of these queues."),
        ("kind" = Option<Vec<String>>, Query, description = "Of one of these kinds."),
        ("tag" = Option<Vec<String>>, Query, description = "With one of these tags."),
        ("priority" = Option<Vec<i32>>, Query, description = "With one of these priorities."),
        ("worker" = Option<String>, Query, description = "Run by this worker now or last."),
        ("schedule" = Option<String>, Query, description = "Enqueued by this schedule."),
        ("id" = Option<i64>, Query, description = "With this id."),
        ("dead_group" = Option<String>, Query, description = "Dead, and of this group of one cause."),
        ("q" = Option<String>, Query, description = "A search text: words in payload, error or key, and `kind:`, `state:`, `queue:`, `tag:`, `priority:`, `worker:`, `schedule:`, `id:`."),
        ("from" = Option<String>, Query, description = "Stored at or after this time."),
        ("to" = Option<String>, Query, description = "Stored before this time."),
        ("sort" = Option<String>, Query, description = "`newest` (the default) or `oldest`."),
        ("limit" = Option<u32>, Query, description = "At most this many, 1 to 200; 50 when left out."),
        ("after" = Option<String>, Query, description = "`next` of the page before."),
        ("include" = Option<String>, Query, description = "Comma-separated: `payload`, `result`, `attempts`."),
    ),
    responses((status = 200, description = "One page.", body = openapi::JobPage)))]
pub(crate) async fn jobs(
    State(server): State<Server>,
    mut params: Params,
) -> Result<Response, Problem> {
    let include = include(&mut params);
    let page = Page::read(
        params.text("limit").as_deref(),
        params.text("after").as_deref(),
    );
    let pairs = params.take_all(FILTER_FIELDS);
    let filter = JobFilter::from_pairs(
        pairs
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str())),
    );
    let (page, filter) = match (page, filter) {
        (Ok(page), Ok(filter)) => (page, filter),
        (page, filter) => {
            [page.err(), filter.err()]
                .into_iter()
                .flatten()
                .for_each(|invalid| params.faults(invalid));
            (Page::default(), JobFilter::default())
        }
    };
    let known = [FILTER_FIELDS, &["limit", "after", "include"]].concat();
    params.finish(&known)?;

    let found = server.operator.jobs(&filter, &page).await?;
    let mut items = Vec::with_capacity(found.items.len());
    for row in found.items {
        items.extend(shown(&server, row, include).await?);
    }
    let (total, total_capped) = capped(found.total, found.total_capped);
    ok(&Jobs {
        items,
        next: found.next.map(|cursor| cursor.to_string()),
        total,
        total_capped,
        search_stopped: found.search_stopped,
    })
}

fn include(params: &mut Params) -> Include {
    let mut include = Include::default();
    for (_, list) in params.take_all(&["include"]) {
        for word in list
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty())
        {
            match word {
                "payload" => include.payload = true,
                "result" => include.result = true,
                "attempts" => include.attempts = true,
                _ => params.fault("include", "names of payload, result, attempts"),
            }
        }
    }
    include
}

/// The row with what is to be included; none when the job was deleted just now.
async fn shown(server: &Server, row: JobRow, include: Include) -> Result<Option<Listed>, Problem> {
    let mut shown = Listed {
        row,
        payload: None,
        result: None,
        attempts: None,
    };
    let id = shown.row.id;
    if include.payload || include.result {
        let Job {
            payload, result, ..
        } = match server.operator.job(id).await {
            Err(error) if error.status() == 404 => return Ok(None),
            job => job?,
        };
        shown.payload = Some(payload).filter(|_| include.payload);
        let result = result.unwrap_or_else(JsonText::null);
        shown.result = Some(result).filter(|_| include.result);
    }
    if include.attempts {
        shown.attempts = match server.operator.attempts(id).await {
            Err(error) if error.status() == 404 => return Ok(None),
            attempts => Some(attempts?),
        };
    }
    Ok(Some(shown))
}
