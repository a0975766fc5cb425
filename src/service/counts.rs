//! The counts in the frame of every page: read at most once a second, however many ask.

use std::time::Duration;

use conveyor_model::operator::Answer;
use conveyor_model::stats::Counts;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::Service;

/// How long counts may be shown after they were read.
const FRESH: Duration = Duration::from_secs(1);

/// The last counts and when they were read. The lock is held while they are read, so that whoever
/// asks meanwhile waits for the same answer instead of asking the store again.
#[derive(Default)]
pub(super) struct Cache(Mutex<Option<(Instant, Counts)>>);

impl Service {
    /// The counts, at most a second old.
    pub(super) async fn cached_counts(&self) -> Answer<Counts> {
        let mut cache = self.counts.0.lock().await;
        if let Some((read, counts)) = &*cache
            && read.elapsed() < FRESH
        {
            return Ok(counts.clone());
        }
        let counts = self.store.counts(self.now()).await?;
        *cache = Some((Instant::now(), counts.clone()));
        Ok(counts)
    }
}
