//! The journal as its owner sees it.
//!
//! Two threads stand behind it, so that no caller ever waits for the disk on an async thread: one
//! owns the only connection that writes, the other looks up exhibits. A thread that has stopped is
//! an error value for whoever asks; dropping the journal waits until everything asked has been
//! done.

use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::path::{self, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io, thread};

use rusqlite::Connection;
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::{mpsc, oneshot};

use crate::chain::Writer;
use crate::folder::{self, FileInUse, Lock};
use crate::{Anchor, Batch, JournalError, Reader, database, reader};

/// One batch follows another, so only one that was given up can be ahead of it.
const APPENDS_WAITING_MAX: usize = 1;
/// A lookup takes microseconds; more askers than this wait their turn in front of the worker.
const LOOKUPS_WAITING_MAX: usize = 64;

/// An append-only list of facts on the disk, and the exhibits beside them.
///
/// Dropping it waits for an append that is under way, then lets the next owner in.
pub struct Journal<T> {
    // The order matters: readers close first, so that the writer, being the last, tidies up the
    // log; and only then may the lock go.
    lookups: Worker<Connection>,
    appends: Worker<Writer>,
    last: Arc<AtomicU64>,
    dir: PathBuf,
    file: FileInUse,
    lock: Lock,
    facts: PhantomData<fn(T) -> T>,
}

impl<T> Journal<T> {
    /// Opens the journal in `dir` for reading, whether or not somebody owns it.
    pub fn read_only(dir: &Path) -> Result<Reader<T>, JournalError> {
        Reader::open(dir)
    }

    /// Sequence number of the last durable fact, 0 when there is none.
    pub fn last(&self) -> u64 {
        self.last.load(Ordering::Acquire)
    }

    /// Whether its last owner died instead of letting go of it.
    pub fn is_orphaned(&self) -> bool {
        self.lock.orphaned
    }

    /// Something that keeps the journal readable when this owner could not write any more.
    pub fn anchor(&self) -> Result<Anchor, JournalError> {
        Anchor::drop_at(&folder::journal_path(&self.dir))
    }

    /// Closes the journal and gives its whole folder another name, which nothing may have. Nobody
    /// else can own it in between: the lock goes last.
    ///
    /// # Errors
    /// When the folder cannot be renamed: it is still there, and its journal is closed.
    pub fn put_aside(self, to: &Path) -> Result<(), JournalError> {
        let Self { lookups, appends, dir, lock: _until_the_end, .. } = self;
        drop((lookups, appends));
        if to.symlink_metadata().is_ok() {
            return Err(folder::failed(to, io::ErrorKind::AlreadyExists.into()));
        }
        fs::rename(&dir, to).map_err(|source| folder::failed(to, source))?;
        dir.parent().map_or(Ok(()), folder::sync)
    }

    /// A way to see whether its file is still there, for whoever has nothing to append. Looking
    /// asks the disk, so it blocks.
    pub fn watch(&self) -> impl Fn() -> Result<(), JournalError> + Clone + Send + use<T> {
        let file = self.file.clone();
        move || file.check()
    }

    /// One exhibit, by key. Whoever waits for it may use the journal meanwhile.
    pub fn exhibit(
        &self,
        key: &str,
    ) -> impl Future<Output = Result<Option<Vec<u8>>, JournalError>> + Send + use<T> {
        let key = key.to_owned();
        self.lookups.ask(move |connection| reader::exhibit(connection, &key))
    }
}

