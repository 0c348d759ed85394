//! The items of a Rust file, as far as the walls between types need them: which types it defines,
//! which it gives methods to, and which its functions change.
//!
//! Like `source` this is not a parser: it reads words and brackets. What a macro makes is unseen.

use super::source::Source;

/// One thing that a file says about a type.
#[derive(Debug, PartialEq)]
pub(super) struct Item<'a> {
    pub(super) kind: Kind<'a>,
    /// The type.
    pub(super) name: &'a str,
    pub(super) line: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind<'a> {
    /// `pub struct`, `enum`, `trait` or `type`: other crates may see it.
    Public,
    /// The same, for this crate or this file only.
    Private,
    /// `impl Type` or `impl Trait for Type`.
    Methods { by: Option<&'a str> },
    /// A function outside any `impl` that takes it by `&mut`.
    Changed,
}

/// All items outside tests.
pub(super) fn items(source: &Source) -> Vec<Item<'_>> {
    let mut reader = Reader { words: words(source), at: 0 };
    let mut found = Vec::new();
    let mut depth = 0;
    // The depths at which a block of methods was opened.
    let mut methods = Vec::new();
    while let Some((line, word)) = reader.next() {
        match word {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                methods.pop_if(|opened| *opened == depth);
            }
            "struct" | "enum" | "trait" | "type" => {
                if word == "trait" {
                    methods.push(depth);
                }
                let kind = if reader.is_public() { Kind::Public } else { Kind::Private };
                // An associated type is part of its trait or `impl`, not a type of its own.
                let own = word != "type" || methods.iter().all(|opened| *opened == depth);
                found.extend(reader.name().filter(|_| own).map(|name| Item { kind, name, line }));
            }
            "impl" if reader.begins_item() => {
                methods.push(depth);
                found.extend(reader.header().map(|(by, name)| {
                    let kind = Kind::Methods { by };
                    Item { kind, name, line }
                }));
            }
            "fn" if methods.is_empty() => {
                let changed = reader.changed().into_iter();
                found.extend(changed.map(|name| Item { kind: Kind::Changed, name, line }));
            }
            _ => {}
        }
    }
    found
}

/// Words and single marks, with their lines.
fn words(source: &Source) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (number, line) in source.numbered().filter(|(_, line)| !line.test) {
        let mut rest = line.code.trim_start();
        while let Some(first) = rest.chars().next() {
            let joined = |c: char| c.is_alphanumeric() || c == '_';
            let starts = joined(first) || matches!(first, '\'' | '$');
            let body =
                rest[first.len_utf8()..].find(|c| !joined(c)).map(|end| end + first.len_utf8());
            let length = if starts { body.unwrap_or(rest.len()) } else { first.len_utf8() };
            found.push((number, &rest[..length]));
            rest = rest[length..].trim_start();
        }
    }
    found
}

struct Reader<'a> {
    words: Vec<(usize, &'a str)>,
    /// Behind the word that was read last.
    at: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<(usize, &'a str)> {
        let next = self.words.get(self.at).copied();
        self.at += 1;
        next
    }

    fn peek(&self) -> &'a str {
        self.words.get(self.at).map_or("", |(_, word)| word)
    }

    /// The word so far before the one that was read last.
    fn before(&self, steps: usize) -> &'a str {
        self.at.checked_sub(1 + steps).map_or("", |at| self.words[at].1)
    }

    /// Whether the word that was read last has `pub` before it, and not `pub(crate)`.
    fn is_public(&self) -> bool {
        self.before(1) == "pub"
    }

    /// Whether an item may begin at the word that was read last.
    fn begins_item(&self) -> bool {
        matches!(self.before(1), "" | "{" | "}" | ";" | "]" | "unsafe")
    }

    /// The name that follows, unless a macro makes it.
    fn name(&mut self) -> Option<&'a str> {
        Some(self.peek()).filter(|name| name.starts_with(char::is_uppercase))
    }

    /// The rest of `impl … {`: the trait, if any, and the type.
    fn header(&mut self) -> Option<(Option<&'a str>, &'a str)> {
        self.skip_generics();
        let first = self.path();
        if self.peek() != "for" {
            return Some((None, first?));
        }
        self.next();
        let name = self.path()?;
        Some((Some(first?), name))
    }

    /// The types behind `&mut` among the parameters that follow.
    fn changed(&mut self) -> Vec<&'a str> {
        let mut found = Vec::new();
        self.next();
        self.skip_generics();
        let mut depth = 0;
        while let Some((_, word)) = self.next() {
            match word {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                "{" | ";" => return found,
                "mut" if matches!(self.before(1).chars().next(), Some('&' | '\'')) => {
                    found.extend(self.path());
                }
                _ => {}
            }
            if depth == 0 {
                return found;
            }
        }
        found
    }

    /// The last name of a path such as `agon_core::Match<'a>`; what it is made of is passed over.
    fn path(&mut self) -> Option<&'a str> {
        let mut last = None;
        loop {
            match self.peek() {
                "<" => self.skip_generics(),
                "&" | "mut" | "dyn" | ":" => self.at += 1,
                word if word.starts_with('\'') => self.at += 1,
                "for" | "where" | "" => break,
                word if word.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                    last = Some(word);
                    self.at += 1;
                }
                _ => break,
            }
        }
        last.filter(|name| name.starts_with(char::is_uppercase))
    }

    fn skip_generics(&mut self) {
        let mut depth = 0;
        loop {
            match self.peek() {
                "<" => depth += 1,
                ">" if self.before(0) != "-" => depth -= 1,
                "" => return,
                _ => {}
            }
            if depth == 0 && self.peek() != ">" {
                return;
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
