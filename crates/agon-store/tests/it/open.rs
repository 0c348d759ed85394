//! Opening: who may own a journal, which files are refused, and what is left on the disk.

use std::{fs, path::Path};

use agon_store::{Journal, JournalError};
use rusqlite::Connection;

use crate::{Fact, block_on, facts, replayed, scored};

fn refused(dir: &Path) -> JournalError {
    Journal::<Fact>::open(dir).err().expect("the journal must be refused")
}

#[test]
fn it_is_all_there_when_opened_again() {
    let dir = tempfile::tempdir().unwrap();
    for points in 0..3 {
        let mut journal = Journal::open(dir.path()).unwrap();
        let last = journal.last();
        assert_eq!(last, points as u64);
        block_on(journal.append(last, facts(&[scored(points)]))).unwrap();
    }
    let journal = Journal::open(dir.path()).unwrap();
    assert_eq!(replayed(&journal), [scored(0), scored(1), scored(2)]);
}

#[test]
fn a_second_owner_waits_until_the_first_has_gone() {
    let dir = tempfile::tempdir().unwrap();
    let first = Journal::<Fact>::open(dir.path()).unwrap();
    let error = refused(dir.path());
    let me = std::process::id();
    assert!(matches!(error, JournalError::InUse { holder, .. } if holder == Some(me)), "{error:?}");
    assert!(error.to_string().contains(&format!("by process {me};")), "{error}");

    drop(first);
    Journal::<Fact>::open(dir.path()).unwrap();
}

#[test]
fn the_owner_tidies_up_when_it_leaves() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    block_on(journal.append(0, facts(&[scored(1)]))).unwrap();
    drop(journal);
    let mut names: Vec<_> =
        fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["journal.lock", "journal.mark", "journal.sqlite3"]);
}

#[test]
fn a_database_of_somebody_else_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.sqlite3");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE recipes (text)").unwrap();
    let before = fs::read(&path).unwrap();

    let error = refused(dir.path());
    assert!(matches!(error, JournalError::Foreign { .. }), "{error:?}");
    let error = Journal::<Fact>::read_only(dir.path()).err().unwrap();
    assert!(matches!(error, JournalError::Foreign { .. }), "{error:?}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_marked_database_of_somebody_else_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.sqlite3");
    Connection::open(&path).unwrap().pragma_update(None, "application_id", 42).unwrap();
    assert!(matches!(refused(dir.path()), JournalError::Foreign { .. }));
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal.sqlite3");
    let letter = "Dear diary, ".repeat(1000);
    fs::write(&path, &letter).unwrap();
    assert!(matches!(refused(dir.path()), JournalError::Foreign { .. }));
    assert_eq!(fs::read_to_string(&path).unwrap(), letter);
}

#[test]
fn a_newer_journal_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    drop(Journal::<Fact>::open(dir.path()).unwrap());
    let future = Connection::open(dir.path().join("journal.sqlite3")).unwrap();
    future.pragma_update(None, "user_version", 3).unwrap();
    drop(future);

    let error = refused(dir.path());
    assert!(matches!(error, JournalError::Newer { found: 3, known: 2 }), "{error:?}");
}

#[test]
fn an_owner_killed_before_it_wrote_anything_leaves_a_usable_file() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("journal.sqlite3"), "").unwrap();
    let mut journal = Journal::open(dir.path()).unwrap();
    block_on(journal.append(0, facts(&[scored(1)]))).unwrap();
}

#[test]
fn nobody_else_can_read_it() {
    use std::os::unix::fs::PermissionsExt;

    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("leagues/spring");
    let mut journal = Journal::open(&data).unwrap();
    block_on(journal.append(0, facts(&[scored(1)]))).unwrap();

    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(data.parent().unwrap()), 0o700);
    let files = ["sqlite3", "sqlite3-wal", "sqlite3-shm", "lock", "mark"];
    for name in files.map(|file| format!("journal.{file}")) {
        assert_eq!(mode(&data.join(&name)), 0o600, "{name}");
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let error = refused(&file.join("data"));
    assert!(matches!(error, JournalError::Folder { .. }), "{error:?}");
    assert!(error.to_string().contains("file"), "{error}");
}

#[test]
fn a_journal_that_was_put_aside_is_whole_there_and_leaves_room_for_another() {
    let dir = tempfile::tempdir().unwrap();
    let (home, aside) = (dir.path().join("home"), dir.path().join("aside"));
    let mut journal = Journal::open(&home).unwrap();
    block_on(journal.append(0, facts(&[scored(1), scored(2)]))).unwrap();
    journal.put_aside(&aside).unwrap();
    assert!(!home.exists());
    let fresh = Journal::<Fact>::open(&home).unwrap();
    assert_eq!(fresh.last(), 0);
    assert_eq!(replayed(&Journal::open(&aside).unwrap()), [scored(1), scored(2)]);
    // Nothing is ever put in the place of something else.
    let error = fresh.put_aside(&aside).expect_err("there is a journal already");
    assert!(matches!(error, JournalError::Folder { .. }), "{error:?}");
    assert_eq!(replayed(&Journal::open(&aside).unwrap()), [scored(1), scored(2)]);
    assert!(home.exists());
}
