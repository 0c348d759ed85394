//! How the journal's database is opened, recognised and laid out.
//!
//! A file is changed only after it has been recognised as ours or as empty.

use std::path::Path;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use crate::Error;

/// Marks a database as a journal of Agon: the letters AGON.
const APPLICATION_ID: i32 = 0x4147_4F4E;
/// The layout that this program writes.
const VERSION: i32 = 1;

/// Exhibits have a number of their own and an index by key. With the key as the primary key of a
/// table WITHOUT ROWID, a body above a quarter of a page would take an overflow page for itself
/// and each insert would land in the middle of the bodies; here they are written one after the
/// other, several to a page, and only the small index is out of order.
const LAYOUT: &str = "
    CREATE TABLE facts (
        seq        INTEGER PRIMARY KEY,
        written_at INTEGER NOT NULL,
        fact       TEXT NOT NULL
    ) STRICT;
    CREATE TABLE exhibits (
        id   INTEGER PRIMARY KEY,
        key  TEXT NOT NULL UNIQUE,
        body BLOB NOT NULL
    ) STRICT;
";

/// `synchronous=FULL` syncs the log at every commit; `fullfsync` means it on macOS too. The log
/// is copied into the database at 16 MiB, seldom enough to keep the copying cheap and often
/// enough to keep a single copying short, and gives back what it took beyond 64 MiB.
const OWNER_SETTINGS: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -16384;
    PRAGMA wal_autocheckpoint = 4096;
    PRAGMA journal_size_limit = 67108864;
";

/// A replay reads every page once, so it maps the file instead of copying it through a cache.
const READER_SETTINGS: &str = "
    PRAGMA temp_store = MEMORY;
    PRAGMA mmap_size = 2147418112;
";

/// Opens the database for its one writer, and lays it out if it is empty.
pub(crate) fn open_for_owner(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(Error::Open)?;
    let found = recognise(&connection, path)?;
    connection.execute_batch(OWNER_SETTINGS).map_err(Error::Open)?;
    match found {
        Found::Empty => lay_out(&mut connection).map_err(Error::Open)?,
        Found::Ours => {}
    }
    Ok(connection)
}

/// Opens the database for reading, beside whoever writes it.
pub(crate) fn open_for_reader(path: &Path) -> Result<Connection, Error> {
    let absent = || Error::Absent { path: path.to_owned() };
    if !path.exists() {
        return Err(absent());
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(Error::Open)?;
    match recognise(&connection, path)? {
        Found::Empty => return Err(absent()),
        Found::Ours => {}
    }
    connection.execute_batch(READER_SETTINGS).map_err(Error::Open)?;
    Ok(connection)
}

/// What a database turned out to be, when it is one that we may use.
enum Found {
    /// Nothing has been written yet, or its owner was killed before it could.
    Empty,
    Ours,
}

fn recognise(connection: &Connection, path: &Path) -> Result<Found, Error> {
    let foreign = || Error::Foreign { path: path.to_owned() };
    let (application, version, tables) =
        marks(connection).map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => foreign(),
            _ => Error::Open(error),
        })?;
    match (application, version) {
        (0, 0) if tables == 0 => Ok(Found::Empty),
        (APPLICATION_ID, VERSION) => Ok(Found::Ours),
        (APPLICATION_ID, found) if found > VERSION => Err(Error::Newer { found, known: VERSION }),
        // Version 1 is the first. An older one of ours will be brought up to date by an arm here.
        _ => Err(foreign()),
    }
}

/// Application id, version and number of tables, read as of one moment: an owner may be laying
/// the database out just now.
fn marks(connection: &Connection) -> rusqlite::Result<(i32, i32, i64)> {
    let moment = connection.unchecked_transaction()?;
    let tables = moment.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let mark = |name| moment.pragma_query_value(None, name, |row| row.get(0));
    Ok((mark("application_id")?, mark("user_version")?, tables))
}

fn lay_out(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(LAYOUT)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

/// Number of the last fact, 0 when there is none.
pub(crate) fn last_seq(connection: &Connection) -> rusqlite::Result<u64> {
    const LAST: &str = "SELECT coalesce(max(seq), 0) FROM facts";
    let last: i64 = connection.prepare_cached(LAST)?.query_row([], |row| row.get(0))?;
    Ok(last.cast_unsigned())
}
