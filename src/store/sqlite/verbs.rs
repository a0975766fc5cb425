//! What may be asked of the store: each verb handed to the writer, or to those who read.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use conveyor_model::dead::DeadGroup;
use conveyor_model::error::OperatorError;
use conveyor_model::filter::{JobFilter, JobPage, Page};
use conveyor_model::job::{Attempt, Claimed, Job, JobRow, LogLine, Progress};
use conveyor_model::name::{JobId, Kind, QueueName, ScheduleName, WorkerName};
use conveyor_model::new_job::JobPatch;
use conveyor_model::operator::{Enqueued, RecentRun};
use conveyor_model::queue::{Pause, Queue};
use conveyor_model::schedule::{Schedule, ScheduleSpec, Slot};
use conveyor_model::state::{Action, State};
use conveyor_model::stats::{Counts, Histogram, Range, Series, SeriesFilter};
use conveyor_model::time::Timestamp;
use conveyor_model::worker::{
    Finish, FinishStatus, Lease, LeaseAnswer, NewLogLine, Worker, WorkerState,
};

use prometheus::proto::MetricFamily;

use super::inbox::Command;
use super::work::Hooks;
use super::{
    Sqlite, act, ahead, claim, dead, decide, due, edit, elsewhere, fill, finish, health, insert,
    job, jobs, notes, promote, prune, queues, remove, renew, rescue, schedules, sessions, set_back,
    stats, workers,
};
use crate::store::{
    Claim, Decided, DueSchedule, Filler, Insert, Recent, Retention, Session, SlotDecision, Store,
    StoreHealth, StoreResult, Totals, WorkerSeen,
};

#[async_trait]
impl Store for Sqlite {
    async fn insert(
        &self,
        insert: Insert,
        now: Timestamp,
    ) -> StoreResult<Vec<Result<Enqueued, OperatorError>>> {
        if insert.jobs.is_empty() {
            return Ok(Vec::new());
        }
        self.ask(insert::Inserts::new(insert, now), Command::Insert)
            .await
    }

    async fn claim(&self, claim: Claim, now: Timestamp) -> StoreResult<Vec<Claimed>> {
        let began = Instant::now();
        let claimed = self.claim_for(claim::Claims::new(claim, now)).await?;
        self.health.meters.claimed(began.elapsed(), claimed.len());
        Ok(claimed)
    }

    async fn claim_when_ready(&self, claim: Claim, now: Timestamp) -> StoreResult<Vec<Claimed>> {
        let began = Instant::now();
        let claimed = self.claim_for(claim::Claims::waiting(claim, now)).await?;
        self.health.meters.claimed(began.elapsed(), claimed.len());
        Ok(claimed)
    }

    async fn renew(&self, leases: Vec<Lease>, now: Timestamp) -> StoreResult<Vec<LeaseAnswer>> {
        if leases.is_empty() {
            return Ok(Vec::new());
        }
        self.ask(renew::Renewals::new(leases, now), Command::Renew)
            .await
    }

    async fn finish(&self, reports: Vec<Finish>, now: Timestamp) -> StoreResult<Vec<FinishStatus>> {
        if reports.is_empty() {
            return Ok(Vec::new());
        }
        self.ask(finish::Finishes::new(reports, now), Command::Finish)
            .await
    }

    async fn hand_back(&self, leases: Vec<Lease>, now: Timestamp) -> StoreResult<u64> {
        self.alone(finish::HandBack::of(leases, now)).await
    }

    async fn log(&self, lease: Lease, lines: Vec<NewLogLine>, now: Timestamp) -> StoreResult<bool> {
        self.alone(notes::Log { lease, lines, now }).await
    }

    async fn progress(&self, lease: Lease, progress: Progress, _: Timestamp) -> StoreResult<bool> {
        self.alone(notes::NoteProgress { lease, progress }).await
    }

    async fn delete(&self, id: JobId, version: Option<i64>) -> StoreResult<()> {
        self.alone(remove::Delete { id, version }).await
    }

    async fn act(
        &self,
        ids: Vec<JobId>,
        action: Action,
        now: Timestamp,
    ) -> StoreResult<Vec<Result<JobId, OperatorError>>> {
        self.alone(act::Act { ids, action, now }).await
    }

    async fn edit(
        &self,
        id: JobId,
        patch: JobPatch,
        version: Option<i64>,
        now: Timestamp,
    ) -> StoreResult<()> {
        self.alone(edit::Edit {
            id,
            patch,
            version,
            now,
        })
        .await
    }

