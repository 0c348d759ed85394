//! Reading a journal: replaying its facts, and looking at what is kept beside them.

use std::{
    marker::PhantomData,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, OptionalExtension};
use serde::de::DeserializeOwned;

use crate::{
    JournalError,
    chain::{Link, Row},
    database, folder, replay,
};

/// The journal as it was at one moment, for reading only. Its owner may go on writing meanwhile;
/// the owner's log cannot shrink as long as this lives, so do not keep it.
pub struct Reader<T> {
    path: PathBuf,
    connection: Connection,
    facts: PhantomData<fn() -> T>,
}

impl<T> Reader<T> {
    pub(crate) fn open(dir: &Path) -> Result<Self, JournalError> {
        let path = folder::journal_path(dir);
        let connection = database::open_for_reader(&path)?;
        // One transaction, never ended, is what keeps the moment; it begins with the first read.
        connection.execute_batch("BEGIN").map_err(JournalError::Read)?;
        database::last(&connection).map_err(JournalError::Read)?;
        Ok(Self { path, connection, facts: PhantomData })
    }

    /// Hands every fact as it was written to `each`: its number, when it was written in
    /// microseconds since 1970, and its JSON. Returns their number.
    pub fn raw(&self, mut each: impl FnMut(u64, i64, &str)) -> Result<u64, JournalError> {
        let all = format!("SELECT {} FROM facts ORDER BY seq", Row::COLUMNS);
        let mut statement = self.connection.prepare(&all).map_err(JournalError::Read)?;
        let mut rows = statement.query([]).map_err(JournalError::Read)?;
        let mut link = Link::START;
        while let Some(row) = rows.next().map_err(JournalError::Read)? {
            let row = Row::read(row)?;
            link.check(&row)?;
            each(link.seq, row.written_at, row.json);
        }
        Ok(link.seq)
    }

    /// One exhibit, by key.
    pub fn exhibit(&self, key: &str) -> Result<Option<Vec<u8>>, JournalError> {
        exhibit(&self.connection, key)
    }

    /// Hands every exhibit, in the order of their keys, to `each`. Returns their number.
    pub fn exhibits(&self, mut each: impl FnMut(&str, &[u8])) -> Result<u64, JournalError> {
        const ALL: &str = "SELECT key, body FROM exhibits ORDER BY key";
        let mut visit = || {
            let mut statement = self.connection.prepare(ALL)?;
            let mut rows = statement.query([])?;
            let mut count = 0;
            while let Some(row) = rows.next()? {
                each(row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_blob()?);
                count += 1;
            }
            Ok(count)
        };
        visit().map_err(JournalError::Read)
    }
}

impl<T: DeserializeOwned + Send> Reader<T> {
    /// Hands every fact, oldest first, to `each`, and returns their number. Other threads decode
    /// ahead. On an error `each` has seen some of the facts before the one that failed.
    pub fn replay(&self, each: impl FnMut(T)) -> Result<u64, JournalError> {
        let last = database::last(&self.connection).map_err(JournalError::Read)?.seq;
        replay::replay(&self.path, last, each)?;
        Ok(last)
    }
}

/// One exhibit, by key.
pub(crate) fn exhibit(connection: &Connection, key: &str) -> Result<Option<Vec<u8>>, JournalError> {
    let find = || {
        let mut statement =
            connection.prepare_cached("SELECT body FROM exhibits WHERE key = ?1")?;
        statement.query_row([key], |row| row.get(0)).optional()
    };
    find().map_err(JournalError::Read)
}
