//! Letting go of what is past its time: finished jobs by their retention, and old rows beside them.

use conveyor_model::time::{Span, Timestamp};
use rusqlite::Connection;

use super::remove::remove;
use super::rollup;
use super::sql::Sql;
use super::work::{Single, Tx, Work};
use super::workers;
use crate::store::{Retention, StoreResult};

/// How long slots and the coarse steps of history are kept.
const HISTORY: Span = Span::from_secs(30 * 86_400);
/// How many old rows beside the jobs go at a time.
const MOST_ROWS: i64 = 10_000;
/// How many empty pages the file keeps in any case: 16 MiB.
const MOST_EMPTY_PAGES: i64 = 4096;
/// Gives back 8 MiB, which takes no longer than any other batch of writes.
const SHRINK: &str = "PRAGMA incremental_vacuum(2048)";
/// Fine steps older than this become minutes, and minutes older than that quarters of an hour.
const FINE: Span = Span::from_secs(15 * 60);
const MINUTES: Span = Span::from_secs(3 * 3600);

/// Succeeded and cancelled jobs that ended before a time.
pub(super) const OLD_DONE: &str = "SELECT id FROM job INDEXED BY job_done
     WHERE state IN ('succeeded', 'cancelled') AND finished_at < ? ORDER BY finished_at LIMIT ?";

/// Dead jobs that died before a time.
pub(super) const OLD_DEAD: &str = "SELECT id FROM job INDEXED BY job_died WHERE state = 'dead' AND finished_at < ? ORDER BY finished_at LIMIT ?";

/// A round of pruning.
#[derive(Debug)]
pub(super) struct Prune {
    pub(super) retention: Retention,
    pub(super) now: Timestamp,
    pub(super) limit: usize,
}

impl Work for Prune {
    type Out = usize;

    fn weight(&self) -> usize {
        self.limit
    }
}

impl Single for Prune {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<usize> {
        let before = self.now.minus(self.retention.succeeded);
        let mut ids = expired(OLD_DONE, before, self.limit, tx.conn)?;
        let before = self.now.minus(self.retention.dead);
        let mut dead = expired(OLD_DEAD, before, self.limit, tx.conn)?;
        // Half for each, and what the other leaves of it.
        dead.truncate((self.limit / 2).max(self.limit.saturating_sub(ids.len())));
        ids.truncate(self.limit.saturating_sub(dead.len()));
        ids.append(&mut dead);
        let gone = remove(&ids, tx)?;
        for (sql, before) in [
            (
                "DELETE FROM slot WHERE (schedule, slot) IN
                     (SELECT schedule, slot FROM slot WHERE at < ? LIMIT ?)",
                self.now.minus(HISTORY),
            ),
            (
                "DELETE FROM worker WHERE name IN (SELECT name FROM worker WHERE seen_at < ? LIMIT ?)",
                self.now.minus(workers::SHOWN),
            ),
            (
                "DELETE FROM session WHERE id_hash IN
                     (SELECT id_hash FROM session WHERE expires_at < ? LIMIT ?)",
                self.now,
            ),
            (
                "DELETE FROM rollup WHERE (width, start, series) IN
                     (SELECT width, start, series FROM rollup WHERE width = 900 AND start < ? LIMIT ?)",
                self.now.minus(HISTORY),
            ),
        ] {
            tx.conn.run(sql, [before.micros(), MOST_ROWS])?;
        }
        shrink(tx.conn)?;
        Ok(gone)
    }
}

/// Gives some of the file back when much of it is empty. A little is kept, since new jobs need it soon.
fn shrink(conn: &Connection) -> StoreResult<()> {
    let (empty, all): (i64, i64) = conn.one(
        "SELECT freelist_count, page_count FROM pragma_freelist_count, pragma_page_count",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    if empty > MOST_EMPTY_PAGES && empty > all / 4 {
        // It answers a row a page, and goes on as long as it is asked for the next.
        conn.all(SHRINK, [], |_| Ok(()))?;
    }
    Ok(())
}

fn expired(
    sql: &'static str,
    before: Timestamp,
    limit: usize,
    conn: &Connection,
) -> StoreResult<Vec<i64>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    conn.all(sql, [before.micros(), limit], |row| Ok(row.get(0)?))
}

/// Fine history is folded into coarse.
#[derive(Debug)]
pub(super) struct RollUp {
    pub(super) now: Timestamp,
}

impl Work for RollUp {
    type Out = ();
}

impl Single for RollUp {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
        rollup::coarsen(tx.conn, 10, 60, self.now.minus(FINE))?;
        rollup::coarsen(tx.conn, 60, 900, self.now.minus(MINUTES))
    }
}
