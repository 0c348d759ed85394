//! The one place that writes: turns a batch into rows and commits them.
//!
//! After SQLite has failed the writer stops, which closes its connection and with it whatever
//! was half done: a disk that once failed to sync is not to be believed without reading again.

use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use rusqlite::{
    Connection, Transaction, TransactionBehavior, params,
    types::{ToSqlOutput, ValueRef},
};
use serde::Serialize;

use crate::{
    Batch, Exhibit, JournalError,
    chain::{Link, Mark},
    database,
    worker::Reply,
};

const ADD_FACT: &str = "INSERT INTO facts (seq, written_at, fact, sum) VALUES (?1, ?2, ?3, ?4)";
const ADD_EXHIBIT: &str = "INSERT INTO exhibits (key, body) VALUES (?1, ?2)
    ON CONFLICT (key) DO UPDATE SET body = excluded.body";

/// What the writer is asked to do.
pub(crate) struct Append<T> {
    pub(crate) expected: u64,
    pub(crate) batch: Batch<T>,
    pub(crate) reply: Reply<u64>,
}

pub(crate) struct Writer {
    connection: Connection,
    /// The last durable fact, shared with the journal: an append that nobody waits for any more
    /// must count as well.
    last: Arc<AtomicU64>,
    mark: Mark,
    /// One fact as JSON, kept between facts for its memory.
    json: Vec<u8>,
}

impl Writer {
    pub(crate) fn new(connection: Connection, mark: Mark) -> Result<Self, JournalError> {
        let last = database::last(&connection).map_err(JournalError::Open)?;
        Ok(Self { connection, last: Arc::new(last.seq.into()), mark, json: Vec::new() })
    }

    pub(crate) fn last(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.last)
    }

    pub(crate) fn serve<T: Serialize>(&mut self, append: Append<T>) -> ControlFlow<()> {
        let Append { expected, batch, reply } = append;
        let outcome = self.append(expected, &batch);
        let broken = matches!(outcome, Err(JournalError::Append(_)));
        // Whoever stopped waiting finds out from the journal itself.
        let _ = reply.send(outcome);
        if broken { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn append<T: Serialize>(
        &mut self,
        expected: u64,
        batch: &Batch<T>,
    ) -> Result<u64, JournalError> {
        // Leaving early rolls back: a transaction does that when it is dropped.
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(JournalError::Append)?;
        let found = database::last(&transaction).map_err(JournalError::Append)?;
        if found.seq != expected {
            return Err(JournalError::Conflict { expected, found: found.seq });
        }
        let last = add_facts(&transaction, found, &batch.facts, &mut self.json)?;
        add_exhibits(&transaction, &batch.exhibits).map_err(JournalError::Append)?;
        transaction.commit().map_err(JournalError::Append)?;
        self.last.store(last.seq, Ordering::Release);
        self.mark.set(last);
        Ok(last.seq)
    }
}

/// Adds the facts behind `last` and returns the new last one.
fn add_facts<T: Serialize>(
    transaction: &Transaction<'_>,
    mut last: Link,
    facts: &[T],
    json: &mut Vec<u8>,
) -> Result<Link, JournalError> {
    let mut statement = transaction.prepare_cached(ADD_FACT).map_err(JournalError::Append)?;
    let written_at = now_micros();
    for fact in facts {
        json.clear();
        serde_json::to_writer(&mut *json, fact).map_err(JournalError::Encode)?;
        last.add(written_at, json);
        let (seq, sum) = (last.seq.cast_signed(), last.sum.0);
        let text = ToSqlOutput::Borrowed(ValueRef::Text(json));
        statement.execute(params![seq, written_at, text, sum]).map_err(JournalError::Append)?;
    }
    Ok(last)
}

fn add_exhibits(transaction: &Transaction<'_>, exhibits: &[Exhibit]) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare_cached(ADD_EXHIBIT)?;
    for Exhibit { key, body } in exhibits {
        statement.execute(params![key, body])?;
    }
    Ok(())
}

/// Microseconds since 1970. For people to read: nothing is ordered by it, so a wrong clock is
/// written down as it is.
fn now_micros() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}
