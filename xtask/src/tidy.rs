//! The house rules that no compiler checks.
//!
//! The tree is read once; every check is a pure function from the tree to findings, so each is
//! tested on a few strings. A finding says what is wrong and what to do about it.

mod count;
mod golden;
mod header;
mod hostile;
mod items;
mod named;
mod owed;
mod paths;
mod rooms;
mod size;
mod source;
mod spread;
mod tree;
mod unique;
mod walks;
mod words;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use anyhow::bail;
use tree::Tree;

/// Every check there is, in the order in which its findings are printed.
const CHECKS: &[fn(&Tree) -> Vec<Finding>] = &[
    header::check,
    size::check,
    rooms::check,
    words::check,
    golden::check,
    hostile::check,
    paths::check,
    count::check,
    walks::check,
    owed::check,
];

/// How much is printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Detail {
    Findings,
    FindingsAndSizes,
}

/// Checks the tree and prints the findings; fails if there are any.
pub(crate) fn run(root: &Path, detail: Detail) -> anyhow::Result<()> {
    let tree = Tree::read(root)?;
    let findings: Vec<Finding> = CHECKS.iter().flat_map(|check| check(&tree)).collect();
    let size = count::Size::of(&tree);
    eprintln!("{} lines of code, {} of 1000 are comments", size.code, size.per_mille());
    let mut out = io::stdout().lock();
    for finding in &findings {
        writeln!(out, "{finding}")?;
    }
    match detail {
        Detail::Findings => {}
        Detail::FindingsAndSizes => {
            for (lines, path) in size::largest(&tree) {
                writeln!(out, "{lines:>4} lines of code in {path}")?;
            }
        }
    }
    match findings.len() {
        0 => Ok(()),
        1 => bail!("tidy has one finding"),
        many => bail!("tidy has {many} findings"),
    }
}

/// Writes down what is owed to the rules, if it is less than before.
pub(crate) fn owed(root: &Path) -> anyhow::Result<()> {
    match owed::rewritten(&Tree::read(root)?) {
        Ok(text) => Ok(std::fs::write(root.join(owed::LIST), text)?),
        Err(more) => bail!("more is owed than before: {}", more.join(", ")),
    }
}

/// One thing that is not as it should be.
struct Finding {
    path: String,
    line: usize,
    text: String,
}

impl Finding {
    fn new(path: &str, line: usize, text: impl Into<String>) -> Self {
        Self { path: path.into(), line, text: text.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.text)
    }
}

#[cfg(test)]
mod tests;
