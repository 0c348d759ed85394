//! The lock that makes a journal have one owner: the operating system's, on a file in the folder.
//!
//! It ends with its process, however that ends, so it never has to be cleared by hand. The file
//! stays: removing it would let two owners hold a lock on two files of one name.

use std::{
    fs::{File, TryLockError},
    io::{self, Read, Write},
    path::Path,
};

use crate::{Error, folder};

const LOCK: &str = "journal.lock";

/// Held for as long as this lives.
pub(crate) struct Lock {
    file: File,
}

impl Lock {
    pub(crate) fn take(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(LOCK);
        let failed = |source| folder::failed(&path, source);
        let mut file =
            folder::private().create(true).truncate(false).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::InUse { dir: dir.to_owned(), holder: holder(&mut file) });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        // The number only serves an error message, so a full disk may swallow it.
        let _ = sign(&mut file);
        Ok(Self { file })
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

/// Leaves our process id for those who are turned away.
fn sign(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
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
