//! Which index leads to the jobs of a filter, and what is left to check on each.

use conveyor_model::filter::{JobFilter, Sort};
use conveyor_model::name::{JobId, Priority, Tag};
use conveyor_model::state::State;
use conveyor_model::time::{Span, Timestamp};
use sqlx::{Row, SqliteConnection};

use super::insert::json;
use super::row;
use super::sift::{Statement, Value};
use crate::store::StoreResult;

/// How many lanes with states one statement merges at most.
const MOST_PLACES: usize = 256;

/// How far the clocks of servers on one database may be apart: ids grow with time but for that.
const CLOCK_SLACK: Span = Span::from_secs(600);

/// The way to the candidates of a filter.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) way: Way,
    /// Ids outside cannot match: no earlier, no later than.
    bounds: (i64, i64),
    /// Whether every candidate matches.
    pub(super) exact: bool,
    /// How many match, where the counts say it.
    pub(super) total: Option<u64>,
}

#[derive(Debug)]
pub(super) enum Way {
    /// The one job of that id.
    One(JobId),
    /// A group of the dead letter.
    DeadGroup(String),
    /// Jobs of a schedule.
    Schedule(String),
    /// Jobs with one of some tags.
    Tags(Vec<Tag>),
    /// Jobs of some priorities, none of them the usual one, which has no index.
    Priorities(Vec<Priority>),
    /// Lanes with states; every job of them matches the filter's states, kinds and queues.
    Places(Vec<(i64, State)>),
    /// All jobs.
    All,
}

/// Picks the way that leads past the fewest jobs.
pub(super) async fn choose(conn: &mut SqliteConnection, filter: &JobFilter) -> StoreResult<Path> {
    let bounds = bounds(conn, filter).await?;
    let ranked = !filter.priorities.is_empty();
    let loose = filter.worker.is_some()
        || filter.from.is_some()
        || filter.to.is_some()
        || filter.text.is_some();
    let narrowed =
        !(filter.states.is_empty() && filter.kinds.is_empty() && filter.queues.is_empty());
    let tagged = !filter.tags.is_empty();
    let path = |way, exact| Path {
        way,
        bounds,
        exact,
        total: None,
    };
    if let Some(id) = filter.id {
        return Ok(path(Way::One(id), false));
    }
    if let Some(group) = &filter.dead_group {
        let exact = !loose && !ranked && !narrowed && !tagged && filter.schedule.is_none();
        return Ok(path(Way::DeadGroup(group.clone()), exact));
    }
    if let Some(schedule) = &filter.schedule {
        return Ok(path(
            Way::Schedule(schedule.to_string()),
            !loose && !ranked && !narrowed && !tagged,
        ));
    }
    if tagged {
        let exact = !loose && !ranked && !narrowed;
        return Ok(path(Way::Tags(filter.tags.clone()), exact));
    }
    let (places, all) = places(conn, filter).await?;
    if ranked && !filter.priorities.contains(&Priority::DEFAULT) {
        let fewer = !narrowed || places.len() > MOST_PLACES || {
            let found = count_priorities(conn, &filter.priorities, all).await?;
            found < all
        };
        if fewer {
            let exact = !loose && !narrowed;
            return Ok(path(Way::Priorities(filter.priorities.clone()), exact));
        }
    }
    let loose = loose || ranked;
    let total = Some(all).filter(|_| !loose);
    if !narrowed {
        return Ok(Path {
            total,
            ..path(Way::All, !loose)
        });
    }
    if places.len() > MOST_PLACES {
        return Ok(Path {
            total,
            ..path(Way::All, false)
        });
    }
    Ok(Path {
        total,
        ..path(Way::Places(places), !loose)
    })
}

/// How many jobs have one of some unusual priorities; stops counting at `most`, and soon in any case.
async fn count_priorities(
    conn: &mut SqliteConnection,
    priorities: &[Priority],
    most: u64,
) -> StoreResult<u64> {
    const ENOUGH: i64 = 20_000;
    let most = i64::try_from(most).unwrap_or(ENOUGH).min(ENOUGH);
    let found: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM (SELECT 1 FROM json_each(?) p CROSS JOIN job j
             WHERE j.priority <> 5 AND j.priority = p.value LIMIT ?)",
    )
    .bind(json(priorities)?)
    .bind(most)
    .fetch_one(conn)
    .await?;
    Ok(u64::try_from(found).unwrap_or(0))
}

/// The lanes with states that a filter's states, kinds and queues allow, and how many jobs they hold.
async fn places(
    conn: &mut SqliteConnection,
    filter: &JobFilter,
) -> StoreResult<(Vec<(i64, State)>, u64)> {
    let rows = sqlx::query(
        "SELECT c.lane, c.state, c.n, l.queue, l.kind FROM job_count c JOIN lane l ON l.id = c.lane
         WHERE c.n > 0",
    )
    .fetch_all(conn)
    .await?;
    let mut places = Vec::new();
    let mut total = 0;
    for row in &rows {
        let state = row::state(row, 1)?;
        let (queue, kind): (&str, &str) = (row.try_get(3)?, row.try_get(4)?);
        let fits = (filter.states.is_empty() || filter.states.contains(&state))
            && (filter.queues.is_empty()
                || filter.queues.iter().any(|name| name.as_str() == queue))
            && (filter.kinds.is_empty() || filter.kinds.iter().any(|name| name.as_str() == kind));
        if fits {
            places.push((row.try_get(0)?, state));
            total += row::big_count(row, 2)?;
        }
    }
    Ok((places, total))
}

