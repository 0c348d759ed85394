//! Reading beside the owner, and finding damage.

use agon_store::{Batch, Journal, JournalError};
use rusqlite::Connection;

use crate::{Fact, block_on, exhibit, facts, joined, replayed, scored};

#[test]
fn a_reader_sees_one_moment_while_the_owner_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    let exhibits = vec![exhibit("R1M2", "b"), exhibit("R1M1", "a")];
    block_on(journal.append(0, Batch { facts: vec![scored(1)], exhibits })).unwrap();

    let reader = Journal::<Fact>::read_only(dir.path()).unwrap();
    let later = Batch { facts: vec![scored(2)], exhibits: vec![exhibit("R1M3", "c")] };
    block_on(journal.append(1, later)).unwrap();

    let mut seen = Vec::new();
    assert_eq!(reader.replay(|fact| seen.push(fact)).unwrap(), 1);
    assert_eq!(seen, [scored(1)]);

    let mut keys = Vec::new();
    let count = reader.exhibits(|key, body| keys.push((key.to_owned(), body.to_vec()))).unwrap();
    assert_eq!(count, 2);
    assert_eq!(keys, [("R1M1".to_owned(), b"a".to_vec()), ("R1M2".to_owned(), b"b".to_vec())]);
    assert_eq!(replayed(&journal), [scored(1), scored(2)]);
}

#[test]
fn raw_facts_are_the_json_that_was_written() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    block_on(journal.append(0, facts(&[joined("Ada"), scored(1)]))).unwrap();
    drop(journal);

    let mut rows = Vec::new();
    let reader = Journal::<Fact>::read_only(dir.path()).unwrap();
    reader.raw(|seq, at, json| rows.push((seq, at, json.to_owned()))).unwrap();
    let [(1, first, ada), (2, second, score)] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(ada, r#"{"Joined":{"name":"Ada"}}"#);
    assert_eq!(score, r#"{"Scored":{"by":7,"points":1}}"#);
    assert_eq!(first, second, "a batch is written at one time");
    assert!(*first > 1_700_000_000_000_000, "{first} is not in microseconds of this century");
}

#[test]
fn a_replay_longer_than_a_chunk_is_complete() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    let mut all: Vec<Fact> = Vec::new();
    // Less than a chunk, exactly one, exactly two, and many that end in the middle of one.
    for length in [1000, 1024, 2048, 10_000] {
        let more: Vec<Fact> = (all.len()..length).map(|n| scored(n as i64)).collect();
        block_on(journal.append(all.len() as u64, facts(&more))).unwrap();
        all.extend(more);
        assert_eq!(replayed(&journal), all);
    }
}

#[test]
fn reading_where_nothing_is_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let error = Journal::<Fact>::read_only(dir.path()).err().unwrap();
    assert!(matches!(error, JournalError::Absent { .. }), "{error:?}");
    std::fs::write(dir.path().join("journal.sqlite3"), "").unwrap();
    let error = Journal::<Fact>::read_only(dir.path()).err().unwrap();
    assert!(matches!(error, JournalError::Absent { .. }), "{error:?}");
}

/// Tampers with a journal of three facts and returns what a replay says to it.
fn replay_after(tampering: &str) -> JournalError {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    block_on(journal.append(0, facts(&[scored(1), scored(2), scored(3)]))).unwrap();
    let connection = Connection::open(dir.path().join("journal.sqlite3")).unwrap();
    connection.execute_batch(tampering).unwrap();
    journal.replay(|_| {}).unwrap_err()
}

#[test]
fn a_missing_fact_is_noticed() {
    let error = replay_after("DELETE FROM facts WHERE seq = 2");
    assert!(matches!(error, JournalError::Missing { seq: 2 }), "{error:?}");
}

#[test]
fn a_missing_beginning_is_noticed() {
    let error = replay_after("DELETE FROM facts WHERE seq = 1");
    assert!(matches!(error, JournalError::Missing { seq: 1 }), "{error:?}");
}

#[test]
fn a_fact_that_is_not_understood_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    let other = Batch { facts: vec!["of another program".to_owned()], exhibits: vec![] };
    block_on(journal.append(0, other)).unwrap();
    let error = Journal::<Fact>::read_only(dir.path()).unwrap().replay(|_| {}).unwrap_err();
    assert!(matches!(error, JournalError::Decode { seq: 1, .. }), "{error:?}");
}

#[test]
#[should_panic(expected = "the rules have a bug")]
fn a_panic_while_applying_ends_the_replay() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    let many: Vec<Fact> = (0..20_000).map(scored).collect();
    block_on(journal.append(0, facts(&many))).unwrap();
    let _ = journal.replay(|_| panic!("the rules have a bug"));
}
