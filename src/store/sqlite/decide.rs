//! Carrying out what upkeep decided of a schedule's slots.

use std::collections::BTreeMap;

use conveyor_model::event::Event;
use conveyor_model::schedule::{SlotReason, SlotStatus};
use conveyor_model::state::{Action, State};
use conveyor_model::time::Timestamp;
use rusqlite::{Connection, params};

use super::error::corrupt;
use super::insert::{self, Fresh, json};
use super::moves::{self, Move};
use super::schedules::{self, UNFINISHED};
use super::sql::Sql;
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

impl Single for Decide {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<Decided> {
        let decision = &self.decision;
        if !self.is_first(tx.conn)? {
            return Ok(Decided::TooLate);
        }
        // The write lock is held, so what is read here stays true until the job is stored.
        if let Some(taken) = decision.busy {
            let busy = schedules::is_busy(tx.conn, &decision.name)?;
            if busy != taken {
                return Ok(Decided::Overtaken { busy });
            }
        }
        let cancelled = if decision.cancel { self.cancel(tx)? } else { 0 };
        let fresh: Vec<Fresh<'_>> = decision
            .jobs
            .iter()
            .map(|job| Fresh {
                job,
                now: self.now,
                request: None,
            })
            .collect();
        let mut ids = insert::store(&fresh, tx)?.into_iter();
        let mut totals: BTreeMap<&'static str, u64> = BTreeMap::new();
        for slot in &decision.slots {
            let job_id = match slot.status {
                SlotStatus::Fired | SlotStatus::Late => Some(
                    ids.next()
                        .ok_or_else(|| corrupt("a decision", "a fired slot has no job"))?,
                ),
                SlotStatus::Skipped => None,
            };
            tx.conn.run(
                "INSERT INTO slot (schedule, slot, status, reason, n, job_id, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                params![
                    decision.name.as_str(),
                    slot.slot.micros(),
                    slot.status.as_str(),
                    slot.reason.map(SlotReason::as_str),
                    i64::try_from(slot.count).unwrap_or(i64::MAX),
                    job_id.map(i64::from),
                    slot.at.micros(),
                ],
            )?;
            *totals.entry(slot.status.as_str()).or_default() += slot.count;
        }
        for (status, n) in totals {
            let n = i64::try_from(n).unwrap_or(i64::MAX);
            tx.conn.run(
                "INSERT INTO slot_total (schedule, status, n) VALUES (?, ?, ?)
                 ON CONFLICT (schedule, status) DO UPDATE SET n = n + excluded.n",
                params![decision.name.as_str(), status, n],
            )?;
        }
        let next_at = decision.next_at.map(Timestamp::micros);
        tx.conn.run(
            "UPDATE schedule SET next_at = ?, waiting_slot = NULL WHERE name = ?",
            params![next_at, decision.name.as_str()],
        )?;
        tx.effects.tell(Event::Schedule {
            schedule: decision.name.clone(),
        });
        Ok(Decided::Done { cancelled })
    }
}

impl Decide {
    /// Whether the schedule is as it was when it was decided on, and no slot of it was decided since.
    fn is_first(&self, conn: &Connection) -> StoreResult<bool> {
        let slots: Vec<i64> = self
            .decision
            .slots
            .iter()
            .map(|slot| slot.slot.micros())
            .collect();
        let (name, version) = (self.decision.name.as_str(), self.decision.version);
        conn.one(
            "SELECT EXISTS (SELECT 1 FROM schedule WHERE name = ?1 AND version = ?2)
                AND NOT EXISTS (SELECT 1 FROM slot WHERE schedule = ?1
                                AND slot IN (SELECT value FROM json_each(?3)))",
            params![name, version, json(&slots)?],
            |row| Ok(row.get(0)?),
        )
    }

    /// Calls off the schedule's unfinished jobs, of which those that run are asked to stop; answers how
    /// many there were.
    fn cancel(&self, tx: &mut Tx<'_>) -> StoreResult<usize> {
        let name = self.decision.name.as_str();
        let ids: Vec<i64> = tx.conn.all(UNFINISHED, [name], |row| Ok(row.get(0)?))?;
        let mut moves = Vec::new();
        for hot in moves::load(&ids, tx)? {
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
        moves::apply(moves, tx)?;
        Ok(cancelled)
    }
}
