//! Words that must not stand in the code, and what to write instead.

use super::Finding;
use super::source::{Line, mentions};
use super::tree::Tree;

struct Rule {
    word: &'static str,
    /// The part of a line in which the word is looked for.
    part: fn(&Line) -> &str,
    instead: &'static str,
}

const RULES: &[Rule] = &[
    Rule { word: "[allow(", part: code, instead: "use `#[expect(.., reason = \"..\")]`" },
    Rule { word: "#[ignore", part: code, instead: "make the test fast and sure, or remove it" },
    Rule { word: "todo!", part: code, instead: "write it, or leave the whole thing out" },
    Rule { word: "unimplemented!", part: code, instead: "write it, or leave the whole thing out" },
    Rule { word: "FIXME", part: comment, instead: "mend it now, or open an issue" },
    Rule { word: "thread::sleep", part: test_code, instead: "wait for the event itself" },
    Rule { word: "time::sleep", part: test_code, instead: "wait for the event itself" },
];

fn code(line: &Line) -> &str {
    &line.code
}

fn comment(line: &Line) -> &str {
    &line.comment
}

fn test_code(line: &Line) -> &str {
    if line.test { &line.code } else { "" }
}

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in &tree.sources {
        for (number, line) in source.numbered() {
            let broken = RULES.iter().filter(|rule| mentions((rule.part)(line), rule.word));
            findings.extend(broken.map(|Rule { word, instead, .. }| {
                Finding::new(&source.path, number, format!("`{word}` is not used here: {instead}"))
            }));
        }
    }
    findings
}

#[cfg(test)]
mod tests;
