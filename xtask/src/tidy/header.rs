//! Every file says what it is, and where a document defines it, the document is there.

use super::Finding;
use super::source::{Line, Source};
use super::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let missing = tree.sources.iter().filter_map(opening);
    let dangling = tree.sources.iter().flat_map(|source| {
        let lines = source.numbered().filter_map(|(number, line)| Some((number, spec(line)?)));
        lines.flat_map(|(number, spec)| references(tree, &source.path, number, spec))
    });
    let unnamed = tree.sources.iter().filter_map(unnamed);
    missing.chain(dangling).chain(unnamed).collect()
}

/// Where the rules of a league stand, and how its words are spelled: all of that is on a page.
const RULED: [&str; 11] = [
    "crates/agon-core/src/agent/",
    "crates/agon-core/src/format/",
    "crates/agon-core/src/gate/",
    "crates/agon-core/src/league/",
    "crates/agon-core/src/matches/",
    "crates/agon-core/src/roles/",
    "crates/agon-core/src/season/",
    "crates/agon-proto/src/act/",
    "crates/agon-proto/src/dialect/",
    "crates/agon-proto/src/frame/",
    "crates/agon-proto/src/tool/",
];

/// A file of rules that does not say which page it follows.
fn unnamed(source: &Source) -> Option<Finding> {
    let path = source.path.as_str();
    let is_test = path.ends_with("/tests.rs") || path.contains("/tests/");
    let is_ruled = !is_test && RULED.iter().any(|folder| path.starts_with(folder));
    let is_game = source
        .lines
        .iter()
        .any(|line| path.starts_with("crates/agon-games/src/") && line.raw.contains(" Game for "));
    let text = "rules without their page: say `//! Spec: docs/…` in the header";
    let wants = (is_ruled || is_game) && !source.lines.iter().any(|line| spec(line).is_some());
    wants.then(|| Finding::new(path, 1, text))
}

fn opening(source: &Source) -> Option<Finding> {
    let opens = source.lines.first().is_some_and(|line| line.raw.starts_with("//!"));
    let text = "no header: open the file with `//!` and one line that says what it is";
    (!opens).then(|| Finding::new(&source.path, 1, text))
}

fn spec(line: &Line) -> Option<&str> {
    line.raw.strip_prefix("//! Spec:")
}

/// Looks up every page that one `Spec:` line names.
fn references(tree: &Tree, path: &str, line: usize, spec: &str) -> Vec<Finding> {
    let words = spec.split_whitespace();
    let trimmed = words.map(|word| word.trim_matches(['`', '(', ')', ',', ';', '.', '<', '>']));
    let pages: Vec<&str> = trimmed.filter(|word| word.starts_with("docs/")).collect();
    if pages.is_empty() {
        return vec![Finding::new(path, line, "no page after `Spec:`: name one under docs/")];
    }
    pages
        .into_iter()
        .filter_map(|page| Some(Finding::new(path, line, broken(tree, page)?)))
        .collect()
}

/// What is wrong with a reference such as `docs/page.md#anchor`, if anything.
fn broken(tree: &Tree, reference: &str) -> Option<String> {
    let (page, anchor) = match reference.split_once('#') {
        Some((page, anchor)) => (page, Some(anchor)),
        None => (reference, None),
    };
    let Some(text) = tree.files.get(page) else {
        return Some(format!("{page} does not exist: write it or correct the path"));
    };
    let anchor = anchor.filter(|anchor| !anchors(text).any(|known| known == *anchor))?;
    Some(format!("{page} has no heading `#{anchor}`: correct the anchor or the page"))
}

/// The anchors that a page's headings get when it is shown on the web.
fn anchors(page: &str) -> impl Iterator<Item = String> {
    let mut fenced = false;
    page.lines().filter_map(move |line| {
        fenced ^= line.trim_start().starts_with("```");
        let title = line.trim_start_matches('#');
        let heading = !fenced && line.starts_with('#') && title.starts_with(' ');
        heading.then(|| slug(title.trim()))
    })
}

fn slug(title: &str) -> String {
    let lower = title.to_lowercase();
    let kept = lower.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests;
