//! Short texts of our own writing, with all that a referee must know about them, and the answers to
//! questions about one: by the words that question and text share.
//!
//! No word of a hint stands in its text. Several texts share a book, so that a book's name alone
//! gives nothing away.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use agon_games::q21::{Q21Book, Q21Choice, Q21PublicBook, Q21Question};
use serde::Deserialize;

use super::Dice;

const CHOICES: [Q21Choice; 4] = [Q21Choice::A, Q21Choice::B, Q21Choice::C, Q21Choice::D];
/// A word that the text is about weighs as much as so many that merely stand in it.
const THEME_WEIGHT: usize = 2;

/// Words that tell nothing about a text.
const EMPTY: &str = "\
    a about all an and any are as at be been but by can did do does for from had has have he \
    her him his how in is it its main mainly most not of on one or other our passage s she \
    some something text that the their them there they this to was we were what when where \
    which who will with would";

/// Endings that are dropped, the longest first.
const ENDINGS: &[&str] = &["ings", "ing", "ies", "ed", "es", "ly", "s", "y", "e"];

/// What must be left of a word without its ending.
const STEM_MIN: usize = 3;

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

/// The answer. It depends on the question and the text alone.
pub(super) fn answer(question: &Q21Question, text: &Text) -> Q21Choice {
    about_the_word(question, &text.word)
        .or_else(|| yes_or_no(question, text))
        .or_else(|| by_overlap(question, text))
        .unwrap_or(Q21Choice::NotRelevant)
}

/// How much a word has to do with the text.
fn weight_of(stem: &String, text: &Text) -> usize {
    THEME_WEIGHT * usize::from(text.themes.contains(stem)) + usize::from(text.words.contains(stem))
}

/// The option that has most to do with the text; the first of several.
fn by_overlap(question: &Q21Question, text: &Text) -> Option<Q21Choice> {
    let weigh = |option: &str| stems(option).iter().map(|stem| weight_of(stem, text)).sum();
    let weights: [usize; 4] = question.options.each_ref().map(|option| weigh(option));
    let most = weights.iter().copied().max().filter(|most| *most > 0)?;
    let index = weights.iter().position(|weight| *weight == most)?;
    Some(CHOICES[index])
}

/// Yes if all that the question names is in the text, no if nothing is, partly otherwise.
fn yes_or_no(question: &Q21Question, text: &Text) -> Option<Q21Choice> {
    let option = |wanted: &[&str]| {
        let says = |option: &str| {
            tokens(option).first().is_some_and(|first| wanted.contains(&first.as_str()))
        };
        question.options.iter().position(|option| says(option)).map(|index| CHOICES[index])
    };
    let (yes, no) = (option(&["yes", "true"])?, option(&["no", "false"])?);
    let partly = option(&["partly", "partially", "maybe", "somewhat"]).unwrap_or(yes);
    let named = stems(&question.text);
    let known = named.iter().filter(|stem| weight_of(stem, text) > 0).count();
    Some(match known {
        0 => no,
        all if all == named.len() => yes,
        _ => partly,
    })
}

/// A question about the letters of the secret word: with which it begins, or how many there are.
///
/// Nothing if it is none, or if no option fits.
pub(super) fn about_the_word(question: &Q21Question, word: &str) -> Option<Q21Choice> {
    let asked = tokens(&question.text);
    let mentions = |wanted: &[&str]| asked.iter().any(|word| wanted.contains(&word.as_str()));
    if !mentions(&["word"]) || !mentions(&["letter", "letters"]) {
        return None;
    }
    let fits = |option: &str| {
        if mentions(&["many"]) {
            let numbers = tokens(option).iter().filter_map(|n| n.parse().ok()).collect::<Vec<_>>();
            between(&numbers, &word.chars().count())
        } else {
            let letters = tokens(option).into_iter().filter(|token| token.chars().count() == 1);
            let first = word.to_lowercase().chars().take(1).collect::<String>();
            between(&letters.collect::<Vec<_>>(), &first)
        }
    };
    question.options.iter().position(|option| fits(option)).map(|index| CHOICES[index])
}

/// Whether it lies between the first and the last of them.
fn between<T: PartialOrd>(limits: &[T], value: &T) -> bool {
    let ends = limits.first().zip(limits.last());
    ends.is_some_and(|(least, most)| least <= value && value <= most)
}

/// The words in lower case, in their order.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// A word without its ending, so that `boats` and `boat` are the same.
pub(super) fn stem(word: &str) -> &str {
    let shorter = ENDINGS.iter().filter_map(|ending| word.strip_suffix(ending));
    let mut kept = shorter.filter(|stem| stem.chars().count() >= STEM_MIN);
    kept.next().unwrap_or(word)
}

/// The stems of all words that tell something.
pub(super) fn stems(text: &str) -> BTreeSet<String> {
    let telling =
        tokens(text).into_iter().filter(|word| !EMPTY.split(' ').any(|empty| empty == word));
    telling.map(|word| stem(&word).to_owned()).collect()
}

#[cfg(test)]
mod tests;
