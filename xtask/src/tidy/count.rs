//! How large the house is: lines of code of all crates, and how much of it explains itself.
//!
//! Neither blank lines nor tests count, nor this caretaker and the fuzz targets.

use super::Finding;
use super::owed::Debt;
use super::size::code_lines;
use super::tree::Tree;

/// What the rebuilt house may have, and what each capability since then may cost (ADR 0018).
const LINES_MAX: usize = 42_300 + WHO_BELONGS;
// It was given 5,000. Whole messages (a log of each agent, transcripts), probes, the next season
// and what a package has turned out to need more; and so has what a second reading found in all of
// it (reports that are played again, restored backups, waits, spellings of endpoints).
const WHO_BELONGS: usize = 9_500;
/// What is owed is rounded up to this, so that not every commit writes it down anew.
const STEP: usize = 500;
const COMMENTS_PERCENT_MIN: usize = 12;

pub(super) struct Size {
    pub(super) code: usize,
    pub(super) comments: usize,
}

impl Size {
    pub(super) fn of(tree: &Tree) -> Self {
        let code = tree.crates().map(|source| code_lines(source).count()).sum();
        let lines = tree.crates().flat_map(|source| &source.lines);
        let alone = lines.filter(|line| {
            !line.test && line.code.trim().is_empty() && !line.comment.trim().is_empty()
        });
        Self { code, comments: alone.count() }
    }

    /// Comments among all lines that are not blank, in tenths of a percent.
    pub(super) fn per_mille(&self) -> usize {
        self.comments * 1000 / (self.code + self.comments).max(1)
    }
}

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let size = Size::of(tree);
    let silent = size.code > 0 && size.per_mille() < COMMENTS_PERCENT_MIN * 10;
    let text = format!(
        "{} of 1000 lines are comments, {COMMENTS_PERCENT_MIN} % is the least: say why",
        size.per_mille()
    );
    silent.then(|| Finding::new("crates", 1, text)).into_iter().collect()
}

pub(super) fn debts(tree: &Tree) -> Vec<Debt> {
    let code = Size::of(tree).code;
    if code <= LINES_MAX {
        return Vec::new();
    }
    let text = format!("{code} lines of code, {LINES_MAX} is the wall: make one of two");
    let finding = Finding::new("crates", 1, text);
    vec![Debt { rule: "lines", name: "crates".into(), count: code.next_multiple_of(STEP), finding }]
}

#[cfg(test)]
mod tests;
