//! Stored values into the types of the vocabulary. A value that no version of this program wrote is
//! [`StoreError::Corrupt`] for its row alone.

use std::collections::BTreeMap;
use std::str::FromStr;

use conveyor_model::json::JsonText;
use conveyor_model::name::{JobId, Priority, Tag};
use conveyor_model::retry::Backoff;
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;
use sqlx::sqlite::SqliteRow;

use super::error::corrupt;
use crate::store::{StoreError, StoreResult};

/// The columns of a row, whoever read it: a reader's pool or the writer.
pub(super) trait Columns {
    /// A number or null.
    fn int(&self, column: usize) -> StoreResult<Option<i64>>;
    /// A text or null.
    fn text(&self, column: usize) -> StoreResult<Option<&str>>;
    /// What a column is called.
    fn title(&self, column: usize) -> Option<&str>;
}

impl Columns for SqliteRow {
    fn int(&self, column: usize) -> StoreResult<Option<i64>> {
        Ok(sqlx::Row::try_get(self, column)?)
    }

    fn text(&self, column: usize) -> StoreResult<Option<&str>> {
        Ok(sqlx::Row::try_get(self, column)?)
    }

    fn title(&self, column: usize) -> Option<&str> {
        let column = sqlx::Row::columns(self).get(column)?;
        Some(sqlx::Column::name(column))
    }
}

impl Columns for rusqlite::Row<'_> {
    fn int(&self, column: usize) -> StoreResult<Option<i64>> {
        Ok(self.get(column)?)
    }

    fn text(&self, column: usize) -> StoreResult<Option<&str>> {
        let value = self.get_ref(column)?;
        value.as_str_or_null().map_err(|why| bad(self, column, why))
    }

    fn title(&self, column: usize) -> Option<&str> {
        let statement: &rusqlite::Statement<'_> = self.as_ref();
        statement.column_name(column).ok()
    }
}

fn bad(row: &impl Columns, column: usize, why: impl std::fmt::Display) -> StoreError {
    let name = row.title(column).unwrap_or("?");
    let first = match row.int(0) {
        Ok(Some(id)) if column > 0 => format!(" of {id}"),
        _ => String::new(),
    };
    corrupt(format!("{name}{first}"), why)
}

fn missing(row: &impl Columns, column: usize) -> StoreError {
    bad(row, column, "it is missing")
}

/// What can be read of some rows; a damaged one is told of and left out, so that it spoils no list.
pub(super) fn sound<T>(
    what: &str,
    rows: &[SqliteRow],
    read: impl Fn(&SqliteRow) -> StoreResult<T>,
) -> Vec<T> {
    rows.iter()
        .filter_map(|row| kept(what, read(row)))
        .collect()
}

/// What was read of a row, unless it is damaged, which is told of.
pub(super) fn kept<T>(what: &str, read: StoreResult<T>) -> Option<T> {
    read.inspect_err(|error| tracing::error!(%error, "{what} is left out"))
        .ok()
}

/// A number.
pub(super) fn int(row: &impl Columns, column: usize) -> StoreResult<i64> {
    row.int(column)?.ok_or_else(|| missing(row, column))
}

/// A text.
pub(super) fn text(row: &impl Columns, column: usize) -> StoreResult<&str> {
    row.text(column)?.ok_or_else(|| missing(row, column))
}

/// A text of its own, or null.
pub(super) fn owned(row: &impl Columns, column: usize) -> StoreResult<Option<String>> {
    Ok(row.text(column)?.map(str::to_owned))
}

/// A job's id.
pub(super) fn id(row: &impl Columns, column: usize) -> StoreResult<JobId> {
    JobId::try_from(int(row, column)?).map_err(|why| bad(row, column, why))
}

/// A job's id or null.
pub(super) fn id_or_none(row: &impl Columns, column: usize) -> StoreResult<Option<JobId>> {
    row.int(column)?
        .map(JobId::try_from)
        .transpose()
        .map_err(|why| bad(row, column, why))
}

/// A small count.
pub(super) fn count(row: &impl Columns, column: usize) -> StoreResult<u32> {
    u32::try_from(int(row, column)?).map_err(|why| bad(row, column, why))
}

/// A large count; what should not be negative counts as none.
pub(super) fn big_count(row: &impl Columns, column: usize) -> StoreResult<u64> {
    Ok(u64::try_from(row.int(column)?.unwrap_or(0)).unwrap_or(0))
}

/// An instant.
pub(super) fn time(row: &impl Columns, column: usize) -> StoreResult<Timestamp> {
    Ok(Timestamp::from_micros(int(row, column)?))
}

/// An instant or null.
pub(super) fn time_or_none(row: &impl Columns, column: usize) -> StoreResult<Option<Timestamp>> {
    Ok(row.int(column)?.map(Timestamp::from_micros))
}

/// A priority.
pub(super) fn priority(row: &impl Columns, column: usize) -> StoreResult<Priority> {
    Priority::try_from(int(row, column)?).map_err(|why| bad(row, column, why))
}

/// A job's state.
pub(super) fn state(row: &impl Columns, column: usize) -> StoreResult<State> {
    named(row, column)
}

/// Text that names something.
pub(super) fn named<T: FromStr>(row: &impl Columns, column: usize) -> StoreResult<T>
where
    T::Err: ToString,
{
    parsed(row, column)?.ok_or_else(|| missing(row, column))
}

/// Text that names something, or null.
pub(super) fn parsed<T: FromStr>(row: &impl Columns, column: usize) -> StoreResult<Option<T>>
where
    T::Err: ToString,
{
    row.text(column)?
        .map(str::parse)
        .transpose()
        .map_err(|why: T::Err| bad(row, column, why.to_string()))
}

/// A payload or result.
pub(super) fn json_text(row: &impl Columns, column: usize) -> StoreResult<JsonText> {
    json_text_or_none(row, column)?.ok_or_else(|| missing(row, column))
}

/// A result, if there is one.
pub(super) fn json_text_or_none(
    row: &impl Columns,
    column: usize,
) -> StoreResult<Option<JsonText>> {
    Ok(owned(row, column)?.map(JsonText::from_store))
}

/// The same from a text that is at hand; `id` names the row if it is damaged.
pub(super) fn own_json<T: serde::de::DeserializeOwned + Default>(
    id: impl std::fmt::Display,
    text: Option<&str>,
) -> StoreResult<T> {
    match text {
        None => Ok(T::default()),
        Some(text) => serde_json::from_str(text).map_err(|why| corrupt(format!("row {id}"), why)),
    }
}

/// JSON of our own making, or null for the default.
pub(super) fn json<T: serde::de::DeserializeOwned + Default>(
    row: &impl Columns,
    column: usize,
) -> StoreResult<T> {
    match row.text(column)? {
        None => Ok(T::default()),
        Some(text) => serde_json::from_str(text).map_err(|why| bad(row, column, why)),
    }
}

/// The strings that travel with a job.
pub(super) fn meta(row: &impl Columns, column: usize) -> StoreResult<BTreeMap<String, String>> {
    json(row, column)
}

/// A job's tags.
pub(super) fn tags(row: &impl Columns, column: usize) -> StoreResult<Vec<Tag>> {
    json(row, column)
}

/// A job's backoff from its stored text.
pub(super) fn backoff(text: Option<&str>) -> Backoff {
    text.and_then(|text| match serde_json::from_str(text) {
        Ok(backoff) => Some(backoff),
        Err(error) => {
            tracing::error!(%error, "a stored backoff is damaged; the usual one is taken");
            None
        }
    })
    .unwrap_or_default()
}
