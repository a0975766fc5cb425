//! Lists of jobs: pages by key, totals, and the search through texts.
//!
//! A page is found in two steps: candidates come in the order of the list from the index that fits the
//! filter best, and what the index cannot decide is then checked on them. However few match, only a
//! bounded number of candidates is looked at for one page.

use std::time::{Duration, Instant};

use conveyor_model::filter::{Cursor, JobFilter, JobPage, Page, Sort, TOTAL_CAP};
use conveyor_model::job::JobRow;
use conveyor_model::name::JobId;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection, SqlitePool};

use super::error::corrupt;
use super::insert::json;
use super::job::{read_row, select_rows};
use super::path::{self, Path};
use super::row;
use crate::store::StoreResult;

/// How many candidates are looked at for one page at most.
const MOST_SCANNED: usize = 20_000;
/// How many at a time.
const CHUNK: usize = 2_000;
/// How long one page may take.
const LONGEST_SCAN: Duration = Duration::from_millis(400);

/// One page of the jobs that match.
pub(super) async fn page(
    pool: &SqlitePool,
    filter: &JobFilter,
    page: &Page,
) -> StoreResult<JobPage> {
    let mut conn = pool.acquire().await?;
    let path = path::choose(&mut conn, filter).await?;
    let want = usize::try_from(page.limit.max(1)).unwrap_or(1);
    let mut found = Scan::new(filter, &path, page.after.map(|Cursor(id)| id));
    found.fill(&mut conn, want + 1).await?;
    let more = found.ids.len() > want;
    found.ids.truncate(want);
    let items = rows(&mut conn, &found.ids).await?;
    let next = if more || found.stopped {
        found
            .ids
            .last()
            .copied()
            .filter(|_| more)
            .or(found.after)
            .map(Cursor)
    } else {
        None
    };
    let (total, total_capped) = total(&mut conn, filter, &path).await?;
    Ok(JobPage {
        items,
        next,
        total,
        total_capped,
        search_stopped: found.stopped && !more,
    })
}

/// The rows of some ids, in their order; damaged ones are told of and left out.
pub(super) async fn rows(conn: &mut SqliteConnection, ids: &[JobId]) -> StoreResult<Vec<JobRow>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let list: Vec<i64> = ids.iter().map(|id| id.get()).collect();
    let sql = select_rows!("WHERE j.id IN (SELECT value FROM json_each(?))");
    let found = sqlx::query(sql).bind(json(&list)?).fetch_all(conn).await?;
    let mut items: Vec<JobRow> = row::sound("a job", &found, read_row);
    let place = |row: &JobRow| ids.iter().position(|id| *id == row.id);
    items.sort_by_cached_key(place);
    Ok(items)
}

/// A walk through candidates.
struct Scan<'a> {
    filter: &'a JobFilter,
    path: &'a Path,
    /// The last candidate looked at.
    after: Option<JobId>,
    /// What matched.
    ids: Vec<JobId>,
    /// Whether it was given up before the end.
    stopped: bool,
}

impl<'a> Scan<'a> {
    fn new(filter: &'a JobFilter, path: &'a Path, after: Option<JobId>) -> Self {
        Scan {
            filter,
            path,
            after,
            ids: Vec::new(),
            stopped: false,
        }
    }

    /// Goes on until `want` jobs match, there are no more, or it has taken long enough.
    async fn fill(&mut self, conn: &mut SqliteConnection, want: usize) -> StoreResult<()> {
        let started = Instant::now();
        let mut scanned = 0;
        loop {
            let chunk = if self.path.exact {
                want - self.ids.len()
            } else {
                CHUNK
            };
            let candidates =
                path::candidates(conn, self.path, self.filter.sort, self.after, chunk).await?;
            let full = candidates.len() == chunk;
            scanned += candidates.len();
            let matching = if self.path.exact {
                candidates.clone()
            } else {
                matching(conn, self.filter, self.path, &candidates).await?
            };
            for id in matching {
                if self.ids.len() < want {
                    self.ids.push(id);
                }
            }
            self.after = candidates.last().copied().or(self.after);
            if self.ids.len() >= want || !full {
                return Ok(());
            }
            if scanned >= MOST_SCANNED || started.elapsed() > LONGEST_SCAN {
                self.stopped = true;
                return Ok(());
            }
        }
    }
}

/// Those of some candidates that pass what the path did not decide, in the order of the list.
async fn matching(
    conn: &mut SqliteConnection,
    filter: &JobFilter,
    path: &Path,
    candidates: &[JobId],
) -> StoreResult<Vec<JobId>> {
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let list: Vec<i64> = candidates.iter().map(|id| id.get()).collect();
    let mut query = QueryBuilder::<Sqlite>::new(
        "SELECT j.id FROM job j JOIN job_body b ON b.id = j.id WHERE j.id IN (SELECT value FROM json_each(",
    );
    query.push_bind(json(&list)?).push("))");
    path::push_rest(&mut query, filter, path)?;
    query.push(match filter.sort {
        Sort::Newest => " ORDER BY j.id DESC",
        Sort::Oldest => " ORDER BY j.id",
    });
    let rows = query.build().fetch_all(conn).await?;
    rows.iter().map(|row| row::id(row, 0)).collect()
}

/// How many match in all, and whether there may be more.
async fn total(
    conn: &mut SqliteConnection,
    filter: &JobFilter,
    path: &Path,
) -> StoreResult<(u64, bool)> {
    if let Some(exact) = path.total {
        return Ok((exact, false));
    }
    let cap = usize::try_from(TOTAL_CAP).unwrap_or(usize::MAX);
    if path.exact {
        let count = path::candidates(conn, path, filter.sort, None, cap + 1)
            .await?
            .len();
        let total = u64::try_from(count.min(cap)).unwrap_or(TOTAL_CAP);
        return Ok((total, count > cap));
    }
    let mut all = Scan::new(filter, path, None);
    all.fill(conn, cap + 1).await?;
    let count = all.ids.len();
    let total = u64::try_from(count.min(cap)).map_err(|why| corrupt("a total", why))?;
    Ok((total, all.stopped || count > cap))
}
