//! Every message with a golden file has its place in the protocol's documentation.

use super::Finding;
use super::source::mentions;
use super::tree::Tree;

/// What we send ourselves, in both protocols. What others send is shown on no page.
const GOLDEN: [&str; 2] =
    ["crates/agon-proto/golden/league.v2/", "crates/agon-proto/golden/q21/agon/"];
const PAGES: &str = "docs/protocol/";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let pages: Vec<&String> = tree
        .files
        .iter()
        .filter(|(path, _)| path.starts_with(PAGES))
        .map(|(_, text)| text)
        .collect();
    if pages.is_empty() {
        return Vec::new();
    }
    let golden = tree.files.keys().filter_map(|path| Some((path, message_type(path)?)));
    let unknown = golden.filter(|(_, name)| !pages.iter().any(|page| mentions(page, name)));
    unknown
        .map(|(path, name)| {
            let text = format!("{name} is on no page of {PAGES}: describe it there");
            Finding::new(path, 1, text)
        })
        .collect()
}

/// The message that a golden file shows: the capitals with which its name begins.
fn message_type(path: &str) -> Option<&str> {
    let name = GOLDEN.iter().find_map(|folder| path.strip_prefix(folder))?;
    let name = name.strip_suffix(".json")?.rsplit('/').next()?;
    let other = |c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let name = name.split(other).next()?;
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests;
