//! The mark: beside the journal, in a file of its own, how far it has been acknowledged.
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

use crate::{
    JournalError,
    chain::{Link, Sum},
    folder,
};

const MARK: &str = "journal.mark";
/// A number, a sum and the end of the line, always as long: one mark overwrites another.
const LENGTH: usize = 20 + 1 + 16 + 1;

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
pub(crate) fn read(dir: &Path) -> Option<Link> {
    let line = fs::read_to_string(dir.join(MARK)).ok()?;
    let (seq, sum) = line.trim_end().split_once(' ')?;
    let sum = u64::from_str_radix(sum, 16).ok()?.cast_signed();
    Some(Link { seq: seq.parse().ok()?, sum: Sum(sum) })
}
