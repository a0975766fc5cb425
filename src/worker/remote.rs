//! The link of a pool that speaks the worker protocol, usually over HTTP.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use conveyor_model::error::{ConflictCode, OperatorError};
use conveyor_model::job::Progress;
use conveyor_model::operator::{Answer, WorkerProtocol};
use conveyor_model::time::Span;
use conveyor_model::worker::{
    ClaimRequest, Finish, FinishOutcome, FinishStatus, Heartbeat, HeartbeatAnswer, Lease,
    MAX_BATCH, NewLogLine,
};
use tokio_util::sync::CancellationToken;

use super::PoolIdentity;
use super::link::{Link, LinkError, LinkResult, Taken};

/// How long a claim waits for its first job.
const WAIT: Span = Span::from_secs(5);

/// Bytes of log lines in one request, as JSON: proxies refuse a body of more than 1 MiB unless they are
/// told otherwise.
const MOST_LOG: usize = 512 * 1024;

/// A link over the worker protocol.
pub struct RemoteLink {
    protocol: Arc<dyn WorkerProtocol>,
    who: PoolIdentity,
}

impl RemoteLink {
    /// A link for the pool `who`.
    pub fn new(protocol: Arc<dyn WorkerProtocol>, who: PoolIdentity) -> Self {
        RemoteLink { protocol, who }
    }
}

fn heard<T>(answer: Answer<T>) -> LinkResult<T> {
    answer.map_err(|error| LinkError(error.to_string()))
}

/// False for a lease that is not held or whose job is gone, an error for anything else.
fn held(answer: Answer<()>) -> LinkResult<bool> {
    match answer {
        Ok(()) => Ok(true),
        Err(
            OperatorError::Conflict {
                code: ConflictCode::StaleLease,
                ..
            }
            | OperatorError::NotFound { .. },
        ) => Ok(false),
        Err(error) => Err(LinkError(error.to_string())),
    }
}

/// The lines in their order, as many together as one request takes.
fn in_requests(lines: Vec<NewLogLine>) -> Vec<Vec<NewLogLine>> {
    let mut requests = Vec::new();
    let (mut some, mut bytes) = (Vec::new(), 0);
    for line in lines {
        // A line that is no JSON would be told of when it is sent.
        let length = serde_json::to_string(&line).map_or(0, |text| text.len() + 1);
        if some.len() == MAX_BATCH || (bytes + length > MOST_LOG && !some.is_empty()) {
            requests.push(std::mem::take(&mut some));
            bytes = 0;
        }
        bytes += length;
        some.push(line);
    }
    requests.push(some);
    requests
}

#[async_trait]
impl Link for RemoteLink {
    async fn claim(&self, max: usize, stop: &CancellationToken) -> LinkResult<Taken> {
        if stop.is_cancelled() {
            return Ok(Taken::nothing());
        }
        let request = ClaimRequest {
            worker: self.who.name.clone(),
            queues: self.who.queues.clone(),
            kinds: self.who.kinds.clone(),
            max: max.clamp(1, MAX_BATCH),
            wait_s: WAIT,
            lease_s: self.who.lease,
        };
        // A claim that is given up is not lost: the server hands back what nobody hears of. An answer
        // that is here already is heard.
        tokio::select! {
            biased;
            answer = self.protocol.claim(request) => heard(answer).map(|answer| Taken {
                jobs: answer.jobs,
                // When the server took them within its wait is not told.
                since: Instant::now(),
            }),
            () = stop.cancelled() => Ok(Taken::nothing()),
        }
    }

    async fn heartbeat(&self, leases: Vec<Lease>) -> LinkResult<HeartbeatAnswer> {
        let heartbeat = Heartbeat {
            worker: self.who.name.clone(),
            leases,
            slots: Some(self.who.slots),
        };
        heard(self.protocol.heartbeat(heartbeat).await)
    }

    async fn finish(&self, reports: Vec<Finish>) -> LinkResult<Vec<FinishStatus>> {
        let asked = reports.len();
        let answers = heard(self.protocol.finish(reports).await)?;
        if answers.len() == asked {
            Ok(answers.into_iter().map(|answer| answer.status).collect())
        } else {
            let fault = format!(
                "the server answered for {} of {asked} reports",
                answers.len()
            );
            Err(LinkError(fault))
        }
    }

    /// The protocol has no word for it; a snooze of no time does not spend the attempt either.
    async fn hand_back(&self, leases: Vec<Lease>) -> LinkResult<()> {
        let back = |lease: &Lease| Finish {
            snooze: Some(Span::ZERO),
            ..Finish::of(*lease, FinishOutcome::Snooze)
        };
        for some in leases.chunks(MAX_BATCH) {
            heard(self.protocol.finish(some.iter().map(back).collect()).await)?;
        }
        Ok(())
    }

    async fn log(&self, lease: Lease, lines: Vec<NewLogLine>) -> LinkResult<bool> {
        for some in in_requests(lines) {
            if !held(self.protocol.log(lease, some).await)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn progress(&self, lease: Lease, progress: Progress) -> LinkResult<bool> {
        held(self.protocol.progress(lease, progress).await)
    }

    async fn gone(&self) -> LinkResult<()> {
        heard(self.protocol.leave(&self.who.name).await)
    }

    async fn nudged(&self) {
        std::future::pending::<()>().await;
    }
}
