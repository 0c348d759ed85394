//! No file of the project names a folder of one person's machine.

use super::Finding;
use super::tree::Tree;

/// Where people's own folders begin. Without slashes, so that this file is no finding itself.
const PRIVATE: &[&str] = &["root", "home", "Users"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in &tree.files {
        for (number, line) in (1..).zip(text.lines()) {
            for name in PRIVATE.iter().filter(|name| names(line, name)) {
                let text = format!("a path under /{name}: write one that holds on every machine");
                findings.push(Finding::new(path, number, text));
            }
        }
    }
    findings
}

/// Whether an absolute path under the folder begins in the line; a part of a longer path is none.
fn names(line: &str, folder: &str) -> bool {
    line.match_indices(&format!("/{folder}/")).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '}' | '/'))
    })
}

#[cfg(test)]
mod tests;
