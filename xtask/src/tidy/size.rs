//! Walls: how long a file, a line and the bird's-eye view may be.

use super::Finding;
use super::source::Source;
use super::tree::Tree;

const CODE_LINES_MAX: usize = 300;
const COLUMNS_MAX: usize = 100;
const ARCHITECTURE: &str = "ARCHITECTURE.md";
const ARCHITECTURE_LINES_MAX: usize = 199;
const LARGEST_SHOWN: usize = 10;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let walls = tree.sources.iter().filter_map(wall);
    let columns = tree.sources.iter().flat_map(columns);
    walls.chain(columns).chain(architecture(tree)).collect()
}

/// The files with the most lines of code, the largest first.
pub(super) fn largest(tree: &Tree) -> Vec<(usize, &str)> {
    let sizes =
        tree.sources.iter().map(|source| (code_lines(source).count(), source.path.as_str()));
    let mut sizes: Vec<_> = sizes.collect();
    sizes.sort_by_key(|(lines, _)| std::cmp::Reverse(*lines));
    sizes.truncate(LARGEST_SHOWN);
    sizes
}

fn wall(source: &Source) -> Option<Finding> {
    let number = code_lines(source).nth(CODE_LINES_MAX)?;
    let count = code_lines(source).count();
    let text = format!("{count} lines of code, {CODE_LINES_MAX} is the wall: split the file");
    Some(Finding::new(&source.path, number, text))
}

/// The numbers of the lines that count: neither blank nor comment nor test.
pub(super) fn code_lines(source: &Source) -> impl Iterator<Item = usize> {
    let code = source.numbered().filter(|(_, line)| !line.test && !line.code.trim().is_empty());
    code.map(|(number, _)| number)
}

fn columns(source: &Source) -> impl Iterator<Item = Finding> {
    let wide = source.numbered().map(|(number, line)| (number, line.raw.chars().count()));
    wide.filter(|(_, columns)| *columns > COLUMNS_MAX).map(|(number, columns)| {
        let text = format!("{columns} columns, {COLUMNS_MAX} is the wall: break the line");
        Finding::new(&source.path, number, text)
    })
}

fn architecture(tree: &Tree) -> Option<Finding> {
    let count = tree.files.get(ARCHITECTURE)?.lines().count();
    (count > ARCHITECTURE_LINES_MAX).then(|| {
        let text =
            format!("{count} lines: keep the bird's-eye view under 200, move detail to docs/");
        Finding::new(ARCHITECTURE, ARCHITECTURE_LINES_MAX + 1, text)
    })
}

#[cfg(test)]
mod tests;
