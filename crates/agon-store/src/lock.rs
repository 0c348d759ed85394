//! The lock that makes a journal have one owner: the operating system's, on a file in the folder.
//!
//! It ends with its process, however that ends, so it never has to be cleared by hand. The file
//! stays: removing it would let two owners hold a lock on two files of one name.

use std::{
    fs::{File, Metadata, TryLockError},
    io::{self, Read, Seek, Write},
    os::unix::fs::MetadataExt,
    path::Path,
};

use crate::{JournalError, folder};

const LOCK: &str = "journal.lock";

/// Held for as long as this lives.
pub(crate) struct Lock {
    file: File,
    /// Whoever held it before has left its number: it died.
    pub(crate) orphaned: bool,
}

impl Lock {
    pub(crate) fn take(dir: &Path) -> Result<Self, JournalError> {
        let path = dir.join(LOCK);
        let failed = |source| folder::failed(&path, source);
        let mut file = loop {
            let options = folder::private().create(true).truncate(false).open(&path);
            let mut file = options.map_err(failed)?;
            match file.try_lock() {
                Ok(()) if is_at(&file, &path) => break file,
                // The folder was put aside meanwhile: this lock guards a journal elsewhere.
                Ok(()) => folder::create(dir)?,
                Err(TryLockError::WouldBlock) => {
                    return Err(JournalError::InUse {
                        dir: dir.to_owned(),
                        holder: holder(&mut file),
                    });
                }
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
        };
        let orphaned = holder(&mut file).is_some();
        // The number serves a message and a kindness, so a full disk may swallow it.
        let _ = sign(&mut file);
        Ok(Self { file, orphaned })
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

/// Whether that file is still the one of that name.
fn is_at(file: &File, path: &Path) -> bool {
    let same = |(ours, there): (Metadata, Metadata)| {
        (ours.dev(), ours.ino()) == (there.dev(), there.ino())
    };
    file.metadata().ok().zip(path.metadata().ok()).is_some_and(same)
}

/// Leaves our process id for those who are turned away.
fn sign(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    write!(file, "{}", std::process::id())
}

/// Whoever holds the lock, unless they have not signed yet.
fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests;
