//! Logged-in browsers.

use rusqlite::params;
use sqlx::{Row, SqlitePool};

use super::row;
use super::sql::Sql;
use super::work::{Single, Tx, Work};
use crate::store::{Session, StoreResult};

/// A session is kept, or its last use noted.
#[derive(Debug)]
pub(super) struct PutSession {
    pub(super) session: Session,
}

impl Work for PutSession {
    type Out = ();
}

impl Single for PutSession {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
        let session = &self.session;
        tx.conn.run(
            "INSERT INTO session (id_hash, actor, created_at, seen_at, expires_at) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (id_hash) DO UPDATE SET seen_at = excluded.seen_at, expires_at = excluded.expires_at",
            params![
                session.id_hash.as_slice(),
                session.actor.as_str(),
                session.created_at.micros(),
                session.seen_at.micros(),
                session.expires_at.micros(),
            ],
        )?;
        Ok(())
    }
}

/// A session ends.
#[derive(Debug)]
pub(super) struct EndSession {
    pub(super) id_hash: [u8; 32],
}

impl Work for EndSession {
    type Out = ();
}

impl Single for EndSession {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
        tx.conn.run(
            "DELETE FROM session WHERE id_hash = ?",
            [self.id_hash.as_slice()],
        )?;
        Ok(())
    }
}

/// The session with that hash.
pub(super) async fn session(pool: &SqlitePool, id_hash: [u8; 32]) -> StoreResult<Option<Session>> {
    let row =
        sqlx::query("SELECT actor, created_at, seen_at, expires_at FROM session WHERE id_hash = ?")
            .bind(id_hash.as_slice())
            .fetch_optional(pool)
            .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Session {
        id_hash,
        actor: row.try_get(0)?,
        created_at: row::time(&row, 1)?,
        seen_at: row::time(&row, 2)?,
        expires_at: row::time(&row, 3)?,
    }))
}
