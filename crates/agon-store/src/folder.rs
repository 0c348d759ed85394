//! The folder of a journal: made for its owner's eyes only, and itself durable.
//!
//! A synced file in a folder whose own entry was never synced can vanish in a power cut.

use std::{
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use crate::JournalError;

const JOURNAL: &str = "journal.sqlite3";

/// The journal's file in `dir`.
pub(crate) fn journal_path(dir: &Path) -> PathBuf {
    dir.join(JOURNAL)
}

/// Makes `dir` and the folders above it where they are missing, durably. What exists already
/// keeps the permissions that somebody gave it.
pub(crate) fn create(dir: &Path) -> Result<(), JournalError> {
    let missing: Vec<&Path> = dir.ancestors().take_while(|folder| !folder.exists()).collect();
    let made = fs::DirBuilder::new().mode(0o700).recursive(true).create(dir);
    made.map_err(|source| failed(dir, source))?;
    for folder in missing {
        if let Some(parent) = folder.parent() {
            sync(parent)?;
        }
    }
    Ok(())
}

/// Makes an empty journal file where there is none, before SQLite would with a wider mode. SQLite
/// gives the files that it puts beside it the same mode.
///
/// A file that exists is not even opened: closing it again would drop the locks that SQLite holds
/// on it for readers in this very process.
pub(crate) fn create_file(path: &Path) -> Result<(), JournalError> {
    match private().create_new(true).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(source) => Err(failed(path, source)),
    }
}

/// Options for a file that only its owner may read.
pub(crate) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(0o600);
    options
}

/// Makes the entries of a folder durable.
pub(crate) fn sync(dir: &Path) -> Result<(), JournalError> {
    File::open(dir).and_then(|folder| folder.sync_all()).map_err(|source| failed(dir, source))
}

pub(crate) fn failed(path: &Path, source: io::Error) -> JournalError {
    JournalError::Folder { path: path.to_owned(), source }
}
