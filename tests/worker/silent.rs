//! Queues that do not answer.

use std::sync::Mutex;

use async_trait::async_trait;
use conveyor::worker::{Link, LinkError, Taken};
use conveyor_model::job::{Claimed, Progress};
use conveyor_model::name::WorkerName;
use conveyor_model::operator::{Answer, WorkerProtocol};
use conveyor_model::worker::{
    ClaimAnswer, ClaimRequest, Finish, FinishAnswer, FinishStatus, Heartbeat, HeartbeatAnswer,
    Lease, NewLogLine,
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// A server of the worker protocol that hands out jobs, takes log lines and answers nothing else.
#[derive(Default)]
pub(crate) struct Silent {
    /// Jobs for the first claim.
    pub(crate) jobs: Mutex<Vec<Claimed>>,
    /// Told of a claim that gets no answer.
    pub(crate) claiming: Notify,
    /// Each request for log lines.
    pub(crate) logged: Mutex<Vec<Vec<NewLogLine>>>,
}

async fn no_answer<T>() -> Answer<T> {
    std::future::pending().await
}

#[async_trait]
impl WorkerProtocol for Silent {
    async fn claim(&self, _: ClaimRequest) -> Answer<ClaimAnswer> {
        let jobs = std::mem::take(&mut *self.jobs.lock().unwrap());
        if jobs.is_empty() {
            self.claiming.notify_one();
            return no_answer().await;
        }
        Ok(ClaimAnswer { jobs })
    }

    async fn heartbeat(&self, _: Heartbeat) -> Answer<HeartbeatAnswer> {
        no_answer().await
    }

    async fn finish(&self, _: Vec<Finish>) -> Answer<Vec<FinishAnswer>> {
        no_answer().await
    }

    async fn leave(&self, _: &WorkerName) -> Answer<()> {
        no_answer().await
    }

    async fn log(&self, _: Lease, lines: Vec<NewLogLine>) -> Answer<()> {
        self.logged.lock().unwrap().push(lines);
        Ok(())
    }

    async fn progress(&self, _: Lease, _: Progress) -> Answer<()> {
        no_answer().await
    }
}

/// A link that hands out jobs, whose further claims never end, and which does nothing else.
#[derive(Default)]
pub(crate) struct Stuck {
    /// For the first claim.
    pub(crate) taken: Mutex<Option<Taken>>,
    /// Told of a claim that does not end.
    pub(crate) claiming: Notify,
    /// To make the pool send a heartbeat.
    pub(crate) nudge: Notify,
}

fn away<T>() -> Result<T, LinkError> {
    Err(LinkError("away".to_owned()))
}

#[async_trait]
impl Link for Stuck {
    async fn claim(&self, _: usize, _: &CancellationToken) -> Result<Taken, LinkError> {
        let taken = self.taken.lock().unwrap().take();
        if let Some(taken) = taken {
            return Ok(taken);
        }
        self.claiming.notify_one();
        std::future::pending().await
    }

    async fn heartbeat(&self, _: Vec<Lease>) -> Result<HeartbeatAnswer, LinkError> {
        away()
    }

    async fn finish(&self, _: Vec<Finish>) -> Result<Vec<FinishStatus>, LinkError> {
        away()
    }

    async fn hand_back(&self, _: Vec<Lease>) -> Result<(), LinkError> {
        away()
    }

    async fn log(&self, _: Lease, _: Vec<NewLogLine>) -> Result<bool, LinkError> {
        away()
    }

    async fn progress(&self, _: Lease, _: Progress) -> Result<bool, LinkError> {
        away()
    }

    async fn gone(&self) -> Result<(), LinkError> {
        away()
    }

    async fn nudged(&self) {
        self.nudge.notified().await;
    }
}
