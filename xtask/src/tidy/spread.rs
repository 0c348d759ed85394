//! Types have walls: what belongs to one type stands in at most four files.
//!
//! Counted are the files with its methods (its own, and those by a trait of ours) and those with
//! functions outside any `impl` that take it by `&mut`. A name that is defined in several places of
//! a crate means the definition that stands nearest.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use super::items::{Item, Kind, items};
use super::owed::Debt;
use super::source::Source;
use super::tree::Tree;

const FILES_MAX: usize = 4;

/// Where a type is defined.
type Place<'a> = (&'a str, usize);

pub(super) fn debts(tree: &Tree) -> Vec<Debt> {
    let read: Vec<(&Source, Vec<Item<'_>>)> =
        tree.crates().map(|source| (source, items(source))).collect();
    let mut defined: BTreeMap<&str, Vec<(Place<'_>, bool)>> = BTreeMap::new();
    for (source, items) in &read {
        for item in items {
            let public = match item.kind {
                Kind::Public => true,
                Kind::Private => false,
                Kind::Methods { .. } | Kind::Changed => continue,
            };
            defined.entry(item.name).or_default().push(((&source.path, item.line), public));
        }
    }
    let mut files: BTreeMap<(&str, Place<'_>), BTreeSet<&str>> = BTreeMap::new();
    for (source, items) in &read {
        for item in items {
            let counts = match item.kind {
                Kind::Methods { by } => by.is_none_or(|by| defined.contains_key(by)),
                Kind::Changed => true,
                Kind::Public | Kind::Private => false,
            };
            let places = defined.get(item.name).filter(|_| counts);
            if let Some(place) = places.and_then(|places| nearest(places, &source.path)) {
                files.entry((item.name, place)).or_default().insert(&source.path);
            }
        }
    }
    let wide = files.into_iter().filter(|(_, files)| files.len() > FILES_MAX);
    wide.map(|((name, place), files)| debt(name, place, &files)).collect()
}

/// The definition that a file means: the one of its own crate that shares most of its path, or the
/// only public one of another crate.
fn nearest<'a>(places: &[(Place<'a>, bool)], path: &str) -> Option<Place<'a>> {
    let shared = |other: &str| {
        let parts = path.split(['/', '.']).zip(other.split(['/', '.']));
        parts.take_while(|(one, other)| one == other).count()
    };
    let own = places.iter().filter(|((other, _), _)| shared(other) >= 2);
    let own = own.max_by_key(|((other, _), _)| (shared(other), std::cmp::Reverse(other.len())));
    let mut public = places.iter().filter(|(_, public)| *public);
    let foreign = public.next().filter(|_| public.next().is_none());
    own.or(foreign).map(|(place, _)| *place)
}

fn debt(name: &str, (path, line): Place<'_>, files: &BTreeSet<&str>) -> Debt {
    let list: Vec<&str> = files.iter().copied().collect();
    let text = format!(
        "`{name}` stands in {} files, {FILES_MAX} is the wall: make several types of it ({})",
        files.len(),
        list.join(", ")
    );
    let module = path.trim_start_matches("crates/").trim_end_matches(".rs").replace("/src/", "/");
    let name = format!("{module}::{name}");
    Debt { rule: "spread", name, count: files.len(), finding: Finding::new(path, line, text) }
}

#[cfg(test)]
mod tests;
