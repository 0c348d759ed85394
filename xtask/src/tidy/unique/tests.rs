//! Which names are used twice.

use super::super::tests::owed;
use super::debts;

#[test]
fn a_public_name_is_used_once() {
    let one = ("crates/a/src/lib.rs", "pub struct Pace;\npub(crate) struct Held;\n");
    let two = ("crates/b/src/x.rs", "pub enum Pace {}\npub(crate) struct Held;\npub struct B;\n");
    owed(debts, &[one, two], &["unique Pace 2"]);
}

#[test]
fn tests_and_the_caretaker_may_repeat_a_name() {
    let one = ("crates/a/src/lib.rs", "pub struct Pace;\n");
    let two = ("crates/a/tests/it/main.rs", "pub struct Pace;\n");
    owed(debts, &[one, two, ("xtask/src/main.rs", "pub struct Pace;\n")], &[]);
}
