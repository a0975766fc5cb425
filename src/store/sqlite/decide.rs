//! Carrying out what upkeep decided of a schedule's slots.

use std::collections::BTreeMap;

use async_trait::async_trait;
use conveyor_model::event::Event;
use conveyor_model::schedule::SlotStatus;
use conveyor_model::state::{Action, State};
use conveyor_model::time::Timestamp;

use super::error::corrupt;
use super::insert::{self, Fresh, json};
use super::moves::{self, Move};
use super::schedules::{self, UNFINISHED};
use super::work::{Single, Tx, Work};
use crate::store::{Decided, SlotDecision, StoreResult};

/// A decision to carry out.
#[derive(Debug)]
pub(super) struct Decide {
    pub(super) decision: SlotDecision,
    pub(super) now: Timestamp,
}

impl Work for Decide {
    type Out = Decided;

    fn weight(&self) -> usize {
        self.decision.jobs.len() + 1
    }
}

#[async_trait]
impl Single for Decide {
    async fn run(&self, tx: &mut Tx<'_>) -> StoreResult<Decided> {
        let decision = &self.decision;
        if !self.is_first(tx).await? {
            return Ok(Decided::TooLate);
        }
        // The write lock is held, so what is read here stays true until the job is stored.
        if let Some(taken) = decision.busy {
            let busy = schedules::is_busy(tx.conn, &decision.name).await?;
            if busy != taken {
                return Ok(Decided::Overtaken { busy });
            }
        }
        let cancelled = if decision.cancel {
            self.cancel(tx).await?
        } else {
            0
        };
        let fresh: Vec<Fresh<'_>> = decision
            .jobs
            .iter()
            .map(|job| Fresh {
                job,
                now: self.now,
                request: None,
            })
            .collect();
        let mut ids = insert::store(&fresh, tx).await?.into_iter();
        let mut totals: BTreeMap<&'static str, u64> = BTreeMap::new();
        for slot in &decision.slots {
            let job_id = match slot.status {
                SlotStatus::Fired | SlotStatus::Late => Some(
                    ids.next()
                        .ok_or_else(|| corrupt("a decision", "a fired slot has no job"))?,
                ),
                SlotStatus::Skipped => None,
            };
            sqlx::query("INSERT INTO slot (schedule, slot, status, reason, n, job_id, at) VALUES (?, ?, ?, ?, ?, ?, ?)")
                .bind(decision.name.as_str())
                .bind(slot.slot.micros())
                .bind(slot.status.as_str())
                .bind(slot.reason.map(conveyor_model::schedule::SlotReason::as_str))
                .bind(i64::try_from(slot.count).unwrap_or(i64::MAX))
                .bind(job_id.map(i64::from))
                .bind(slot.at.micros())
                .execute(&mut *tx.conn)
                .await?;
            *totals.entry(slot.status.as_str()).or_default() += slot.count;
        }
        for (status, n) in totals {
            sqlx::query(
                "INSERT INTO slot_total (schedule, status, n) VALUES (?, ?, ?)
                 ON CONFLICT (schedule, status) DO UPDATE SET n = n + excluded.n",
            )
            .bind(decision.name.as_str())
            .bind(status)
            .bind(i64::try_from(n).unwrap_or(i64::MAX))
            .execute(&mut *tx.conn)
            .await?;
        }
        sqlx::query("UPDATE schedule SET next_at = ?, waiting_slot = NULL WHERE name = ?")
            .bind(decision.next_at.map(Timestamp::micros))
            .bind(decision.name.as_str())
            .execute(&mut *tx.conn)
            .await?;
        tx.effects.tell(Event::Schedule {
            schedule: decision.name.clone(),
        });
        Ok(Decided::Done { cancelled })
    }
}

impl Decide {
    /// Whether the schedule is as it was when it was decided on, and no slot of it was decided since.
    async fn is_first(&self, tx: &mut Tx<'_>) -> StoreResult<bool> {
        let slots: Vec<i64> = self
            .decision
            .slots
            .iter()
            .map(|slot| slot.slot.micros())
            .collect();
        let first: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM schedule WHERE name = ?1 AND version = ?2)
                AND NOT EXISTS (SELECT 1 FROM slot WHERE schedule = ?1
                                AND slot IN (SELECT value FROM json_each(?3)))",
        )
        .bind(self.decision.name.as_str())
        .bind(self.decision.version)
        .bind(json(&slots)?)
        .fetch_one(&mut *tx.conn)
        .await?;
        Ok(first)
    }

    /// Calls off the schedule's unfinished jobs, of which those that run are asked to stop; answers how
    /// many there were.
    async fn cancel(&self, tx: &mut Tx<'_>) -> StoreResult<usize> {
        let ids: Vec<i64> = sqlx::query_scalar(UNFINISHED)
            .bind(self.decision.name.as_str())
            .fetch_all(&mut *tx.conn)
            .await?;
        let mut moves = Vec::new();
        for hot in moves::load(&ids, tx).await? {
            if !hot.state.allows(Action::Cancel) {
                continue;
            }
            let mut change = Move::of(hot);
            if change.before.state == State::Running {
                let asked = change.before.cancel_requested_at.or(Some(self.now));
                change.after.cancel_requested_at = asked;
            } else {
                change.after.cancel(self.now);
            }
            moves.push(change);
        }
        let cancelled = moves.len();
        moves::apply(moves, tx).await?;
        Ok(cancelled)
    }
}
