//! The dead letter by cause: look at a group, try a few of it again, retry or delete all.

use conveyor_model::dead::{DeadGroup, fingerprint};
use conveyor_model::error::{OperatorError, Thing};
use conveyor_model::job::Job;
use conveyor_model::operator::Answer;
use conveyor_model::state::{Action, State};

use super::Service;

/// Jobs acted on in one commit.
const STEP: usize = 500;

impl Service {
    /// The group of a dead job, if others died of the same.
    pub(super) async fn same_cause(&self, job: &Job) -> Answer<Option<DeadGroup>> {
        let Some(error) = job
            .last_error
            .as_ref()
            .filter(|_| job.row.state == State::Dead)
        else {
            return Ok(None);
        };
        let print = fingerprint(&job.row.kind, &error.class, &error.message);
        let group = self.store.dead_group(&print).await?;
        Ok(group.filter(|group| group.count > 1))
    }

    /// Does `action` to up to `most` jobs of a group, oldest first; answers how many it was done to.
    /// Jobs that die while it goes on are left out, so it ends.
    pub(super) async fn act_on_group(
        &self,
        print: &str,
        action: Action,
        most: Option<u32>,
    ) -> Answer<u64> {
        let group = self.store.dead_group(print).await?;
        let group = group.ok_or_else(|| OperatorError::not_found(Thing::DeadGroup, print))?;
        let mut left = group.count.min(most.map_or(u64::MAX, u64::from));
        let (mut done, mut after) = (0, None);
        while left > 0 {
            let step = usize::try_from(left).unwrap_or(STEP).min(STEP);
            let ids = self.store.dead_jobs(print, after, step).await?;
            let Some(last) = ids.last().copied() else {
                break;
            };
            after = Some(last);
            left = left.saturating_sub(u64::try_from(ids.len()).unwrap_or(left));
            let answers = self.store.act(ids, action, self.now()).await?;
            done += answers
                .iter()
                .filter(|answer| answer.is_ok())
                .fold(0, |n, _| n + 1);
        }
        Ok(done)
    }
}
