//! Workers that speak the protocol, as this process last saw them: spares a write for each request,
//! and knows at a heartbeat what the worker said of itself at its last claim.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use conveyor_model::name::WorkerName;
use conveyor_model::operator::Answer;
use conveyor_model::worker::WorkerState;
use tokio::time::Instant;

use super::Service;
use crate::store::WorkerSeen;

/// How long a sighting is good for.
const FRESH: Duration = Duration::from_secs(5);
/// Sightings older than this are forgotten.
const FORGET: Duration = Duration::from_mins(5);
/// How many are kept before old ones are looked for.
const MANY: usize = 1000;

struct Sighting {
    seen: WorkerSeen,
    told: WorkerState,
    at: Instant,
}

/// The sightings of this process.
#[derive(Default)]
pub(super) struct Sightings(Mutex<HashMap<WorkerName, Sighting>>);

impl Sightings {
    fn with<T>(&self, f: impl FnOnce(&mut HashMap<WorkerName, Sighting>) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Forgets a worker, so that its next request asks the store.
    pub(super) fn forget(&self, name: &WorkerName) {
        self.with(|seen| seen.remove(name));
    }

    fn fresh(&self, now: &WorkerSeen) -> Option<WorkerState> {
        self.with(|seen| {
            seen.get(&now.name)
                .filter(|sighting| sighting.at.elapsed() < FRESH && sighting.seen == *now)
                .map(|sighting| sighting.told)
        })
    }

    fn last(&self, name: &WorkerName) -> Option<WorkerSeen> {
        self.with(|seen| seen.get(name).map(|sighting| sighting.seen.clone()))
    }

    fn keep(&self, seen: WorkerSeen, told: WorkerState) {
        self.with(|all| {
            if all.len() >= MANY {
                all.retain(|_, sighting| sighting.at.elapsed() < FORGET);
            }
            let sighting = Sighting {
                seen: seen.clone(),
                told,
                at: Instant::now(),
            };
            all.insert(seen.name, sighting);
        });
    }
}

impl Service {
    /// Notes that a worker asked for jobs; answers what it was told to do.
    pub(super) async fn saw_claim(&self, mut seen: WorkerSeen) -> Answer<WorkerState> {
        // Only heartbeats say how many slots there are.
        seen.slots = self.sightings.last(&seen.name).and_then(|last| last.slots);
        if let Some(told) = self.sightings.fresh(&seen) {
            return Ok(told);
        }
        self.note(seen).await
    }

    /// Notes a heartbeat; answers what the worker was told to do.
    pub(super) async fn saw_heartbeat(
        &self,
        name: WorkerName,
        slots: Option<u32>,
    ) -> Answer<WorkerState> {
        let last = match self.sightings.last(&name) {
            Some(last) => last,
            None => self.known(name).await?,
        };
        let slots = slots.or(last.slots);
        self.note(WorkerSeen { slots, ..last }).await
    }

    async fn note(&self, seen: WorkerSeen) -> Answer<WorkerState> {
        let told = self.store.worker_seen(seen.clone(), self.now()).await?;
        self.sightings.keep(seen, told);
        Ok(told)
    }

    /// What the store knows of a worker that this process sees for the first time.
    async fn known(&self, name: WorkerName) -> Answer<WorkerSeen> {
        let workers = self.store.workers(self.now()).await?;
        let row = workers.into_iter().find(|worker| worker.name == name);
        Ok(match row {
            Some(worker) => WorkerSeen {
                name,
                queues: worker.queues,
                kinds: Some(worker.kinds).filter(|kinds| !kinds.is_empty()),
                slots: worker.slots,
                in_process: worker.in_process,
                version: worker.version,
            },
            None => WorkerSeen {
                name,
                queues: Vec::new(),
                kinds: None,
                slots: None,
                in_process: false,
                version: None,
            },
        })
    }
}
