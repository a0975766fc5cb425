//! What an attempt tells while it runs, gathered until it is sent.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use conveyor_model::job::{LogLevel, MAX_LOG_LINE, MAX_LOG_LINES, Progress, bounded};
use conveyor_model::worker::NewLogLine;

use crate::clock::Clock;

/// Lines and the latest progress of one attempt.
pub(super) struct Journal {
    clock: Arc<dyn Clock>,
    pending: Mutex<Pending>,
}

/// What waits to be sent.
#[derive(Debug, Default)]
pub(super) struct Pending {
    pub(super) lines: VecDeque<NewLogLine>,
    pub(super) progress: Option<Progress>,
    dropped: u64,
}

impl Journal {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Journal {
            clock,
            pending: Mutex::default(),
        }
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn log(&self, level: LogLevel, message: String) {
        let message = if message.len() > MAX_LOG_LINE || message.contains('\0') {
            bounded(&message, MAX_LOG_LINE)
        } else {
            message
        };
        let line = NewLogLine {
            at: Some(self.clock.now()),
            level,
            message,
        };
        let mut pending = self.pending();
        if pending.lines.len() == MAX_LOG_LINES {
            pending.lines.pop_front();
            pending.dropped += 1;
        }
        pending.lines.push_back(line);
    }

    pub(super) fn progress(&self, percent: Option<f64>, message: String) {
        let percent = percent.filter(|percent| percent.is_finite());
        let mut pending = self.pending();
        let progress = pending.progress.get_or_insert_default();
        if let Some(percent) = percent {
            progress.percent = Some(percent.clamp(0.0, 100.0));
        }
        if !message.is_empty() {
            progress.message = Some(message);
        }
    }

    /// Takes what waits; none when nothing does.
    pub(super) fn take(&self) -> Option<Pending> {
        let mut pending = std::mem::take(&mut *self.pending());
        if pending.lines.is_empty() && pending.progress.is_none() {
            return None;
        }
        if pending.dropped > 0
            && let Some(first) = pending.lines.front_mut()
        {
            first.level = LogLevel::Warn;
            first.message = format!(
                "{} lines came faster than they could be kept and were dropped",
                pending.dropped + 1
            );
        }
        Some(pending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemClock;

    #[test]
    fn a_flood_drops_the_oldest_lines_and_says_so() {
        let journal = Journal::new(Arc::new(SystemClock));
        assert!(journal.take().is_none());
        for n in 0..MAX_LOG_LINES + 5 {
            journal.log(LogLevel::Info, n.to_string());
        }
        let lines = journal.take().unwrap().lines;
        assert_eq!(lines.len(), MAX_LOG_LINES);
        assert!(lines[0].message.starts_with("6 lines"));
        assert_eq!(lines[1].message, "6");
        assert!(journal.take().is_none());
    }

    #[test]
    fn a_line_is_bounded_and_free_of_nul() {
        let journal = Journal::new(Arc::new(SystemClock));
        journal.log(LogLevel::Info, "é\0".repeat(MAX_LOG_LINE));
        let line = &journal.take().unwrap().lines[0];
        assert!(!line.message.contains('\0'));
    }

    #[test]
    fn progress_that_is_left_out_stays_as_it_was() {
        let journal = Journal::new(Arc::new(SystemClock));
        journal.progress(Some(10.0), "a".to_owned());
        journal.progress(Some(f64::INFINITY), String::new());
        let progress = journal.take().unwrap().progress.unwrap();
        assert_eq!(
            (progress.percent, progress.message.as_deref()),
            (Some(10.0), Some("a"))
        );
        journal.progress(Some(200.0), "b".to_owned());
        let progress = journal.take().unwrap().progress.unwrap();
        assert_eq!(
            (progress.percent, progress.message.as_deref()),
            (Some(100.0), Some("b"))
        );
    }
}
