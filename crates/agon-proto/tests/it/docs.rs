//! The documentation shows the golden files, letter by letter, and each of them somewhere.

use std::collections::BTreeSet;
use std::fs;

use crate::files::{docs, golden, names, read};

const MARK: &str = "<!-- golden: ";

/// The golden files that a page shows, each compared on the way.
fn shown(page: &str) -> Vec<String> {
    let mut shown = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once(MARK) {
        let (path, after) = after.split_once(" -->\n").expect("the mark is closed");
        let block = after.strip_prefix("```json\n").expect("a block follows its mark");
        let (block, after) = block.split_once("```").expect("the block is closed");
        assert_eq!(block, read(&golden(path)), "{path}");
        shown.push(path.to_owned());
        rest = after;
    }
    shown
}

#[test]
fn every_golden_file_is_shown_as_it_is() {
    let mut missing: BTreeSet<String> = BTreeSet::new();
    for (folder, ending) in [
        ("league.v2", "json"),
        ("variants", "json"),
        ("tools", "jsonl"),
        ("errors", "jsonl"),
        ("receipts", "json"),
        ("q21/agon", "json"),
    ] {
        let files = names(folder).into_iter();
        missing.extend(files.map(|name| format!("{folder}/{name}.{ending}")));
    }
    for entry in fs::read_dir(docs()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "md") {
            for path in shown(&read(&path)) {
                missing.remove(&path);
            }
        }
    }
    assert_eq!(missing, BTreeSet::new(), "shown on no page");
}
