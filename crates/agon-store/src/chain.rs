//! Sums that chain the facts together, so that damage is found where it is.
//!
//! The sum of a fact covers its number, its time and its text, and the sum before it. So a fact
//! that was altered, swapped or taken out of the middle does not fit any more. This is for disks
//! that forget and hands that slip; whoever wants to forge a journal can compute sums as well.
//!
//! A journal that has lost its end looks like a shorter journal: SQLite cuts what is torn off its
//! log, and has to, because a batch that was never finished looks the same. The mark tells the two
//! apart. It is written after every commit and never synced, so it may lag behind the journal,
//! after a power cut by much, but is never ahead of it. If it is, acknowledged facts are gone.

use std::{
    fs::{self, File},
    os::unix::fs::FileExt,
    path::Path,
};

use crate::{JournalError, folder};

const MARK: &str = "journal.mark";
/// A number, a sum and the end of the line, always as long: one mark overwrites another.
const LENGTH: usize = 20 + 1 + 16 + 1;

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