    async fn promote(&self, now: Timestamp, limit: usize) -> StoreResult<usize> {
        self.alone(promote::Promote { now, limit }).await
    }

    async fn rescue(&self, now: Timestamp, since: Timestamp, limit: usize) -> StoreResult<usize> {
        self.alone(rescue::Rescue { now, since, limit }).await
    }

    async fn clock_set_back(&self, now: Timestamp) -> StoreResult<()> {
        self.alone(set_back::SetBack { now }).await
    }

    async fn next_due(&self) -> StoreResult<Option<Timestamp>> {
        health::next_due(&self.readers).await
    }

    async fn prune(
        &self,
        retention: Retention,
        now: Timestamp,
        limit: usize,
    ) -> StoreResult<usize> {
        self.alone(prune::Prune {
            retention,
            now,
            limit,
        })
        .await
    }

    async fn roll_up(&self, now: Timestamp) -> StoreResult<()> {
        self.alone(prune::RollUp { now }).await
    }

    async fn jobs(&self, filter: &JobFilter, page: &Page) -> StoreResult<JobPage> {
        let began = Instant::now();
        let page = jobs::page(&self.readers, filter, page).await?;
        self.health.meters.queried("list", began.elapsed());
        Ok(page)
    }

    async fn job(&self, id: JobId) -> StoreResult<Option<Job>> {
        job::job(&self.readers, id).await
    }

    async fn job_row(&self, id: JobId) -> StoreResult<Option<JobRow>> {
        job::job_row(&self.readers, id).await
    }

    async fn attempts(&self, id: JobId) -> StoreResult<Vec<Attempt>> {
        job::attempts(&self.readers, id).await
    }

    async fn logs(&self, id: JobId) -> StoreResult<Vec<LogLine>> {
        job::logs(&self.readers, id).await
    }

    async fn ahead_of(&self, id: JobId, takers: &[&Worker], now: Timestamp) -> StoreResult<u64> {
        ahead::ahead_of(&self.readers, id, takers, now).await
    }

    async fn recent_runs(&self, kind: &Kind) -> StoreResult<Vec<RecentRun>> {
        job::recent_runs(&self.readers, kind).await
    }

    async fn counts(&self, now: Timestamp) -> StoreResult<Counts> {
        stats::counts(&self.readers, &self.heard, now).await
    }

    async fn kind_counts(&self) -> StoreResult<BTreeMap<Kind, BTreeMap<State, u64>>> {
        stats::kind_counts(&self.readers).await
    }

    async fn queues(&self, now: Timestamp) -> StoreResult<Vec<Queue>> {
        queues::queues(&self.readers, now).await
    }

    async fn set_pause(
        &self,
        queue: &QueueName,
        pause: Option<Pause>,
        _: Timestamp,
    ) -> StoreResult<()> {
        self.alone(queues::SetPause {
            queue: queue.clone(),
            pause,
        })
        .await
    }

    async fn end_pauses(&self, now: Timestamp) -> StoreResult<usize> {
        self.alone(queues::EndPauses { now }).await
    }

    async fn purge(&self, queue: &QueueName, limit: usize, _: Timestamp) -> StoreResult<u64> {
        self.alone(queues::Purge {
            queue: queue.clone(),
            limit,
        })
        .await
    }

    async fn schedules(&self) -> StoreResult<Vec<Schedule>> {
        schedules::schedules(&self.readers).await
    }

    async fn schedule(&self, name: &ScheduleName) -> StoreResult<Option<Schedule>> {
        schedules::schedule(&self.readers, name).await
    }

    async fn put_schedule(
        &self,
        name: &ScheduleName,
        spec: ScheduleSpec,
        next_at: Option<Timestamp>,
        by: &str,
        version: Option<i64>,
        now: Timestamp,
    ) -> StoreResult<()> {
        let (name, by) = (name.clone(), by.to_owned());
        self.alone(schedules::PutSchedule {
            name,
            spec,
            next_at,
            by,
            version,
            now,
        })
        .await
    }

    async fn delete_schedule(&self, name: &ScheduleName, version: Option<i64>) -> StoreResult<()> {
        let name = name.clone();
        self.alone(schedules::DeleteSchedule { name, version })
            .await
    }

