//! The chain of facts: how one is added, and how it is known again.
//!
//! The sum of a fact covers its number, its time and its text, and the sum before it. So a fact
//! that was altered, swapped or taken out of the middle does not fit any more. This is for disks
//! that forget and hands that slip; whoever wants to forge a journal can compute sums as well.
//!
//! A journal that has lost its end looks like a shorter journal: SQLite cuts what is torn off its
//! log, and has to, because a batch that was never finished looks the same. The mark tells the two
//! apart. It is written after every commit and never synced, so it may lag behind the journal,
//! after a power cut by much, but is never ahead of it. If it is, acknowledged facts are gone.
//!
//! The writer is the one place that writes.

use std::fs::{self, File};
use std::ops::RangeInclusive;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use serde::Serialize;

use crate::folder::FileInUse;
use crate::{Batch, Exhibit, JournalError, database, folder};

const MARK: &str = "journal.mark";
/// A number, a sum and the end of the line, always as long: one mark overwrites another.
const LENGTH: usize = 20 + 1 + 16 + 1;

const FACTS: &str = "SELECT seq, written_at, fact, sum FROM facts
    WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq";
const ADD_FACT: &str = "INSERT INTO facts (seq, written_at, fact, sum) VALUES (?1, ?2, ?3, ?4)";
const ADD_EXHIBIT: &str = "INSERT INTO exhibits (key, body) VALUES (?1, ?2)
    ON CONFLICT (key) DO UPDATE SET body = excluded.body";

/// How far the chain has got: the number of a fact, and the sum of everything up to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) seq: u64,
    pub(crate) sum: i64,
}

impl Link {
    /// Before the first fact.
    pub(crate) const START: Self = Self { seq: 0, sum: 0 };

    /// The last of a journal.
    pub(crate) fn last(connection: &Connection) -> rusqlite::Result<Self> {
        const LAST: &str = "SELECT seq, sum FROM facts ORDER BY seq DESC LIMIT 1";
        let last = connection.prepare_cached(LAST)?.query_row([], Self::read).optional()?;
        Ok(last.unwrap_or(Self::START))
    }

    /// That of a number, if there is such a fact; the start for number 0.
    pub(crate) fn at(connection: &Connection, seq: u64) -> rusqlite::Result<Option<Self>> {
        const AT: &str = "SELECT seq, sum FROM facts WHERE seq = ?1";
        if seq == 0 {
            return Ok(Some(Self::START));
        }
        connection.prepare_cached(AT)?.query_row([seq.cast_signed()], Self::read).optional()
    }

    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { seq: row.get::<_, i64>(0)?.cast_unsigned(), sum: row.get(1)? })
    }

    /// Goes on by one fact, as it was written.
    pub(crate) fn add(&mut self, written_at: i64, json: &[u8]) {
        self.seq += 1;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.sum.to_le_bytes());
        hasher.update(&self.seq.to_le_bytes());
        hasher.update(&written_at.to_le_bytes());
        hasher.update(json);
        let mut short = [0; 8];
        hasher.finalize_xof().fill(&mut short);
        self.sum = i64::from_le_bytes(short);
    }

    /// Goes on by one fact, as it was read, if it is the next one.
    pub(crate) fn follow(&mut self, row: &Row<'_>) -> Result<(), JournalError> {
        self.add(row.written_at, row.json.as_bytes());
        let seq = self.seq;
        if row.seq == seq.cast_signed() { Ok(()) } else { Err(JournalError::Missing { seq }) }
    }

    /// The same, if the sum beside it agrees.
    pub(crate) fn check(&mut self, row: &Row<'_>) -> Result<(), JournalError> {
        self.follow(row)?;
        if self.sum == row.sum { Ok(()) } else { Err(JournalError::Damaged { seq: self.seq }) }
    }
}

/// One fact as it stands in the table.
pub(crate) struct Row<'row> {
    seq: i64,
    pub(crate) written_at: i64,
    pub(crate) json: &'row str,
    sum: i64,
}

/// Whatever stands in the table.
pub(crate) const ALL: RangeInclusive<i64> = i64::MIN..=i64::MAX;

