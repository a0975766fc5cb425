//! The writer's statements. Each is kept prepared by its connection, so its text must not hold values.

use rusqlite::{Connection, Params, Row, Statement, ToSql};

use crate::store::StoreResult;

/// Carrying out statements on the writer's connection.
pub(super) trait Sql {
    /// Carries out a statement that answers no rows; tells how many it changed.
    fn run(&self, sql: &str, params: impl Params) -> StoreResult<usize>;

    /// Every row that a statement answers.
    fn all<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> StoreResult<T>,
    ) -> StoreResult<Vec<T>>;

    /// The first row that a statement answers, if it answers any.
    fn first<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> StoreResult<T>,
    ) -> StoreResult<Option<T>>;

    /// The first row of a statement that always answers one.
    fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> StoreResult<T>,
    ) -> StoreResult<T>;
}

impl Sql for Connection {
    fn run(&self, sql: &str, params: impl Params) -> StoreResult<usize> {
        Ok(self.prepare_cached(sql)?.execute(params)?)
    }

    fn all<T>(
        &self,
        sql: &str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> StoreResult<T>,
    ) -> StoreResult<Vec<T>> {
        let mut statement = self.prepare_cached(sql)?;
        let mut rows = statement.query(params)?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            all.push(read(row)?);
        }
        Ok(all)
    }

    fn first<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> StoreResult<T>,
    ) -> StoreResult<Option<T>> {
        let mut statement = self.prepare_cached(sql)?;
        let mut rows = statement.query(params)?;
        rows.next()?.map(read).transpose()
    }

    fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> StoreResult<T>,
    ) -> StoreResult<T> {
        self.first(sql, params, read)?
            .ok_or_else(|| rusqlite::Error::QueryReturnedNoRows.into())
    }
}

/// The parameters of a statement whose number is not known beforehand, given one after the other.
pub(super) struct Places<'a, 'c> {
    statement: &'a mut Statement<'c>,
    given: usize,
}

impl<'a, 'c> Places<'a, 'c> {
    /// None is given yet.
    pub(super) fn of(statement: &'a mut Statement<'c>) -> Self {
        Places {
            statement,
            given: 0,
        }
    }

    /// Gives the next.
    pub(super) fn bind(&mut self, value: impl ToSql) -> StoreResult<()> {
        self.given += 1;
        Ok(self.statement.raw_bind_parameter(self.given, value)?)
    }
}
