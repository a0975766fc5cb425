//! Taking ready jobs under a lease.
//!
//! Ready jobs stand in order within their lane, so a claim merges the lanes it may take from: paused
//! queues and kinds nobody asked for are not looked at, and the cost does not grow with the backlog.

use std::sync::{Arc, LazyLock};

use conveyor_model::job::{Claimed, PREVIEW};
use conveyor_model::name::LeaseToken;
use conveyor_model::state::State;
use conveyor_model::time::{Span, Timestamp};
use rusqlite::{Row, params};
use serde::Deserialize;

use super::insert::json;
use super::job::last_errors;
use super::lanes::Lane;
use super::row;
use super::sql::{Places, Sql};
use super::work::{Fold, Tx, Work};
use crate::store::{Claim, StoreError, StoreResult};

/// How many lanes one statement merges, at most the last; fixed sizes keep statements prepared.
const SIZES: [usize; 5] = [1, 4, 16, 64, 256];

/// A lane no job is in, to fill a statement up.
const NO_LANE: i64 = -1;

pub(super) static SQL: LazyLock<[String; 5]> = LazyLock::new(|| SIZES.map(statement));

/// The plus keeps the planner from looking through all ready jobs for those that were chosen.
fn statement(lanes: usize) -> String {
    let lane = "SELECT id, priority, run_at FROM job WHERE state = 'ready' AND lane = ?";
    let merged = vec![lane; lanes].join(" UNION ALL ");
    format!(
        "UPDATE job SET state = 'running', attempt = attempt + 1, token = token + 1,
             version = version + 1, started_at = ?, worker = ?, lease_until = ?, lease = ?
         WHERE +state = 'ready' AND id IN
             (SELECT id FROM ({merged} ORDER BY priority DESC, run_at, id LIMIT ?))
         RETURNING id, token, lane, priority, attempt, max_attempts, timeout, run_at, created_at,
             schedule, version,
             (SELECT payload FROM job_body b WHERE b.id = job.id),
             (SELECT iif(coalesce(meta, tags, backoff) IS NULL, NULL, json_array(meta, tags, backoff))
              FROM job_body b WHERE b.id = job.id),
             iif(token > 1, (SELECT result FROM job_result r WHERE r.id = job.id), NULL),
             idempotency_key, crash_count"
    )
}

/// A request for jobs.
#[derive(Debug)]
pub(super) struct Claims {
    claim: Claim,
    now: Timestamp,
    waits: bool,
}

impl Claims {
    /// Claims as if at `now`.
    pub(super) fn new(claim: Claim, now: Timestamp) -> Self {
        Claims {
            claim,
            now,
            waits: false,
        }
    }

    /// The same, but it waits while there is nothing.
    pub(super) fn waiting(claim: Claim, now: Timestamp) -> Self {
        Claims {
            claim,
            now,
            waits: true,
        }
    }

    /// Whether it waits while there is nothing.
    pub(super) fn waits(&self) -> bool {
        self.waits
    }

    /// Asks again, at a later time.
    pub(super) fn ask_at(&mut self, now: Timestamp) {
        self.now = self.now.max(now);
    }

    /// When it was asked.
    pub(super) fn now(&self) -> Timestamp {
        self.now
    }
}

impl Work for Claims {
    type Out = Vec<Claimed>;

    fn weight(&self) -> usize {
        self.claim.max
    }
}

impl Fold for Claims {
    fn fold(group: &[&Self], tx: &mut Tx<'_>) -> StoreResult<Vec<StoreResult<Self::Out>>> {
        let now = group
            .iter()
            .map(|claims| claims.now)
            .max()
            .unwrap_or_default();
        let lanes = ready_lanes(now, tx)?;
        // What an earlier claim of the same reach left empty is not asked again.
        let mut empty: Vec<&Claim> = Vec::new();
        let mut answers = Vec::with_capacity(group.len());
        for claims in group {
            let claim = &claims.claim;
            let same = |other: &&Claim| other.queues == claim.queues && other.kinds == claim.kinds;
            if claim.max == 0 || empty.iter().any(same) {
                answers.push(Ok(Vec::new()));
                continue;
            }
            let mut jobs = Vec::new();
            let mut reach: Vec<i64> = lanes
                .iter()
                .filter(|lane| serves(claim, lane))
                .map(|lane| lane.id)
                .collect();
            if !reach.is_empty() {
                if reach.len() > SIZES[SIZES.len() - 1] {
                    reach = foremost(&reach, claim.max, tx)?;
                }
                jobs = take(claims, &reach, tx)?;
            }
            if jobs.len() < claim.max {
                empty.push(claim);
            }
            answers.push(Ok(jobs));
        }
        Ok(answers)
    }
}

fn serves(claim: &Claim, lane: &Lane) -> bool {
    (claim.queues.is_empty() || claim.queues.contains(&lane.queue))
        && claim
            .kinds
            .as_ref()
            .is_none_or(|kinds| kinds.contains(&lane.kind))
}

