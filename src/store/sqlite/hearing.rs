//! Waiting for claimed jobs, so that none is lost when the one who waits goes away.

use conveyor_model::job::Claimed;
use conveyor_model::time::Timestamp;
use tokio::sync::oneshot;

use super::finish::HandBack;
use super::inbox::{Command, WeakCommands};
use super::work::Asked;
use crate::store::StoreResult;

/// Somebody who waits for the answer to a claim. When it is dropped, jobs that have been sent already
/// are given back; those that are still to come the writer gives back itself.
pub(super) struct Hearing {
    answer: oneshot::Receiver<StoreResult<Vec<Claimed>>>,
    commands: WeakCommands,
    now: Timestamp,
}

impl Hearing {
    /// Waits for what a claim at `now` is answered.
    pub(super) fn new(
        answer: oneshot::Receiver<StoreResult<Vec<Claimed>>>,
        commands: WeakCommands,
        now: Timestamp,
    ) -> Self {
        Hearing {
            answer,
            commands,
            now,
        }
    }

    /// The answer; none when the writer has ended without one.
    pub(super) async fn hear(&mut self) -> Option<StoreResult<Vec<Claimed>>> {
        (&mut self.answer).await.ok()
    }
}

impl Drop for Hearing {
    fn drop(&mut self) {
        // From here on the writer cannot send any more, so what is not found here it keeps.
        self.answer.close();
        let Ok(Ok(jobs)) = self.answer.try_recv() else {
            return;
        };
        if jobs.is_empty() {
            return;
        }
        let mut back = HandBack::new(self.now);
        back.add(&jobs);
        let command = Command::Other(Box::new(Asked::new(back).0));
        let commands = self.commands.upgrade();
        if !commands.is_some_and(|commands| commands.try_send(command)) {
            tracing::warn!(
                jobs = jobs.len(),
                "jobs of a lost claim wait for their lease to end"
            );
        }
    }
}
