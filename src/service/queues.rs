//! Queues: pausing, resuming, emptying.

use conveyor_model::error::{Invalid, OperatorError, Thing};
use conveyor_model::name::QueueName;
use conveyor_model::operator::{Actor, Answer};
use conveyor_model::queue::{Pause, PauseRequest, Queue};

use super::Service;

/// Jobs deleted in one commit of a purge, so that others get their turn between.
const PURGE_STEP: usize = 1000;

impl Service {
    pub(super) async fn queue_by_name(&self, name: &QueueName) -> Answer<Queue> {
        let queues = self.store.queues(self.now()).await?;
        queues
            .into_iter()
            .find(|queue| queue.name == *name)
            .ok_or_else(|| OperatorError::not_found(Thing::Queue, name))
    }

    pub(super) async fn pause(
        &self,
        name: &QueueName,
        request: PauseRequest,
        by: &Actor,
    ) -> Answer<Queue> {
        let now = self.now();
        if request.until.is_some_and(|until| until <= now) {
            return Err(Invalid::one("/until", "must lie in the future").into());
        }
        let pause = Pause {
            by: by.0.clone(),
            note: request.note,
            since: now,
            until: request.until,
        };
        self.store.set_pause(name, Some(pause), now).await?;
        self.queue_by_name(name).await
    }

    pub(super) async fn resume(&self, name: &QueueName) -> Answer<Queue> {
        self.queue_by_name(name).await?;
        self.store.set_pause(name, None, self.now()).await?;
        self.queue_by_name(name).await
    }

    /// Deletes in steps. Jobs that arrive meanwhile may go too; the number told is what was deleted.
    pub(super) async fn purge(&self, name: &QueueName) -> Answer<u64> {
        let queue = self.queue_by_name(name).await?;
        let mut left = queue.ready + queue.scheduled + queue.retrying;
        let mut purged = 0;
        while left > 0 {
            let gone = self.store.purge(name, PURGE_STEP, self.now()).await?;
            if gone == 0 {
                break;
            }
            purged += gone;
            left = left.saturating_sub(gone);
        }
        Ok(purged)
    }
}