impl<T: Serialize + DeserializeOwned + Send + 'static> Journal<T> {
    /// Opens the journal in `dir`, makes both where they are missing, and becomes its owner.
    pub fn open(dir: &Path) -> Result<Self, JournalError> {
        let dir = path::absolute(dir).map_err(|source| folder::failed(dir, source))?;
        folder::create(&dir)?;
        let lock = Lock::take(&dir)?;
        let path = folder::journal_path(&dir);
        folder::create_file(&path)?;
        let writer = Writer::open(&dir)?;
        folder::sync(&dir)?;
        let (last, file) = (Arc::clone(&writer.last), writer.file.clone());
        let reading = database::open_for_reader(&path)?;
        let lookups = Worker::open("journal-read", LOOKUPS_WAITING_MAX, reading)?;
        let appends = Worker::open("journal-write", APPENDS_WAITING_MAX, writer)?;
        Ok(Self { lookups, appends, last, dir, file, lock, facts: PhantomData })
    }

    /// Hands every fact, oldest first, to `each`, and returns their number. Blocks; see
    /// [`Reader::replay`].
    pub fn replay(&self, each: impl FnMut(T)) -> Result<u64, JournalError> {
        Reader::open(&self.dir)?.replay(each)
    }

    /// Appends after fact `expected` and returns the number of the last fact, once all of the
    /// batch is on the disk. If the journal ends elsewhere it is a [`JournalError::Conflict`], and
    /// nothing is written.
    ///
    /// Whoever waits for it may use the journal meanwhile. Giving up the wait does not take the
    /// batch back: it may or may not be written.
    pub fn append(
        &mut self,
        expected: u64,
        batch: Batch<T>,
    ) -> impl Future<Output = Result<u64, JournalError>> + Send + use<T> {
        self.appends.ask(move |writer| writer.append(expected, &batch))
    }
}

/// What a worker is asked to do. It breaks off when nothing more can be done.
type Job<S> = Box<dyn FnOnce(&mut S) -> ControlFlow<()> + Send>;

/// A thread that owns a database connection and does one job at a time.
struct Worker<S> {
    /// What it is asked through, and itself. Gone only while the worker is being dropped.
    at_work: Option<(mpsc::Sender<Job<S>>, thread::JoinHandle<()>)>,
}

impl<S: Send + 'static> Worker<S> {
    /// Opens the worker; it closes, and drops what it owns, when a job breaks off.
    fn open(name: &str, waiting_max: usize, mut owned: S) -> Result<Self, JournalError> {
        let (jobs, mut inbox) = mpsc::channel::<Job<S>>(waiting_max);
        let work = move || {
            while let Some(job) = inbox.blocking_recv()
                && job(&mut owned).is_continue()
            {}
        };
        let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
        let thread = thread.map_err(JournalError::Thread)?;
        Ok(Self { at_work: Some((jobs, thread)) })
    }

    /// Asks and waits. A job that was handed over is done even if nobody waits.
    ///
    /// After SQLite has failed to append, the worker stops, which closes its connection and with it
    /// whatever was half done: a disk that once failed to sync is not to be believed without
    /// reading again.
    fn ask<A: Send + 'static, J>(
        &self,
        job: J,
    ) -> impl Future<Output = Result<A, JournalError>> + Send + use<S, A, J>
    where
        J: FnOnce(&mut S) -> Result<A, JournalError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job: Job<S> = Box::new(move |owned| {
            let outcome = job(owned);
            let broken = matches!(outcome, Err(JournalError::Append(_)));
            // Whoever stopped waiting finds out from the journal itself.
            let _ = reply.send(outcome);
            if broken { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // Nobody who has not asked yet keeps the thread from ending.
        let jobs = self.at_work.as_ref().map(|(jobs, _)| jobs.downgrade());
        async move {
            let jobs = jobs.and_then(|jobs| jobs.upgrade()).ok_or(JournalError::Closed)?;
            jobs.send(job).await.map_err(|_| JournalError::Closed)?;
            drop(jobs);
            answer.await.map_err(|_| JournalError::Closed)?
        }
    }
}

impl<S> Drop for Worker<S> {
    fn drop(&mut self) {
        if let Some((jobs, thread)) = self.at_work.take() {
            // The thread ends when it has done what is queued and nobody can ask any more.
            drop(jobs);
            // A panic over there was seen by its asker as `Closed`, so it is not repeated here.
            let _ = thread.join();
        }
    }
}
