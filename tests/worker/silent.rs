//! A server of the worker protocol that takes log lines and answers nothing else.

use std::sync::Mutex;

use async_trait::async_trait;
use conveyor_model::job::Progress;
use conveyor_model::name::WorkerName;
use conveyor_model::operator::{Answer, WorkerProtocol};
use conveyor_model::worker::{
    ClaimAnswer, ClaimRequest, Finish, FinishAnswer, Heartbeat, HeartbeatAnswer, Lease, NewLogLine,
};

#[derive(Default)]
pub(crate) struct Silent {
    /// Each request for log lines.
    pub(crate) logged: Mutex<Vec<Vec<NewLogLine>>>,
}

async fn no_answer<T>() -> Answer<T> {
    std::future::pending().await
}

#[async_trait]
impl WorkerProtocol for Silent {
    async fn claim(&self, _: ClaimRequest) -> Answer<ClaimAnswer> {
        no_answer().await
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
