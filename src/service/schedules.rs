//! Schedules: making, changing, running by hand. The slots themselves are upkeep's.

use conveyor_model::cron::{CronPreview, CronPreviewRequest};
use conveyor_model::error::{Invalid, OperatorError, Thing};
use conveyor_model::lang::Lang;
use conveyor_model::name::{JobId, ScheduleName};
use conveyor_model::operator::{Actor, Answer};
use conveyor_model::schedule::{Schedule, ScheduleSpec};
use conveyor_model::time::Timestamp;

use super::Service;
use crate::store::StoreError;
use crate::upkeep;
use crate::zones::Plan;

impl Service {
    pub(super) async fn schedule_list(&self) -> Answer<Vec<Schedule>> {
        let mut schedules = self.store.schedules().await?;
        schedules.iter_mut().for_each(describe);
        Ok(schedules)
    }

    pub(super) async fn schedule_by_name(&self, name: &ScheduleName) -> Answer<Schedule> {
        let found = self.store.schedule(name).await?;
        let mut schedule = found.ok_or_else(|| OperatorError::not_found(Thing::Schedule, name))?;
        describe(&mut schedule);
        Ok(schedule)
    }

    /// What changes nothing leaves everything as it is, a slot that is due or waits included: programs
    /// declare their schedules each time they start. Else the next slot is the first strictly after now, so
    /// that an edit never fires. Slots that passed
    /// undecided, in a pause or just before, are noted as skipped.
    pub(super) async fn store_schedule(
        &self,
        name: &ScheduleName,
        spec: ScheduleSpec,
        version: Option<i64>,
        by: &Actor,
    ) -> Answer<Schedule> {
        self.limits.check_schedule(&spec)?;
        let now = self.now();
        let (old, version) = match self.store.schedule(name).await {
            // A row that cannot be read counts as none: it is there to be replaced.
            Err(StoreError::Corrupt { .. }) => (None, version.filter(|version| *version != 0)),
            found => (found?, version),
        };
        if let Some(old) = &old
            && same(old, &spec, version)
        {
            return self.schedule_by_name(name).await;
        }
        check_end(&spec, old.as_ref(), now)?;
        let next_at = next_slot(name, &spec, old.as_ref(), now)?;
        self.store
            .put_schedule(name, spec, next_at, &by.0, version, now)
            .await?;
        if let Some(old) = old {
            let new = self.schedule_by_name(name).await?;
            upkeep::note_left(&*self.store, &old, &new, now).await?;
        }
        self.schedule_by_name(name).await
    }

    pub(super) async fn run_now(&self, name: &ScheduleName) -> Answer<JobId> {
        let schedule = self.schedule_by_name(name).await?;
        let job = schedule.spec.job(name);
        Ok(self.enqueue_one(job).await?.id)
    }

    pub(super) async fn set_schedule_pause(
        &self,
        name: &ScheduleName,
        paused: bool,
        by: &Actor,
    ) -> Answer<Schedule> {
        let old = self.schedule_by_name(name).await?;
        if old.spec.paused == paused {
            return Ok(old);
        }
        let spec = ScheduleSpec {
            paused,
            ..old.spec.clone()
        };
        self.store_schedule(name, spec, Some(old.version), by).await
    }
}

/// What an expression means, and when it fires after `now` unless the request names another time.
pub(crate) fn preview_cron(request: &CronPreviewRequest, now: Timestamp) -> Answer<CronPreview> {
    if !(1..=CronPreviewRequest::MOST).contains(&request.n) {
        return Err(Invalid::one("/n", "must be a whole number from 1 to 100").into());
    }
    let from = request.from.unwrap_or(now);
    let plan = Plan::asked(request, from)?;
    Ok(plan.preview(from, request.n, !request.name.is_empty(), request.lang))
}

/// The next slot of a schedule that is made or changed at `now`; none while it is paused. An
/// expression that stays keeps its beat, a new one counts from now.
fn next_slot(
    name: &ScheduleName,
    spec: &ScheduleSpec,
    old: Option<&Schedule>,
    now: Timestamp,
) -> Result<Option<Timestamp>, Invalid> {
    let kept = old.filter(|old| old.spec.cron == spec.cron);
    let plan = match kept {
        Some(old) => {
            let spec = spec.clone();
            Plan::of_stored(
                &Schedule {
                    spec,
                    ..old.clone()
                },
                now,
            )?
        }
        None => Plan::of(name.as_str(), spec, now)?,
    };
    Ok(plan.next_after(now).filter(|_| !spec.paused))
}

/// Whether a schedule is to become what it is already, at the version that was asked for.
fn same(old: &Schedule, spec: &ScheduleSpec, version: Option<i64>) -> bool {
    let wanted = version.is_none_or(|version| version == old.version);
    wanted && old.fault.is_none() && old.spec == *spec
}

/// A schedule that is over before it is made would never fire. One that is over already may be written
/// again as it is.
fn check_end(spec: &ScheduleSpec, old: Option<&Schedule>, now: Timestamp) -> Result<(), Invalid> {
    let kept = old.is_some_and(|old| old.spec.ends_at == spec.ends_at);
    match spec.ends_at {
        Some(end) if end <= now && !kept => Err(Invalid::one("/ends_at", "must lie in the future")),
        Some(_) | None => Ok(()),
    }
}

/// Fills in the words. An expression that cannot be read any more stands for itself.
fn describe(schedule: &mut Schedule) {
    let plan = Plan::of_stored(schedule, schedule.updated_at);
    schedule.description = match plan {
        Ok(plan) => plan.words(Lang::En),
        Err(_) => schedule.spec.cron.clone(),
    };
}
