//! A job of a schedule that comes or goes while its slot is being decided: after the schedule was read,
//! and before the decision is written.

use std::sync::{Arc, OnceLock};

use conveyor::store::Store;
use conveyor::store::sqlite::Hooks;
use conveyor::upkeep::{Fired, Watch, fire};
use conveyor_model::job::Claimed;
use conveyor_model::schedule::{OverlapPolicy, ScheduleSpec, SlotReason, SlotStatus};
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;
use conveyor_model::worker::Finish;
use futures_util::FutureExt;

use super::rig::{BEGIN, spec};
use crate::support::service::{Brief, brief, named, utc};
use crate::support::store::{StoreExt, TestStore, check_sums, lease, open_with};

/// What happens in the middle, once.
enum Meanwhile {
    /// Somebody runs the schedule by hand, at another server.
    RunNow,
    /// The job ends.
    Ends(Box<Claimed>),
}

/// A store with a schedule for each minute, and where to say what happens during its next decision.
struct Race {
    store: TestStore,
    other: Arc<dyn Store>,
    plot: Arc<OnceLock<(Arc<dyn Store>, Meanwhile)>>,
    spec: ScheduleSpec,
}

impl Race {
    async fn under(overlap: OverlapPolicy) -> Self {
        let plot = Arc::<OnceLock<(Arc<dyn Store>, Meanwhile)>>::default();
        let spec = ScheduleSpec {
            overlap,
            ..spec("* * * * *")
        };
        let (hidden, job) = (Arc::clone(&plot), spec.job(&named("tick")));
        let done = Arc::<OnceLock<()>>::default();
        let decide = move || {
            let (hidden, done, job) = (Arc::clone(&hidden), Arc::clone(&done), job.clone());
            let act = async move {
                if let Some((other, meanwhile)) = hidden.get()
                    && done.set(()).is_ok()
                {
                    match meanwhile {
                        Meanwhile::RunNow => drop(other.enqueue(job, utc(BEGIN)).await),
                        Meanwhile::Ends(job) => {
                            let report = Finish::succeeded(lease(job), None);
                            other.end(report, utc(BEGIN)).await;
                        }
                    }
                }
            };
            act.boxed()
        };
        let hooks = Hooks {
            decide: Some(Box::new(decide)),
            ..Hooks::default()
        };
        let store = open_with(hooks).await;
        let first = Some(utc("2026-11-30T10:01:00Z"));
        store
            .put_schedule(&named("tick"), spec.clone(), first, "ann", None, utc(BEGIN))
            .await
            .unwrap();
        let other = store.another().await;
        Race {
            store,
            other,
            plot,
            spec,
        }
    }

    fn plot(&self, meanwhile: Meanwhile) {
        let plot = (Arc::clone(&self.other), meanwhile);
        assert!(self.plot.set(plot).is_ok());
    }

    async fn pass(&self, now: Timestamp) -> Fired {
        let mut watch = Watch::default();
        fire(&*self.store, now, &mut watch).await.unwrap()
    }

    async fn history(&self) -> Vec<Brief> {
        let slots = self.store.slots(&named("tick"), 10).await.unwrap();
        slots.iter().rev().map(brief).collect()
    }

    /// A job of the schedule that runs.
    async fn running(&self) -> Claimed {
        let job = self.spec.job(&named("tick"));
        self.store.enqueue(job, utc(BEGIN)).await;
        self.store.take_one(utc(BEGIN)).await
    }
}

const SLOT: &str = "2026-11-30T10:01:00Z";
const OVERLAP: Option<SlotReason> = Some(SlotReason::Overlap);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_skip_a_run_by_hand_in_the_middle_lets_the_slot_go() {
    let race = Race::under(OverlapPolicy::Skip).await;
    race.plot(Meanwhile::RunNow);
    assert_eq!(race.pass(utc(SLOT)).await.jobs, 0);
    let expected = [(utc(SLOT), SlotStatus::Skipped, OVERLAP, 1)];
    assert_eq!(race.history().await, expected);
    assert_eq!(race.store.counts(utc(SLOT)).await.unwrap().total(), 1);
    check_sums(&race.store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_skip_the_end_of_the_last_job_in_the_middle_lets_the_slot_fire() {
    let race = Race::under(OverlapPolicy::Skip).await;
    race.plot(Meanwhile::Ends(Box::new(race.running().await)));
    assert_eq!(race.pass(utc(SLOT)).await.jobs, 1);
    let expected = [(utc(SLOT), SlotStatus::Fired, None, 1)];
    assert_eq!(race.history().await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_queue_one_a_run_by_hand_in_the_middle_makes_the_slot_wait() {
    let race = Race::under(OverlapPolicy::QueueOne).await;
    race.plot(Meanwhile::RunNow);
    let fired = race.pass(utc(SLOT)).await;
    assert_eq!((fired.jobs, fired.held), (0, 1));
    assert!(race.history().await.is_empty());
    let by_hand = race.store.take_one(utc(SLOT)).await;
    let report = Finish::succeeded(lease(&by_hand), None);
    race.store.end(report, utc(SLOT)).await;
    assert_eq!(race.pass(utc("2026-11-30T10:01:05Z")).await.jobs, 1);
    let expected = [(utc(SLOT), SlotStatus::Fired, OVERLAP, 1)];
    assert_eq!(race.history().await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_cancel_running_a_run_by_hand_in_the_middle_is_called_off() {
    let race = Race::under(OverlapPolicy::CancelRunning).await;
    race.plot(Meanwhile::RunNow);
    let fired = race.pass(utc(SLOT)).await;
    assert_eq!((fired.jobs, fired.cancelled), (1, true));
    let counts = race.store.counts(utc(SLOT)).await.unwrap();
    assert_eq!(
        (counts.of(State::Cancelled), counts.of(State::Ready)),
        (1, 1)
    );
}
