//! The folder of a journal: made for its owner's eyes only, itself durable, and locked for its one
//! owner.
//!
//! A synced file in a folder whose own entry was never synced can vanish in a power cut.
//!
//! The lock is the operating system's, on a file in the folder. It ends with its process, however
//! that ends, so it never has to be cleared by hand. The file stays: removing it would let two
//! owners hold a lock on two files of one name.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::JournalError;

const JOURNAL: &str = "journal.sqlite3";
const LOCK: &str = "journal.lock";

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
    missing.into_iter().filter_map(Path::parent).try_for_each(sync)
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

/// Held for as long as this lives.
pub(crate) struct Lock {
    file: File,
    /// Whoever held it before has left its number: it died.
    pub(crate) orphaned: bool,
}

impl Lock {
    pub(crate) fn take(dir: &Path) -> Result<Self, JournalError> {
        let path = dir.join(LOCK);
        let in_vain = |source| failed(&path, source);
        let mut file = loop {
            let options = private().create(true).truncate(false).open(&path);
            let mut file = options.map_err(in_vain)?;
            match file.try_lock() {
                Ok(()) if identity(file.metadata()) == identity(path.metadata()) => break file,
                // The folder was put aside meanwhile: this lock guards a journal elsewhere.
                Ok(()) => create(dir)?,
                Err(TryLockError::WouldBlock) => {
                    return Err(JournalError::InUse {
                        dir: dir.to_owned(),
                        holder: holder(&mut file),
                    });
                }
                Err(TryLockError::Error(source)) => return Err(in_vain(source)),
            }
        };
        let orphaned = holder(&mut file).is_some();
        // The number serves a message and a kindness, so a full disk may swallow it.
        let _ = sign(&mut file);
        Ok(Self { file, orphaned })
    }
}

/// Whether somebody owns the journal in `dir` now. Where that cannot be told, somebody may.
pub fn is_owned(dir: &Path) -> bool {
    match File::open(dir.join(LOCK)) {
        Err(error) => error.kind() != io::ErrorKind::NotFound,
        // Whoever let go of it has left no number. Only that of a dead owner needs another look.
        Ok(mut file) => holder(&mut file).is_some() && file.try_lock_shared().is_err(),
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // An old number that is left behind does no harm.
        let _ = self.file.set_len(0);
        // Closing the file is not enough: a child that this process is just starting has a copy of
        // the descriptor until it becomes another program, and would hold the lock for so long.
        let _ = self.file.unlock();
    }
}

/// A file that is in use, and which one it was when that began.
#[derive(Clone)]
pub(crate) struct FileInUse {
    path: PathBuf,
    which: Option<(u64, u64)>,
}

impl FileInUse {
    pub(crate) fn at(path: PathBuf) -> Self {
        let which = identity(path.metadata());
        Self { path, which }
    }

    /// Whether it still has its name: what is written into a file without one is gone with this
    /// process.
    pub(crate) fn check(&self) -> Result<(), JournalError> {
        if identity(self.path.metadata()) == self.which {
            return Ok(());
        }
        Err(JournalError::Gone { path: self.path.clone() })
    }
}

/// Which file that is, whatever its name; nothing, if there is none.
pub(crate) fn identity(of: io::Result<Metadata>) -> Option<(u64, u64)> {
    of.ok().map(|file| (file.dev(), file.ino()))
}

/// Leaves our process id for those who are turned away.
fn sign(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    write!(file, "{}", std::process::id())
}

/// Whoever holds the lock, unless they have not signed yet.
fn holder(file: &mut File) -> Option<u32> {
    io::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests;
