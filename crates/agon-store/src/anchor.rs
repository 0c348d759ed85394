//! The anchor: keeps the files of a journal in use after its owner has let go of them.
//!
//! To open a journal that nobody has open, SQLite must make a small file beside it, and on a full
//! disk it cannot. Whoever holds an anchor can still have the journal read in that case.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use crate::{JournalError, database};

/// Holds on to a journal without owning it. If it is the last to let go, it tidies up as an owner.
pub struct Anchor {
    _connection: Connection,
}

impl Anchor {
    pub(crate) fn drop_at(path: &Path) -> Result<Self, JournalError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(JournalError::Open)?;
        // Only the first read takes hold of the files.
        database::last(&connection).map_err(JournalError::Open)?;
        Ok(Self { _connection: connection })
    }
}
