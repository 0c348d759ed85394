//! Lines of the log for people, none of them wider than a window: what is longer goes on below,
//! indented. Machines get theirs whole.

use std::io::{self, Stderr, Write, stderr};

/// How wide a line may be.
const COLUMNS: usize = 100;
/// What stands before what goes on.
const INDENT: &str = "    ";

/// The standard error, in such lines.
pub(super) struct Columns(Stderr);

impl Columns {
    pub(super) fn new() -> Self {
        Self(stderr())
    }
}

impl Write for Columns {
    /// Whole lines, as a logger writes them.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let wrapped: String = text.split_inclusive('\n').map(wrapped).collect();
        self.0.write_all(wrapped.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// One line in several, broken where a word ends. A word that fits nowhere stays whole.
fn wrapped(line: &str) -> String {
    let (mut out, mut used) = (String::with_capacity(line.len()), 0);
    for word in line.split_inclusive(' ') {
        let width = width(word.trim_end());
        if used > INDENT.len() && used + width > COLUMNS {
            out.truncate(out.trim_end_matches(' ').len());
            out = out + "\n" + INDENT;
            used = INDENT.len();
        }
        out.push_str(word);
        used += width + word.len() - word.trim_end_matches(' ').len();
    }
    out
}

/// How much of a word is seen: colours are not.
fn width(word: &str) -> usize {
    let mut hidden = false;
    let is_seen = |c: &char| {
        let seen = !hidden && *c != '\u{1b}';
        hidden = *c == '\u{1b}' || hidden && *c != 'm';
        seen
    };
    word.chars().filter(is_seen).count()
}

#[cfg(test)]
mod tests;
