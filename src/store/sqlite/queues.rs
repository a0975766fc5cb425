//! Queues: their counts and rates, pausing, purging.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use conveyor_model::event::Event;
use conveyor_model::name::QueueName;
use conveyor_model::queue::{Pause, Queue};
use conveyor_model::state::State;
use conveyor_model::time::{MICROS, Span, Timestamp};
use rusqlite::params;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection, SqlitePool};

use super::remove::remove;
use super::row;
use super::sql::Sql;
use super::work::{Single, Tx, Work};
use crate::store::StoreResult;

/// How far back the rates look.
const RATE_SPAN: Span = Span::from_secs(300);
/// How many minutes the little chart of a queue has.
const RECENT_MINUTES: usize = 15;

/// Every queue, by name.
pub(super) async fn queues(pool: &SqlitePool, now: Timestamp) -> StoreResult<Vec<Queue>> {
    let mut conn = pool.acquire().await?;
    let mut queues = BTreeMap::new();
    let rows = sqlx::query(
        "SELECT name, paused_by, paused_note, paused_since, paused_until, version FROM queue",
    )
    .fetch_all(&mut *conn)
    .await?;
    for queue in row::sound("a queue", &rows, |row| read_queue(row, now)) {
        queues.insert(queue.name.to_string(), queue);
    }
    count(&mut conn, &mut queues).await?;
    age(&mut conn, &mut queues, now).await?;
    rate(&mut conn, &mut queues, now).await?;
    Ok(queues.into_values().collect())
}

fn read_queue(row: &SqliteRow, now: Timestamp) -> StoreResult<Queue> {
    let since = row::time_or_none(row, 3)?;
    let until = row::time_or_none(row, 4)?;
    let paused = match since {
        Some(since) if until.is_none_or(|until| until > now) => Some(Pause {
            by: row.try_get::<Option<String>, _>(1)?.unwrap_or_default(),
            note: row.try_get(2)?,
            since,
            until,
        }),
        Some(_) | None => None,
    };
    Ok(Queue {
        name: row::named(row, 0)?,
        paused,
        ready: 0,
        running: 0,
        scheduled: 0,
        retrying: 0,
        dead: 0,
        oldest_ready_age_s: None,
        limits: None,
        rate_in: 0.0,
        rate_out: 0.0,
        recent: vec![0; RECENT_MINUTES],
        version: row.try_get(5)?,
    })
}

async fn count(
    conn: &mut SqliteConnection,
    queues: &mut BTreeMap<String, Queue>,
) -> StoreResult<()> {
    let rows = sqlx::query(
        "SELECT l.queue, c.state, sum(c.n) FROM job_count c JOIN lane l ON l.id = c.lane
         WHERE c.n > 0 GROUP BY l.queue, c.state",
    )
    .fetch_all(conn)
    .await?;
    for row in &rows {
        let Some(queue) = queues.get_mut(row.try_get::<&str, _>(0)?) else {
            continue;
        };
        let n = row::big_count(row, 2)?;
        match row::state(row, 1)? {
            State::Ready => queue.ready = n,
            State::Running => queue.running = n,
            State::Scheduled => queue.scheduled = n,
            State::Retrying => queue.retrying = n,
            State::Dead => queue.dead = n,
            State::Succeeded | State::Cancelled | State::Blocked => {}
        }
    }
    Ok(())
}

/// When the ready job of a lane that has been due longest was due: the first of each priority. A job
/// waits from when it is there, whatever earlier time it was given; so some of the first are looked at.
pub(super) const OLDEST_READY: &str =
    "SELECT l.queue, min((SELECT min(max(run_at, created_at)) FROM
                          (SELECT run_at, created_at FROM job INDEXED BY job_ready
                           WHERE state = 'ready' AND lane = l.id AND priority = p.value
                           ORDER BY run_at LIMIT 20)))
     FROM lane l CROSS JOIN json_each('[0,1,2,3,4,5,6,7,8,9]') p
     WHERE l.id IN (SELECT lane FROM job_count WHERE state = 'ready' AND n > 0)
     GROUP BY l.queue";

async fn age(
    conn: &mut SqliteConnection,
    queues: &mut BTreeMap<String, Queue>,
    now: Timestamp,
) -> StoreResult<()> {
    for row in sqlx::query(OLDEST_READY).fetch_all(conn).await? {
        if let Some(queue) = queues.get_mut(row.try_get::<&str, _>(0)?) {
            queue.oldest_ready_age_s = row::time_or_none(&row, 1)?.map(|due| now.since(due));
        }
    }
    Ok(())
}

