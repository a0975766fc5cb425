//! The worker protocol spoken to a server over HTTP.

use std::time::Duration;

use async_trait::async_trait;
use axum::http::header;
use conveyor_model::error::{ConflictCode, OperatorError};
use conveyor_model::job::Progress;
use conveyor_model::name::WorkerName;
use conveyor_model::operator::{Answer, WorkerProtocol};
use conveyor_model::time::Span;
use conveyor_model::worker::{
    ClaimAnswer, ClaimRequest, Finish, FinishAnswer, Heartbeat, HeartbeatAnswer, Lease, NewLogLine,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// How long a server may take beyond what it was asked to wait.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server that hands out jobs.
pub(super) struct RemoteProtocol {
    http: reqwest::Client,
    url: String,
    token: String,
}

/// One report on the wire.
#[derive(Serialize)]
struct Report<'a> {
    id: i64,
    lease_token: i64,
    outcome: conveyor_model::worker::FinishOutcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a conveyor_model::json::JsonText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a conveyor_model::job::Failure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_in_s: Option<Span>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snooze_s: Option<Span>,
}

#[derive(Serialize)]
struct Reports<'a> {
    worker: &'a str,
    results: Vec<Report<'a>>,
}

#[derive(serde::Deserialize)]
struct Reported {
    results: Vec<FinishAnswer>,
}

impl RemoteProtocol {
    /// The server at `url`.
    pub(super) fn new(http: reqwest::Client, url: String, token: String) -> Self {
        RemoteProtocol { http, url, token }
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
        wait: Duration,
    ) -> Answer<T> {
        let away = |error: &dyn std::fmt::Display| {
            OperatorError::Unavailable(format!("{} does not answer: {error}", self.url))
        };
        let body = serde_json::to_vec(body).map_err(|error| away(&error))?;
        let answer = self
            .http
            .post(format!("{}/api/v1/worker/{path}", self.url))
            .bearer_auth(&self.token)
            .header(header::CONTENT_TYPE, "application/json")
            .timeout(wait + PATIENCE)
            .body(body)
            .send()
            .await
            .map_err(|error| away(&error))?;
        let status = answer.status();
        let text = answer.text().await.map_err(|error| away(&error))?;
        if status.is_success() {
            return serde_json::from_str(&text).map_err(|error| away(&error));
        }
        let problem: Value = serde_json::from_str(&text).unwrap_or_default();
        let part = |name| problem.get(name).and_then(Value::as_str).unwrap_or("");
        // A job that is gone means the same to its worker as a lease that is.
        if [ConflictCode::StaleLease.as_str(), "not_found"].contains(&part("code")) {
            return Err(OperatorError::conflict(
                ConflictCode::StaleLease,
                part("detail"),
            ));
        }
        let why = format!(
            "{} answers {}: {}",
            self.url,
            status.as_u16(),
            part("detail")
        );
        Err(OperatorError::Unavailable(why))
    }
}

#[async_trait]
impl WorkerProtocol for RemoteProtocol {
    async fn claim(&self, request: ClaimRequest) -> Answer<ClaimAnswer> {
        let wait = request.wait_s.to_std();
        self.ask("claim", &request, wait).await
    }

    async fn heartbeat(&self, heartbeat: Heartbeat) -> Answer<HeartbeatAnswer> {
        let body = json!({
            "worker": heartbeat.worker,
            "leases": heartbeat.leases,
            "load": {"slots": heartbeat.slots},
        });
        self.ask("heartbeat", &body, Duration::ZERO).await
    }

    async fn finish(&self, reports: Vec<Finish>) -> Answer<Vec<FinishAnswer>> {
        let results = reports.iter().map(|report| Report {
            id: report.id.get(),
            lease_token: report.lease_token.0,
            outcome: report.outcome,
            result: report.result.as_ref(),
            error: report.error.as_ref(),
            retry_in_s: report.retry_in,
            snooze_s: report.snooze,
        });
        let body = Reports {
            worker: "conveyor-work",
            results: results.collect(),
        };
        let answer: Reported = self.ask("finish", &body, Duration::ZERO).await?;
        Ok(answer.results)
    }

    async fn leave(&self, worker: &WorkerName) -> Answer<()> {
        self.done("leave", &json!({"worker": worker})).await
    }

    async fn log(&self, lease: Lease, lines: Vec<NewLogLine>) -> Answer<()> {
        let body = json!({"id": lease.id, "lease_token": lease.lease_token, "lines": lines});
        self.done("log", &body).await
    }

    async fn progress(&self, lease: Lease, progress: Progress) -> Answer<()> {
        let body = json!({
            "id": lease.id,
            "lease_token": lease.lease_token,
            "percent": progress.percent,
            "message": progress.message,
        });
        self.done("progress", &body).await
    }
}

impl RemoteProtocol {
    async fn done(&self, path: &str, body: &Value) -> Answer<()> {
        let _: Box<RawValue> = self.ask(path, body, Duration::ZERO).await?;
        Ok(())
    }
}
