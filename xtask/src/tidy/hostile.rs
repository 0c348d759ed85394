//! Every case on the pages of cases names a test, and every test they name is there. A test that is
//! named after a finding, such as `t05_…`, stands for a row of its page.

use std::collections::BTreeSet;

use super::Finding;
use super::tree::Tree;

/// Pages whose tables name a test in their last column.
const PAGES: [&str; 3] = ["docs/hostile.md", "docs/q21-tests.md", REVIEW];
/// The page of findings: the first column is a letter and a number.
const REVIEW: &str = "docs/review.md";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let tests = tests(tree);
    let mut findings: Vec<_> =
        PAGES.iter().flat_map(|page| check_page(tree, page, &tests)).collect();
    let page = tree.files.get(REVIEW).map_or("", String::as_str);
    let named: BTreeSet<_> = tests.iter().filter_map(|name| finding_of(name)).collect();
    for line in named.iter().filter(|line| !page.contains(&format!("\n| {line} | "))) {
        let text = format!("a test is named after {line}, which has no row: write it");
        findings.push(Finding::new(REVIEW, 1, text));
    }
    findings
}

/// The finding that a test is named after: `T5` of `t05_…`.
fn finding_of(test: &str) -> Option<String> {
    let (letter, number) = test.split_once('_')?.0.split_at_checked(1)?;
    let is_one = number.len() == 2 && ["t", "s", "q", "u", "p"].contains(&letter);
    // Q21 is a game.
    let number: u8 = Some(number).filter(|it| is_one && *it != "21")?.parse().ok()?;
    Some(format!("{}{number}", letter.to_uppercase()))
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
