//! Appending: all of a batch or nothing of it, and only where the writer believes the end to be.

use std::{future::Future, pin::pin, task::Context};

use agon_store::{Batch, Journal, JournalError};
use rusqlite::Connection;

use crate::{block_on, exhibit, facts, joined, replayed, scored, unwritable};

#[test]
fn what_was_appended_is_replayed_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    assert_eq!(journal.last(), 0);
    block_on(async {
        assert_eq!(journal.append(0, facts(&[joined("Ada"), scored(-3)])).await.unwrap(), 2);
        assert_eq!(journal.append(2, facts(&[])).await.unwrap(), 2);
        assert_eq!(journal.append(2, facts(&[joined("ὕβρις \"\0")])).await.unwrap(), 3);
    });
    assert_eq!(journal.last(), 3);
    assert_eq!(replayed(&journal), [joined("Ada"), scored(-3), joined("ὕβρις \"\0")]);
}

#[test]
fn a_wrong_expectation_is_a_conflict_and_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    block_on(async {
        journal.append(0, facts(&[scored(1), scored(2)])).await.unwrap();
        for expected in [0, 1, 3, u64::MAX] {
            let batch = Batch { facts: vec![scored(9)], exhibits: vec![exhibit("k", "v")] };
            let error = journal.append(expected, batch).await.unwrap_err();
            assert!(
                matches!(error, JournalError::Conflict { expected: e, found: 2 } if e == expected),
                "{error:?}"
            );
        }
        assert_eq!(journal.exhibit("k").await.unwrap(), None);
        assert_eq!(journal.append(2, facts(&[scored(3)])).await.unwrap(), 3);
    });
    assert_eq!(replayed(&journal), [scored(1), scored(2), scored(3)]);
}

#[test]
fn an_append_behind_our_back_is_a_conflict() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    block_on(journal.append(0, facts(&[scored(1)]))).unwrap();
    let intruder = Connection::open(dir.path().join("journal.sqlite3")).unwrap();
    intruder.execute("INSERT INTO facts VALUES (2, 0, '{}', 0)", []).unwrap();

    let error = block_on(journal.append(1, facts(&[scored(2)]))).unwrap_err();
    assert!(matches!(error, JournalError::Conflict { expected: 1, found: 2 }), "{error:?}");
}

/// A fact that takes its journal's file away while it is written down.
#[derive(serde::Deserialize)]
struct Thief(std::path::PathBuf);

impl serde::Serialize for Thief {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        std::fs::remove_file(&self.0).unwrap();
        serializer.serialize_unit()
    }
}

#[test]
fn a_journal_that_goes_while_it_is_written_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    let is_there = journal.watch();
    is_there().unwrap();
    let facts = vec![Thief(dir.path().join("journal.sqlite3"))];
    let written = block_on(journal.append(0, Batch { facts, exhibits: vec![] }));
    assert!(matches!(written, Err(JournalError::Gone { .. })), "{written:?}");
    assert!(matches!(is_there(), Err(JournalError::Gone { .. })));
}

#[test]
fn an_exhibit_is_found_by_its_key_and_replaced_by_a_later_one() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    let large = "x".repeat(64 * 1024);
    block_on(async {
        let exhibits = vec![exhibit("R1M1", "first"), exhibit("R1M2", &large)];
        journal.append(0, Batch { facts: vec![scored(1)], exhibits }).await.unwrap();
        assert_eq!(journal.exhibit("R1M1").await.unwrap().unwrap(), b"first");
        let exhibits = vec![exhibit("R1M1", "second")];
        journal.append(1, Batch { facts: vec![], exhibits }).await.unwrap();
        assert_eq!(journal.exhibit("R1M1").await.unwrap().unwrap(), b"second");
        assert_eq!(journal.exhibit("R1M2").await.unwrap().unwrap(), large.as_bytes());
        assert_eq!(journal.exhibit("R1M3").await.unwrap(), None);
    });
    assert_eq!(replayed(&journal), [scored(1)]);
}

#[test]
fn a_fact_that_cannot_be_written_takes_its_batch_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    block_on(async {
        let batch = Batch {
            facts: vec![scored(1), unwritable()],
            exhibits: vec![exhibit("R1M1", "of the lost batch")],
        };
        let error = journal.append(0, batch).await.unwrap_err();
        assert!(matches!(error, JournalError::Encode(_)), "{error:?}");
        assert_eq!(journal.exhibit("R1M1").await.unwrap(), None);
        assert_eq!(journal.append(0, facts(&[scored(2)])).await.unwrap(), 1);
    });
    assert_eq!(replayed(&journal), [scored(2)]);
}

#[test]
fn after_a_failure_the_journal_is_closed_and_opens_again_without_the_batch() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    block_on(journal.append(0, facts(&[scored(1)]))).unwrap();
    // A disk that fails between the facts and the exhibits, as far as SQLite is concerned.
    let saboteur = Connection::open(dir.path().join("journal.sqlite3")).unwrap();
    saboteur
        .execute_batch(
            "CREATE TRIGGER full BEFORE INSERT ON exhibits
             BEGIN SELECT RAISE(ABORT, 'no room'); END",
        )
        .unwrap();

    let batch = Batch { facts: vec![scored(2)], exhibits: vec![exhibit("R1M1", "lost")] };
    let error = block_on(journal.append(1, batch.clone())).unwrap_err();
    assert!(matches!(error, JournalError::Append(_)), "{error:?}");
    assert_eq!(error.to_string(), "could not append to the journal");
    let error = block_on(journal.append(1, facts(&[scored(2)]))).unwrap_err();
    assert!(matches!(error, JournalError::Closed), "{error:?}");
    assert_eq!(journal.last(), 1);

    drop(journal);
    saboteur.execute_batch("DROP TRIGGER full").unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    assert_eq!(replayed(&journal), [scored(1)]);
    assert_eq!(block_on(journal.append(1, batch)).unwrap(), 2);
}

#[test]
fn an_append_nobody_waits_for_is_written_whole() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    {
        let mut context = Context::from_waker(std::task::Waker::noop());
        let append = pin!(journal.append(0, facts(&[scored(1), scored(2)])));
        // The first poll hands the batch over; then the caller loses interest.
        let _ = append.poll(&mut context);
    }
    drop(journal);
    let journal = Journal::open(dir.path()).unwrap();
    assert_eq!(journal.last(), 2);
    assert_eq!(replayed(&journal), [scored(1), scored(2)]);
}

#[test]
fn a_journal_may_be_owned_by_a_task_on_any_thread() {
    fn movable<T: Send + Sync>(value: T) -> T {
        value
    }
    let dir = tempfile::tempdir().unwrap();
    let mut journal = movable(Journal::open(dir.path()).unwrap());
    block_on(async {
        let task = tokio::spawn(async move {
            journal.append(0, facts(&[scored(1)])).await.unwrap();
            journal.exhibit("R1M1").await.unwrap();
            journal.last()
        });
        assert_eq!(task.await.unwrap(), 1);
    });
}
