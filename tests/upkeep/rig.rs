//! A server of which only the scheduler moves, pass by pass.

use conveyor::upkeep::{Fired, Watch, fire};
use conveyor_model::schedule::ScheduleSpec;
use conveyor_model::time::Timestamp;

use crate::support::service::{TestService, utc};
use crate::support::store::kind;

/// When these tests begin: the middle of a minute, so that no slot is due just then.
pub(super) const BEGIN: &str = "2026-11-30T10:00:30Z";

/// A server and what its scheduler remembers.
pub(super) struct Rig {
    pub(super) service: TestService,
    pub(super) watch: Watch,
}

impl std::ops::Deref for Rig {
    type Target = TestService;

    fn deref(&self) -> &TestService {
        &self.service
    }
}

impl Rig {
    /// A server at [`BEGIN`].
    pub(super) async fn new() -> Self {
        Rig::at(utc(BEGIN)).await
    }

    /// A server at `now`.
    pub(super) async fn at(now: Timestamp) -> Self {
        Rig {
            service: TestService::starting(now).await,
            watch: Watch::default(),
        }
    }

    /// One pass of the scheduler at `now`.
    pub(super) async fn pass(&mut self, now: Timestamp) -> Fired {
        self.clock.set(now);
        let store = &*self.service.store.store;
        fire(store, now, &mut self.watch).await.expect("a pass")
    }

    /// One pass at the instant that `text` says.
    pub(super) async fn pass_at(&mut self, text: &str) -> Fired {
        self.pass(utc(text)).await
    }

    /// A pass at each slot of a schedule, up to `until`.
    pub(super) async fn pass_each_slot(&mut self, name: &str, until: &str) {
        while let Some(next) = self.planned(name).await.next_at {
            if next > utc(until) {
                return;
            }
            self.pass(next).await;
        }
    }

    /// The instants that fired, as text without the year.
    pub(super) async fn fired(&self, name: &str) -> Vec<String> {
        let slots = self.history(name).await;
        let fired = slots
            .iter()
            .filter(|(_, status, ..)| *status != conveyor_model::schedule::SlotStatus::Skipped);
        fired
            .map(|(slot, ..)| slot.to_string()[5..16].to_owned())
            .collect()
    }
}

/// A schedule of the kind `tick` in UTC.
pub(super) fn spec(cron: &str) -> ScheduleSpec {
    ScheduleSpec::new(cron, kind("tick"))
}

/// The same in a zone.
pub(super) fn spec_in(zone: &str, cron: &str) -> ScheduleSpec {
    ScheduleSpec {
        timezone: zone.to_owned(),
        ..spec(cron)
    }
}
