//! Kinds: what runs, how well, and whether anybody takes it.

use std::collections::{BTreeMap, BTreeSet};

use conveyor_model::name::{Kind, QueueName};
use conveyor_model::operator::Answer;
use conveyor_model::stats::KindInfo;
use conveyor_model::worker::Worker;

use super::Service;
use super::waiting::is_live;

impl Service {
    /// Every kind with jobs, history or a handler, by name.
    pub(super) async fn kind_list(&self) -> Answer<Vec<KindInfo>> {
        let now = self.now();
        let (mut jobs, runs, workers) = tokio::try_join!(
            self.store.kind_counts(),
            self.store.kind_runs(now),
            self.store.workers(now),
        )?;
        let known: BTreeSet<Kind> = jobs
            .keys()
            .chain(runs.keys())
            .chain(self.kinds.keys())
            .cloned()
            .collect();
        let taken = Taken::by(&workers);
        let info = |kind: Kind| {
            let (succeeded, failed, run) = runs.get(&kind).copied().unwrap_or_default();
            KindInfo {
                jobs: jobs.remove(&kind).unwrap_or_else(BTreeMap::new),
                succeeded,
                failed,
                run: run.quantiles(),
                has_worker: taken.takes(&kind),
                description: self.kinds.get(&kind).cloned(),
                kind,
            }
        };
        Ok(known.into_iter().map(info).collect())
    }
}

/// What live workers take.
pub(super) struct Taken<'w> {
    live: Vec<&'w Worker>,
    all: bool,
    some: BTreeSet<&'w Kind>,
}

impl<'w> Taken<'w> {
    pub(super) fn by(workers: &'w [Worker]) -> Self {
        let live: Vec<&Worker> = workers.iter().filter(|worker| is_live(worker)).collect();
        Taken {
            all: live.iter().any(|worker| worker.kinds.is_empty()),
            some: live.iter().flat_map(|worker| &worker.kinds).collect(),
            live,
        }
    }

    /// Whether a kind is taken from any queue.
    pub(super) fn takes(&self, kind: &Kind) -> bool {
        self.all || self.some.contains(kind)
    }

    /// Whether it is taken from this one.
    pub(super) fn takes_from(&self, queue: &QueueName, kind: &Kind) -> bool {
        self.live.iter().any(|worker| worker.serves(queue, kind))
    }
}
