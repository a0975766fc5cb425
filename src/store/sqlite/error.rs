//! What an error of a driver means for whoever asked.

use crate::store::StoreError;

/// SQLite's primary result codes that mean something to the queue.
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const NOMEM: i32 = 7;
const READONLY: i32 = 8;
const INTERRUPT: i32 = 9;
const IOERR: i32 = 10;
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
const CANTOPEN: i32 = 14;
const PROTOCOL: i32 = 15;
const CONSTRAINT: i32 = 19;
const NOTADB: i32 = 26;

/// An error of either driver: the readers' sqlx, the writer's rusqlite.
pub(super) trait DriverError: std::fmt::Display {
    /// The extended result code, if SQLite itself refused.
    fn code(&self) -> Option<i32>;
    /// Whether a stored value is not of the type it was read as, or a given one cannot be stored.
    fn is_of_a_value(&self) -> bool;
}

impl DriverError for sqlx::Error {
    fn code(&self) -> Option<i32> {
        self.as_database_error()?.code()?.parse().ok()
    }

    fn is_of_a_value(&self) -> bool {
        use sqlx::Error::{ColumnDecode, Decode, Encode};
        matches!(self, ColumnDecode { .. } | Decode(_) | Encode(_))
    }
}

impl DriverError for rusqlite::Error {
    fn code(&self) -> Option<i32> {
        self.sqlite_error().map(|error| error.extended_code)
    }

    fn is_of_a_value(&self) -> bool {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType,
            ToSqlConversionFailure, Utf8Error,
        };
        matches!(
            self,
            FromSqlConversionFailure(..)
                | IntegralValueOutOfRange(..)
                | InvalidColumnType(..)
                | ToSqlConversionFailure(_)
                | Utf8Error(..)
        )
    }
}

/// The primary result code.
fn primary(error: &impl DriverError) -> Option<i32> {
    error.code().map(|extended| extended & 0xff)
}

/// Whether another connection holds the lock: worth another try.
pub(super) fn is_busy(error: &impl DriverError) -> bool {
    matches!(primary(error), Some(BUSY | LOCKED | PROTOCOL))
}

/// Whether the statement was refused for its values: the connection is sound, its neighbours in the
/// batch may succeed without it.
fn is_refusal(error: &impl DriverError) -> bool {
    primary(error) == Some(CONSTRAINT) || error.is_of_a_value()
}

/// Whether the fault is one of a single command in a batch, so that the others are worth a try alone.
pub(super) fn is_one_commands(error: &StoreError) -> bool {
    matches!(error, StoreError::Refused(_) | StoreError::Corrupt { .. })
}

/// The meaning of any error of a driver.
pub(super) fn classify(error: &impl DriverError) -> StoreError {
    if is_refusal(error) {
        return StoreError::Corrupt {
            what: "a row".to_owned(),
            why: error.to_string(),
        };
    }
    match primary(error) {
        Some(FULL) => StoreError::DiskFull,
        Some(IOERR | CORRUPT | NOTADB) => StoreError::Fatal(error.to_string()),
        Some(BUSY | LOCKED | NOMEM | READONLY | INTERRUPT | CANTOPEN | PROTOCOL | _) | None => {
            StoreError::Unavailable(error.to_string())
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        classify(&error)
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        classify(&error)
    }
}

/// A stored value that no version of this program wrote.
pub(super) fn corrupt(what: impl Into<String>, why: impl std::fmt::Display) -> StoreError {
    StoreError::Corrupt {
        what: what.into(),
        why: why.to_string(),
    }
}
