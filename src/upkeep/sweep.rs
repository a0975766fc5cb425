//! The duties that are one guarded statement, repeated while there is more to do.

use conveyor_model::time::Timestamp;

use crate::store::{Retention, Store, StoreResult};

/// Rows changed in one commit, so that others get their turn between.
const STEP: usize = 1000;
/// Steps of one call: what is left waits for the next.
const STEPS: usize = 20;
/// The most that one call does: there may be more.
pub(super) const MOST: usize = STEP * STEPS;

/// Makes due jobs ready; answers how many.
pub async fn promote(store: &dyn Store, now: Timestamp) -> StoreResult<usize> {
    let mut all = 0;
    for _ in 0..STEPS {
        let step = store.promote(now, STEP).await?;
        all += step;
        if step < STEP {
            break;
        }
    }
    Ok(all)
}

/// Takes jobs from workers whose lease ran out and who could renew it `since` then; answers how many.
pub async fn rescue(store: &dyn Store, now: Timestamp, since: Timestamp) -> StoreResult<usize> {
    let mut all = 0;
    for _ in 0..STEPS {
        let step = store.rescue(now, since, STEP).await?;
        all += step;
        if step < STEP {
            break;
        }
    }
    if all > 0 {
        tracing::warn!(jobs = all, "leases ran out; their jobs were taken back");
    }
    Ok(all)
}

/// Resumes queues whose pause has ended; answers how many.
pub async fn end_pauses(store: &dyn Store, now: Timestamp) -> StoreResult<usize> {
    store.end_pauses(now).await
}

/// Deletes what is older than its retention; answers how many jobs.
pub async fn prune(store: &dyn Store, retention: Retention, now: Timestamp) -> StoreResult<usize> {
    let mut all = 0;
    for _ in 0..STEPS {
        let step = store.prune(retention, now, STEP).await?;
        all += step;
        if step < STEP {
            break;
        }
    }
    Ok(all)
}
