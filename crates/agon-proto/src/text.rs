//! Free text from outside, made harmless at the door: names and kinds of game.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::inline_text::InlineText;
use crate::words::{from_text, texts};

/// Longest name that is kept; the rest is cut.
pub(crate) const NAME_MAX: usize = 64;

/// A name that a person chose. It holds no control characters and is at most 64 characters long.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DisplayName(Arc<str>);

impl DisplayName {
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

impl Serialize for GameType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

texts! {
    GameType: "the name of a game",
        |name| Some(Self::new(name)),
        {};
}

#[cfg(test)]
mod tests;
