//! Whether another process has changed the database.

use super::sql::Sql;
use super::work::{Single, Tx, Work};
use crate::store::StoreResult;

/// What the writer's connection has seen of others. `PRAGMA data_version` differs between two reads on
/// one connection if, and only if, another connection has committed in between
/// (<https://sqlite.org/pragma.html#pragma_data_version>), and nothing else of this process commits.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    seen: Option<i64>,
    /// Whether something may have been missed.
    missed: bool,
}

impl Elsewhere {
    /// The connection is another one now, or what it saw was not told.
    pub(super) fn forget(&mut self) {
        self.missed |= self.seen.take().is_some();
    }

    fn look(&mut self, version: i64) -> bool {
        let before = self.seen.replace(version);
        std::mem::take(&mut self.missed) || before.is_some_and(|before| before != version)
    }
}

/// A look at what others have done since the last look.
#[derive(Debug)]
pub(super) struct Look;

impl Work for Look {
    type Out = bool;
}

impl Single for Look {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<bool> {
        let version = tx
            .conn
            .one("PRAGMA data_version", [], |row| Ok(row.get(0)?))?;
        Ok(tx.elsewhere.look(version))
    }
}
