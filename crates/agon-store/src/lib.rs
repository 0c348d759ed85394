//! The archive of Agon: an append-only journal on SQLite.
//!
//! It keeps facts in the order in which they were appended and documents beside them, and knows
//! the meaning of neither. What it promises:
//!
//! - A batch is on the disk, as a whole, before its append succeeds; a failed one leaves nothing.
//! - Facts are numbered 1, 2, 3, … without a gap, and are never changed or removed; one that was
//!   changed, or that is gone, is found before anybody believes the rest.
//! - A journal has one owner at a time; anybody may read it meanwhile.

mod chain;
mod database;
mod error;
mod folder;
mod journal;
mod reader;

pub use database::Anchor;
pub use error::JournalError;
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