    async fn due_schedules(&self, now: Timestamp, limit: usize) -> StoreResult<Vec<DueSchedule>> {
        loop {
            let (due, faults) = due::due(&self.readers, now, limit).await?;
            // Each turn puts some aside for good, or another process did.
            if faults.is_empty() || self.alone(due::StandStill { faults }).await? == 0 {
                return Ok(due);
            }
        }
    }

    async fn decided(
        &self,
        name: &ScheduleName,
        among: &[Timestamp],
    ) -> StoreResult<HashSet<Timestamp>> {
        schedules::decided(&self.readers, name, among).await
    }

    async fn decide(&self, decision: SlotDecision, now: Timestamp) -> StoreResult<Decided> {
        Hooks::at(self.hooks.decide.as_ref()).await;
        self.alone(decide::Decide { decision, now }).await
    }

    async fn hold(&self, name: &ScheduleName, version: i64, slot: Timestamp) -> StoreResult<()> {
        self.alone(due::Hold {
            name: name.clone(),
            version,
            slot,
        })
        .await
    }

    async fn stand_still(&self, name: &ScheduleName, version: i64, why: &str) -> StoreResult<()> {
        let faults = vec![due::Fault::of(name, version, why)];
        self.alone(due::StandStill { faults }).await.map(drop)
    }

    async fn slots(&self, name: &ScheduleName, limit: usize) -> StoreResult<Vec<Slot>> {
        schedules::slots(&self.readers, name, limit).await
    }

    async fn worker_seen(&self, worker: WorkerSeen, now: Timestamp) -> StoreResult<WorkerState> {
        let heard = Arc::clone(&self.heard);
        self.alone(workers::Seen { worker, heard, now }).await
    }

    async fn worker_gone(&self, name: &WorkerName) -> StoreResult<()> {
        self.alone(workers::Gone {
            name: name.clone(),
            heard: Arc::clone(&self.heard),
        })
        .await
    }

    async fn tell_worker(&self, name: &WorkerName, state: WorkerState) -> StoreResult<bool> {
        self.alone(workers::Tell {
            name: name.clone(),
            state,
        })
        .await
    }

    async fn workers(&self, now: Timestamp) -> StoreResult<Vec<Worker>> {
        workers::workers(&self.readers, &self.heard, now).await
    }

    async fn dead_groups(&self, limit: usize) -> StoreResult<Vec<DeadGroup>> {
        dead::groups(&self.readers, limit).await
    }

    async fn dead_group(&self, fingerprint: &str) -> StoreResult<Option<DeadGroup>> {
        dead::group(&self.readers, fingerprint).await
    }

    async fn dead_jobs(
        &self,
        fingerprint: &str,
        after: Option<JobId>,
        limit: usize,
    ) -> StoreResult<Vec<JobId>> {
        dead::jobs(&self.readers, fingerprint, after, limit).await
    }

    async fn series(
        &self,
        range: Range,
        filter: &SeriesFilter,
        now: Timestamp,
    ) -> StoreResult<Series> {
        stats::series(&self.readers, range, filter, now).await
    }

    async fn kind_runs(
        &self,
        now: Timestamp,
    ) -> StoreResult<BTreeMap<Kind, (u64, u64, Histogram)>> {
        stats::kind_runs(&self.readers, now).await
    }

    async fn recent(&self, now: Timestamp) -> StoreResult<Recent> {
        stats::recent(&self.readers, now).await
    }

    async fn totals(&self) -> StoreResult<Totals> {
        stats::totals(&self.readers).await
    }

    async fn fill(&self, filler: Filler) -> StoreResult<bool> {
        fill::fill(&self.path, filler).await
    }

    async fn put_session(&self, session: Session) -> StoreResult<()> {
        self.alone(sessions::PutSession { session }).await
    }

    async fn session(&self, id_hash: [u8; 32]) -> StoreResult<Option<Session>> {
        sessions::session(&self.readers, id_hash).await
    }

    async fn end_session(&self, id_hash: [u8; 32]) -> StoreResult<()> {
        self.alone(sessions::EndSession { id_hash }).await
    }

    async fn changed_elsewhere(&self, now: Timestamp) -> StoreResult<bool> {
        self.alone(elsewhere::Look { now }).await
    }

    async fn ping(&self) -> StoreResult<()> {
        self.pinger.ping().await
    }

    fn measured(&self) -> Vec<MetricFamily> {
        self.health.meters.families()
    }

    async fn health(&self) -> StoreResult<StoreHealth> {
        Ok(health::health(&self.path, &self.readers, &self.health))
    }

    async fn close(&self) {
        self.shut().await;
    }
}
