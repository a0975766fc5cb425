//! What a batch does besides changing jobs: counts, roll-ups, the groups of the dead letter, events.
//! It is gathered while the batch runs and written once, in the same transaction.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use conveyor_model::event::{Event, JobChanged};
use conveyor_model::job::Outcome;
use conveyor_model::name::{JobId, Kind};
use conveyor_model::state::State;
use conveyor_model::stats::bucket;
use conveyor_model::time::{MICROS, Span, Timestamp};
use rusqlite::{Connection, params};

use super::lanes::Lane;
use super::rollup::{self, Metric, Step};
use super::runs::Runs;
use super::sql::Sql;
use crate::events::{BURST, Changes, Events};
use crate::metrics::meters::Meters;
use crate::store::StoreResult;

/// The finest step of history, in seconds.
pub(super) const STEP_SECS: i64 = 10;

/// Changes that one batch makes to things that are summed up.
#[derive(Debug, Default)]
pub(super) struct Effects {
    counts: HashMap<(i64, State), i64>,
    steps: HashMap<(i64, i64), Step>,
    runs: Runs,
    dead: HashMap<String, DeadChange>,
    leases_expired: i64,
    /// Of each lane its kind, and how many jobs came to their end with which attempt.
    attempts: HashMap<i64, (Kind, BTreeMap<u32, u64>)>,
    events: Vec<Event>,
    /// Whether there were more events than are told one by one.
    many: bool,
    ready: bool,
}

/// What becomes of one group of the dead letter.
#[derive(Debug, Default)]
struct DeadChange {
    n: i64,
    latest: Option<Death>,
}

/// A job's death, for the group it falls into.
#[derive(Clone, Debug)]
pub(super) struct Death {
    pub(super) id: i64,
    pub(super) kind: String,
    pub(super) class: String,
    pub(super) message: String,
    pub(super) at: Timestamp,
}

impl Effects {
    /// Adds what another part of the batch did.
    pub(super) fn merge(&mut self, other: Effects) {
        for (key, n) in other.counts {
            *self.counts.entry(key).or_default() += n;
        }
        for (key, step) in other.steps {
            self.steps.entry(key).or_default().merge(&step);
        }
        self.runs.merge(other.runs);
        for (fingerprint, change) in other.dead {
            let mine = self.dead.entry(fingerprint).or_default();
            mine.n += change.n;
            mine.latest = change.latest.or(mine.latest.take());
        }
        for (lane, (kind, jobs)) in other.attempts {
            let (_, mine) = self.attempts.entry(lane).or_insert((kind, BTreeMap::new()));
            for (attempt, n) in jobs {
                *mine.entry(attempt).or_default() += n;
            }
        }
        self.leases_expired += other.leases_expired;
        other.events.into_iter().for_each(|event| self.tell(event));
        self.many |= other.many;
        self.ready |= other.ready;
    }

    /// A job came into being (`from` is none), changed its state, or went (`to` is none).
    pub(super) fn moved(&mut self, lane: &Lane, from: Option<State>, to: Option<State>) {
        self.moved_many(lane.id, from, to, 1);
    }

    /// The same for `n` jobs of a lane.
    pub(super) fn moved_many(&mut self, lane: i64, from: Option<State>, to: Option<State>, n: i64) {
        if let Some(from) = from {
            *self.counts.entry((lane, from)).or_default() -= n;
        }
        if let Some(to) = to {
            *self.counts.entry((lane, to)).or_default() += n;
            self.ready |= to == State::Ready;
        }
    }

    /// Lanes that have more ready jobs than the stored counts say.
    pub(super) fn newly_ready(&self) -> Vec<i64> {
        self.counts
            .iter()
            .filter(|((_, state), n)| *state == State::Ready && **n > 0)
            .map(|((lane, _), _)| *lane)
            .collect()
    }

    fn step(&mut self, lane: &Lane, now: Timestamp) -> &mut Step {
        let start = now.secs().div_euclid(STEP_SECS) * STEP_SECS * MICROS;
        self.steps.entry((start, lane.series)).or_default()
    }

    /// `n` jobs were stored.
    pub(super) fn enqueued(&mut self, lane: &Lane, now: Timestamp, n: i64) {
        self.step(lane, now).add(Metric::Enqueued, n);
    }

    /// A job was claimed that had been due for `wait`.
    pub(super) fn claimed(&mut self, lane: &Lane, now: Timestamp, wait: Span) {
        let step = self.step(lane, now);
        step.add(Metric::Wait, wait.micros());
        step.add(Metric::WaitBucket(bucket(wait)), 1);
    }

    /// An attempt ended after `run`.
    pub(super) fn ended(&mut self, lane: &Lane, now: Timestamp, outcome: Outcome, run: Span) {
        let step = self.step(lane, now);
        step.add(Metric::Ended(outcome), 1);
        step.add(Metric::Run, run.micros());
        step.add(Metric::RunBucket(bucket(run)), 1);
        self.runs.ended(lane.series, outcome, run);
    }

