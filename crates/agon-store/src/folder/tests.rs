//! What the lock does when more than one descriptor stands for it.

use super::{LOCK, Lock, identity, is_owned};

#[test]
fn a_lock_that_was_given_up_is_free_although_a_child_still_holds_its_descriptor() {
    let dir = tempfile::tempdir().unwrap();
    let lock = Lock::take(dir.path()).unwrap();
    // Between fork and exec, every child of this process has one like this.
    let child = lock.file.try_clone().unwrap();
    drop(lock);
    Lock::take(dir.path()).unwrap();
    drop(child);
}

#[test]
fn a_lock_on_a_folder_that_was_put_aside_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let (home, aside) = (dir.path().join("home"), dir.path().join("aside"));
    std::fs::create_dir(&home).unwrap();
    let old = Lock::take(&home).unwrap();
    let is_there = || identity(old.file.metadata()) == identity(home.join(LOCK).metadata());
    assert!(is_there());
    std::fs::rename(&home, &aside).unwrap();
    assert!(!is_there());
    std::fs::create_dir(&home).unwrap();
    let new = Lock::take(&home).unwrap();
    // Each of the two folders has an owner of its own.
    assert!(Lock::take(&home).is_err() && Lock::take(&aside).is_err());
    drop((old, new));
}

#[test]
fn a_lock_knows_whether_its_last_holder_died() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(super::LOCK);
    let orphaned = || Lock::take(dir.path()).unwrap().orphaned;
    assert!(!orphaned() && !orphaned());
    // What a process leaves behind that had no time to tidy up.
    std::fs::write(&path, "4711").unwrap();
    assert!(orphaned());
    assert!(!orphaned());
    let lock = Lock::take(dir.path()).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), std::process::id().to_string());
    drop(lock);
}

#[test]
fn whether_somebody_owns_a_folder_can_be_told_without_owning_it() {
    let dir = tempfile::tempdir().unwrap();
    assert!(!is_owned(dir.path()), "there is nothing to own");
    let lock = Lock::take(dir.path()).unwrap();
    assert!(is_owned(dir.path()));
    drop(lock);
    assert!(!is_owned(dir.path()));
    // A dead owner leaves its number.
    std::fs::write(dir.path().join(LOCK), "4711").unwrap();
    assert!(!is_owned(dir.path()));
}
