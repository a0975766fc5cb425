//! Storing jobs.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use conveyor_model::error::{ConflictCode, OperatorError};
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;
use conveyor_model::operator::Enqueued;
use conveyor_model::retry::Backoff;
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;
use rusqlite::params;

use super::error::corrupt;
use super::lanes::Lane;
use super::request::Request;
use super::row;
use super::sql::{Places, Sql};
use super::work::{Fold, Tx, Work, weight_of};
use crate::store::{Insert, StoreResult};

/// How many jobs one statement stores: fixed sizes, so that statements stay prepared, each half of the one
/// before, so that any number of jobs takes few of them.
const SIZES: [usize; 10] = [512, 256, 128, 64, 32, 16, 8, 4, 2, 1];
const JOB_COLUMNS: usize = 10;
const BODY_COLUMNS: usize = 6;

/// The statements for the rows that change in a job's life, and for what stays.
static SQL: LazyLock<[[String; 2]; SIZES.len()]> = LazyLock::new(|| {
    SIZES.map(|size| {
        let jobs = values(
            "INSERT INTO job (id, state, lane, priority, run_at, max_attempts, timeout, created_at, schedule, idempotency_key)",
            JOB_COLUMNS,
            size,
        );
        let bodies = values(
            "INSERT INTO job_body (id, payload, meta, tags, backoff, request)",
            BODY_COLUMNS,
            size,
        );
        [jobs, bodies]
    })
});

fn values(insert: &str, columns: usize, rows: usize) -> String {
    let row = format!("({})", vec!["?"; columns].join(", "));
    format!("{insert} VALUES {}", vec![row.as_str(); rows].join(", "))
}

/// A request to store jobs.
#[derive(Debug)]
pub(super) struct Inserts {
    insert: Insert,
    now: Timestamp,
}

impl Inserts {
    /// Stores the jobs as if at `now`.
    pub(super) fn new(insert: Insert, now: Timestamp) -> Self {
        Inserts { insert, now }
    }

    /// When it was asked.
    pub(super) fn now(&self) -> Timestamp {
        self.now
    }
}

impl Work for Inserts {
    type Out = Vec<Result<Enqueued, OperatorError>>;

    fn weight(&self) -> usize {
        let weight = |job: &NewJob| weight_of(job.payload.as_str().len());
        self.insert.jobs.iter().map(weight).sum()
    }
}

/// A job that an idempotency key stands for.
#[derive(Clone, Debug)]
struct Known {
    id: KnownId,
    request: Request,
}

#[derive(Clone, Copy, Debug)]
enum KnownId {
    Stored(JobId),
    /// Stored by this batch, as its n-th job.
    Fresh(usize),
}

/// What becomes of one job of a request.
enum Verdict {
    Fresh(usize),
    Existing(KnownId),
    Reused(KnownId, Vec<String>),
    /// Sound, but another job of an all-or-none request was refused.
    Dropped,
}

/// A job to store.
pub(super) struct Fresh<'a> {
    pub(super) job: &'a NewJob,
    pub(super) now: Timestamp,
    pub(super) request: Option<Request>,
}

impl Fold for Inserts {
    fn fold(group: &[&Self], tx: &mut Tx<'_>) -> StoreResult<Vec<StoreResult<Self::Out>>> {
        let mut keys = stored_keys(group, tx)?;
        let mut fresh = Vec::new();
        let verdicts: Vec<Vec<Verdict>> = group
            .iter()
            .map(|inserts| inserts.decide(&mut keys, &mut fresh))
            .collect();
        let ids = store(&fresh, tx)?;
        let id_of = |known| match known {
            KnownId::Stored(id) => Ok(id),
            KnownId::Fresh(n) => ids
                .get(n)
                .copied()
                .ok_or_else(|| corrupt("a batch", "it lost count of its jobs")),
        };
        let answer = |verdict| {
            Ok(match verdict {
                Verdict::Fresh(n) => Ok(Enqueued {
                    id: id_of(KnownId::Fresh(n))?,
                    existing: false,
                }),
                Verdict::Existing(known) => Ok(Enqueued {
                    id: id_of(known)?,
                    existing: true,
                }),
                Verdict::Reused(known, differs) => Err(OperatorError::KeyReused {
                    job: id_of(known)?,
                    differs,
                }),
                Verdict::Dropped => Err(OperatorError::conflict(
                    ConflictCode::KeyReused,
                    "not stored, because another job of the same request was refused",
                )),
            })
        };
        let answers = verdicts
            .into_iter()
            .map(|verdicts| verdicts.into_iter().map(answer).collect());
        Ok(answers.collect())
    }
}

