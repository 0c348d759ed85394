//! What counts as a line of the house.

use super::super::tests::{check as on, owed};
use super::{LINES_MAX, check, debts};

#[test]
fn the_wall_stands_at_its_number() {
    let lines = |count: usize| "//! A.\n".to_owned() + &"a();\n// b\n\n".repeat(count);
    owed(debts, &[("crates/a/src/lib.rs", &lines(LINES_MAX))], &[]);
    owed(debts, &[("crates/a/src/lib.rs", &lines(LINES_MAX + 1))], &["lines crates 52000"]);
}

#[test]
fn tests_and_the_caretaker_do_not_count() {
    let many = "//! A.\n".to_owned() + &"a();\n// b\n".repeat(LINES_MAX + 1);
    owed(debts, &[("crates/a/tests/it/main.rs", &many), ("xtask/src/main.rs", &many)], &[]);
}

#[test]
fn a_silent_house_is_a_finding() {
    let silent = "// a\n".repeat(11) + &"a();\n".repeat(89);
    on(check, &[("crates/a/src/lib.rs", &silent)], &["crates:1: 110 of 1000 lines are comments"]);
    let enough = "// a\n".repeat(12) + &"a();\n".repeat(88);
    on(check, &[("crates/a/src/lib.rs", &enough)], &[]);
}
