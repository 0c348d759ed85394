//! Free text from outside, made harmless at the door: names, kinds of game, and what is quoted. The
//! short ones, nearly all, live where they are held and need no heap.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};
use unicode_security::skeleton;

use crate::json::{from_text, texts};
use crate::redact;

/// Longest name that is kept; the rest is cut.
pub(crate) const NAME_MAX: usize = 64;

/// A name that a person chose. It holds no control characters and is at most 64 characters long.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DisplayName(Arc<str>);

impl DisplayName {
    /// More characters are cut off.
    pub const LENGTH_MAX: usize = NAME_MAX;

    /// Takes a name, without what could harm a terminal or a log.
    pub fn new(name: &str) -> Self {
        // Plain ASCII is what nearly all names are, and needs no look at each character.
        let plain = name.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if name.len() <= NAME_MAX && (plain || !name.chars().any(unprintable)) {
            return Self(name.into());
        }
        Self(printable(name, NAME_MAX).into())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What it looks like: names with the same look cannot be told apart by a reader, whatever
    /// letters they are made of. Of a name without anything to see it is empty.
    pub fn look(&self) -> String {
        // A capital looks like other letters than its small one: an m like r and n.
        let small: String = skeleton(&self.0).flat_map(char::to_lowercase).collect();
        // In many fonts a small i is hard to tell from a small L, and a capital I is one.
        let seen = skeleton(&small).filter(|c| !c.is_whitespace());
        seen.map(|c| if matches!(c, 'i' | '1') { 'l' } else { c }).collect()
    }
}

/// The first `length_max` characters of a text, without those that could harm a terminal or a log.
pub(crate) fn printable(text: &str, length_max: usize) -> String {
    let clean = text.chars().filter(|c| !unprintable(*c));
    clean.take(length_max).collect()
}

/// As [`printable`], for text that is read as such: line breaks and tabs stay.
pub(crate) fn readable(text: &str, length_max: usize) -> String {
    let clean = text.chars().filter(|c| matches!(c, '\n' | '\t') || !unprintable(*c));
    clean.take(length_max).collect()
}

/// At most `length_max` characters of a text, with a mark wherever something harmful was left out.
///
/// For words that were judged as they came: without the marks, what is left of `ev\0en` would be a
/// valid choice for whoever reads it next.
pub(crate) fn marked(text: &str, length_max: usize) -> String {
    let harmless = |c| if unprintable(c) { char::REPLACEMENT_CHARACTER } else { c };
    let mut shown: String = text.chars().map(harmless).take(length_max).collect();
    if text.chars().nth(length_max).is_some() {
        shown.pop();
        shown.push('…');
    }
    shown
}

/// Control characters, and the invisible ones that turn the direction of text around.
pub(crate) fn unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}' | '\u{feff}')
}

impl fmt::Display for DisplayName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl<'de> Deserialize<'de> for DisplayName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer, "a name", |name| Some(Self::new(name)))
    }
}

/// What is played, by its name. What the name means is said elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GameType(InlineText<22>);

impl GameType {
    /// A game of that name, without what could harm a terminal or a log.
    pub fn new(name: &str) -> Self {
        let plain = name.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if plain && name.len() <= NAME_MAX {
            return Self(InlineText::new(name));
        }
        Self(InlineText::new(&marked(name, NAME_MAX)))
    }

    /// A game by a name of ours, which holds nothing harmful.
    pub fn trusted(name: &'static str) -> Self {
        Self(InlineText::new(name))
    }

    /// As the protocol spells it.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The name, for whoever only compares it.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Display for GameType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

texts! {
    GameType by serialize_str(as_str): "the name of a game",
        |name| Some(Self::new(name)),
        {};
}

/// Text; up to `SHORT` bytes of it in place, and zeros behind them. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum InlineText<const SHORT: usize> {
    Short(u8, [u8; SHORT]),
    Long(Arc<str>),
}

impl<const SHORT: usize> InlineText<SHORT> {
    pub(crate) fn new(text: &str) -> Self {
        let mut bytes = [0; SHORT];
        match (u8::try_from(text.len()), bytes.get_mut(..text.len())) {
            (Ok(length), Some(place)) => {
                place.copy_from_slice(text.as_bytes());
                Self::Short(length, bytes)
            }
            (_, None) | (Err(_), Some(_)) => Self::Long(text.into()),
        }
    }

    /// For whoever only compares it or parses it.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Short(length, bytes) => &bytes[..usize::from(*length)],
            Self::Long(text) => text.as_bytes(),
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Short(..) => {
                std::str::from_utf8(self.as_bytes()).expect("it was copied from a text")
            }
            Self::Long(text) => text,
        }
    }
}

impl<const SHORT: usize> fmt::Debug for InlineText<SHORT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

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
    clean += rest;
    // And the values of such fields, whole.
    let mut whole = Vec::with_capacity(clean.len());
    redact(clean.as_bytes(), &mut whole);
    String::from_utf8_lossy(&whole).into_owned()
}

fn names_a_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('-', "_");
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

texts! {
    ShortText by serialize_str(as_str): "a text",
        |text| Some(Self::new(text)),
        { "maxLength": ShortText::LENGTH_MAX };
}

#[cfg(test)]
mod tests;
