//! The one place where the tests of the checks call them, and a test of how findings print.

use super::owed::Debt;
use super::tree::Tree;
use super::{CHECKS, Finding};

/// Runs one check on a tree of `(path, text)` and compares how its findings begin.
#[track_caller]
pub(super) fn check(check: fn(&Tree) -> Vec<Finding>, files: &[(&str, &str)], expected: &[&str]) {
    let tree = Tree::new(files.iter().map(|(path, text)| ((*path).into(), (*text).into())));
    let found: Vec<String> = check(&tree).iter().map(Finding::to_string).collect();
    let same = found.iter().zip(expected).all(|(found, expected)| found.starts_with(expected));
    assert!(same && found.len() == expected.len(), "found {found:#?}, expected {expected:#?}");
}

/// Asks one rule what a tree owes it, and compares the entries.
#[track_caller]
pub(super) fn owed(rule: fn(&Tree) -> Vec<Debt>, files: &[(&str, &str)], expected: &[&str]) {
    let tree = Tree::new(files.iter().map(|(path, text)| ((*path).into(), (*text).into())));
    let found = rule(&tree).into_iter();
    let found: Vec<String> =
        found.map(|Debt { rule, name, count, .. }| format!("{rule} {name} {count}")).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_finding_prints_its_place_first() {
    let finding = Finding::new("a/b.rs", 7, "too loud: whisper");
    assert_eq!(finding.to_string(), "a/b.rs:7: too loud: whisper");
}

#[test]
fn an_empty_tree_is_tidy() {
    for one in CHECKS {
        check(*one, &[], &[]);
    }
}