/// Hands the facts of these numbers that are there, in order, to `each`.
pub(crate) fn visit(
    connection: &Connection,
    numbers: RangeInclusive<i64>,
    mut each: impl FnMut(&Row<'_>) -> Result<(), JournalError>,
) -> Result<(), JournalError> {
    let mut statement = connection.prepare_cached(FACTS).map_err(JournalError::Read)?;
    let ends = [numbers.start(), numbers.end()];
    let mut rows = statement.query(ends).map_err(JournalError::Read)?;
    while let Some(row) = rows.next().map_err(JournalError::Read)? {
        each(&read(row).map_err(JournalError::Read)?)?;
    }
    Ok(())
}

fn read<'row>(row: &'row rusqlite::Row<'_>) -> rusqlite::Result<Row<'row>> {
    let json = row.get_ref(2)?.as_str()?;
    Ok(Row { seq: row.get(0)?, written_at: row.get(1)?, json, sum: row.get(3)? })
}

/// What was acknowledged according to the mark; nothing, if there is none that makes sense.
pub(crate) fn marked(dir: &Path) -> Option<Link> {
    let line = fs::read_to_string(dir.join(MARK)).ok()?;
    let (seq, sum) = line.trim_end().split_once(' ')?;
    let sum = u64::from_str_radix(sum, 16).ok()?.cast_signed();
    Some(Link { seq: seq.parse().ok()?, sum })
}

pub(crate) struct Writer {
    connection: Connection,
    /// The last durable fact, shared with the journal: an append that nobody waits for any more
    /// must count as well.
    pub(crate) last: Arc<AtomicU64>,
    /// The file of the mark.
    mark: File,
    /// The file of the journal.
    pub(crate) file: FileInUse,
    /// One fact as JSON, kept between facts for its memory.
    json: Vec<u8>,
}

impl Writer {
    pub(crate) fn open(dir: &Path) -> Result<Self, JournalError> {
        let journal = folder::journal_path(dir);
        let connection = database::open_for_owner(&journal)?;
        let path = dir.join(MARK);
        let opened = folder::private().create(true).truncate(false).open(&path);
        let mark = opened.map_err(|source| folder::failed(&path, source))?;
        let last = Link::last(&connection).map_err(JournalError::Open)?;
        let (last, file) = (Arc::new(last.seq.into()), FileInUse::at(journal));
        Ok(Self { connection, last, mark, file, json: Vec::new() })
    }

    /// Appends after fact `expected`, and returns the number of the last fact.
    pub(crate) fn append<T: Serialize>(
        &mut self,
        expected: u64,
        batch: &Batch<T>,
    ) -> Result<u64, JournalError> {
        let failed = JournalError::Append;
        self.file.check()?;
        // Leaving early rolls back: a transaction does that when it is dropped.
        let begun = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = begun.map_err(failed)?;
        let mut last = Link::last(&transaction).map_err(failed)?;
        if last.seq != expected {
            return Err(JournalError::Conflict { expected, found: last.seq });
        }
        let (json, written_at) = (&mut self.json, now_micros());
        let mut add = transaction.prepare_cached(ADD_FACT).map_err(failed)?;
        for fact in &batch.facts {
            json.clear();
            serde_json::to_writer(&mut *json, fact).map_err(JournalError::Encode)?;
            last.add(written_at, json);
            let (seq, text) = (last.seq.cast_signed(), ToSqlOutput::Borrowed(ValueRef::Text(json)));
            add.execute(params![seq, written_at, text, last.sum]).map_err(failed)?;
        }
        let mut keep = transaction.prepare_cached(ADD_EXHIBIT).map_err(failed)?;
        for Exhibit { key, body } in &batch.exhibits {
            keep.execute(params![key, body]).map_err(failed)?;
        }
        drop((add, keep));
        transaction.commit().map_err(failed)?;
        self.file.check()?; // It may have gone meanwhile, and the batch with it.
        self.last.store(last.seq, Ordering::Release);
        self.set_mark(last);
        Ok(last.seq)
    }

    /// Moves the mark. Where that fails it stays behind: less of a witness, but no false one.
    fn set_mark(&self, last: Link) {
        let line = format!("{:020} {:016x}\n", last.seq, last.sum);
        debug_assert_eq!(line.len(), LENGTH);
        let _ = self.mark.write_all_at(line.as_bytes(), 0);
    }
}

/// Microseconds since 1970. For people to read: nothing is ordered by it, so a wrong clock is
/// written down as it is.
fn now_micros() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}
