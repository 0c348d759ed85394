//! How the journal's database is opened, recognised and laid out.
//!
//! A file is changed only after it has been recognised as ours or as empty, and as whole.

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use crate::JournalError;
use crate::chain::{self, Link};

/// Marks a database as a journal of Agon: the letters AGON.
const APPLICATION_ID: i32 = 0x4147_4F4E;
/// The layout that this program writes.
const VERSION: i32 = 2;

/// The first layout: facts without sums.
const FIRST: i32 = 1;

/// Exhibits have a number of their own and an index by key. With the key as the primary key of a
/// table WITHOUT ROWID, a body above a quarter of a page would take an overflow page for itself
/// and each insert would land in the middle of the bodies; here they are written one after the
/// other, several to a page, and only the small index is out of order.
const LAYOUT: &str = "
    CREATE TABLE facts (
        seq        INTEGER PRIMARY KEY,
        written_at INTEGER NOT NULL,
        fact       TEXT NOT NULL,
        sum        INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE exhibits (
        id   INTEGER PRIMARY KEY,
        key  TEXT NOT NULL UNIQUE,
        body BLOB NOT NULL
    ) STRICT;
";

/// `synchronous=FULL` syncs the log at every commit; `fullfsync` means it on macOS too. The log
/// is copied into the database at 16 MiB, seldom enough to keep the copying cheap and often
/// enough to keep a single copying short, and gives back what it took beyond 64 MiB. Facts are
/// added at the end and read by others, so the cache needs to hold one batch and the index of the
/// exhibits: a larger one would fill up with pages that nobody looks at again.
const OWNER_SETTINGS: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -4096;
    PRAGMA wal_autocheckpoint = 4096;
    PRAGMA journal_size_limit = 67108864;
";

/// A replay reads every page once, so it maps the file instead of copying it through a cache.
const READER_SETTINGS: &str = "
    PRAGMA temp_store = MEMORY;
    PRAGMA mmap_size = 2147418112;
";

/// Opens the database for its one writer, lays it out if it is empty, and shows that it can be
/// written.
pub(crate) fn open_for_owner(path: &Path) -> Result<Connection, JournalError> {
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    // If it is refused below, its log must stay as it is, for whoever wants to mend it.
    let keep_log = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
    connection.set_db_config(keep_log, true).map_err(JournalError::Open)?;
    let found = recognise(&connection, path)?;
    attest(&connection, &found, path)?;
    connection.set_db_config(keep_log, false).map_err(JournalError::Open)?;
    connection.execute_batch(OWNER_SETTINGS).map_err(JournalError::Open)?;
    settle(&mut connection, &found)?;
    Ok(connection)
}

/// Opens the database for reading, beside whoever writes it.
pub(crate) fn open_for_reader(path: &Path) -> Result<Connection, JournalError> {
    let absent = || JournalError::Absent { path: path.to_owned() };
    if !path.exists() {
        return Err(absent());
    }
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    match recognise(&connection, path)? {
        Found::Empty => return Err(absent()),
        Found::First => return Err(JournalError::Older { found: FIRST, known: VERSION }),
        Found::Ours => {}
    }
    connection.execute_batch(READER_SETTINGS).map_err(JournalError::Open)?;
    Ok(connection)
}

/// Holds on to a journal without owning it: keeps its files in use after its owner has let go of
/// them. If it is the last to let go, it tidies up as an owner.
///
/// To open a journal that nobody has open, SQLite must make a small file beside it, and on a full
/// disk it cannot. Whoever holds an anchor can still have the journal read in that case.
pub struct Anchor {
    _connection: Connection,
}

impl Anchor {
    pub(crate) fn drop_at(path: &Path) -> Result<Self, JournalError> {
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // Only the first read takes hold of the files.
        Link::last(&connection).map_err(JournalError::Open)?;
        Ok(Self { _connection: connection })
    }
}

/// A connection stays with one thread, so it needs no locks of its own.
fn connect(path: &Path, access: OpenFlags) -> Result<Connection, JournalError> {
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags).map_err(JournalError::Open)
}

/// What a database turned out to be, when it is one that we may use.
enum Found {
    /// Nothing has been written yet, or its owner was killed before it could.
    Empty,
    /// Of the first version, which had no sums.
    First,
    Ours,
}

fn recognise(connection: &Connection, path: &Path) -> Result<Found, JournalError> {
    let foreign = || JournalError::Foreign { path: path.to_owned() };
    let (application, version, tables) =
        marks(connection).map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => foreign(),
            _ => JournalError::Open(error),
        })?;
    match (application, version) {
        (0, 0) if tables == 0 => Ok(Found::Empty),
        (APPLICATION_ID, VERSION) => Ok(Found::Ours),
        (APPLICATION_ID, FIRST) => Ok(Found::First),
        (APPLICATION_ID, found) if found > VERSION => {
            Err(JournalError::Newer { found, known: VERSION })
        }
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

/// Brings a journal of the first version up to date.
fn add_sums(transaction: &Transaction<'_>) -> Result<(), JournalError> {
    const COLUMN: &str = "ALTER TABLE facts ADD COLUMN sum INTEGER NOT NULL DEFAULT 0";
    const SUM: &str = "UPDATE facts SET sum = ?2 WHERE seq = ?1";
    transaction.execute_batch(COLUMN).map_err(JournalError::Open)?;
    let mut add = transaction.prepare(SUM).map_err(JournalError::Open)?;
    let mut link = Link::START;
    chain::visit(transaction, chain::ALL, |row| {
        link.follow(row)?;
        add.execute([link.seq.cast_signed(), link.sum]).map(drop).map_err(JournalError::Open)
    })
}

/// Everything that was acknowledged must be there, up to the last fact or before it.
fn attest(connection: &Connection, found: &Found, path: &Path) -> Result<(), JournalError> {
    let last = match found {
        Found::Empty => Link::START,
        Found::First => return Ok(()), // It had no mark either.
        Found::Ours => Link::last(connection).map_err(JournalError::Open)?,
    };
    let dir = path.parent().unwrap_or(path);
    let Some(marked) = chain::marked(dir) else {
        return Ok(());
    };
    if last.seq < marked.seq {
        return Err(JournalError::Cut { dir: dir.to_owned(), found: last.seq, marked: marked.seq });
    }
    if Link::at(connection, marked.seq).map_err(JournalError::Open)? != Some(marked) {
        return Err(JournalError::Swapped { dir: dir.to_owned(), marked: marked.seq });
    }
    Ok(())
}

/// Writes what the log holds into the database, and a little into the log: the version, and before
/// it whatever this one has and the journal has not.
///
/// After a failed sync the system may show us a log that never reached the disk. Copied and synced
/// anew it does, and if the disk still fails we hear of it here, before anybody relies on it. With
/// a reader in the way less is copied; the next commit syncs the log in any case.
fn settle(connection: &mut Connection, found: &Found) -> Result<(), JournalError> {
    let copied = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    copied.map_err(JournalError::Open)?;
    let begun = connection.transaction_with_behavior(TransactionBehavior::Immediate);
    let transaction = begun.map_err(JournalError::Open)?;
    match found {
        Found::Empty => {
            let laid_out = transaction.execute_batch(LAYOUT);
            let signed = || transaction.pragma_update(None, "application_id", APPLICATION_ID);
            laid_out.and_then(|()| signed()).map_err(JournalError::Open)?;
        }
        Found::First => add_sums(&transaction)?,
        Found::Ours => {}
    }
    let version = transaction.pragma_update(None, "user_version", VERSION);
    version.and_then(|()| transaction.commit()).map_err(JournalError::Open)
}
