//! A public type has a name of its own: the same word never means two things in the workspace.
//!
//! Public is what another crate may see: `pub`, not `pub(crate)`. Types that a macro makes are not
//! seen here.

use std::collections::BTreeMap;

use super::Finding;
use super::items::{Kind, items};
use super::owed::Debt;
use super::tree::Tree;

pub(super) fn debts(tree: &Tree) -> Vec<Debt> {
    let mut places: BTreeMap<&str, Vec<(&str, usize)>> = BTreeMap::new();
    for source in tree.crates() {
        let public = items(source).into_iter().filter(|item| item.kind == Kind::Public);
        for item in public {
            places.entry(item.name).or_default().push((&source.path, item.line));
        }
    }
    let twice = places.into_iter().filter(|(_, places)| places.len() > 1);
    twice.map(|(name, places)| debt(name, &places)).collect()
}

fn debt(name: &str, places: &[(&str, usize)]) -> Debt {
    let (path, line) = places[0];
    let others: Vec<&str> = places[1..].iter().map(|(path, _)| *path).collect();
    let text = format!(
        "`{name}` is a public type in {} as well: give each its own name, or make one of them",
        others.join(", ")
    );
    let finding = Finding::new(path, line, text);
    Debt { rule: "unique", name: name.into(), count: places.len(), finding }
}

#[cfg(test)]
mod tests;
