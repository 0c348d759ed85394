//! Reading a journal: replaying its facts, and looking at what is kept beside them.
//!
//! Decoding costs more than anything else in a restart, so it is shared out: several threads read
//! and decode the facts in chunks, the caller applies them. The chunks go to the decoders in turn,
//! and are taken from them in the same turn, which keeps the order. Facts never change, so decoders
//! with connections of their own see the same as one would.

use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use rusqlite::{Connection, OptionalExtension};
use serde::de::DeserializeOwned;

use crate::chain::{self, Link};
use crate::{JournalError, database, folder};

/// Two fill the smallest machine that we care for, where applying wants its share as well.
const DECODERS: usize = 2;
/// Facts handed over at once: enough that the handing over costs nothing.
const CHUNK: usize = 1024;
/// Chunks that a decoder may be ahead: enough to even out a hiccup on either side.
const CHUNKS_AHEAD: usize = 2;

/// The journal as it was at one moment, for reading only. Its owner may go on writing meanwhile;
/// the owner's log cannot shrink as long as this lives, so do not keep it.
pub struct Reader<T> {
    path: PathBuf,
    connection: Connection,
    facts: PhantomData<fn() -> T>,
}

impl<T> Reader<T> {
    pub(crate) fn open(dir: &Path) -> Result<Self, JournalError> {
        let path = folder::journal_path(dir);
        let connection = database::open_for_reader(&path)?;
        // One transaction, never ended, is what keeps the moment; it begins with the first read.
        connection.execute_batch("BEGIN").map_err(JournalError::Read)?;
        Link::last(&connection).map_err(JournalError::Read)?;
        Ok(Self { path, connection, facts: PhantomData })
    }

    /// Hands every fact as it was written to `each`: its number, when it was written in
    /// microseconds since 1970, and its JSON. Returns their number.
    pub fn raw(&self, mut each: impl FnMut(u64, i64, &str)) -> Result<u64, JournalError> {
        let mut link = Link::START;
        chain::visit(&self.connection, chain::ALL, |row| {
            link.check(row)?;
            each(link.seq, row.written_at, row.json);
            Ok(())
        })?;
        Ok(link.seq)
    }

    /// One exhibit, by key.
    pub fn exhibit(&self, key: &str) -> Result<Option<Vec<u8>>, JournalError> {
        exhibit(&self.connection, key)
    }

    /// Hands every exhibit, in the order of their keys, to `each`. Returns their number.
    pub fn exhibits(&self, mut each: impl FnMut(&str, &[u8])) -> Result<u64, JournalError> {
        const ALL: &str = "SELECT key, body FROM exhibits ORDER BY key";
        let mut visit = || {
            let mut statement = self.connection.prepare(ALL)?;
            let mut rows = statement.query([])?;
            let mut count = 0;
            while let Some(row) = rows.next()? {
                each(row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_blob()?);
                count += 1;
            }
            Ok(count)
        };
        visit().map_err(JournalError::Read)
    }
}

impl<T: DeserializeOwned + Send> Reader<T> {
    /// Hands every fact, oldest first, to `each`, and returns their number. Other threads decode
    /// ahead. On an error `each` has seen some of the facts before the one that failed.
    pub fn replay(&self, mut each: impl FnMut(T)) -> Result<u64, JournalError> {
        let last = Link::last(&self.connection).map_err(JournalError::Read)?.seq;
        let path = &self.path;
        thread::scope(|scope| {
            let mut decoders = Vec::with_capacity(DECODERS);
            for turn in 0..DECODERS {
                let (sender, chunks) = sync_channel(CHUNKS_AHEAD);
                thread::Builder::new()
                    .name("journal-decode".to_owned())
                    .spawn_scoped(scope, move || decode(path, turn, last, &sender))
                    .map_err(JournalError::Thread)?;
                decoders.push(chunks);
            }
            for (_, decoder) in chunks(last).zip(decoders.iter().cycle()) {
                // A decoder goes without a word only by a panic, which the scope passes on.
                decoder.recv().map_err(|_| JournalError::Closed)??.into_iter().for_each(&mut each);
            }
            Ok(last)
        })
    }
}

/// One exhibit, by key.
pub(crate) fn exhibit(connection: &Connection, key: &str) -> Result<Option<Vec<u8>>, JournalError> {
    let find = || {
        let mut statement =
            connection.prepare_cached("SELECT body FROM exhibits WHERE key = ?1")?;
        statement.query_row([key], |row| row.get(0)).optional()
    };
    find().map_err(JournalError::Read)
}

/// The numbers of the facts, chunk by chunk.
fn chunks(last: u64) -> impl Iterator<Item = RangeInclusive<u64>> {
    let chunk = CHUNK as u64;
    (1..=last).step_by(CHUNK).map(move |first| first..=last.min(first + chunk - 1))
}

/// Sends every chunk whose turn it is, until one fails or nobody wants any more.
fn decode<T: DeserializeOwned>(
    path: &Path,
    turn: usize,
    last: u64,
    sender: &SyncSender<Result<Vec<T>, JournalError>>,
) {
    let connection = match database::open_for_reader(path) {
        Ok(connection) => connection,
        Err(error) => {
            // Nobody listens when the journal is so short that this decoder has no turn.
            let _ = sender.send(Err(error));
            return;
        }
    };
    for numbers in chunks(last).skip(turn).step_by(DECODERS) {
        let chunk = decode_chunk(&connection, numbers);
        let failed = chunk.is_err();
        if sender.send(chunk).is_err() || failed {
            return;
        }
    }
}

fn decode_chunk<T: DeserializeOwned>(
    connection: &Connection,
    numbers: RangeInclusive<u64>,
) -> Result<Vec<T>, JournalError> {
    let before = numbers.start() - 1;
    let found = Link::at(connection, before).map_err(JournalError::Read)?;
    let mut link = found.ok_or(JournalError::Missing { seq: before })?;
    let rows = numbers.start().cast_signed()..=numbers.end().cast_signed();
    let mut facts = Vec::with_capacity(CHUNK);
    chain::visit(connection, rows, |row| {
        link.check(row)?;
        let fact = serde_json::from_str(row.json);
        facts.push(fact.map_err(|source| JournalError::Decode { seq: link.seq, source })?);
        Ok(())
    })?;
    if link.seq < *numbers.end() {
        return Err(JournalError::Missing { seq: link.seq + 1 });
    }
    Ok(facts)
}
