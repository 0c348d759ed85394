//! What a crate must not name: a game outside its own places, a dialect or a carrier in the rules.
//!
//! Names are looked for in code and in literals, not in comments and tests, as whole words of an
//! identifier: `is_q21` names a game. Counted are the files of a crate that do.

use std::collections::BTreeMap;

use super::Finding;
use super::owed::Debt;
use super::source::{Line, Source};
use super::tree::Tree;

/// A set of names that are not said.
struct Rule {
    name: &'static str,
    /// Words of an identifier, joined by `_`, in small letters.
    words: &'static [&'static str],
    /// Only files below this; and where a game may be named, everything may.
    within: &'static str,
    instead: &'static str,
}

const fn game(name: &'static str, words: &'static [&'static str]) -> Rule {
    Rule { name, words, within: "crates/", instead: "ask the game, or let its dialect say it" }
}

const RULES: &[Rule] = &[
    game("even_odd", &["even_odd", "parity"]),
    game("q21", &["q21"]),
    game("matrix", &["matrix", "rock_paper_scissors", "prisoners_dilemma"]),
    Rule {
        name: "dialect",
        words: &["league_v2"],
        within: "crates/agon-core/src",
        instead: "the rules speak in acts: let the dialect spell them",
    },
    Rule {
        name: "carrier",
        words: &["http", "https", "mail", "mailbox", "imap", "smtp", "by_call", "by_mail"],
        within: "crates/agon-core/src",
        instead: "the rules know contacts: ask what the contact vouches for",
    },
];

/// Where games are named, besides the file of each: the root that declares these files, the one
/// list, the dialects' spelling, and what plays them.
const PLACES: &[&str] = &[
    "crates/agon-games/src/lib",
    "crates/agon-games/src/list",
    "crates/agon-proto/src/dialect",
    "crates/agon-player/src/strategies",
    "crates/agon-player/src/python",
    "crates/agon-player/examples",
];

pub(super) fn debts(tree: &Tree) -> Vec<Debt> {
    RULES.iter().flat_map(|rule| rule.debts(tree)).collect()
}

impl Rule {
    fn debts(&self, tree: &Tree) -> Vec<Debt> {
        let mut files: BTreeMap<&str, Vec<(&str, usize)>> = BTreeMap::new();
        for source in tree.crates().filter(|source| self.holds_for(&source.path)) {
            let named = self.named(source).map(|line| (source.path.as_str(), line));
            let crate_name = source.path.split('/').nth(1).unwrap_or_default();
            files.entry(crate_name).or_default().extend(named);
        }
        let broken = files.into_iter().filter(|(_, files)| !files.is_empty());
        broken.map(|(crate_name, files)| self.debt(crate_name, &files)).collect()
    }

    fn holds_for(&self, path: &str) -> bool {
        let below = |place: &str| {
            let rest = path.strip_prefix(place);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
        };
        let own = format!("crates/agon-games/src/{}", self.name);
        path.starts_with(self.within) && !PLACES.iter().any(|place| below(place)) && !below(&own)
    }

    /// The first line of a file that says one of the names.
    fn named(&self, source: &Source) -> Option<usize> {
        let says = |line: &Line| self.words.iter().any(|word| says(&line.said, word));
        let mut lines = source.numbered().filter(|(_, line)| !line.test);
        lines.find(|(_, line)| says(line)).map(|(number, _)| number)
    }

    fn debt(&self, crate_name: &str, files: &[(&str, usize)]) -> Debt {
        let Self { name, instead, .. } = self;
        let (path, line) = files[0];
        let list: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
        let text = format!(
            "{} files of {crate_name} name `{name}`: {instead} ({})",
            files.len(),
            list.join(", ")
        );
        let finding = Finding::new(path, line, text);
        Debt { rule: "names", name: format!("{crate_name}:{name}"), count: files.len(), finding }
    }
}

/// Whether an identifier in `text` holds these words, in whatever case it is written.
fn says(text: &str, words: &str) -> bool {
    let identifiers = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'));
    identifiers.filter(|identifier| !identifier.is_empty()).any(|identifier| {
        let spelled = format!("_{}_", snake(identifier));
        spelled.contains(&format!("_{words}_"))
    })
}

/// `EvenOdd`, `EVEN_ODD` and `even-odd` as `even_odd`.
fn snake(identifier: &str) -> String {
    let mut snake = String::new();
    let mut small_before = false;
    for c in identifier.chars() {
        if c.is_uppercase() && small_before {
            snake.push('_');
        }
        small_before = c.is_lowercase() || c.is_ascii_digit();
        snake.extend(if c == '-' { '_' } else { c }.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests;
