//! The process groups of running commands.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;

/// Every group whose command runs, for the end of a process that waits for nobody.
static RUNNING: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<i32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills every running command with all that it started.
pub fn kill_all() {
    for id in std::mem::take(&mut *running()) {
        signal(id, Signal::KILL);
    }
}

fn signal(id: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(id)
        && let Err(error) = kill_process_group(pid, signal)
    {
        tracing::trace!(%error, "the process group had ended");
    }
}

/// The process group of a command; killed when this is dropped.
pub(super) struct Group(Option<i32>);

impl Group {
    /// The group that `child` leads.
    pub(super) fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        running().extend(id);
        Group(id)
    }

    /// Sends a signal to all of it.
    pub(super) fn signal(&self, with: Signal) {
        if let Some(id) = self.0 {
            signal(id, with);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        if let Some(id) = self.0 {
            running().remove(&id);
        }
    }
}
