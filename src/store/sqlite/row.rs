//! Stored values into the types of the vocabulary. A value that no version of this program wrote is
//! [`StoreError::Corrupt`] for its row alone.

use std::collections::BTreeMap;
use std::str::FromStr;

use conveyor_model::json::JsonText;
use conveyor_model::name::{JobId, Priority, Tag};
use conveyor_model::retry::Backoff;
use conveyor_model::state::State;
use conveyor_model::time::Timestamp;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::error::corrupt;
use crate::store::{StoreError, StoreResult};

fn bad(row: &SqliteRow, column: usize, why: impl std::fmt::Display) -> StoreError {
    use sqlx::Column;
    let name = row.columns().get(column).map_or("?", Column::name);
    let first = row
        .try_get::<i64, _>(0)
        .map(|id| format!(" of {id}"))
        .unwrap_or_default();
    corrupt(format!("{name}{first}"), why)
}

/// What can be read of some rows; a damaged one is told of and left out, so that it spoils no list.
pub(super) fn sound<T>(
    what: &str,
    rows: &[SqliteRow],
    read: impl Fn(&SqliteRow) -> StoreResult<T>,
) -> Vec<T> {
    let keep = |row| {
        read(row)
            .inspect_err(|error| tracing::error!(%error, "{what} is left out"))
            .ok()
    };
    rows.iter().filter_map(keep).collect()
}

/// A job's id.
pub(super) fn id(row: &SqliteRow, column: usize) -> StoreResult<JobId> {
    JobId::try_from(row.try_get::<i64, _>(column)?).map_err(|why| bad(row, column, why))
}

/// A job's id or null.
pub(super) fn id_or_none(row: &SqliteRow, column: usize) -> StoreResult<Option<JobId>> {
    row.try_get::<Option<i64>, _>(column)?
        .map(JobId::try_from)
        .transpose()
        .map_err(|why| bad(row, column, why))
}

/// A small count.
pub(super) fn count(row: &SqliteRow, column: usize) -> StoreResult<u32> {
    u32::try_from(row.try_get::<i64, _>(column)?).map_err(|why| bad(row, column, why))
}

/// A large count; what should not be negative counts as none.
pub(super) fn big_count(row: &SqliteRow, column: usize) -> StoreResult<u64> {
    Ok(u64::try_from(row.try_get::<Option<i64>, _>(column)?.unwrap_or(0)).unwrap_or(0))
}

/// An instant.
pub(super) fn time(row: &SqliteRow, column: usize) -> StoreResult<Timestamp> {
    Ok(Timestamp::from_micros(row.try_get(column)?))
}

/// An instant or null.
pub(super) fn time_or_none(row: &SqliteRow, column: usize) -> StoreResult<Option<Timestamp>> {
    Ok(row
        .try_get::<Option<i64>, _>(column)?
        .map(Timestamp::from_micros))
}

/// A priority.
pub(super) fn priority(row: &SqliteRow, column: usize) -> StoreResult<Priority> {
    Priority::try_from(row.try_get::<i64, _>(column)?).map_err(|why| bad(row, column, why))
}

/// A job's state.
pub(super) fn state(row: &SqliteRow, column: usize) -> StoreResult<State> {
    named(row, column)
}

/// Text that names something.
pub(super) fn named<T: FromStr>(row: &SqliteRow, column: usize) -> StoreResult<T>
where
    T::Err: ToString,
{
    let text: &str = row.try_get(column)?;
    text.parse()
        .map_err(|why: T::Err| bad(row, column, why.to_string()))
}

/// Text that names something, or null.
pub(super) fn parsed<T: FromStr>(row: &SqliteRow, column: usize) -> StoreResult<Option<T>>
where
    T::Err: ToString,
{
    row.try_get::<Option<&str>, _>(column)?
        .map(str::parse)
        .transpose()
        .map_err(|why: T::Err| bad(row, column, why.to_string()))
}

/// A payload or result.
pub(super) fn json_text(row: &SqliteRow, column: usize) -> StoreResult<JsonText> {
    let text: Option<String> = row.try_get(column)?;
    text.map(JsonText::from_store)
        .ok_or_else(|| bad(row, column, "it is missing"))
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
    row: &SqliteRow,
    column: usize,
) -> StoreResult<T> {
    match row.try_get::<Option<&str>, _>(column)? {
        None => Ok(T::default()),
        Some(text) => serde_json::from_str(text).map_err(|why| bad(row, column, why)),
    }
}

/// The strings that travel with a job.
pub(super) fn meta(row: &SqliteRow, column: usize) -> StoreResult<BTreeMap<String, String>> {
    json(row, column)
}

/// A job's tags.
pub(super) fn tags(row: &SqliteRow, column: usize) -> StoreResult<Vec<Tag>> {
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
