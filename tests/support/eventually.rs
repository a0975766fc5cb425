//! Waiting for what other tasks do, without fixed sleeps.

use std::time::{Duration, Instant};

/// Asks again and again until there is an answer; fails the test after ten seconds. Only for what no
/// event tells.
pub(crate) async fn eventually<T>(label: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(
            Instant::now() < deadline,
            "still not so after ten seconds: {label}"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