async fn rate(
    conn: &mut SqliteConnection,
    queues: &mut BTreeMap<String, Queue>,
    now: Timestamp,
) -> StoreResult<()> {
    let minutes = i64::try_from(RECENT_MINUTES).unwrap_or(15);
    let first = now.minute().minus(Span::from_secs(60 * (minutes - 1)));
    let recently = now.minus(RATE_SPAN);
    let rows = sqlx::query(
        "SELECT s.queue, r.start, sum(r.enqueued),
             sum(r.succeeded + r.failed + r.timeout + r.cancelled + r.dead + r.lease_lost)
         FROM rollup r JOIN series s ON s.id = r.series
         WHERE r.width IN (10, 60) AND r.start >= ? GROUP BY s.queue, r.start",
    )
    .bind(first.micros())
    .fetch_all(conn)
    .await?;
    let mut sums: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for row in &rows {
        let name: &str = row.try_get(0)?;
        let Some(queue) = queues.get_mut(name) else {
            continue;
        };
        let start = row::time(row, 1)?;
        let (stored, ended) = (row::big_count(row, 2)?, row::big_count(row, 3)?);
        let minute = start.since(first).micros() / (60 * MICROS);
        if let Some(point) = usize::try_from(minute)
            .ok()
            .and_then(|n| queue.recent.get_mut(n))
        {
            *point += ended;
        }
        if start >= recently {
            let sum = sums.entry(name.to_owned()).or_default();
            *sum = (sum.0 + stored, sum.1 + ended);
        }
    }
    for (name, (stored, ended)) in sums {
        if let Some(queue) = queues.get_mut(&name) {
            queue.rate_in = per_second(stored, RATE_SPAN);
            queue.rate_out = per_second(ended, RATE_SPAN);
        }
    }
    Ok(())
}

/// A count over a span as a rate.
fn per_second(count: u64, span: Span) -> f64 {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    f64::from(count) / span.secs_f64()
}

/// Pauses or resumes a queue. One that is paused so already stays as it is, and a pause that goes on
/// keeps its beginning.
static SET_PAUSE: LazyLock<String> = LazyLock::new(|| {
    let lasting = "(q.paused_since IS NOT NULL
             AND (q.paused_until IS NULL OR q.paused_until > excluded.paused_since))";
    format!(
        "INSERT INTO queue AS q (name, paused_by, paused_note, paused_since, paused_until) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (name) DO UPDATE SET version = version + 1, paused_by = excluded.paused_by,
                 paused_note = excluded.paused_note, paused_until = excluded.paused_until,
                 paused_since = iif({lasting}, min(q.paused_since, excluded.paused_since), excluded.paused_since)
             WHERE iif(excluded.paused_since IS NULL, q.paused_since IS NOT NULL,
                 NOT {lasting} OR q.paused_note IS NOT excluded.paused_note
                 OR q.paused_until IS NOT excluded.paused_until)"
    )
});

/// A queue is paused or resumed.
#[derive(Debug)]
pub(super) struct SetPause {
    pub(super) queue: QueueName,
    pub(super) pause: Option<Pause>,
}

impl Work for SetPause {
    type Out = ();
}

impl Single for SetPause {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<()> {
        let pause = self.pause.as_ref();
        let changed = tx.conn.run(
            &SET_PAUSE,
            params![
                self.queue.as_str(),
                pause.map(|pause| pause.by.as_str()),
                pause.and_then(|pause| pause.note.as_deref()),
                pause.map(|pause| pause.since.micros()),
                pause.and_then(|pause| pause.until).map(Timestamp::micros),
            ],
        )?;
        if changed == 0 {
            return Ok(());
        }
        tx.effects.tell(Event::Queue {
            queue: self.queue.clone(),
        });
        if pause.is_none() {
            tx.effects.wake();
        }
        Ok(())
    }
}

/// Pauses whose end has come are taken away.
#[derive(Debug)]
pub(super) struct EndPauses {
    pub(super) now: Timestamp,
}

impl Work for EndPauses {
    type Out = usize;
}

impl Single for EndPauses {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<usize> {
        let ended = tx.conn.all(
            "UPDATE queue SET version = version + 1, paused_by = NULL, paused_note = NULL,
                 paused_since = NULL, paused_until = NULL
             WHERE paused_since IS NOT NULL AND paused_until <= ? RETURNING name",
            [self.now.micros()],
            |row| {
                tx.effects.tell(Event::Queue {
                    queue: row::named(row, 0)?,
                });
                tx.effects.wake();
                Ok(())
            },
        )?;
        Ok(ended.len())
    }
}

/// Waiting jobs of a queue are deleted.
#[derive(Debug)]
pub(super) struct Purge {
    pub(super) queue: QueueName,
    pub(super) limit: usize,
}

impl Work for Purge {
    type Out = u64;

    fn weight(&self) -> usize {
        self.limit
    }
}

impl Single for Purge {
    fn run(&self, tx: &mut Tx<'_>) -> StoreResult<u64> {
        let limit = i64::try_from(self.limit).unwrap_or(i64::MAX);
        let ids: Vec<i64> = tx.conn.all(
            "SELECT j.id FROM lane l CROSS JOIN job j
             WHERE l.queue = ? AND j.lane = l.id AND j.state IN ('scheduled', 'ready', 'retrying') LIMIT ?",
            params![self.queue.as_str(), limit],
            |row| Ok(row.get(0)?),
        )?;
        let gone = remove(&ids, tx)?;
        tx.effects.tell(Event::Queue {
            queue: self.queue.clone(),
        });
        Ok(u64::try_from(gone).unwrap_or(u64::MAX))
    }
}
