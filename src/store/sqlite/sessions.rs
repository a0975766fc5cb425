//! Logged-in browsers.

use async_trait::async_trait;
use sqlx::{Row, SqlitePool};

use super::row;
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

#[async_trait]
impl Single for PutSession {
    async fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
        let session = &self.session;
        sqlx::query(
            "INSERT INTO session (id_hash, actor, created_at, seen_at, expires_at) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (id_hash) DO UPDATE SET seen_at = excluded.seen_at, expires_at = excluded.expires_at",
        )
        .bind(session.id_hash.as_slice())
        .bind(session.actor.as_str())
        .bind(session.created_at.micros())
        .bind(session.seen_at.micros())
        .bind(session.expires_at.micros())
        .execute(&mut *tx.conn)
        .await?;
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

#[async_trait]
impl Single for EndSession {
    async fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
        sqlx::query("DELETE FROM session WHERE id_hash = ?")
            .bind(self.id_hash.as_slice())
            .execute(&mut *tx.conn)
            .await?;
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