impl Inserts {
    /// Decides each job against the keys that are taken; what is to be stored is added to `fresh`.
    fn decide<'a>(
        &'a self,
        keys: &mut HashMap<&'a str, Known>,
        fresh: &mut Vec<Fresh<'a>>,
    ) -> Vec<Verdict> {
        let before = fresh.len();
        let mut taken = Vec::new();
        let mut verdicts = Vec::with_capacity(self.insert.jobs.len());
        for job in &self.insert.jobs {
            let key = job
                .idempotency_key
                .as_ref()
                .map(|key| (key.as_str(), Request::of(job)));
            if let Some((key, request)) = &key
                && let Some(known) = keys.get(key)
            {
                let differs = request.differs(&known.request);
                verdicts.push(if differs.is_empty() {
                    Verdict::Existing(known.id)
                } else {
                    Verdict::Reused(known.id, differs)
                });
                continue;
            }
            let n = fresh.len();
            let mut stored = Fresh {
                job,
                now: self.now,
                request: None,
            };
            if let Some((key, request)) = key {
                stored.request = Some(request.clone());
                keys.insert(
                    key,
                    Known {
                        id: KnownId::Fresh(n),
                        request,
                    },
                );
                taken.push(key);
            }
            fresh.push(stored);
            verdicts.push(Verdict::Fresh(n));
        }
        let refused = verdicts
            .iter()
            .any(|verdict| matches!(verdict, Verdict::Reused(..)));
        if self.insert.atomic && refused {
            fresh.truncate(before);
            for key in taken {
                keys.remove(key);
            }
            for verdict in &mut verdicts {
                match verdict {
                    Verdict::Reused(KnownId::Stored(_), _) => {}
                    // A job that is not stored either has no id to name.
                    Verdict::Reused(KnownId::Fresh(n), _) if *n < before => {}
                    _ => *verdict = Verdict::Dropped,
                }
            }
        }
        verdicts
    }
}

/// The jobs of some keys.
pub(super) const KEYS: &str =
    "SELECT id, idempotency_key, (SELECT request FROM job_body b WHERE b.id = job.id)
     FROM job WHERE idempotency_key IN (SELECT value FROM json_each(?))";

/// The keys of a group that are taken already.
fn stored_keys<'a>(group: &[&'a Inserts], tx: &mut Tx<'_>) -> StoreResult<HashMap<&'a str, Known>> {
    let asked: HashSet<&str> = group
        .iter()
        .flat_map(|inserts| &inserts.insert.jobs)
        .filter_map(|job| Some(job.idempotency_key.as_ref()?.as_str()))
        .collect();
    let mut keys = HashMap::new();
    if asked.is_empty() {
        return Ok(keys);
    }
    let list: Vec<&str> = asked.iter().copied().collect();
    tx.conn.all(KEYS, [json(&list)?], |row| {
        let id = row::id(row, 0)?;
        let bad = |why: String| corrupt(format!("the request of job {id}"), why);
        let request = row.get_ref(2)?.as_str_or_null().ok().flatten();
        let request = request.ok_or_else(|| bad("it is missing".to_owned()))?;
        let request = serde_json::from_str(request).map_err(|why| bad(why.to_string()))?;
        let id = KnownId::Stored(id);
        if let Some(key) = asked.get(row::text(row, 1)?) {
            keys.insert(*key, Known { id, request });
        }
        Ok(())
    })?;
    Ok(keys)
}

/// A value as JSON text.
pub(super) fn json<T: serde::Serialize + ?Sized>(value: &T) -> StoreResult<String> {
    serde_json::to_string(value).map_err(|why| corrupt("a value to store", why))
}

