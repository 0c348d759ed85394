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

use std::{
    fs::{self, File},
    os::unix::fs::FileExt,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use rusqlite::{
    Connection, Transaction, TransactionBehavior, params,
    types::{ToSqlOutput, ValueRef},
};
use serde::Serialize;

use crate::{Batch, Exhibit, JournalError, database, folder};

const MARK: &str = "journal.mark";
/// A number, a sum and the end of the line, always as long: one mark overwrites another.
const LENGTH: usize = 20 + 1 + 16 + 1;

const ADD_FACT: &str = "INSERT INTO facts (seq, written_at, fact, sum) VALUES (?1, ?2, ?3, ?4)";
const ADD_EXHIBIT: &str = "INSERT INTO exhibits (key, body) VALUES (?1, ?2)
    ON CONFLICT (key) DO UPDATE SET body = excluded.body";

/// The sum of everything up to some fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sum(pub(crate) i64);

impl Sum {
    /// Before the first fact.
    pub(crate) const START: Self = Self(0);

    /// The sum after one more fact.
    pub(crate) fn then(self, seq: u64, written_at: i64, json: &[u8]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0.to_le_bytes());
        hasher.update(&seq.to_le_bytes());
        hasher.update(&written_at.to_le_bytes());
        hasher.update(json);
        let mut short = [0; 8];
        hasher.finalize_xof().fill(&mut short);
        Self(i64::from_le_bytes(short))
    }
}

/// A fact and how far the chain has got: the last of a journal, or any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) seq: u64,
    pub(crate) sum: Sum,
}

impl Link {
    /// Before the first fact.
    pub(crate) const START: Self = Self { seq: 0, sum: Sum::START };

    /// Goes on by one fact, as it was written.
    pub(crate) fn add(&mut self, written_at: i64, json: &[u8]) {
        self.seq += 1;
        self.sum = self.sum.then(self.seq, written_at, json);
    }

    /// Goes on by one fact, as it was read, if the sum beside it agrees.
    pub(crate) fn check(&mut self, row: &Row<'_>) -> Result<(), JournalError> {
        let seq = self.seq + 1;
        if row.seq != seq.cast_signed() {
            return Err(JournalError::Missing { seq });
        }
        self.add(row.written_at, row.json.as_bytes());
        if self.sum == row.sum { Ok(()) } else { Err(JournalError::Damaged { seq }) }
    }
}

/// One fact as it stands in the table.
pub(crate) struct Row<'row> {
    pub(crate) seq: i64,
    pub(crate) written_at: i64,
    pub(crate) json: &'row str,
    pub(crate) sum: Sum,
}

impl<'row> Row<'row> {
    /// What every statement that reads facts selects.
    pub(crate) const COLUMNS: &'static str = "seq, written_at, fact, sum";

    pub(crate) fn read(row: &'row rusqlite::Row<'_>) -> Result<Self, JournalError> {
        let read = || -> rusqlite::Result<Self> {
            Ok(Self {
                seq: row.get(0)?,
                written_at: row.get(1)?,
                json: row.get_ref(2)?.as_str()?,
                sum: Sum(row.get(3)?),
            })
        };
        read().map_err(JournalError::Read)
    }
}

/// Beside the journal, in a file of its own: how far it has been acknowledged.
pub(crate) struct Mark {
    file: File,
}

impl Mark {
    /// Opens the mark for writing.
    pub(crate) fn open(dir: &Path) -> Result<Self, JournalError> {
        let path = dir.join(MARK);
        let opened = folder::private().create(true).truncate(false).open(&path);
        Ok(Self { file: opened.map_err(|source| folder::failed(&path, source))? })
    }

    /// Moves the mark. Where that fails it stays behind: less of a witness, but no false one.
    pub(crate) fn set(&self, last: Link) {
        let line = format!("{:020} {:016x}\n", last.seq, last.sum.0);
        debug_assert_eq!(line.len(), LENGTH);
        let _ = self.file.write_all_at(line.as_bytes(), 0);
    }
}

/// What was acknowledged according to the mark; nothing, if there is none that makes sense.
pub(crate) fn marked(dir: &Path) -> Option<Link> {
    let line = fs::read_to_string(dir.join(MARK)).ok()?;
    let (seq, sum) = line.trim_end().split_once(' ')?;
    let sum = u64::from_str_radix(sum, 16).ok()?.cast_signed();
    Some(Link { seq: seq.parse().ok()?, sum: Sum(sum) })
}

pub(crate) struct Writer {
    connection: Connection,
    /// The last durable fact, shared with the journal: an append that nobody waits for any more
    /// must count as well.
    last: Arc<AtomicU64>,
    mark: Mark,
    /// One fact as JSON, kept between facts for its memory.
    json: Vec<u8>,
}

impl Writer {
    pub(crate) fn new(connection: Connection, mark: Mark) -> Result<Self, JournalError> {
        let last = database::last(&connection).map_err(JournalError::Open)?;
        Ok(Self { connection, last: Arc::new(last.seq.into()), mark, json: Vec::new() })
    }

    pub(crate) fn last(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.last)
    }

    /// Appends after fact `expected`, and returns the number of the last fact.
    pub(crate) fn append<T: Serialize>(
        &mut self,
        expected: u64,
        batch: &Batch<T>,
    ) -> Result<u64, JournalError> {
        // Leaving early rolls back: a transaction does that when it is dropped.
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(JournalError::Append)?;
        let found = database::last(&transaction).map_err(JournalError::Append)?;
        if found.seq != expected {
            return Err(JournalError::Conflict { expected, found: found.seq });
        }
        let last = add_facts(&transaction, found, &batch.facts, &mut self.json)?;
        add_exhibits(&transaction, &batch.exhibits).map_err(JournalError::Append)?;
        transaction.commit().map_err(JournalError::Append)?;
        self.last.store(last.seq, Ordering::Release);
        self.mark.set(last);
        Ok(last.seq)
    }
}

/// Adds the facts behind `last` and returns the new last one.
fn add_facts<T: Serialize>(
    transaction: &Transaction<'_>,
    mut last: Link,
    facts: &[T],
    json: &mut Vec<u8>,
) -> Result<Link, JournalError> {
    let mut statement = transaction.prepare_cached(ADD_FACT).map_err(JournalError::Append)?;
    let written_at = now_micros();
    for fact in facts {
        json.clear();
        serde_json::to_writer(&mut *json, fact).map_err(JournalError::Encode)?;
        last.add(written_at, json);
        let (seq, sum) = (last.seq.cast_signed(), last.sum.0);
        let text = ToSqlOutput::Borrowed(ValueRef::Text(json));
        statement.execute(params![seq, written_at, text, sum]).map_err(JournalError::Append)?;
    }
    Ok(last)
}

fn add_exhibits(transaction: &Transaction<'_>, exhibits: &[Exhibit]) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(ADD_EXHIBIT)?;
    for Exhibit { key, body } in exhibits {
        statement.execute(params![key, body])?;
    }
    Ok(())
}

/// Microseconds since 1970. For people to read: nothing is ordered by it, so a wrong clock is
/// written down as it is.
fn now_micros() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}
