//! The list of debts: neither more nor less.

use super::super::tests::check as on;
use super::super::tree::Tree;
use super::{HEADER, LIST, check, rewritten};

const TWICE: [(&str, &str); 2] =
    [("crates/a/src/lib.rs", "pub struct A;\n"), ("crates/b/src/lib.rs", "pub struct A;\n")];

#[test]
fn what_is_listed_is_borne() {
    on(check, &[TWICE[0], TWICE[1], (LIST, "# Note.\nunique A 2\n")], &[]);
}

#[test]
fn more_than_listed_is_a_finding_where_it_stands() {
    let third = ("crates/c/src/lib.rs", "pub struct A;\n");
    let expected = ["crates/a/src/lib.rs:1: `A` is a public type in"];
    on(check, &[TWICE[0], TWICE[1], third, (LIST, "unique A 2\n")], &expected);
    on(check, &TWICE, &expected);
}

#[test]
fn less_than_listed_is_a_finding_in_the_list() {
    let expected = ["xtask/src/tidy/owed.txt:1: unique A: 2 now and not 3"];
    on(check, &[TWICE[0], TWICE[1], (LIST, "unique A 3\n")], &expected);
    let expected = ["xtask/src/tidy/owed.txt:2: unique A: nothing is owed any more"];
    on(check, &[TWICE[0], (LIST, "# Note.\nunique A 2\n")], &expected);
}

#[test]
fn the_list_is_written_only_shorter() {
    let tree = |list: &str| {
        let files = [TWICE[0], TWICE[1], (LIST, list)];
        Tree::new(files.iter().map(|(path, text)| ((*path).into(), (*text).into())))
    };
    let expected = format!("{HEADER}unique A 2\n");
    assert_eq!(rewritten(&tree("unique A 3\nunique B 2\n")), Ok(expected));
    assert_eq!(rewritten(&tree("unique B 2\n")), Err(vec!["unique A".to_owned()]));
}
