//! The folder of an export: written beside its place, for its owner only, and gone if it fails;
//! then moved to its place, whole.
//!
//! An export is replaced by two renames. A crash between them leaves the old one beside its place;
//! the next export puts it back first. A folder that is not ours is never touched.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{self, Path, PathBuf};
use std::thread;

use anyhow::{Context, anyhow, bail, ensure};
use serde::Serialize;

/// The file that says that a folder is an export.
const MARKER: &str = ".agon-export";

/// Being written; its writer holds a lock on the marker.
const NEW: &str = "new";
/// Whole, and out of the way for the moment between the two renames.
const OLD: &str = "old";
/// Replaced, and being removed.
const GONE: &str = "gone";

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
        let fresh = place.mine(NEW);
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

/// Where an export goes.
struct Place {
    to: PathBuf,
    parent: PathBuf,
}

impl Place {
    /// Looks at the place, refuses it if it is somebody else's, and tidies up around it.
    fn take(to: &Path) -> anyhow::Result<Self> {
        let absolute = path::absolute(to);
        let to = absolute.with_context(|| format!("could not look at {}", to.display()))?;
        let (Some(parent), Some(_)) = (to.parent(), to.file_name()) else {
            bail!("{} is no name for a new folder", to.display());
        };
        let parent = parent.to_owned();
        let place = Self { to, parent };
        place.is_export()?;
        create_durably(&place.parent)?;
        place.tidy_up()?;
        Ok(place)
    }

    /// Whether an export is there already. Something else is an error.
    fn is_export(&self) -> anyhow::Result<bool> {
        let to = self.to.display();
        let found = match fs::symlink_metadata(&self.to) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            found => found.with_context(|| format!("could not look at {to}"))?,
        };
        ensure!(found.is_dir(), "{to} exists and is not a folder; name another one with --to");
        if self.to.join(MARKER).is_file() {
            return Ok(true);
        }
        let mut content = fs::read_dir(&self.to).with_context(|| format!("could not read {to}"))?;
        if content.next().is_some() {
            bail!(
                "{to} exists and was not made by agon export; empty it, or name another folder \
                 with --to"
            );
        }
        Ok(false)
    }

    /// Moves a finished folder to its place. Until the last rename the old export stays whole.
    fn put(&self, fresh: &Path) -> anyhow::Result<()> {
        let to = self.to.display();
        let moving = || format!("could not move the export to {to}");
        if !self.is_export()? {
            // An empty folder, if there is one, is replaced by the same rename.
            fs::rename(fresh, &self.to).with_context(moving)?;
            return sync(&self.parent);
        }
        let old = self.mine(OLD);
        fs::rename(&self.to, &old).with_context(moving)?;
        if let Err(error) = fs::rename(fresh, &self.to) {
            // If even this fails the next export will do it.
            let _ = fs::rename(&old, &self.to);
            return Err(error).with_context(moving);
        }
        sync(&self.parent)?;
        self.discard(&old);
        Ok(())
    }

    /// Puts back an export that a crash left beside its place, and removes what nobody needs.
    fn tidy_up(&self) -> anyhow::Result<()> {
        for folder in [self.left_over(NEW)?, self.left_over(GONE)?].concat() {
            // What stays costs only room.
            let _ = remove(&folder);
        }
        let mut old = self.left_over(OLD)?;
        old.retain(|folder| folder.join(MARKER).is_file());
        if !self.to.exists()
            && let Some(last) = old.pop()
        {
            fs::rename(&last, &self.to)
                .with_context(|| format!("could not put back {}", self.to.display()))?;
            sync(&self.parent)?;
        }
        old.iter().for_each(|folder| self.discard(folder));
        Ok(())
    }

    /// Removes an export that was replaced. From its new name on, nobody takes it for a whole one.
    fn discard(&self, old: &Path) {
        let gone = self.mine(GONE);
        // If it cannot be removed now, it is tidied up later.
        let _ = fs::rename(old, &gone).and_then(|()| remove(&gone));
    }

    /// Folders of that kind that no living process is writing.
    fn left_over(&self, kind: &str) -> anyhow::Result<Vec<PathBuf>> {
        let stem = self.beside(kind, "");
        let stem = stem.file_name().unwrap_or_default().as_encoded_bytes();
        let reading = || format!("could not read {}", self.parent.display());
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.parent).with_context(reading)? {
            let entry = entry.with_context(reading)?;
            let name = entry.file_name();
            let pid = name.as_encoded_bytes().strip_prefix(stem);
            let ours = pid.is_some_and(|pid| pid.iter().all(u8::is_ascii_digit));
            if ours && abandoned(&entry.path()) {
                found.push(entry.path());
            }
        }
        Ok(found)
    }

    /// A folder of that kind that is this process's own.
    fn mine(&self, kind: &str) -> PathBuf {
        self.beside(kind, &std::process::id().to_string())
    }

    fn beside(&self, kind: &str, pid: &str) -> PathBuf {
        let mut name = OsString::from(self.to.file_name().unwrap_or_default());
        name.push(format!(".{kind}-{pid}"));
        self.parent.join(name)
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

/// Whether a folder is an export whose writer has gone: the lock on its marker went with it. A
/// writer that was killed at once, or while tidying up, leaves an empty folder.
fn abandoned(folder: &Path) -> bool {
    match File::open(folder.join(MARKER)) {
        Ok(marker) => marker.try_lock().is_ok(),
        Err(_) => fs::read_dir(folder).is_ok_and(|mut content| content.next().is_none()),
    }
}

/// Removes an export, its marker last, so that half a removal is known for what it is.
fn remove(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if entry.file_name() != MARKER {
            fs::remove_file(entry.path())?;
        }
    }
    match fs::remove_file(folder.join(MARKER)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => fs::remove_dir(folder),
    }
}

/// Makes the folders that are missing, each of them durably.
fn create_durably(folder: &Path) -> anyhow::Result<()> {
    let missing = folder.ancestors().take_while(|it| !it.exists());
    let missing: Vec<&Path> = missing.collect();
    fs::create_dir_all(folder).with_context(|| format!("could not create {}", folder.display()))?;
    missing.iter().filter_map(|it| it.parent()).try_for_each(sync)
}

/// Makes the entries of a folder durable.
fn sync(folder: &Path) -> anyhow::Result<()> {
    File::open(folder)
        .and_then(|it| it.sync_all())
        .with_context(|| format!("could not sync {}", folder.display()))
}

#[cfg(test)]
mod tests;
