//! Damaged journals: a torn end that nobody was promised is cut, anything worse is refused.

use std::{
    fs,
    path::{Path, PathBuf},
};

use agon_store::{Batch, Journal, JournalError};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::{Fact, block_on, exhibit, facts, replayed, scored};

const DATABASE: &str = "journal.sqlite3";
const LOG: &str = "journal.sqlite3-wal";
const MARK: &str = "journal.mark";
/// A page of the log with its head.
const FRAME: usize = 4096 + 24;

/// What a killed owner leaves behind: its files, copied while it lived.
struct Remains {
    dir: TempDir,
}

impl Remains {
    fn of(owner: &Path) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in [DATABASE, LOG, MARK] {
            fs::copy(owner.join(name), dir.path().join(name)).unwrap();
        }
        Self { dir }
    }

    /// Of an owner that wrote batches of one, two, three … facts, the first ones long ago.
    fn after(batches: u64) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(dir.path()).unwrap();
        (0..2).for_each(|batch| write(&mut journal, batch));
        drop(journal); // What was written so far leaves the log.
        let mut journal = Journal::open(dir.path()).unwrap();
        (2..batches).for_each(|batch| write(&mut journal, batch));
        Self::of(dir.path())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.file(name)).unwrap()
    }

    fn open(&self) -> Result<Journal<Fact>, JournalError> {
        Journal::open(self.dir.path())
    }

    fn refused(&self) -> JournalError {
        self.open().err().expect("the journal must be refused")
    }
}

/// Adds batch number `batch`, which has one fact more than its number.
fn write(journal: &mut Journal<Fact>, batch: u64) {
    let from = journal.last();
    let more: Vec<Fact> = (from..=from + batch).map(|n| scored(n.cast_signed())).collect();
    block_on(journal.append(from, facts(&more))).unwrap();
}

/// Where batches end: nothing, then after each.
fn ends() -> impl Iterator<Item = u64> {
    (0..).scan(0, |end, batch| {
        let before = *end;
        *end += batch + 1;
        Some(before)
    })
}

fn numbered(count: u64) -> Vec<Fact> {
    (0..count).map(|n| scored(n.cast_signed())).collect()
}

#[test]
fn a_batch_that_was_torn_before_it_was_acknowledged_is_cut() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    (0..4).for_each(|batch| write(&mut journal, batch));
    let before = Remains::of(dir.path());
    let promised = journal.last();
    write(&mut journal, 4);
    let after = Remains::of(dir.path()).read(LOG);

    let whole = before.read(LOG).len();
    assert!(after.len() > whole, "the last batch is in the log");
    for end in (whole..after.len()).step_by(997) {
        fs::write(before.file(LOG), &after[..end]).unwrap();
        let remains = Remains::of(before.dir.path());
        let journal = remains.open().unwrap();
        assert_eq!(replayed(&journal), numbered(promised), "cut at {end}");
    }
}

#[test]
fn a_torn_page_inside_a_batch_that_was_not_acknowledged_takes_all_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    (0..3).for_each(|batch| write(&mut journal, batch));
    let before = Remains::of(dir.path());
    let promised = journal.last();
    // So long that it takes many pages of the log.
    let many: Vec<Fact> = (0..2000).map(scored).collect();
    block_on(journal.append(promised, facts(&many))).unwrap();
    let mut log = Remains::of(dir.path()).read(LOG);

    let page = before.read(LOG).len() + 3 * FRAME + 100;
    log[page..page + 512].fill(0);
    fs::write(before.file(LOG), log).unwrap();
    assert_eq!(replayed(&before.open().unwrap()), numbered(promised));
}

#[test]
fn a_log_that_lost_what_was_acknowledged_is_refused_and_left_alone() {
    let sound = Remains::after(6);
    let log = sound.read(LOG);
    let promised = ends().nth(6).unwrap();
    for end in (0..log.len() - 1).step_by(1499) {
        let remains = Remains::of(sound.dir.path());
        fs::write(remains.file(LOG), &log[..end]).unwrap();
        let database = remains.read(DATABASE);

        let error = remains.refused();
        let JournalError::Cut { found, marked, .. } = &error else { panic!("{error:?} at {end}") };
        assert!(*found < promised && *marked == promised, "{error:?}");
        assert!(error.to_string().contains("remove journal.mark"), "{error}");
        assert_eq!(remains.read(DATABASE), database, "cut at {end}");
        assert_eq!(remains.read(LOG), &log[..end], "cut at {end}");

        // The operator has no better copy, and goes on with what is there: whole batches.
        fs::remove_file(remains.file(MARK)).unwrap();
        let journal = remains.open().unwrap();
        assert!(ends().take(7).any(|end| end == journal.last()), "half a batch at {end}");
        assert_eq!(replayed(&journal), numbered(journal.last()));
    }
}

#[test]
fn a_flipped_bit_in_the_log_is_not_taken_for_a_torn_end() {
    let sound = Remains::after(6);
    let remains = Remains::of(sound.dir.path());
    let mut log = remains.read(LOG);
    let middle = log.len() / 2;
    log[middle] ^= 1;
    fs::write(remains.file(LOG), log).unwrap();
    let error = remains.refused();
    assert!(matches!(error, JournalError::Cut { .. }), "{error:?}");
}

