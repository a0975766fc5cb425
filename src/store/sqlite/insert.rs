//! Storing jobs.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use conveyor_model::error::{ConflictCode, OperatorError};
use conveyor_model::name::JobId;
use conveyor_model::new_job::NewJob;
use conveyor_model::operator::Enqueued;
use conveyor_model::retry::Backoff;
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;
use sqlx::Row;
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;

use super::error::corrupt;
use super::lanes::Lane;
use super::request::Request;
use super::work::{Fold, Tx, Work, weight_of};
use crate::store::{Insert, StoreResult};

/// How many jobs one statement stores: fixed sizes, so that statements stay prepared, each half of the one
/// before, so that any number of jobs takes few of them.
const SIZES: [usize; 10] = [512, 256, 128, 64, 32, 16, 8, 4, 2, 1];
const JOB_COLUMNS: usize = 10;
const BODY_COLUMNS: usize = 6;

/// Both tables in one text, which costs one turn of the connection's thread instead of two.
static SQL: LazyLock<[String; SIZES.len()]> = LazyLock::new(|| {
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
        format!("{jobs}; {bodies}")
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

#[async_trait]
impl Fold for Inserts {
    async fn fold(group: &[&Self], tx: &mut Tx<'_>) -> StoreResult<Vec<StoreResult<Self::Out>>> {
        let mut keys = stored_keys(group, tx).await?;
        let mut fresh = Vec::new();
        let verdicts: Vec<Vec<Verdict>> = group
            .iter()
            .map(|inserts| inserts.decide(&mut keys, &mut fresh))
            .collect();
        let ids = store(&fresh, tx).await?;
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
async fn stored_keys<'a>(
    group: &[&'a Inserts],
    tx: &mut Tx<'_>,
) -> StoreResult<HashMap<&'a str, Known>> {
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
    let rows = sqlx::query(KEYS)
        .bind(json(&list)?)
        .fetch_all(&mut *tx.conn)
        .await?;
    for row in rows {
        let id: i64 = row.try_get(0)?;
        let key: String = row.try_get(1)?;
        let request: Option<String> = row.try_get(2)?;
        let bad = |why: String| corrupt(format!("the request of job {id}"), why);
        let request = request.ok_or_else(|| bad("it is missing".to_owned()))?;
        let request = serde_json::from_str(&request).map_err(|why| bad(why.to_string()))?;
        let id = JobId::try_from(id).map_err(|why| bad(why.to_string()))?;
        if let Some(key) = asked.get(key.as_str()) {
            keys.insert(
                *key,
                Known {
                    id: KnownId::Stored(id),
                    request,
                },
            );
        }
    }
    Ok(keys)
}

/// A value as JSON text.
pub(super) fn json<T: serde::Serialize + ?Sized>(value: &T) -> StoreResult<String> {
    serde_json::to_string(value).map_err(|why| corrupt("a value to store", why))
}

/// Stores jobs; answers their ids in the order given.
pub(super) async fn store(fresh: &[Fresh<'_>], tx: &mut Tx<'_>) -> StoreResult<Vec<JobId>> {
    let Ok(count @ 1..) = i64::try_from(fresh.len()) else {
        return Ok(Vec::new());
    };
    let last: i64 = sqlx::query_scalar(
        "UPDATE counter SET value = value + ? WHERE name = 'job' RETURNING value",
    )
    .bind(count)
    .fetch_one(&mut *tx.conn)
    .await?;
    let first = last - count + 1;
    let ids: Vec<JobId> = (first..=last)
        .map(|id| JobId::try_from(id).map_err(|why| corrupt("the job counter", why)))
        .collect::<StoreResult<_>>()?;
    let mut rows = Vec::with_capacity(fresh.len());
    for (fresh, id) in fresh.iter().zip(&ids) {
        let lane = tx
            .lanes
            .of(tx.conn, &fresh.job.queue, &fresh.job.kind)
            .await?;
        rows.push(JobRow::new(fresh, *id, lane));
    }
    write_rows(&rows, tx).await?;
    write_tags(&rows, tx).await?;
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

    fn bind_job(
        &self,
        query: Query<'a, sqlx::Sqlite, SqliteArguments>,
    ) -> Query<'a, sqlx::Sqlite, SqliteArguments> {
        let job = self.fresh.job;
        query
            .bind(self.id.get())
            .bind(self.state.as_str())
            .bind(self.lane.id)
            .bind(i64::from(job.priority.get()))
            .bind(self.run_at.micros())
            .bind(i64::from(job.max_attempts))
            .bind(job.timeout.micros())
            .bind(self.fresh.now.micros())
            .bind(job.schedule.as_ref().map(AsRef::<str>::as_ref))
            .bind(job.idempotency_key.as_ref().map(AsRef::<str>::as_ref))
    }

    fn bind_body(
        &self,
        query: Query<'a, sqlx::Sqlite, SqliteArguments>,
    ) -> StoreResult<Query<'a, sqlx::Sqlite, SqliteArguments>> {
        let job = self.fresh.job;
        let meta = if job.meta.is_empty() {
            None
        } else {
            Some(json(&job.meta)?)
        };
        let tags = if job.tags.is_empty() {
            None
        } else {
            Some(json(&job.tags)?)
        };
        let usual = job.backoff == Backoff::default();
        let backoff = if usual {
            None
        } else {
            Some(json(&job.backoff)?)
        };
        let request = self.fresh.request.as_ref().map(json).transpose()?;
        Ok(query
            .bind(self.id.get())
            .bind(job.payload.as_str())
            .bind(meta)
            .bind(tags)
            .bind(backoff)
            .bind(request))
    }
}

async fn write_rows(rows: &[JobRow<'_>], tx: &mut Tx<'_>) -> StoreResult<()> {
    let mut rest = rows;
    while !rest.is_empty() {
        let fit = SIZES
            .iter()
            .position(|size| *size <= rest.len())
            .unwrap_or(SIZES.len() - 1);
        let (chunk, later) = rest.split_at(SIZES[fit].min(rest.len()));
        let mut query = sqlx::query(SQL[fit].as_str());
        for row in chunk {
            query = row.bind_job(query);
        }
        for row in chunk {
            query = row.bind_body(query)?;
        }
        query.execute(&mut *tx.conn).await?;
        rest = later;
    }
    Ok(())
}

async fn write_tags(rows: &[JobRow<'_>], tx: &mut Tx<'_>) -> StoreResult<()> {
    let mut list = String::from("[");
    for row in rows {
        for tag in &row.fresh.job.tags {
            let gap = if list.len() > 1 { "," } else { "" };
            let _ = write!(list, "{gap}[{},{}]", row.id, json(tag)?);
        }
    }
    if list.len() == 1 {
        return Ok(());
    }
    list.push(']');
    sqlx::query(
        "INSERT OR IGNORE INTO job_tag (tag, id) SELECT value ->> 1, value ->> 0 FROM json_each(?)",
    )
    .bind(list)
    .execute(&mut *tx.conn)
    .await?;
    Ok(())
}
