//! What the house still owes to its rules: a list that can only become shorter.
//!
//! Rules that came later than the code are kept from the first day: what breaks them stands in a
//! list, each with a number, and both more and less than that is a finding. So nothing is added,
//! and what is mended leaves the list in the same commit; `cargo xtask tidy --owed` writes it. The
//! rebuild is over when the list is empty; then it and this file are deleted, and each rule becomes
//! a check like the others.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::tree::Tree;
use super::{Finding, count, named, spread, unique, walks};

pub(super) const LIST: &str = "xtask/src/tidy/owed.txt";

const HEADER: &str = "\
# What the house still owes to its rules: the rule, the name, how much. Written by
# `cargo xtask tidy --owed`, which refuses to owe more. The rebuild is over when nothing stands
# here: then this file and owed.rs are deleted.
";

/// Everything that is owed to a rule.
const RULES: &[fn(&Tree) -> Vec<Debt>] =
    &[unique::debts, spread::debts, named::debts, count::debts, walks::debts];

/// One breach of a rule.
pub(super) struct Debt {
    pub(super) rule: &'static str,
    pub(super) name: String,
    /// How bad it is: files, definitions or lines, as the rule counts.
    pub(super) count: usize,
    /// Where to look, and what to do.
    pub(super) finding: Finding,
}

impl Debt {
    fn key(&self) -> String {
        format!("{} {}", self.rule, self.name)
    }
}

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut listed = listed(tree.files.get(LIST).map_or("", String::as_str));
    let mut findings = Vec::new();
    for debt in debts(tree) {
        let (key, count) = (debt.key(), debt.count);
        match listed.remove(&key) {
            Some((_, owed)) if owed == count => {}
            Some((line, owed)) if owed > count => {
                let text = format!("{key}: {count} now and not {owed}: {SAY_SO}");
                findings.push(Finding::new(LIST, line, text));
            }
            Some(_) | None => {
                let Finding { path, line, text } = debt.finding;
                findings.push(Finding { path, line, text: format!("{text} [{key} {count}]") });
            }
        }
    }
    let paid = listed.into_iter().map(|(key, (line, _))| {
        Finding::new(LIST, line, format!("{key}: nothing is owed any more: {SAY_SO}"))
    });
    findings.extend(paid);
    findings
}

const SAY_SO: &str = "run `cargo xtask tidy --owed`";

/// The list as it must be now.
///
/// # Errors
/// Names what is owed now, and was not before.
pub(super) fn rewritten(tree: &Tree) -> Result<String, Vec<String>> {
    let before = listed(tree.files.get(LIST).map_or("", String::as_str));
    let mut text = String::from(HEADER);
    let mut more = Vec::new();
    for debt in debts(tree) {
        let (key, count) = (debt.key(), debt.count);
        if before.get(&key).is_none_or(|(_, owed)| *owed < count) {
            more.push(key.clone());
        }
        let _ = writeln!(text, "{key} {count}");
    }
    if more.is_empty() { Ok(text) } else { Err(more) }
}

fn debts(tree: &Tree) -> Vec<Debt> {
    RULES.iter().flat_map(|rule| rule(tree)).collect()
}

/// The entries by rule and name, each with its line and its number.
fn listed(text: &str) -> BTreeMap<String, (usize, usize)> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#'));
    let entries = lines.filter_map(|(number, line)| {
        let (key, owed) = line.rsplit_once(' ')?;
        Some((key.to_owned(), (number, owed.parse().ok()?)))
    });
    entries.collect()
}

#[cfg(test)]
mod tests;