#[test]
fn a_journal_that_lost_its_log_is_refused_until_it_is_back() {
    let remains = Remains::after(6);
    let log = remains.read(LOG);
    fs::remove_file(remains.file(LOG)).unwrap();
    let error = remains.refused();
    assert!(matches!(error, JournalError::Cut { .. }), "{error:?}");
    fs::write(remains.file(LOG), log).unwrap();
    assert_eq!(remains.open().unwrap().last(), ends().nth(6).unwrap());
}

#[test]
fn a_database_that_was_cut_short_is_not_written_to() {
    let sound = Remains::after(2);
    let length = sound.read(DATABASE).len();
    for end in [1, 99, 4096, length - 4096] {
        let remains = Remains::of(sound.dir.path());
        fs::remove_file(remains.file(LOG)).unwrap();
        fs::write(remains.file(DATABASE), &sound.read(DATABASE)[..end]).unwrap();
        // Where only exhibits are gone, the first to touch them notices.
        let used = remains.open().and_then(|mut journal| {
            let last = journal.replay(|_| {})?;
            let exhibits = vec![exhibit("R1M1", "a")];
            block_on(journal.append(last, Batch { facts: vec![scored(9)], exhibits }))
        });
        let error = used.expect_err("a part of it is gone");
        assert!(!error.may_pass(), "cut at {end}: {error:?}");
    }
}

/// Wherever a bit flips: either the facts are all there as they were, or somebody is told.
#[test]
fn no_flipped_bit_in_the_database_changes_a_fact_unnoticed() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    block_on(journal.append(0, facts(&numbered(300)))).unwrap();
    drop(journal);
    let sound = fs::read(dir.path().join(DATABASE)).unwrap();

    let mut noticed = 0;
    for at in (0..sound.len()).step_by(53) {
        let mut damaged = sound.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(dir.path().join(DATABASE), &damaged).unwrap();
        let mut seen = Vec::new();
        let read = Journal::<Fact>::read_only(dir.path())
            .and_then(|reader| reader.replay(|fact| seen.push(fact)));
        match read {
            Ok(_) => assert_eq!(seen, numbered(300), "bit {} of byte {at}", at % 8),
            Err(_) => noticed += 1,
        }
        for name in [LOG, "journal.sqlite3-shm"] {
            let _ = fs::remove_file(dir.path().join(name));
        }
    }
    assert!(noticed > 100, "facts are most of the file, but only {noticed} were noticed");
}

/// Tampers with a journal of three facts and returns what a reader says to it.
fn read_after(tampering: &str) -> [JournalError; 2] {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    block_on(journal.append(0, facts(&numbered(3)))).unwrap();
    drop(journal);
    Connection::open(dir.path().join(DATABASE)).unwrap().execute_batch(tampering).unwrap();
    let reader = Journal::<Fact>::read_only(dir.path()).unwrap();
    [reader.replay(|_| {}).unwrap_err(), reader.raw(|_, _, _| {}).unwrap_err()]
}

#[test]
fn a_fact_that_was_changed_is_named() {
    let change = "UPDATE facts SET fact = replace(fact, '1', '7') WHERE seq = 2";
    for error in read_after(change) {
        assert!(matches!(error, JournalError::Damaged { seq: 2 }), "{error:?}");
    }
}

#[test]
fn a_time_that_was_changed_is_named() {
    for error in read_after("UPDATE facts SET written_at = 0 WHERE seq = 3") {
        assert!(matches!(error, JournalError::Damaged { seq: 3 }), "{error:?}");
    }
}

#[test]
fn facts_that_changed_places_are_named() {
    let swap = "UPDATE facts SET seq = 9 WHERE seq = 1;
        UPDATE facts SET seq = 1 WHERE seq = 2;
        UPDATE facts SET seq = 2 WHERE seq = 9;";
    for error in read_after(swap) {
        assert!(matches!(error, JournalError::Damaged { seq: 1 }), "{error:?}");
    }
}

#[test]
fn the_journal_of_another_league_is_refused() {
    let [one, other] = [Remains::after(3), Remains::after(4)];
    for name in [DATABASE, LOG] {
        fs::copy(other.file(name), one.file(name)).unwrap();
    }
    let error = one.refused();
    assert!(matches!(error, JournalError::Swapped { marked: 6, .. }), "{error:?}");
}

#[test]
fn a_mark_that_makes_no_sense_is_no_witness() {
    for mark in ["", "soon", "00000000000000000099", "99 zz\n"] {
        let remains = Remains::after(3);
        fs::write(remains.file(MARK), mark).unwrap();
        assert_eq!(remains.open().unwrap().last(), 6, "{mark:?}");
    }
}

#[test]
fn a_journal_of_the_first_version_gets_its_sums() {
    let remains = Remains::after(3);
    fs::remove_file(remains.file(MARK)).unwrap();
    let first = "ALTER TABLE facts DROP COLUMN sum; PRAGMA user_version = 1;";
    Connection::open(remains.file(DATABASE)).unwrap().execute_batch(first).unwrap();

    let error = Journal::<Fact>::read_only(remains.dir.path()).err().unwrap();
    assert!(matches!(error, JournalError::Older { found: 1, known: 2 }), "{error:?}");
    let mut journal = remains.open().unwrap();
    assert_eq!(replayed(&journal), numbered(6));
    write(&mut journal, 3);
    drop(journal);
    assert_eq!(replayed(&remains.open().unwrap()), numbered(10));
}
