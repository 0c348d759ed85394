//! Short texts of our own writing, with all that a referee must know about them.
//!
//! No word of a hint stands in its text. Several texts share a book, so that a book's name alone
//! gives nothing away.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use agon_games::q21::{Q21Book, Q21PublicBook};
use serde::Deserialize;

use super::dice::Dice;
use super::vocabulary::stems;

/// One text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Text {
    pub(super) book: Box<str>,
    /// The secret sentence.
    pub(super) opening: Box<str>,
    /// What follows it.
    pub(super) rest: Box<str>,
    pub(super) hint: Box<str>,
    /// What the secret word is one of.
    pub(super) domain: Box<str>,
    /// The secret word.
    pub(super) word: Box<str>,
    /// Other words of the domain.
    pub(super) decoys: Vec<Box<str>>,
    /// What the text is about, in words that need not stand in it.
    pub(super) topics: Box<str>,
    /// The same, to be looked up.
    #[serde(skip)]
    pub(super) themes: BTreeSet<String>,
    /// The words that stand in it.
    #[serde(skip)]
    pub(super) words: BTreeSet<String>,
}

impl Text {
    /// The book of a game about this text.
    pub(super) fn as_book(&self) -> Q21Book {
        Q21Book {
            public: Q21PublicBook {
                name: self.book.clone(),
                hint: self.hint.clone(),
                association_word: self.domain.clone(),
            },
            opening_sentence: Some(self.opening.clone()),
            associative_word: Some(self.word.clone()),
        }
    }
}

/// All of them.
pub(super) fn texts() -> &'static [Text] {
    static TEXTS: LazyLock<Vec<Text>> = LazyLock::new(|| {
        let mut texts: Vec<Text> =
            serde_json::from_str(include_str!("library.json")).expect("a test reads the same file");
        for text in &mut texts {
            text.themes = stems(&text.topics);
            text.words = stems(&format!("{} {}", text.opening, text.rest));
        }
        texts
    });
    &TEXTS
}

/// The text of a game: the same whenever it is asked for.
pub(super) fn text_of(seed: u64, game: &str) -> &'static Text {
    let texts = texts();
    &texts[Dice::new(seed, &["text", game]).below(texts.len())]
}

#[cfg(test)]
mod tests;