/// Stores jobs; answers their ids in the order given.
pub(super) fn store(fresh: &[Fresh<'_>], tx: &mut Tx<'_>) -> StoreResult<Vec<JobId>> {
    let Ok(count @ 1..) = i64::try_from(fresh.len()) else {
        return Ok(Vec::new());
    };
    let last: i64 = tx.conn.one(
        "UPDATE counter SET value = value + ? WHERE name = 'job' RETURNING value",
        [count],
        |row| Ok(row.get(0)?),
    )?;
    let first = last - count + 1;
    let ids: Vec<JobId> = (first..=last)
        .map(|id| JobId::try_from(id).map_err(|why| corrupt("the job counter", why)))
        .collect::<StoreResult<_>>()?;
    let mut rows = Vec::with_capacity(fresh.len());
    for (fresh, id) in fresh.iter().zip(&ids) {
        let lane = tx.lanes.of(tx.conn, &fresh.job.queue, &fresh.job.kind)?;
        rows.push(JobRow::new(fresh, *id, lane));
    }
    write_rows(&rows, tx)?;
    write_tags(&rows, tx)?;
    for row in &rows {
        tx.effects.moved(&row.lane, None, Some(row.state));
        tx.effects.enqueued(&row.lane, row.fresh.now, 1);
        if tx.watched {
            tx.effects.changed(row.id, Some(row.state), &row.lane, 1);
        }
    }
    Ok(ids)
}

/// A job about to become a row.
struct JobRow<'a> {
    id: JobId,
    lane: Arc<Lane>,
    state: State,
    run_at: Timestamp,
    fresh: &'a Fresh<'a>,
}

impl<'a> JobRow<'a> {
    fn new(fresh: &'a Fresh<'a>, id: JobId, lane: Arc<Lane>) -> Self {
        let run_at = fresh.job.due.at(fresh.now);
        JobRow {
            id,
            lane,
            state: State::by_time(run_at, fresh.now),
            run_at,
            fresh,
        }
    }

    fn bind_job(&self, to: &mut Places<'_, '_>) -> StoreResult<()> {
        let job = self.fresh.job;
        to.bind(self.id.get())?;
        to.bind(self.state.as_str())?;
        to.bind(self.lane.id)?;
        to.bind(job.priority.get())?;
        to.bind(self.run_at.micros())?;
        to.bind(job.max_attempts)?;
        to.bind(job.timeout.micros())?;
        to.bind(self.fresh.now.micros())?;
        to.bind(job.schedule.as_ref().map(AsRef::<str>::as_ref))?;
        to.bind(job.idempotency_key.as_ref().map(AsRef::<str>::as_ref))
    }

    fn bind_body(&self, to: &mut Places<'_, '_>) -> StoreResult<()> {
        let job = self.fresh.job;
        let meta = (!job.meta.is_empty())
            .then(|| json(&job.meta))
            .transpose()?;
        let tags = (!job.tags.is_empty())
            .then(|| json(&job.tags))
            .transpose()?;
        let usual = job.backoff == Backoff::default();
        let backoff = (!usual).then(|| json(&job.backoff)).transpose()?;
        let request = self.fresh.request.as_ref().map(json).transpose()?;
        to.bind(self.id.get())?;
        to.bind(job.payload.as_str())?;
        to.bind(meta)?;
        to.bind(tags)?;
        to.bind(backoff)?;
        to.bind(request)
    }
}

fn write_rows(rows: &[JobRow<'_>], tx: &mut Tx<'_>) -> StoreResult<()> {
    let mut rest = rows;
    while !rest.is_empty() {
        let fit = SIZES
            .iter()
            .position(|size| *size <= rest.len())
            .unwrap_or(SIZES.len() - 1);
        let (chunk, later) = rest.split_at(SIZES[fit].min(rest.len()));
        let [jobs, bodies] = &SQL[fit];
        write_chunk(jobs, chunk, tx, JobRow::bind_job)?;
        write_chunk(bodies, chunk, tx, JobRow::bind_body)?;
        rest = later;
    }
    Ok(())
}

fn write_chunk<'a>(
    sql: &str,
    chunk: &[JobRow<'a>],
    tx: &mut Tx<'_>,
    bind: impl Fn(&JobRow<'a>, &mut Places<'_, '_>) -> StoreResult<()>,
) -> StoreResult<()> {
    let mut statement = tx.conn.prepare_cached(sql)?;
    let mut places = Places::of(&mut statement);
    for row in chunk {
        bind(row, &mut places)?;
    }
    statement.raw_execute()?;
    Ok(())
}

fn write_tags(rows: &[JobRow<'_>], tx: &mut Tx<'_>) -> StoreResult<()> {
    for row in rows {
        for tag in &row.fresh.job.tags {
            tx.conn.run(
                "INSERT OR IGNORE INTO job_tag (tag, id) VALUES (?, ?)",
                params![tag.as_str(), row.id.get()],
            )?;
        }
    }
    Ok(())
}
