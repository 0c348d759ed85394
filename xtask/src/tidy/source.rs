//! A Rust file, line by line: what the compiler reads, what people read, and what only tests use.
//!
//! This is not a parser. It knows comments, string and character literals well enough that no
//! word inside them is taken for code, and brackets well enough to find the end of a test.

/// Stands for a character of a literal: visible, and in no word of the language.
const BLANK: char = '~';

pub(super) struct Source {
    pub(super) path: String,
    pub(super) lines: Vec<Line>,
}

#[derive(Default)]
pub(super) struct Line {
    pub(super) raw: String,
    /// Without comments, and with literals blanked out.
    pub(super) code: String,
    /// Without comments, literals as they are.
    pub(super) said: String,
    pub(super) comment: String,
    /// Compiled for tests only.
    pub(super) test: bool,
}

impl Source {
    pub(super) fn read(path: &str, text: &str) -> Self {
        let mut lines = split(text);
        let all = is_test_file(path);
        mark_tests(&mut lines, all);
        Self { path: path.into(), lines }
    }

    /// The lines with their numbers, as editors count them.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (usize, &Line)> {
        (1..).zip(&self.lines)
    }
}

fn is_test_file(path: &str) -> bool {
    path.split('/').any(|part| part == "tests" || part == "tests.rs")
}

/// Whether `text` holds `needle` as whole words: `rand::` is not in `strand::`.
pub(super) fn mentions(text: &str, needle: &str) -> bool {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(needle).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        let joined_before = word(before) && word(found.chars().next());
        let joined_after = word(found.chars().next_back()) && word(after);
        !joined_before && !joined_after
    })
}

#[derive(Clone, Copy)]
enum Kind {
    Code,
    Comment,
    Literal,
}

fn split(text: &str) -> Vec<Line> {
    let raw = text.lines().map(|raw| Line { raw: raw.into(), ..Line::default() });
    let mut lines: Vec<Line> = raw.collect();
    let (mut at, mut number, mut after_word) = (0, 0, false);
    while at < text.len() {
        let (kind, length) = token(&text[at..], after_word);
        for c in text[at..at + length].chars() {
            after_word = c.is_alphanumeric() || c == '_';
            if c == '\n' {
                number += 1;
                continue;
            }
            let line = &mut lines[number];
            if !matches!(kind, Kind::Comment) {
                line.said.push(c);
            }
            match kind {
                Kind::Code => line.code.push(c),
                Kind::Comment => line.comment.push(c),
                Kind::Literal => line.code.push(if c.is_whitespace() { c } else { BLANK }),
            }
        }
        at += length;
    }
    lines
}

/// The next comment or literal as a whole, or one character of code. `rest` is never empty.
fn token(rest: &str, after_word: bool) -> (Kind, usize) {
    if rest.starts_with("//") {
        return (Kind::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Kind::Comment, block_comment(rest));
    }
    let raw = if after_word { None } else { raw_string(rest) };
    if let Some(length) = raw.or_else(|| string(rest)).or_else(|| character(rest)) {
        return (Kind::Literal, length);
    }
    (Kind::Code, rest.chars().next().map_or(1, char::len_utf8))
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while let Some(found) = rest[at..].find(['/', '*']) {
        at += found;
        let step = match rest.get(at..at + 2) {
            Some("/*") => 1,
            Some("*/") => -1,
            Some(_) | None => 0,
        };
        depth += step;
        at += if step == 0 { 1 } else { 2 };
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn raw_string(rest: &str) -> Option<usize> {
    let body = ["r", "br", "cr"].iter().find_map(|prefix| rest.strip_prefix(prefix))?;
    let text = body.trim_start_matches('#');
    let hashes = &body[..body.len() - text.len()];
    let text = text.strip_prefix('"')?;
    let start = rest.len() - text.len();
    let close = format!("\"{hashes}");
    Some(text.find(&close).map_or(rest.len(), |end| start + end + close.len()))
}

fn string(rest: &str) -> Option<usize> {
    let text = rest.strip_prefix('"')?;
    let mut escaped = false;
    let end = text.find(|c| {
        let closes = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    });
    Some(end.map_or(rest.len(), |end| end + 2))
}

/// A character literal; a lifetime is none.
fn character(rest: &str) -> Option<usize> {
    let text = rest.strip_prefix('\'')?;
    let first = text.chars().next()?;
    let escaped = if first == '\\' { text[1..].chars().next()?.len_utf8() } else { 0 };
    let body = first.len_utf8() + escaped;
    let end = text[body..].find('\'')?;
    (first == '\\' || end == 0).then_some(1 + body + end + 1)
}

/// Marks the item after each `#[cfg(test)]`, or all lines of a file of tests.
fn mark_tests(lines: &mut [Line], all: bool) {
    let mut depth = None;
    for line in lines {
        if depth.is_none() && line.code.trim_start().starts_with("#[cfg(test)]") {
            depth = Some(0);
        }
        line.test = all || depth.is_some();
        for c in line.code.chars() {
            depth = depth.and_then(|depth: i32| match c {
                '(' | '[' | '{' => Some(depth + 1),
                '}' if depth == 1 => None,
                ')' | ']' | '}' => Some(depth - 1),
                ';' if depth == 0 => None,
                _ => Some(depth),
            });
        }
    }
}

#[cfg(test)]
mod tests;
