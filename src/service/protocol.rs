//! The worker's port: claims that wait, heartbeats, reports.

use std::time::Duration;

use async_trait::async_trait;
use conveyor_model::error::{ConflictCode, Invalid, OperatorError};
use conveyor_model::job::{Claimed, Progress};
use conveyor_model::name::WorkerName;
use conveyor_model::operator::{Answer, WorkerProtocol};
use conveyor_model::worker::{
    ClaimAnswer, ClaimRequest, Finish, FinishAnswer, Heartbeat, HeartbeatAnswer, Lease, MAX_BATCH,
    NewLogLine, WorkerState,
};
use tokio::time::{Instant, sleep_until};

use super::Service;
use crate::store::{Claim, WorkerSeen};

/// How often a waiting claim looks by itself, for jobs that another process made ready.
const POLL: Duration = Duration::from_secs(1);

#[async_trait]
impl WorkerProtocol for Service {
    async fn claim(&self, request: ClaimRequest) -> Answer<ClaimAnswer> {
        let seen = WorkerSeen {
            name: request.worker.clone(),
            queues: request.queues.clone(),
            kinds: request.kinds.clone(),
            slots: None,
            in_process: false,
            version: None,
        };
        let wait = request.wait_s.to_std();
        let claim = Claim {
            worker: request.worker,
            queues: request.queues,
            kinds: request.kinds,
            max: request.max,
            lease: request.lease_s,
        };
        let jobs = self
            .wait_for_jobs(seen, claim, Instant::now() + wait)
            .await?;
        Ok(ClaimAnswer { jobs })
    }

    async fn heartbeat(&self, heartbeat: Heartbeat) -> Answer<HeartbeatAnswer> {
        at_most("/leases", heartbeat.leases.len())?;
        // Leases first: to be seen matters less than to keep what runs.
        let leases = if heartbeat.leases.is_empty() {
            Vec::new()
        } else {
            self.store.renew(heartbeat.leases, self.now()).await?
        };
        let seen = self.saw_heartbeat(heartbeat.worker, heartbeat.slots);
        let state = match seen.await {
            Err(error) if leases.is_empty() => return Err(error),
            // What is renewed must be known to be; what it is told can wait for the next beat.
            Err(_) => WorkerState::Run,
            Ok(state) => state,
        };
        Ok(HeartbeatAnswer { leases, state })
    }

    async fn finish(&self, reports: Vec<Finish>) -> Answer<Vec<FinishAnswer>> {
        at_most("/results", reports.len())?;
        let ids: Vec<_> = reports.iter().map(|report| report.id).collect();
        let statuses = self.store.finish(reports, self.now()).await?;
        Ok(ids
            .into_iter()
            .zip(statuses)
            .map(|(id, status)| FinishAnswer { id, status })
            .collect())
    }

    async fn leave(&self, worker: &WorkerName) -> Answer<()> {
        self.sightings.forget(worker);
        Ok(self.store.worker_gone(worker).await?)
    }

    async fn log(&self, lease: Lease, lines: Vec<NewLogLine>) -> Answer<()> {
        at_most("/lines", lines.len())?;
        let held = self.store.log(lease, lines, self.now()).await?;
        self.must_hold(lease, held).await
    }

    async fn progress(&self, lease: Lease, progress: Progress) -> Answer<()> {
        if progress
            .percent
            .is_some_and(|percent| !(0.0..=100.0).contains(&percent))
        {
            return Err(Invalid::one("/percent", "must be a number from 0 to 100").into());
        }
        let held = self.store.progress(lease, progress, self.now()).await?;
        self.must_hold(lease, held).await
    }
}

impl Service {
    /// Tells a lease that is not held from a job that is not there.
    async fn must_hold(&self, lease: Lease, held: bool) -> Answer<()> {
        if held {
            return Ok(());
        }
        self.must_exist(lease.id).await?;
        Err(OperatorError::conflict(
            ConflictCode::StaleLease,
            "the lease is not held any more; stop this attempt",
        ))
    }

    /// Asks until there are jobs, the time is up, or the server stops. A worker told to be quiet
    /// waits its time out in vain, so that it does not ask again at once.
    async fn wait_for_jobs(
        &self,
        seen: WorkerSeen,
        claim: Claim,
        until: Instant,
    ) -> Answer<Vec<Claimed>> {
        loop {
            if self.shutdown.is_cancelled() {
                let why = "the server is stopping; ask again later".to_owned();
                return Err(OperatorError::Unavailable(why));
            }
            let turn = until.min(Instant::now() + POLL);
            let runs = self.saw_claim(seen.clone()).await? == WorkerState::Run;
            let waits = Instant::now() < until;
            let answer = async {
                match (runs, waits) {
                    (true, true) => self.store.claim_when_ready(claim.clone(), self.now()).await,
                    (true, false) => self.store.claim(claim.clone(), self.now()).await,
                    (false, _) => std::future::pending().await,
                }
            };
            let jobs = tokio::select! {
                biased;
                () = self.shutdown.cancelled() => return Ok(Vec::new()),
                jobs = answer => jobs?,
                () = sleep_until(turn), if waits || !runs => Vec::new(),
            };
            if !jobs.is_empty() || Instant::now() >= until {
                return Ok(jobs);
            }
        }
    }
}

fn at_most(pointer: &str, count: usize) -> Answer<()> {
    if count > MAX_BATCH {
        let fault = format!("holds {count} entries, at most {MAX_BATCH} are allowed");
        return Err(Invalid::one(pointer, fault).into());
    }
    Ok(())
}
