//! What a running attempt says of itself: log lines and progress.

use conveyor_model::job::{MAX_LOG_LINE, MAX_LOG_LINES, MAX_PROGRESS_MESSAGE, Progress, bounded};
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;
use conveyor_model::worker::{Lease, NewLogLine};
use rusqlite::params;

use super::insert::json;
use super::sql::Sql;
use super::work::{Single, Tx, Work};
use crate::store::StoreResult;

/// The number of the attempt that a lease holds, if it holds one; whoever watches the job hears of it.
fn held(lease: Lease, tx: &mut Tx<'_>) -> StoreResult<Option<i64>> {
    tx.conn.first(
        "SELECT attempt, lane, version FROM job WHERE id = ? AND token = ? AND state = 'running'",
        [lease.id.get(), lease.lease_token.0],
        |row| {
            if tx.watched {
                let lane = tx.lanes.get(tx.conn, row.get(1)?)?;
                tx.effects
                    .changed(lease.id, Some(State::Running), &lane, row.get(2)?);
            }
            Ok(row.get(0)?)
        },
    )
}

/// Log lines of a running attempt.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) lease: Lease,
    pub(super) lines: Vec<NewLogLine>,
    pub(super) now: Timestamp,
}

impl Work for Log {
    type Out = bool;

    fn weight(&self) -> usize {
        self.lines.len()
    }
}

impl Single for Log {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<bool> {
        let Some(attempt) = held(self.lease, tx)? else {
            return Ok(false);
        };
        let (id, token) = (self.lease.id.get(), self.lease.lease_token.0);
        let latest = self.lines.len().saturating_sub(MAX_LOG_LINES);
        let lines: Vec<(i64, &str, String)> = self.lines[latest..]
            .iter()
            .map(|line| {
                let at = line.at.unwrap_or(self.now).micros();
                (
                    at,
                    line.level.as_str(),
                    bounded(&line.message, MAX_LOG_LINE),
                )
            })
            .collect();
        tx.conn.run(
            "INSERT INTO job_log (id, token, line, attempt, at, level, message)
             SELECT ?1, ?2, (SELECT coalesce(max(line), -1) + 1 FROM job_log WHERE id = ?1 AND token = ?2) + key,
                 ?3, value ->> 0, value ->> 1, value ->> 2
             FROM json_each(?4)",
            params![id, token, attempt, json(&lines)?],
        )?;
        let most = i64::try_from(MAX_LOG_LINES).unwrap_or(i64::MAX);
        tx.conn.run(
            "DELETE FROM job_log WHERE id = ?1 AND token = ?2 AND line <=
                 (SELECT max(line) FROM job_log WHERE id = ?1 AND token = ?2) - ?3",
            [id, token, most],
        )?;
        Ok(true)
    }
}

/// How far a running attempt is; what is left out keeps the value that this attempt gave it.
#[derive(Debug)]
pub(super) struct NoteProgress {
    pub(super) lease: Lease,
    pub(super) progress: Progress,
}

impl Work for NoteProgress {
    type Out = bool;
}

impl Single for NoteProgress {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<bool> {
        if held(self.lease, tx)?.is_none() {
            return Ok(false);
        }
        let percent = self.progress.percent.filter(|percent| percent.is_finite());
        let message = self.progress.message.as_deref();
        tx.conn.run(
            "INSERT INTO job_progress AS p (id, token, percent, message) VALUES (?, ?, ?, ?)
             ON CONFLICT (id) DO UPDATE SET token = excluded.token,
                 percent = coalesce(excluded.percent, iif(p.token = excluded.token, p.percent, NULL)),
                 message = coalesce(excluded.message, iif(p.token = excluded.token, p.message, NULL))",
            params![
                self.lease.id.get(),
                self.lease.lease_token.0,
                percent.map(|percent| percent.clamp(0.0, 100.0)),
                message.map(|message| bounded(message, MAX_PROGRESS_MESSAGE)),
            ],
        )?;
        Ok(true)
    }
}
