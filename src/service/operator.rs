//! The operator's port: each verb is one call into the store or into the file of its topic.

use async_trait::async_trait;
use conveyor_model::cron::{CronPreview, CronPreviewRequest};
use conveyor_model::dead::DeadGroup;
use conveyor_model::error::{OperatorError, Thing};
use conveyor_model::filter::{JobFilter, JobPage, Page};
use conveyor_model::job::{Attempt, Job, LogLine};
use conveyor_model::name::{JobId, QueueName, ScheduleName, WorkerName};
use conveyor_model::new_job::{JobPatch, NewJob};
use conveyor_model::operator::{ActionResult, Actor, Answer, Enqueued, JobDetail, Operator};
use conveyor_model::queue::{PauseRequest, Queue};
use conveyor_model::schedule::{Schedule, ScheduleSpec, Slot};
use conveyor_model::state::Action;
use conveyor_model::stats::{Counts, KindInfo, Overview, Range, Series, SeriesFilter};
use conveyor_model::worker::{Worker, WorkerHealth, WorkerState};

use super::{Service, schedules};
use crate::zones;

/// The most slots and groups of one answer.
const MOST: usize = 200;

#[async_trait]
impl Operator for Service {
    async fn enqueue(&self, job: NewJob) -> Answer<Enqueued> {
        self.enqueue_one(job).await
    }

    async fn enqueue_shown(&self, job: NewJob) -> Answer<(Job, bool)> {
        self.enqueue_and_show(job).await
    }

    async fn enqueue_many(&self, jobs: Vec<NewJob>, atomic: bool) -> Answer<Vec<Answer<Enqueued>>> {
        self.enqueue_each(jobs, atomic).await
    }

    async fn jobs(&self, filter: &JobFilter, page: &Page) -> Answer<JobPage> {
        Ok(self.store.jobs(filter, page).await?)
    }

    async fn job(&self, id: JobId) -> Answer<Job> {
        self.job_with_reason(id).await
    }

    async fn job_detail(&self, id: JobId) -> Answer<JobDetail> {
        self.detail(id).await
    }

    async fn attempts(&self, id: JobId) -> Answer<Vec<Attempt>> {
        self.must_exist(id).await?;
        Ok(self.store.attempts(id).await?)
    }

    async fn logs(&self, id: JobId) -> Answer<Vec<LogLine>> {
        self.must_exist(id).await?;
        Ok(self.store.logs(id).await?)
    }

    async fn edit(&self, id: JobId, patch: JobPatch, version: Option<i64>) -> Answer<Job> {
        self.change(id, patch, version).await
    }

    async fn delete(&self, id: JobId, version: Option<i64>) -> Answer<()> {
        Ok(self.store.delete(id, version).await?)
    }

    async fn act(&self, id: JobId, action: Action) -> Answer<JobId> {
        self.act_on_one(id, action).await
    }

    async fn act_on(&self, ids: Vec<JobId>, action: Action) -> Answer<Vec<ActionResult>> {
        self.act_on_many(ids, action).await
    }

    async fn queues(&self) -> Answer<Vec<Queue>> {
        Ok(self.store.queues(self.now()).await?)
    }

    async fn queue(&self, name: &QueueName) -> Answer<Queue> {
        self.queue_by_name(name).await
    }

    async fn pause_queue(
        &self,
        name: &QueueName,
        request: PauseRequest,
        by: &Actor,
    ) -> Answer<Queue> {
        self.pause(name, request, by).await
    }

    async fn resume_queue(&self, name: &QueueName) -> Answer<Queue> {
        self.resume(name).await
    }

    async fn purge_queue(&self, name: &QueueName) -> Answer<u64> {
        self.purge(name).await
    }

    async fn schedules(&self) -> Answer<Vec<Schedule>> {
        self.schedule_list().await
    }

    async fn schedule(&self, name: &ScheduleName) -> Answer<Schedule> {
        self.schedule_by_name(name).await
    }

    async fn put_schedule(
        &self,
        name: &ScheduleName,
        spec: ScheduleSpec,
        version: Option<i64>,
        by: &Actor,
    ) -> Answer<Schedule> {
        self.store_schedule(name, spec, version, by).await
    }

    async fn delete_schedule(&self, name: &ScheduleName, version: Option<i64>) -> Answer<()> {
        Ok(self.store.delete_schedule(name, version).await?)
    }

    async fn run_schedule(&self, name: &ScheduleName) -> Answer<JobId> {
        self.run_now(name).await
    }

    async fn pause_schedule(
        &self,
        name: &ScheduleName,
        paused: bool,
        by: &Actor,
    ) -> Answer<Schedule> {
        self.set_schedule_pause(name, paused, by).await
    }

    async fn slots(&self, name: &ScheduleName) -> Answer<Vec<Slot>> {
        self.schedule_by_name(name).await?;
        Ok(self.store.slots(name, MOST).await?)
    }

    async fn preview_cron(&self, request: CronPreviewRequest) -> Answer<CronPreview> {
        schedules::preview_cron(&request, self.now())
    }

    async fn time_zones(&self) -> Answer<Vec<String>> {
        Ok(zones::names())
    }

    async fn workers(&self) -> Answer<Vec<Worker>> {
        let mut workers = self.store.workers(self.now()).await?;
        workers.sort_by_key(|worker| (worker.health == WorkerHealth::Lost, worker.name.clone()));
        Ok(workers)
    }

    async fn tell_worker(&self, name: &WorkerName, state: WorkerState) -> Answer<()> {
        let known = self.store.tell_worker(name, state).await?;
        // Afterwards: who sees it in between would keep what it was told before.
        self.sightings.forget(name);
        if known {
            return Ok(());
        }
        Err(OperatorError::not_found(Thing::Worker, name))
    }

    async fn dead_groups(&self) -> Answer<Vec<DeadGroup>> {
        Ok(self.store.dead_groups(MOST).await?)
    }

    async fn retry_group(&self, fingerprint: &str, most: Option<u32>) -> Answer<u64> {
        self.act_on_group(fingerprint, Action::Retry, most).await
    }

    async fn delete_group(&self, fingerprint: &str) -> Answer<u64> {
        self.act_on_group(fingerprint, Action::Delete, None).await
    }

    async fn counts(&self) -> Answer<Counts> {
        self.cached_counts().await
    }

    async fn overview(&self, range: Range) -> Answer<Overview> {
        self.whole_overview(range).await
    }

    async fn series(&self, range: Range, filter: &SeriesFilter) -> Answer<Series> {
        Ok(self.store.series(range, filter, self.now()).await?)
    }

    async fn kinds(&self) -> Answer<Vec<KindInfo>> {
        self.kind_list().await
    }
}
