//! Lists of jobs: pages by key, totals, and the search through texts.
//!
//! A page is found in two steps: candidates come in the order of the list from the index that fits the
//! filter best, and what the index cannot decide is then checked on them. However few match, a page is
//! given up after a bounded time; a search that reads texts after a bounded number of jobs, too.

use std::time::{Duration, Instant};

use conveyor_model::filter::{Cursor, JobFilter, JobPage, Page, TOTAL_CAP};
use conveyor_model::job::JobRow;
use conveyor_model::name::JobId;
use sqlx::{SqliteConnection, SqlitePool};

use super::error::corrupt;
use super::insert::json;
use super::job::{read_row, select_rows};
use super::path::{self, Path};
use super::row;
use super::sift;
use crate::store::StoreResult;

/// How many candidates a text is searched for in at most, for one page.
const MOST_READ: usize = 20_000;
/// How many are looked at first, and at a time while texts are read.
const CHUNK: usize = 2_000;
/// How many are looked at a time at most.
const LARGEST_CHUNK: usize = 32_000;
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
    let next = if more {
        found.ids.get(want - 1).copied()
    } else {
        found.after.filter(|_| found.stopped)
    };
    let search_stopped = found.stopped && !more;
    let (total, total_capped) = if page.after.is_none() {
        total(&mut conn, &mut found).await?
    } else {
        total(&mut conn, &mut Scan::new(filter, &path, None)).await?
    };
    found.ids.truncate(want);
    let items = rows(&mut conn, &found.ids).await?;
    Ok(JobPage {
        items,
        next: next.map(Cursor),
        total,
        total_capped,
        search_stopped,
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
    /// How many were looked at, and for how long.
    looked_at: usize,
    took: Duration,
    /// Whether it was given up before the end.
    stopped: bool,
    /// Whether there are no more candidates.
    ended: bool,
}

impl<'a> Scan<'a> {
    fn new(filter: &'a JobFilter, path: &'a Path, after: Option<JobId>) -> Self {
        Scan {
            filter,
            path,
            after,
            ids: Vec::new(),
            looked_at: 0,
            took: Duration::ZERO,
            stopped: false,
            ended: false,
        }
    }

    /// Goes on until `want` jobs match, there are no more, or it has taken long enough.
    async fn fill(&mut self, conn: &mut SqliteConnection, want: usize) -> StoreResult<()> {
        while self.ids.len() < want && !self.ended && !self.stopped {
            let started = Instant::now();
            if self.path.exact {
                let missing = want - self.ids.len();
                let (sort, after) = (self.filter.sort, self.after);
                let ids = path::candidates(conn, self.path, sort, after, missing).await?;
                self.ended = ids.len() < missing;
                self.after = ids.last().copied().or(self.after);
                self.ids.extend(ids);
            } else {
                self.look(conn).await?;
            }
            self.took += started.elapsed();
            let read_enough = self.path.needs_body(self.filter) && self.looked_at >= MOST_READ;
            self.stopped =
                self.ids.len() < want && !self.ended && (read_enough || self.took > LONGEST_SCAN);
        }
        Ok(())
    }

    /// Looks at some more candidates: few at first, since most filters find enough among them.
    async fn look(&mut self, conn: &mut SqliteConnection) -> StoreResult<()> {
        let chunk = if self.path.needs_body(self.filter) {
            CHUNK
        } else {
            self.looked_at.clamp(CHUNK, LARGEST_CHUNK)
        };
        let found = sift::sift(conn, self.filter, self.path, self.after, chunk).await?;
        self.ended = found.looked_at < chunk;
        self.looked_at += found.looked_at;
        self.after = found.last.or(self.after);
        self.ids.extend(found.ids);
        Ok(())
    }
}

/// How many match in all, and whether there may be more. `all` is a walk from the beginning, which goes
/// on as far as it must.
async fn total(conn: &mut SqliteConnection, all: &mut Scan<'_>) -> StoreResult<(u64, bool)> {
    if let Some(exact) = all.path.total {
        return Ok((exact, false));
    }
    let cap = usize::try_from(TOTAL_CAP).unwrap_or(usize::MAX);
    all.fill(conn, cap + 1).await?;
    let count = all.ids.len();
    let total = u64::try_from(count.min(cap)).map_err(|why| corrupt("a total", why))?;
    Ok((total, all.stopped || count > cap))
}
