//! Short text that repeats what somebody sent: bounded, on one line, and without secrets.
//!
//! Whatever could harm a terminal or a log is written out as an escape, so that nothing is hidden
//! from whoever wants to know what was sent.

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::text::unprintable;
use crate::words::texts;

/// Text of at most 400 characters, without control characters. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ShortText(Arc<str>);

/// Of what was sent no more is looked at, so that a large answer costs nothing.
const LOOKED_AT_MAX: usize = 16 * ShortText::LENGTH_MAX;
/// From so many characters on, a word with digits and letters can be a secret.
const SECRET_MIN: usize = 24;
/// What stands where a secret stood.
const REDACTED: char = '…';

impl ShortText {
    /// Longest text, in characters.
    pub const LENGTH_MAX: usize = 400;

    /// The beginning of a text.
    pub fn new(text: &str) -> Self {
        let harmless = text.len() <= Self::LENGTH_MAX && !text.chars().any(unprintable);
        if harmless { Self(text.into()) } else { Self(shortened(text).into()) }
    }

    /// The beginning of what somebody sent, without whatever may be a secret.
    pub fn received(bytes: &[u8]) -> Self {
        let looked_at = &bytes[..bytes.len().min(LOOKED_AT_MAX)];
        let text = String::from_utf8_lossy(looked_at);
        if looked_at.len() == bytes.len() {
            return Self::new(&without_secrets(&text));
        }
        // The last word may be the beginning of a secret.
        Self::new(&(without_secrets(text.trim_end_matches(in_word)) + "…"))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The beginning, with a mark if there is more, and an escape for each harmful character.
fn shortened(text: &str) -> String {
    let mut short = String::new();
    let mut length = 0;
    for c in text.chars() {
        let plain = (!unprintable(c)).then_some(c);
        let escape = c.escape_default();
        length += plain.map_or_else(|| escape.len(), |_| 1);
        if length >= ShortText::LENGTH_MAX {
            short.push('…');
            break;
        }
        match plain {
            Some(c) => short.push(c),
            None => short.extend(escape),
        }
    }
    short
}

/// A text without the words that may be secrets: tokens of ours, the values of fields that are
/// named like one, and all long words in which letters and digits are mixed.
fn without_secrets(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let (mut rest, mut name) = (text, "");
    while let Some(start) = rest.find(in_word) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !in_word(c)).unwrap_or(from.len()));
        clean.push_str(before);
        let named = before.contains([':', '=']) && names_a_secret(name) && word != "null";
        match word.find("tok-") {
            Some(place) => {
                clean.push_str(&word[..place + "tok-".len()]);
                clean.push(REDACTED);
            }
            None if named || may_be_secret(word) => clean.push(REDACTED),
            None => clean.push_str(word),
        }
        (rest, name) = (after, word);
    }
    clean + rest
}

fn names_a_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["token", "secret", "password", "api_key", "apikey", "authorization"]
        .iter()
        .any(|word| name.contains(word))
}

fn may_be_secret(word: &str) -> bool {
    word.len() >= SECRET_MIN
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// What the alphabets of usual secrets are made of: hexadecimal, Base64 in both forms, JWT.
fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '/' | '~')
}

impl fmt::Display for ShortText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Serialize for ShortText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

texts! {
    ShortText: "a text",
        |text| Some(Self::new(text)),
        { "maxLength": ShortText::LENGTH_MAX };
}

#[cfg(test)]
mod tests;
