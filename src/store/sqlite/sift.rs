//! What of a filter the index does not decide, checked on the candidates it leads to.

use std::fmt::Write as _;

use conveyor_model::filter::{JobFilter, Sort};
use conveyor_model::name::JobId;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row, SqliteConnection};

use super::insert::json;
use super::path::{Path, Way};
use super::row;
use crate::store::StoreResult;

/// Those of the next candidates that match.
#[derive(Debug, Default)]
pub(super) struct Sifted {
    /// The jobs that match, in the order of the list.
    pub(super) ids: Vec<JobId>,
    /// How many were looked at.
    pub(super) looked_at: usize,
    /// The last that was looked at.
    pub(super) last: Option<JobId>,
}

/// Looks at the next `limit` candidates for those that match. The database does it in one go: only
/// what matches leaves it.
pub(super) async fn sift(
    conn: &mut SqliteConnection,
    filter: &JobFilter,
    path: &Path,
    after: Option<JobId>,
    limit: usize,
) -> StoreResult<Sifted> {
    let Some(sql) = path.way.sql(filter.sort) else {
        return Ok(Sifted::default());
    };
    let last = match filter.sort {
        Sort::Newest => "min",
        Sort::Oldest => "max",
    };
    let body = if path.needs_body(filter) {
        "JOIN job_body b ON b.id = c.id"
    } else {
        ""
    };
    let mut statement = Statement {
        sql: format!(
            "WITH c (id) AS MATERIALIZED ({sql})
             SELECT {last}(id), count(*) FROM c
             UNION ALL
             SELECT c.id, NULL FROM c CROSS JOIN job j ON j.id = c.id {body} WHERE true"
        ),
        values: path.values(filter.sort, after, limit)?,
    };
    push_rest(&mut statement, filter, path)?;
    let rows = statement.rows(conn, path).await?;
    let mut sifted = Sifted::default();
    for row in &rows {
        match row.try_get::<Option<i64>, _>(1)? {
            Some(count) => {
                sifted.looked_at = usize::try_from(count).unwrap_or(0);
                sifted.last = row::id_or_none(row, 0)?;
            }
            None => sifted.ids.push(row::id(row, 0)?),
        }
    }
    sifted.ids.sort_unstable();
    if filter.sort == Sort::Newest {
        sifted.ids.reverse();
    }
    Ok(sifted)
}

/// What a statement is given in the place of a `?`.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Number(i64),
    Text(String),
}

/// A statement in the making. Its values are numbered, since the statement of a way uses some of them
/// more than once.
pub(super) struct Statement {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Statement {
    fn push(&mut self, sql: &str) -> &mut Self {
        self.sql.push_str(sql);
        self
    }

    fn push_bind(&mut self, value: Value) -> &mut Self {
        self.values.push(value);
        // Writing to a String does not fail.
        let _ = write!(self.sql, "?{}", self.values.len());
        self
    }

    fn push_text(&mut self, text: impl Into<String>) -> &mut Self {
        self.push_bind(Value::Text(text.into()))
    }

    /// What it finds.
    pub(super) async fn rows(
        self,
        conn: &mut SqliteConnection,
        path: &Path,
    ) -> StoreResult<Vec<SqliteRow>> {
        let mut query = sqlx::query(AssertSqlSafe(self.sql));
        for value in self.values {
            query = match value {
                Value::Number(number) => query.bind(number),
                Value::Text(text) => query.bind(text),
            };
        }
        let often = path.way.is_one_of_few();
        Ok(query.persistent(often).fetch_all(conn).await?)
    }
}

/// Adds to a query over `job j`, and over `job_body b` where [`Path::needs_body`], what the way does not
/// decide.
fn push_rest(query: &mut Statement, filter: &JobFilter, path: &Path) -> StoreResult<()> {
    let one_of = |query: &mut Statement, column: &str, list: String| {
        query
            .push(&format!(" AND {column} IN (SELECT value FROM json_each("))
            .push_text(list)
            .push("))");
    };
    if !matches!(path.way, Way::Places(_)) {
        if !filter.states.is_empty() {
            one_of(query, "j.state", json(&filter.states)?);
        }
        if !filter.kinds.is_empty() {
            query.push(
                " AND j.lane IN (SELECT id FROM lane WHERE kind IN (SELECT value FROM json_each(",
            );
            query.push_text(json(&filter.kinds)?).push(")))");
        }
        if !filter.queues.is_empty() {
            query.push(
                " AND j.lane IN (SELECT id FROM lane WHERE queue IN (SELECT value FROM json_each(",
            );
            query.push_text(json(&filter.queues)?).push(")))");
        }
    }
    if !filter.tags.is_empty() && !matches!(path.way, Way::Tags(_)) {
        query.push(" AND EXISTS (SELECT 1 FROM json_each(b.tags) t WHERE t.value IN (SELECT value FROM json_each(");
        query.push_text(json(&filter.tags)?).push(")))");
    }
    if !filter.priorities.is_empty() && !matches!(path.way, Way::Priorities(_)) {
        one_of(query, "j.priority", json(&filter.priorities)?);
    }
    if let Some(worker) = &filter.worker {
        query.push(" AND j.worker = ").push_text(worker.as_str());
    }
    if let Some(schedule) = &filter.schedule {
        query
            .push(" AND j.schedule = ")
            .push_text(schedule.as_str());
    }
    if let Some(group) = &filter.dead_group {
        query.push(" AND j.dead_group = ").push_text(group.as_str());
    }
    if let Some(from) = filter.from {
        query
            .push(" AND j.created_at >= ")
            .push_bind(Value::Number(from.micros()));
    }
    if let Some(to) = filter.to {
        query
            .push(" AND j.created_at < ")
            .push_bind(Value::Number(to.micros()));
    }
    if let Some(text) = &filter.text {
        push_text(query, text);
    }
    Ok(())
}

/// The text must be in the payload, the key or the last error; ASCII letters in any case.
fn push_text(query: &mut Statement, text: &str) {
    let mut pattern = String::from("%");
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    query
        .push(" AND (b.payload LIKE ")
        .push_text(pattern.as_str());
    query
        .push(" ESCAPE '\\' OR j.idempotency_key LIKE ")
        .push_text(pattern.as_str());
    query.push(
        " ESCAPE '\\' OR (SELECT error_class || ': ' || error_message FROM attempt a
           WHERE a.id = j.id AND error_class IS NOT NULL ORDER BY token DESC LIMIT 1) LIKE ",
    );
    query.push_text(pattern).push(" ESCAPE '\\')");
}
