//! An export while it is being written: beside its place, for its owner only, and gone if it fails.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, anyhow};
use serde::Serialize;

use super::place::{MARKER, Place, remove, sync};

const NOTE: &str = "Written by agon export. The next export to this folder replaces all of it.\n";
/// A disk makes several files durable in one go, if it is asked for several at once.
const SYNCERS: usize = 8;
/// Files that wait until they are made durable: enough to keep everybody busy, few enough to be
/// open at once.
const WAITING_MAX: usize = 16 * SYNCERS;

/// A folder that becomes an export once all of it is on the disk.
pub(super) struct Draft {
    place: Place,
    /// Where it is written. It is removed with the draft, unless it has been moved by then.
    fresh: PathBuf,
    /// Locked as long as we live, so that others can tell.
    _marker: File,
    folders: BTreeSet<PathBuf>,
    /// Files that are written, and not durable yet.
    waiting: Vec<File>,
    files: u64,
}

impl Draft {
    /// Begins an export, if it may go there.
    pub(super) fn begin(to: &Path) -> anyhow::Result<Self> {
        let place = Place::take(to)?;
        let fresh = place.fresh();
        let creating = || format!("could not create {}", fresh.display());
        let _marker = furnish(&fresh).with_context(creating)?;
        let (folders, waiting) = (BTreeSet::new(), Vec::new());
        Ok(Self { place, fresh, _marker, folders, waiting, files: 0 })
    }

    /// Writes one file. Its name must be made of ids that we made.
    pub(super) fn file(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let path = self.fresh.join(name);
        let writing = || format!("could not write {}", path.display());
        self.make_folder_of(&path).with_context(writing)?;
        let mut out = BufWriter::new(create(&path).with_context(writing)?);
        write(&mut out).with_context(writing)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error);
        self.waiting.push(file.with_context(writing)?);
        self.files += 1;
        if self.waiting.len() < WAITING_MAX { Ok(()) } else { self.sync_waiting() }
    }

    /// Writes one document.
    pub(super) fn json(&mut self, name: &str, document: &impl Serialize) -> anyhow::Result<()> {
        self.file(name, |out| {
            serde_json::to_writer_pretty(&mut *out, document)?;
            Ok(out.write_all(b"\n")?)
        })
    }

    /// Makes all of it durable, moves it to its place, and says how many files it has.
    pub(super) fn settle(mut self) -> anyhow::Result<u64> {
        self.sync_waiting()?;
        for folder in self.folders.iter().rev() {
            sync(folder)?;
        }
        sync(&self.fresh)?;
        self.place.put(&self.fresh)?;
        Ok(self.files)
    }

    fn make_folder_of(&mut self, file: &Path) -> io::Result<()> {
        let Some(folder) = file.parent().filter(|it| !self.folders.contains(*it)) else {
            return Ok(());
        };
        fs::create_dir_all(folder)?;
        let ours = folder.ancestors().take_while(|it| *it != self.fresh);
        self.folders.extend(ours.map(Path::to_owned));
        Ok(())
    }

    fn sync_waiting(&mut self) -> anyhow::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let sync = |files: &[File]| files.iter().try_for_each(File::sync_all);
        let shares = waiting.chunks(waiting.len().div_ceil(SYNCERS).max(1));
        let synced = thread::scope(|scope| {
            let syncers: Vec<_> = shares.map(|files| scope.spawn(move || sync(files))).collect();
            syncers.into_iter().map(|syncer| syncer.join()).collect::<Result<io::Result<()>, _>>()
        });
        let synced = synced.map_err(|_| anyhow!("a thread broke down"))?;
        synced.context("could not make the files durable")
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Nothing is there any more once it has been moved.
        let _ = remove(&self.fresh);
    }
}

/// Makes the folder of a draft, and the marker in it.
fn furnish(folder: &Path) -> io::Result<File> {
    fs::DirBuilder::new().mode(0o700).create(folder)?;
    let mut marker = create(&folder.join(MARKER))?;
    // Where there are no locks, nobody tidies up after us, and nothing worse.
    let _ = marker.lock();
    marker.write_all(NOTE.as_bytes())?;
    marker.sync_all()?;
    Ok(marker)
}

/// A new file for its owner only. One that exists is never overwritten.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600).open(path)
}
