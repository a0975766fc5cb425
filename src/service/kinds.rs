//! Kinds: what runs, how well, and whether anybody takes it.

use std::collections::{BTreeMap, BTreeSet};

use conveyor_model::name::Kind;
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

/// The kinds that live workers take.
pub(super) struct Taken<'w> {
    all: bool,
    some: BTreeSet<&'w Kind>,
}

impl<'w> Taken<'w> {
    pub(super) fn by(workers: &'w [Worker]) -> Self {
        let live = || workers.iter().filter(|worker| is_live(worker));
        Taken {
            all: live().any(|worker| worker.kinds.is_empty()),
            some: live().flat_map(|worker| &worker.kinds).collect(),
        }
    }

    pub(super) fn takes(&self, kind: &Kind) -> bool {
        self.all || self.some.contains(kind)
    }
}
