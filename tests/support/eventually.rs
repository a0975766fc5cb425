//! Waiting for what other tasks do, without fixed sleeps.

use std::time::{Duration, Instant};

/// Asks again and again until there is an answer; fails the test after a minute, which a busy machine
/// may need. Only for what no event tells.
pub(crate) async fn eventually<T>(label: &str, ask: impl AsyncFnMut() -> Option<T>) -> T {
    within(Duration::from_mins(1), label, ask).await
}

/// The same, for what takes longer.
pub(crate) async fn within<T>(
    patience: Duration,
    label: &str,
    mut ask: impl AsyncFnMut() -> Option<T>,
) -> T {
    let deadline = Instant::now() + patience;
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(
            Instant::now() < deadline,
            "still not so after {patience:?}: {label}"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