/// Lanes with ready jobs whose queue is not paused. The counts do not hold yet what this batch did,
/// so its lanes are asked for by number.
fn ready_lanes(now: Timestamp, tx: &mut Tx<'_>) -> StoreResult<Vec<Arc<Lane>>> {
    let fresh = tx.effects.newly_ready();
    let ids: Vec<i64> = tx.conn.all(
        "SELECT l.id FROM lane l
         WHERE (l.id IN (SELECT lane FROM job_count WHERE state = 'ready' AND n > 0)
                OR l.id IN (SELECT value FROM json_each(?)))
           AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.name = l.queue AND q.paused_since IS NOT NULL
                           AND (q.paused_until IS NULL OR q.paused_until > ?))",
        params![json(&fresh)?, now.micros()],
        |row| Ok(row.get(0)?),
    )?;
    let mut lanes = Vec::with_capacity(ids.len());
    for id in ids {
        match tx.lanes.get(tx.conn, id) {
            Ok(lane) => lanes.push(lane),
            Err(error @ StoreError::Corrupt { .. }) => {
                tracing::error!(%error, "a lane is left out of a claim");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(lanes)
}

/// Of many lanes those whose first job goes before the others' first: `max` jobs cannot come from
/// more than `max` lanes, and only from these.
fn foremost(lanes: &[i64], max: usize, tx: &mut Tx<'_>) -> StoreResult<Vec<i64>> {
    let most = i64::try_from(max.min(SIZES[SIZES.len() - 1])).unwrap_or(1);
    tx.conn.all(
        "SELECT j.lane FROM json_each(?) l
         JOIN job j ON j.id = (SELECT id FROM job WHERE state = 'ready' AND lane = l.value
                               ORDER BY priority DESC, run_at, id LIMIT 1)
         ORDER BY j.priority DESC, j.run_at, j.id LIMIT ?",
        params![json(lanes)?, most],
        |row| Ok(row.get(0)?),
    )
}

fn take(claims: &Claims, lanes: &[i64], tx: &mut Tx<'_>) -> StoreResult<Vec<Claimed>> {
    if lanes.is_empty() {
        return Ok(Vec::new());
    }
    let claim = &claims.claim;
    let fit = SIZES
        .iter()
        .position(|size| lanes.len() <= *size)
        .unwrap_or(SIZES.len() - 1);
    let until = claims.now.plus(claim.lease);
    let mut statement = tx.conn.prepare_cached(&SQL[fit])?;
    let mut places = Places::of(&mut statement);
    places.bind(claims.now.micros())?;
    places.bind(claim.worker.as_str())?;
    places.bind(until.micros())?;
    places.bind(claim.lease.micros())?;
    let padding = std::iter::repeat(&NO_LANE);
    for lane in lanes.iter().chain(padding).take(SIZES[fit]) {
        places.bind(lane)?;
    }
    places.bind(i64::try_from(claim.max).unwrap_or(i64::MAX))?;
    let mut rows = statement.raw_query();
    let mut jobs = Vec::with_capacity(claim.max.min(1024));
    let mut tried = Vec::new();
    while let Some(row) = rows.next()? {
        let lane = tx.lanes.get(tx.conn, row.get(2)?)?;
        let (run_at, created_at): (i64, i64) = (row.get(7)?, row.get(8)?);
        let due = Timestamp::from_micros(run_at.max(created_at));
        tx.effects
            .moved(&lane, Some(State::Ready), Some(State::Running));
        tx.effects.claimed(&lane, claims.now, claims.now.since(due));
        match claimed(row, &lane, claims, until) {
            Ok(job) => {
                // Most jobs are at their first attempt, which has no error before it.
                if job.lease_token.0 > 1 {
                    tried.push(job.id.get());
                }
                if tx.watched {
                    tx.effects
                        .changed(job.id, Some(State::Running), &lane, row.get(10)?);
                }
                jobs.push(job);
            }
            // It stays taken: nobody can run it, so its lease runs out until it is dead.
            Err(error) => tracing::error!(%error, "a job cannot be given to a worker"),
        }
    }
    let mut errors = last_errors(tx.conn, &tried)?;
    if !errors.is_empty() {
        for job in &mut jobs {
            job.last_error = errors.remove(&job.id.get());
        }
    }
    jobs.sort_by_key(|job| (std::cmp::Reverse(job.priority), job.run_at, job.id));
    Ok(jobs)
}

/// What few jobs have: meta, tags and a backoff of their own, each as stored.
#[derive(Default, Deserialize)]
struct Rare(Option<String>, Option<String>, Option<String>);

fn claimed(
    row: &Row<'_>,
    lane: &Lane,
    claims: &Claims,
    lease_until: Timestamp,
) -> StoreResult<Claimed> {
    let id = row::id(row, 0)?;
    let payload = row::json_text(row, 11)?;
    let Rare(meta, tags, backoff) = row::json(row, 12)?;
    Ok(Claimed {
        id,
        state: State::Running,
        worker: Some(claims.claim.worker.clone()),
        lease_token: LeaseToken(row.get(1)?),
        lease_until,
        kind: lane.kind.clone(),
        queue: lane.queue.clone(),
        priority: row::priority(row, 3)?,
        attempt: row::count(row, 4)?,
        max_attempts: row::count(row, 5)?,
        timeout_s: Span::from_micros(row.get(6)?),
        payload_preview: payload.preview(PREVIEW),
        payload,
        meta: row::own_json(id, meta.as_deref())?,
        tags: row::own_json(id, tags.as_deref())?,
        idempotency_key: row::parsed(row, 14)?,
        schedule: row::parsed(row, 9)?,
        workflow: None,
        backoff: row::backoff(backoff.as_deref()),
        created_at: row::time(row, 8)?,
        run_at: row::time(row, 7)?,
        started_at: Some(claims.now),
        finished_at: None,
        cancel_requested_at: None,
        progress: None,
        result: row::json_text_or_none(row, 13)?,
        last_error: None,
        crash_count: row::count(row, 15)?,
        dead_reason: None,
        waiting_reason: None,
        version: row.get(10)?,
    })
}
