//! Every case on the pages of cases names a test, and every test they name is there.

use std::collections::BTreeSet;

use super::Finding;
use super::tree::Tree;

/// Pages whose tables name a test in their last column.
const PAGES: [&str; 2] = ["docs/hostile.md", "docs/q21-tests.md"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let tests = tests(tree);
    PAGES.iter().flat_map(|page| check_page(tree, page, &tests)).collect()
}

fn check_page(tree: &Tree, page: &str, tests: &BTreeSet<&str>) -> Vec<Finding> {
    let text = tree.files.get(page).map_or("", String::as_str);
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(names) = names(line) else { continue };
        if names.is_empty() {
            findings.push(Finding::new(page, number, "a case without a test: name one"));
        }
        for name in names.iter().filter(|name| !tests.contains(*name)) {
            let text = format!("there is no test `{name}`: write it, or name another");
            findings.push(Finding::new(page, number, text));
        }
    }
    findings
}

/// What stands in backticks in the last cell of a row; nothing if the line is no case.
fn names(line: &str) -> Option<Vec<&str>> {
    let row = line.strip_prefix("| ")?.strip_suffix(" |")?;
    let cell = row.rsplit(" | ").next()?;
    // The words above a table are a row as well.
    (cell != "test").then(|| cell.split('`').skip(1).step_by(2).collect())
}

/// The names of all tests: of each function that stands below a mark such as `#[test]`.
fn tests(tree: &Tree) -> BTreeSet<&str> {
    let rust = tree.files.iter().filter(|(path, _)| path.ends_with(".rs"));
    let pairs = rust.flat_map(|(_, text)| text.lines().zip(text.lines().skip(1)));
    let marked = pairs.filter(|(mark, _)| matches!(mark.trim(), "#[test]" | "#[tokio::test]"));
    marked.filter_map(|(_, line)| line.split_once("fn ")?.1.split('(').next()).collect()
}

#[cfg(test)]
mod tests;
