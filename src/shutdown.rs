//! How the process stops: one tree of tokens, signals, and the order in which things end.
//!
//! The first signal asks everything to stop in good order: no new claims, live streams end, running
//! jobs get the grace time and are then handed back. The second ends the process at once.

use std::sync::{Arc, OnceLock};

use tokio_util::sync::CancellationToken;

/// The exit code of a process whose database cannot be trusted any more.
pub const EXIT_FATAL: u8 = 70;
/// The exit code of a process that was told twice to stop.
const EXIT_TOLD_TWICE: i32 = 130;

/// The root of the tree. Cheap to clone; all clones are one.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    token: CancellationToken,
    fatal: Arc<OnceLock<String>>,
    /// Fires once `fatal` is known.
    failed: CancellationToken,
}

impl Shutdown {
    /// Nothing has been asked to stop yet.
    pub fn new() -> Self {
        Shutdown::default()
    }

    /// A token that fires when the process is to stop.
    pub fn token(&self) -> CancellationToken {
        self.token.child_token()
    }

    /// Asks everything to stop in good order.
    pub fn stop(&self) {
        self.token.cancel();
    }

    /// Whether a stop was asked for.
    pub fn is_stopping(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Asks everything to stop because the database cannot be trusted any more. The first reason is
    /// kept.
    pub fn fail(&self, why: &str) {
        if self.fatal.set(why.to_owned()).is_ok() {
            tracing::error!(%why, "the database cannot be trusted any more; the process stops");
        }
        self.failed.cancel();
        self.stop();
    }

    /// Waits until the database cannot be trusted any more.
    pub async fn failed(&self) {
        self.failed.cancelled().await;
    }

    /// Why the process must end with [`EXIT_FATAL`], if it must.
    pub fn failure(&self) -> Option<&str> {
        self.fatal.get().map(String::as_str)
    }

    /// Listens for SIGTERM and SIGINT in the background from here on. The first stops in good order,
    /// the second ends the process at once, after `at_once`. Fails when the system refuses to tell of
    /// signals.
    pub fn on_signals(&self, at_once: fn()) -> std::io::Result<()> {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let shutdown = self.clone();
        tokio::spawn(async move {
            let mut told = false;
            loop {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
                if told {
                    tracing::warn!("told to stop a second time; stopping at once");
                    at_once();
                    std::process::exit(EXIT_TOLD_TWICE);
                }
                told = true;
                tracing::info!("told to stop; running jobs get time to end");
                shutdown.stop();
            }
        });
        Ok(())
    }
}
