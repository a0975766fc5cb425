//! Workers over REST: the list of them, and the protocol they speak in any language.

use axum::extract::{FromRequest, Request, State};
use axum::response::Response;
use conveyor_model::error::{ConflictCode, Invalid, OperatorError, Thing};
use conveyor_model::fields::Fields;
use conveyor_model::job::Progress;
use conveyor_model::name::{JobId, LeaseToken, WorkerName};
use conveyor_model::operator::Answer;
use conveyor_model::worker::{
    ClaimAnswer, ClaimRequest, FINISH_FIELDS, Finish, FinishAnswer, FinishStatus, Heartbeat,
    HeartbeatAnswer, Lease, MAX_BATCH, NewLogLine,
};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::Server;
use super::answer::{Listing, ok};
use super::jobs::bulk::MAX_BODY;
use super::openapi;
use super::problem::Problem;
use super::request::{Id, JsonObject, NoParams, Params, read_text, require_json};

/// Workers of the last day
#[utoipa::path(get, path = "/workers", tag = "Workers",
    params(
        ("limit" = Option<u32>, Query, description = "At most this many, 1 to 200; 50 when left out."),
        ("after" = Option<String>, Query, description = "`next` of the page before."),
    ),
    responses((status = 200, description = "One page, by name.", body = openapi::WorkerPage)))]
pub(crate) async fn list(
    State(server): State<Server>,
    mut params: Params,
) -> Result<Response, Problem> {
    let all = server.operator.workers().await?;
    let page = Listing::page(all, &mut params, |worker| worker.name.as_str());
    params.finish(&["limit", "after"])?;
    ok(&page)
}

/// Take jobs under a lease
///
/// Waits up to `wait_s` for the first job. The worker itself ends an attempt that takes longer than the
/// job's `timeout_s`, and reports it as `timeout`: the server watches the lease only.
#[utoipa::path(post, path = "/worker/claim", tag = "Workers in any language", request_body = openapi::ClaimRequest,
    responses((status = 200, description = "The jobs; none when there was nothing in that time.", body = openapi::ClaimAnswer)))]
pub(crate) async fn claim(
    State(server): State<Server>,
    JsonObject(fields): JsonObject,
) -> Result<Response, Problem> {
    let request = ClaimRequest::read(fields)?;
    ok(&claim_for_listener(&server, request).await?)
}

/// Claims in a task of its own: a claim whose client has gone must not be dropped halfway, and jobs
/// that nobody will hear of go back at once.
async fn claim_for_listener(server: &Server, request: ClaimRequest) -> Answer<ClaimAnswer> {
    let (mut answer, listener) = oneshot::channel();
    let server = server.clone();
    tokio::spawn(async move {
        let claimed = tokio::select! {
            claimed = server.workers.claim(request) => claimed,
            () = answer.closed() => return,
        };
        if let Err(Ok(unheard)) = answer.send(claimed)
            && !unheard.jobs.is_empty()
        {
            give_back(&server, &unheard).await;
        }
    });
    listener.await.unwrap_or(Err(OperatorError::Internal))
}

async fn give_back(server: &Server, unheard: &ClaimAnswer) {
    let leases = unheard.jobs.iter().map(Lease::of).collect();
    let back = server.store.hand_back(leases, server.clock.now());
    if let Err(error) = back.await {
        tracing::warn!(%error, "jobs of a lost claim wait for their lease to end");
    }
}

/// Renew leases
#[utoipa::path(post, path = "/worker/heartbeat", tag = "Workers in any language", request_body = openapi::Heartbeat,
    responses((status = 200, description = "What became of each lease, and what the worker is to do.", body = HeartbeatAnswer)))]
pub(crate) async fn heartbeat(
    State(server): State<Server>,
    JsonObject(fields): JsonObject,
) -> Result<Response, Problem> {
    let heartbeat = Heartbeat::read(fields)?;
    ok(&server.workers.heartbeat(heartbeat).await?)
}

#[derive(Serialize)]
struct Finished {
    results: Vec<FinishAnswer>,
}

/// Report how attempts ended
///
/// Each report is judged for itself; one stale lease does not spoil the others.
#[utoipa::path(post, path = "/worker/finish", tag = "Workers in any language", request_body = openapi::FinishRequest,
    responses((status = 200, description = "What became of each report, in the order given.", body = openapi::FinishOutcomes)))]
pub(crate) async fn finish(
    State(server): State<Server>,
    _: NoParams,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    require_json(&parts.headers)?;
    let limit = MAX_BODY.max(server.config.max_payload.saturating_mul(2));
    let text = read_text(body, &parts.headers, limit).await?;
    let reports = read_reports(Fields::parse(&text)?, server.config.max_payload)?;
    let results = server.workers.finish(reports).await?;
    ok(&Finished { results })
}

fn read_reports(mut fields: Fields, max: usize) -> Result<Vec<Finish>, Invalid> {
    let worker = fields.require::<WorkerName>("worker");
    let raw = fields.require::<Vec<Box<RawValue>>>("results");
    if raw.as_ref().is_some_and(|raw| raw.len() > MAX_BATCH) {
        fields.fault("results", "holds at most 1000 reports");
    }
    let outer = fields.finish(&["worker", "results"], || worker.and(raw.as_ref()));
    let mut invalid = outer.err().unwrap_or_default();
    let mut reports = Vec::new();
    for (index, raw) in raw.iter().flatten().enumerate() {
        let no_object = || format!("must be an object with {}", FINISH_FIELDS.join(", "));
        let report = Fields::parse(raw.get())
            .map_err(|_| Invalid::one("", no_object()))
            .and_then(|fields| Finish::read(fields, None, max));
        match report {
            Ok(report) => reports.push(report),
            Err(inner) => {
                let inner = inner.under(&format!("/results/{index}"));
                invalid.errors.extend(inner.errors);
            }
        }
    }
    invalid.or(|| reports)
}

