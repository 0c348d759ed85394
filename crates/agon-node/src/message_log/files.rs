//! The files of a message log: one that grows, and those before it, until they are too many.
//!
//! A line that was cut, by a kill or a full disk, is left as it is; the next one begins anew.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

const CURRENT: &str = "messages.jsonl";

/// The files of a message log in that folder, the oldest first. None, if there is no log.
pub fn message_log_files(dir: &Path) -> Vec<PathBuf> {
    let older = (1..).map(|age| aged(dir, age)).take_while(|path| path.exists());
    let mut files: Vec<PathBuf> = older.collect();
    files.reverse();
    files.extend(Some(dir.join(CURRENT)).filter(|path| path.exists()));
    files
}

/// The file before the current one is the first, the one before that the second.
fn aged(dir: &Path, age: u32) -> PathBuf {
    dir.join(format!("messages.{age}.jsonl"))
}

pub(super) struct Files {
    dir: PathBuf,
    bytes_max: u64,
    /// All together, the current one counted.
    files_max: u32,
    open: Option<Open>,
}

struct Open {
    file: File,
    bytes: u64,
    /// Its last line is not whole.
    torn: bool,
}

impl Files {
    pub(super) fn new(dir: &Path, bytes_max: u64, files_max: u32) -> Self {
        Self { dir: dir.to_owned(), bytes_max, files_max, open: None }
    }

    pub(super) fn current(&self) -> PathBuf {
        self.dir.join(CURRENT)
    }

    /// Writes whole lines. A file that has grown enough makes room for the next one first.
    pub(super) fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        let mut open = self.open.take().map_or_else(|| Open::at(&self.current()), Ok)?;
        if open.bytes >= self.bytes_max {
            self.rotate()?;
            open = Open::at(&self.current())?;
        }
        let open = self.open.insert(open);
        if open.torn {
            open.file.write_all(b"\n")?;
        }
        open.torn = true;
        let written = open.file.write_all(lines);
        open.bytes += lines.len() as u64;
        open.torn = written.is_err();
        written
    }

    fn rotate(&self) -> io::Result<()> {
        let path = |age| if age == 0 { self.current() } else { aged(&self.dir, age) };
        let oldest = self.files_max - 1;
        if oldest == 0 {
            return fs::remove_file(self.current());
        }
        for age in (0..oldest).rev() {
            match fs::rename(path(age), path(age + 1)) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        // There may be more of them from a time when more were kept.
        (oldest + 1..).map(path).map_while(|path| fs::remove_file(path).ok()).for_each(drop);
        Ok(())
    }
}

impl Open {
    fn at(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let mut file = options.create(true).read(true).append(true).mode(0o600).open(path)?;
        let bytes = file.seek(SeekFrom::End(0))?;
        let mut last = [b'\n'];
        if bytes > 0 {
            file.seek(SeekFrom::Start(bytes - 1))?;
            file.read_exact(&mut last)?;
        }
        Ok(Self { file, bytes, torn: last != [b'\n'] })
    }
}