    /// A job came to its end with attempt number `attempt`.
    pub(super) fn over(&mut self, lane: &Lane, attempt: u32) {
        let (_, jobs) = self
            .attempts
            .entry(lane.id)
            .or_insert_with(|| (lane.kind.clone(), BTreeMap::new()));
        *jobs.entry(attempt).or_default() += 1;
    }

    /// Tells the meters, once all of it is committed.
    pub(super) fn measure(&self, meters: &Meters) {
        for (kind, jobs) in self.attempts.values() {
            for (attempt, n) in jobs {
                meters.ended(kind.as_str(), *attempt, *n);
            }
        }
    }

    /// A failed attempt will be followed by another.
    pub(super) fn retried(&mut self, lane: &Lane, now: Timestamp) {
        self.step(lane, now).add(Metric::Retried, 1);
    }

    /// A lease ran out.
    pub(super) fn lease_expired(&mut self) {
        self.leases_expired += 1;
    }

    /// A job died and fell into a group.
    pub(super) fn died(&mut self, lane: &Lane, fingerprint: &str, death: Death) {
        self.step(lane, death.at).add(Metric::Died, 1);
        let change = self.dead.entry(fingerprint.to_owned()).or_default();
        change.n += 1;
        change.latest = Some(death);
    }

    /// A dead job left its group.
    pub(super) fn left_dead(&mut self, fingerprint: &str) {
        self.dead.entry(fingerprint.to_owned()).or_default().n -= 1;
    }

    /// A job changed, for whoever watches.
    pub(super) fn changed(&mut self, id: JobId, state: Option<State>, lane: &Lane, version: i64) {
        if self.has_room() {
            self.events.push(Event::Job(JobChanged {
                id,
                state,
                queue: lane.queue.clone(),
                kind: lane.kind.clone(),
                version,
            }));
        }
    }

    /// Something else changed, for whoever watches.
    pub(super) fn tell(&mut self, event: Event) {
        if self.has_room() {
            self.events.push(event);
        }
    }

    fn has_room(&mut self) -> bool {
        self.many |= self.events.len() >= BURST;
        !self.many
    }

    /// Jobs that were held back may be taken now.
    pub(super) fn wake(&mut self) {
        self.ready = true;
    }

    /// After the commit: tells everybody who watches. Answers whether jobs may be taken that could not
    /// be before.
    pub(super) fn publish(self, events: &Events) -> bool {
        if self.many {
            events.publish(Changes::Many);
        } else if !self.events.is_empty() {
            let each = self.events.into_iter().map(Arc::new);
            events.publish(Changes::Each(each.collect()));
        }
        self.ready
    }

    /// Writes the sums, before the commit.
    pub(super) fn write(&mut self, conn: &Connection) -> StoreResult<()> {
        self.write_counts(conn)?;
        let steps: Vec<_> = self.steps.drain().collect();
        rollup::add(conn, &steps)?;
        self.runs.write(conn)?;
        self.write_dead(conn)?;
        if self.leases_expired > 0 {
            conn.run(
                "UPDATE counter SET value = value + ? WHERE name = 'leases_expired'",
                [self.leases_expired],
            )?;
            self.leases_expired = 0;
        }
        Ok(())
    }

    fn write_counts(&mut self, conn: &Connection) -> StoreResult<()> {
        for ((lane, state), n) in self.counts.drain().filter(|(_, n)| *n != 0) {
            conn.run(
                "INSERT INTO job_count (lane, state, n) VALUES (?, ?, ?)
                 ON CONFLICT (state, lane) DO UPDATE SET n = n + excluded.n",
                params![lane, state.as_str(), n],
            )?;
        }
        Ok(())
    }

    fn write_dead(&mut self, conn: &Connection) -> StoreResult<()> {
        for (fingerprint, change) in self.dead.drain() {
            if let Some(death) = change.latest {
                conn.run(
                    "INSERT INTO dead_group (fingerprint, kind, class, message, n, first_at, last_at, sample)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)
                     ON CONFLICT (fingerprint) DO UPDATE SET message = excluded.message, n = n + excluded.n,
                         last_at = max(last_at, excluded.last_at), sample = excluded.sample",
                    params![
                        fingerprint,
                        death.kind,
                        death.class,
                        death.message,
                        change.n,
                        death.at.micros(),
                        death.id
                    ],
                )?;
            } else {
                // The job that stood for the group may be the one that left.
                conn.run(
                    "UPDATE dead_group SET n = n + ?2,
                         sample = (SELECT max(id) FROM job WHERE dead_group = ?1)
                     WHERE fingerprint = ?1",
                    params![fingerprint, change.n],
                )?;
            }
            if change.n <= 0 {
                conn.run(
                    "DELETE FROM dead_group WHERE fingerprint = ? AND n <= 0",
                    [&fingerprint],
                )?;
            }
        }
        Ok(())
    }
}
