//! Whether another process has changed the database.

use conveyor_model::time::{Span, Timestamp};
use rusqlite::Connection;

use super::sql::Sql;
use super::work::{Single, Tx, Work};
use crate::store::StoreResult;

/// What the writer's connection has seen of others. `PRAGMA data_version` differs between two reads on
/// one connection if, and only if, another connection has committed in between
/// (<https://sqlite.org/pragma.html#pragma_data_version>), and nothing else of this process commits.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    seen: Option<i64>,
    /// Whether others may have changed something that no [`Look`] has told yet.
    untold: bool,
    /// When others were last found to have changed something.
    met: Option<Timestamp>,
}

/// How long after its last change another process is taken to be there still.
const STAYS: Span = Span::from_secs(600);

impl Elsewhere {
    /// The connection is another one now, or what it saw was not told.
    pub(super) fn forget(&mut self) {
        self.untold |= self.seen.take().is_some();
    }

    /// Whether another process works on the database, as far as its changes show it.
    pub(super) fn is_shared(&mut self, conn: &Connection, now: Timestamp) -> StoreResult<bool> {
        self.look(conn, now)?;
        Ok(self.met.is_some_and(|met| now.since(met) < STAYS))
    }

    fn look(&mut self, conn: &Connection, now: Timestamp) -> StoreResult<()> {
        let version = conn.one("PRAGMA data_version", [], |row| Ok(row.get(0)?))?;
        let before = self.seen.replace(version);
        if before.is_some_and(|before| before != version) {
            self.untold = true;
            self.met = Some(now);
        }
        Ok(())
    }
}

/// A look at what others have done since the last look.
#[derive(Debug)]
pub(super) struct Look {
    pub(super) now: Timestamp,
}

impl Work for Look {
    type Out = bool;
}

impl Single for Look {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<bool> {
        tx.elsewhere.look(tx.conn, self.now)?;
        Ok(std::mem::take(&mut tx.elsewhere.untold))
    }
}
