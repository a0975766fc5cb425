//! Orders that keep coming while the demo runs: about one a second while somebody watches, few when
//! nobody does, so that a forgotten demo does not fill a disk.

use std::time::{Duration, Instant};

use conveyor_model::state::State;
use tokio_util::sync::CancellationToken;

use super::Demo;
use super::dice::Dice;
use super::orders;

/// The pause when nobody does.
const QUIET: Duration = Duration::from_secs(20);
/// How long a new demo is busy without anybody watching.
const WARM: Duration = Duration::from_mins(10);
/// With so many dead jobs no more are made to die.
const MOST_DEAD: u64 = 400;

/// Enqueues orders until `stop` fires.
pub(super) async fn flow(demo: Demo, seed: u64, stop: CancellationToken) {
    let mut dice = Dice::new(seed);
    let began = Instant::now();
    let usual = i64::try_from(demo.pause.as_millis()).unwrap_or(i64::MAX);
    loop {
        let busy = demo.events.watched() || began.elapsed() < WARM;
        let pause = if busy {
            dice.about(usual).to_std()
        } else {
            QUIET
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        if let Err(error) = one(&demo, &mut dice).await {
            tracing::warn!(%error, "the demo could not enqueue");
        }
    }
}

async fn one(demo: &Demo, dice: &mut Dice) -> Result<(), conveyor_model::error::OperatorError> {
    let dead = demo.operator.counts().await?.of(State::Dead);
    let order = if dead < MOST_DEAD {
        orders::any(dice, &demo.hooks)
    } else {
        orders::harmless(dice, &demo.hooks)
    };
    demo.operator.enqueue(order.job).await.map(drop)
}
