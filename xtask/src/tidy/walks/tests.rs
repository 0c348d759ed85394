//! What the page of walks must keep.

use super::super::tests::{check as on, owed};
use super::{check, debts};

const FILES: [(&str, &str); 2] = [
    ("crates/a/src/x.rs", "//! X.\nfn begin() {}\nfn goes_on() {}\n"),
    ("crates/a/src/y.rs", "//! Y.\nfn end() {}\n"),
];

#[test]
fn every_function_is_there() {
    let page = "# Walks\n\n## A letter, at most 2 files\n\n\
                1. `a/src/x.rs::begin`, `a/src/x.rs::go`\n\
                2. `a/src/z.rs::end`\n";
    let expected = [
        "docs/walks.md:5: a/src/x has no function `go`",
        "docs/walks.md:6: a/src/z has no function `end`",
    ];
    on(check, &[FILES[0], FILES[1], ("docs/walks.md", page)], &expected);
}

#[test]
fn a_walk_counts_its_files_once() {
    let page = "## A letter, at most 2 files\n`a/src/x.rs::begin` `a/src/y.rs::end`\n\
                `a/src/x.rs::goes_on`\n## A long one, at most 1 file\n`a/src/x.rs::begin`\n\
                `a/src/y.rs::end`\n";
    owed(debts, &[FILES[0], FILES[1], ("docs/walks.md", page)], &["walk A-long-one 2"]);
}