/// Report how one attempt ended
#[utoipa::path(post, path = "/jobs/{id}/finish", tag = "Workers in any language", request_body = openapi::SingleFinish,
    params(("id" = i64, Path)),
    responses((status = 200, description = "The report counted.", body = FinishAnswer), openapi::StaleLease))]
pub(crate) async fn finish_one(
    State(server): State<Server>,
    Id(id): Id,
    _: NoParams,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    require_json(&parts.headers)?;
    let limit = MAX_BODY.max(server.config.max_payload.saturating_mul(2));
    let text = read_text(body, &parts.headers, limit).await?;
    let report = read_one(Fields::parse(&text)?, id, server.config.max_payload)?;
    let answers = server.workers.finish(vec![report]).await?;
    let answer = answers.first().ok_or(OperatorError::Internal)?;
    match answer.status {
        FinishStatus::Ok => ok(answer),
        FinishStatus::Stale => Err(stale(id).into()),
        FinishStatus::NotFound => Err(OperatorError::not_found(Thing::Job, id).into()),
    }
}

/// A worker may send the same object as in a batch: its own name, and the id that the address has.
fn read_one(mut fields: Fields, id: JobId, max: usize) -> Result<Finish, Invalid> {
    fields.take::<WorkerName>("worker");
    let named = fields.take::<JobId>("id");
    if named.is_some_and(|named| named != id) {
        fields.fault("id", format!("differs from job {id} of the address"));
    }
    Finish::read(fields, Some(id), max)
}

fn stale(id: JobId) -> OperatorError {
    let detail = format!("the lease of job {id} is not the newest or has ended; nothing changed");
    OperatorError::conflict(ConflictCode::StaleLease, detail)
}

/// A request about one lease.
pub(crate) struct Held {
    lease: Lease,
    fields: Fields,
}

impl FromRequest<Server> for Held {
    type Rejection = Problem;

    async fn from_request(request: Request, server: &Server) -> Result<Self, Problem> {
        let JsonObject(fields) = JsonObject::from_request(request, server).await?;
        Held::read(fields)
    }
}

impl Held {
    fn read(mut fields: Fields) -> Result<Self, Problem> {
        let id = fields.require::<JobId>("id");
        let lease_token = fields.require::<LeaseToken>("lease_token");
        let (Some(id), Some(lease_token)) = (id, lease_token) else {
            // `finish` tells what is missing, and what else is unknown.
            let known = ["id", "lease_token", "lines", "percent", "message"];
            for name in ["lines", "percent", "message"] {
                fields.take_raw(name);
            }
            return Err(match fields.finish(&known, || None::<()>) {
                Ok(()) => OperatorError::Internal.into(),
                Err(invalid) => invalid.into(),
            });
        };
        Ok(Held {
            lease: Lease { id, lease_token },
            fields,
        })
    }
}

/// Say that a worker has stopped
///
/// It is shown no more. One that stops without a word is shown as lost for a day.
#[utoipa::path(post, path = "/worker/leave", tag = "Workers in any language", request_body = openapi::LeaveRequest,
    responses((status = 200, description = "It is gone.")))]
pub(crate) async fn leave(
    State(server): State<Server>,
    JsonObject(mut fields): JsonObject,
) -> Result<Response, Problem> {
    let worker = fields.require::<WorkerName>("worker");
    let worker = fields.finish(&["worker"], || worker)?;
    server.workers.leave(&worker).await?;
    ok(&serde_json::Map::new())
}

/// Append log lines to a running attempt
#[utoipa::path(post, path = "/worker/log", tag = "Workers in any language", request_body = openapi::LogRequest,
    responses((status = 200, description = "Kept."), openapi::NoSuchJob, openapi::StaleLease))]
pub(crate) async fn log(
    State(server): State<Server>,
    request: Request,
) -> Result<Response, Problem> {
    // All lines that are kept fit, each at its longest and with every byte escaped.
    let JsonObject(fields) = JsonObject::within(MAX_BODY, request, &server).await?;
    let Held { lease, mut fields } = Held::read(fields)?;
    let lines = fields.require::<Vec<NewLogLine>>("lines");
    if lines.as_ref().is_some_and(|lines| lines.len() > MAX_BATCH) {
        fields.fault("lines", "holds at most 1000 lines");
    }
    let lines = fields.finish(&["id", "lease_token", "lines"], || lines)?;
    server.workers.log(lease, lines).await?;
    ok(&FinishAnswer {
        id: lease.id,
        status: FinishStatus::Ok,
    })
}

/// Note how far a running attempt is
///
/// What is left out, or null, keeps its value. A message of more than 500 bytes is cut.
#[utoipa::path(post, path = "/worker/progress", tag = "Workers in any language", request_body = openapi::ProgressRequest,
    responses((status = 200, description = "Noted."), openapi::NoSuchJob, openapi::StaleLease))]
pub(crate) async fn progress(
    State(server): State<Server>,
    held: Held,
) -> Result<Response, Problem> {
    let Held { lease, mut fields } = held;
    if !fields.has("percent") && !fields.has("message") {
        fields.fault_of_all("give percent, message or both");
    }
    let percent = fields.take::<f64>("percent");
    if percent.is_some_and(|percent| !(0.0..=100.0).contains(&percent)) {
        fields.fault("percent", "must be a number from 0 to 100");
    }
    let message = fields.take::<String>("message");
    let progress = fields.finish(&["id", "lease_token", "percent", "message"], || {
        Some(Progress { percent, message })
    })?;
    server.workers.progress(lease, progress).await?;
    ok(&FinishAnswer {
        id: lease.id,
        status: FinishStatus::Ok,
    })
}