/// The ids between which jobs of the filter's time lie, found by halving.
async fn bounds(conn: &mut SqliteConnection, filter: &JobFilter) -> StoreResult<(i64, i64)> {
    let mut bounds = (0, i64::MAX);
    if filter.from.is_none() && filter.to.is_none() {
        return Ok(bounds);
    }
    let last: Option<i64> = sqlx::query_scalar("SELECT max(id) FROM job")
        .fetch_one(&mut *conn)
        .await?;
    let last = last.unwrap_or(0);
    if let Some(from) = filter.from {
        bounds.0 = first_since(conn, from.minus(CLOCK_SLACK), last).await?;
    }
    if let Some(to) = filter.to {
        bounds.1 = first_since(conn, to.plus(CLOCK_SLACK), last).await?;
    }
    Ok(bounds)
}

/// The lowest id that was stored at `time` or later, or the one after the last.
async fn first_since(conn: &mut SqliteConnection, time: Timestamp, last: i64) -> StoreResult<i64> {
    let (mut low, mut high) = (0, last + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        let row: Option<(i64, i64)> =
            sqlx::query_as("SELECT id, created_at FROM job WHERE id >= ? ORDER BY id LIMIT 1")
                .bind(middle)
                .fetch_optional(&mut *conn)
                .await?;
        match row {
            Some((id, created)) if created < time.micros() => low = id + 1,
            Some(_) | None => high = middle,
        }
    }
    Ok(low)
}

/// The next candidates in the order of the list.
pub(super) async fn candidates(
    conn: &mut SqliteConnection,
    path: &Path,
    sort: Sort,
    after: Option<JobId>,
    limit: usize,
) -> StoreResult<Vec<JobId>> {
    let Some(sql) = path.way.sql(sort) else {
        return Ok(Vec::new());
    };
    let statement = Statement {
        sql,
        values: path.values(sort, after, limit)?,
    };
    let rows = statement.rows(conn, path).await?;
    rows.iter().map(|row| row::id(row, 0)).collect()
}

impl Path {
    /// What [`Way::sql`] is to be given.
    pub(super) fn values(
        &self,
        sort: Sort,
        after: Option<JobId>,
        limit: usize,
    ) -> StoreResult<Vec<Value>> {
        let (mut low, mut high) = self.bounds;
        match sort {
            Sort::Newest => high = after.map_or(high, |after| high.min(after.get() - 1)),
            Sort::Oldest => low = after.map_or(low, |after| low.max(after.get() + 1)),
        }
        let wanted = match &self.way {
            Way::One(id) => Value::Number(id.get()),
            Way::DeadGroup(text) | Way::Schedule(text) => Value::Text(text.clone()),
            Way::Tags(tags) => Value::Text(json(tags)?),
            // Their statements ask for nothing.
            Way::Priorities(_) | Way::Places(_) | Way::All => Value::Number(0),
        };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        Ok(vec![
            wanted,
            Value::Number(low),
            Value::Number(high),
            Value::Number(limit),
        ])
    }

    /// Whether what is left to check stands in `job_body`, which is large and far from the rest.
    pub(super) fn needs_body(&self, filter: &JobFilter) -> bool {
        filter.text.is_some() || !(filter.tags.is_empty() || matches!(self.way, Way::Tags(_)))
    }
}

impl Way {
    /// Whether its statement comes again and again, so that it is worth keeping prepared.
    pub(super) fn is_one_of_few(&self) -> bool {
        !matches!(self, Way::Places(_))
    }

    /// The statement that finds candidates: `?1` is what is looked for, `?2` and `?3` the first and the
    /// last id, `?4` how many. Nothing that anybody wrote goes into the text, only numbers and the
    /// words of states. None when nothing can match.
    pub(super) fn sql(&self, sort: Sort) -> Option<String> {
        let order = match sort {
            Sort::Newest => "DESC",
            Sort::Oldest => "ASC",
        };
        let one = |place: &str| format!("SELECT id FROM {place} AND id BETWEEN ?2 AND ?3");
        let found = match self {
            Way::One(_) => one("job WHERE id = ?1"),
            Way::DeadGroup(_) => one("job WHERE dead_group = ?1"),
            Way::Schedule(_) => one("job WHERE schedule = ?1"),
            Way::All => one("job WHERE true"),
            Way::Tags(tags) => {
                let tag = |n| one(&format!("job_tag WHERE tag = (?1 ->> {n})"));
                (0..tags.len()).map(tag).collect::<Vec<_>>().join(" UNION ")
            }
            Way::Priorities(priorities) => {
                // The first condition is the index's own.
                let ranked =
                    |n: &Priority| one(&format!("job WHERE priority <> 5 AND priority = {n}"));
                let mut ranks: Vec<&Priority> = priorities.iter().collect();
                ranks.sort_unstable();
                ranks.dedup();
                ranks
                    .into_iter()
                    .map(ranked)
                    .collect::<Vec<_>>()
                    .join(" UNION ALL ")
            }
            Way::Places(places) => {
                let place = |(lane, state): &(i64, State)| {
                    one(&format!("job WHERE state = '{state}' AND lane = {lane}"))
                };
                places
                    .iter()
                    .map(place)
                    .collect::<Vec<_>>()
                    .join(" UNION ALL ")
            }
        };
        (!found.is_empty()).then(|| format!("{found} ORDER BY id {order} LIMIT ?4"))
    }
}
