//! The archive of Agon: an append-only journal on SQLite.
//!
//! It keeps facts in the order in which they were appended and documents beside them, and knows
//! the meaning of neither. What it promises:
//!
//! - A batch is on the disk, as a whole, before its append succeeds; a failed one leaves nothing.
//! - Facts are numbered 1, 2, 3, … without a gap, and are never changed or removed; one that was
//!   changed, or that is gone, is found before anybody believes the rest.
//! - A journal has one owner at a time; anybody may read it meanwhile.

use std::io;
use std::path::PathBuf;

use rusqlite::ErrorCode;

mod chain;
mod database;
mod folder;
mod journal;
mod reader;

pub use database::Anchor;
pub use folder::is_owned;
pub use journal::Journal;
pub use reader::Reader;

/// One batch, made durable together or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch<T> {
    /// What happened, oldest first.
    pub facts: Vec<T>,
    /// What is kept beside these facts.
    pub exhibits: Vec<Exhibit>,
}

/// A document kept beside the facts, such as a match's transcript. It is found by its key and
/// never replayed; a later one with the same key replaces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exhibit {
    pub key: String,
    pub body: Vec<u8>,
}

/// Everything that can go wrong with a journal, and what to do about it.
///
/// Says what the journal was doing; the cause is the source. After a failed append the owner drops
/// its journal, opens it again and replays it.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("could not prepare {path}")]
    Folder { path: PathBuf, source: io::Error },
    #[error(
        "the journal in {dir} is in use{}; stop its owner first, or choose another folder",
        .holder.map(|pid| format!(" by process {pid}")).unwrap_or_default()
    )]
    InUse { dir: PathBuf, holder: Option<u32> },
    #[error("there is no journal at {path}; name the folder that its owner writes to")]
    Absent { path: PathBuf },
    #[error("{path} is not a journal of Agon; move it away, or choose another folder")]
    Foreign { path: PathBuf },
    #[error(
        "the journal is of version {found} and this program knows {known}; \
         use the program that wrote it, or a newer one"
    )]
    Newer { found: i32, known: i32 },
    #[error("could not open the journal{}", hint(.0))]
    Open(#[source] rusqlite::Error),
    #[error("could not read the journal{}", hint(.0))]
    Read(#[source] rusqlite::Error),
    /// Whether the batch reached the disk is unknown; only the journal, opened again, can tell.
    #[error("could not append to the journal{}", hint(.0))]
    Append(#[source] rusqlite::Error),
    #[error("{path} was removed or replaced while it was in use: bring it back, and start again")]
    Gone { path: PathBuf },
    #[error("could not write down a fact")]
    Encode(#[source] serde_json::Error),
    #[error("could not understand fact {seq}; was it written by another version?")]
    Decode { seq: u64, source: serde_json::Error },
    #[error("fact {seq} is missing; restore the journal from a backup")]
    Missing { seq: u64 },
    #[error("fact {seq} is not what was written; restore the journal from a backup")]
    Damaged { seq: u64 },
    #[error(
        "the journal in {dir} ends at fact {found}, but fact {marked} was acknowledged: its end is \
         gone. Bring back journal.sqlite3 and, if there was one, journal.sqlite3-wal; or remove \
         journal.mark to go on with what is there"
    )]
    Cut { dir: PathBuf, found: u64, marked: u64 },
    #[error(
        "the journal in {dir} is another one than fact {marked} was acknowledged in. Bring the \
         right journal.sqlite3 back; or remove journal.mark to go on with this one"
    )]
    Swapped { dir: PathBuf, marked: u64 },
    #[error(
        "the journal is of version {found} and this program reads {known}; let its owner open it \
         once with this program"
    )]
    Older { found: i32, known: i32 },
    #[error("the journal ends at fact {found}, not at {expected}: somebody else has appended")]
    Conflict { expected: u64, found: u64 },
    #[error("could not start a thread for the journal")]
    Thread(#[source] io::Error),
    #[error("the journal was closed after an earlier failure; open it again")]
    Closed,
}

impl JournalError {
    /// Whether it may work again as soon as the disk does: it was full, read-only or failing.
    /// Everything else needs somebody who looks at it.
    pub fn may_pass(&self) -> bool {
        let (Self::Open(error) | Self::Read(error) | Self::Append(error)) = self else {
            return matches!(self, Self::Folder { .. } | Self::Closed);
        };
        matches!(
            error.sqlite_error_code(),
            Some(
                ErrorCode::DiskFull
                    | ErrorCode::SystemIoFailure
                    | ErrorCode::ReadOnly
                    | ErrorCode::CannotOpen
                    | ErrorCode::DatabaseBusy
            )
        )
    }
}

/// What to do about it, where the error of SQLite does not say so.
fn hint(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "; make room on the disk",
        Some(ErrorCode::SystemIoFailure) => "; is the disk full, or failing?",
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) => "; may we write to its folder?",
        Some(ErrorCode::DatabaseCorrupt) => "; restore it from a backup",
        _ => "",
    }
}
