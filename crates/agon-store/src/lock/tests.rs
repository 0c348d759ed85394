//! What the lock does when more than one descriptor stands for it.

use super::Lock;

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
