//! docs/walks.md is true: every function that it names is there, and no walk is longer than said.
//!
//! A walk is a heading that ends with the most files it may pass, and a list of `file::function`
//! below it.

use std::collections::BTreeSet;

use super::Finding;
use super::owed::Debt;
use super::source::mentions;
use super::tree::Tree;

const PAGE: &str = "docs/walks.md";

/// One walk as the page tells it.
struct Walk<'a> {
    line: usize,
    name: &'a str,
    files_max: usize,
    /// Each with its line, the file and the function.
    stations: Vec<(usize, &'a str, &'a str)>,
}

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let walks = walks(tree);
    let stations = walks.iter().flat_map(|walk| &walk.stations);
    stations
        .filter(|(_, file, function)| !stands(tree, file, function))
        .map(|(line, file, function)| {
            let text = format!("{file} has no function `{function}`: follow the message anew");
            Finding::new(PAGE, *line, text)
        })
        .collect()
}

pub(super) fn debts(tree: &Tree) -> Vec<Debt> {
    let too_long = walks(tree).into_iter().filter_map(|walk| {
        let files: BTreeSet<&str> = walk.stations.iter().map(|(_, file, _)| *file).collect();
        let Walk { line, name, files_max, .. } = walk;
        let text = format!("{name} passes {} files, {files_max} is the wall", files.len());
        let finding = Finding::new(PAGE, line, text);
        let debt = Debt { rule: "walk", name: name.replace(' ', "-"), count: files.len(), finding };
        (files.len() > files_max).then_some(debt)
    });
    too_long.collect()
}

fn walks(tree: &Tree) -> Vec<Walk<'_>> {
    let text = tree.files.get(PAGE).map_or("", String::as_str);
    let mut walks: Vec<Walk<'_>> = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let heading = text.strip_prefix("## ").and_then(|title| title.split_once(", at most "));
        if let Some((name, most)) = heading {
            let files_max = most.split(' ').next().and_then(|most| most.parse().ok()).unwrap_or(0);
            walks.push(Walk { line, name, files_max, stations: Vec::new() });
        }
        let Some(walk) = walks.last_mut() else { continue };
        let quoted = text.split('`').skip(1).step_by(2);
        let stations = quoted.filter_map(|quoted| quoted.split_once(".rs::"));
        walk.stations.extend(stations.map(|(file, function)| (line, file, function)));
    }
    walks
}

/// Whether a file, named without its ending, has such a function.
fn stands(tree: &Tree, file: &str, function: &str) -> bool {
    let path = format!("crates/{file}.rs");
    let source = tree.sources.iter().find(|source| source.path == path);
    let head = format!("fn {function}");
    source.is_some_and(|source| source.lines.iter().any(|line| mentions(&line.code, &head)))
}

#[cfg(test)]
mod tests;
