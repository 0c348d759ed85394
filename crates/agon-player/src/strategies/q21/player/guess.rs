//! From clues to a guess: which text of which book would have been answered so, and which word.

use agon_games::q21::{Q21Answer, Q21Choice, Q21Guess, Q21PublicBook, Q21Question};

use super::super::answering::{about_the_word, answer};
use super::super::dice::Dice;
use super::super::library::{Text, texts};
use super::super::vocabulary::stems;

/// What a player knows when it guesses.
pub(super) struct Clues<'a> {
    pub(super) book: &'a Q21PublicBook,
    pub(super) answers: &'a [Q21Answer],
    pub(super) questions: &'a [Q21Question],
}

/// What the right book is worth beside answers that agree.
const BOOK_WEIGHT: usize = 10;
/// What the right domain is worth.
const DOMAIN_WEIGHT: usize = 3;
/// Beyond this a player remembers the whole sentence.
const PERFECT_MEMORY: usize = 80;
/// The worst memory keeps so many of a hundred words.
const MEMORY_MIN: usize = 55;
/// So many words of a hint are repeated in the reasons.
const HINT_WORDS_MAX: usize = 8;
/// How sure a player is of a text that it knows, and of one that it does not, in hundredths.
const SURE: u32 = 80;
const UNSURE: u32 = 20;

pub(super) fn guess(seed: u64, game: &str, clues: &Clues<'_>) -> Q21Guess {
    let mut dice = Dice::new(seed, &["guess", game]);
    let found = likeliest(clues);
    let opening_sentence = found.map_or_else(
        || format!("It was {}.", clues.book.hint.to_lowercase()),
        |text| remember(&text.opening, &mut dice),
    );
    let associative_word = word(clues, &mut dice);
    Q21Guess {
        sentence_justification: sentence_reasons(clues).into(),
        word_justification: word_reasons(clues, &associative_word).into(),
        opening_sentence: opening_sentence.into(),
        associative_word: associative_word.into(),
        confidence: if found.is_some() { SURE } else { UNSURE },
    }
}

/// The text that explains most: among those of the book, the one that agrees with the answers.
fn likeliest(clues: &Clues<'_>) -> Option<&'static Text> {
    let hint = stems(&clues.book.hint);
    let weigh = |text: &Text| {
        let book = BOOK_WEIGHT * usize::from(text.book == clues.book.name);
        let domain = DOMAIN_WEIGHT * usize::from(text.domain == clues.book.association_word);
        book + domain + hint.intersection(&text.themes).count() + agreeing(clues, text)
    };
    let known = texts().iter().filter(|text| text.book == clues.book.name);
    known.max_by_key(|text| weigh(text))
}

/// How many of the answers would have been the same.
fn agreeing(clues: &Clues<'_>, text: &Text) -> usize {
    let same = |(question, choice): (&Q21Question, Q21Choice)| answer(question, text) == choice;
    answered(clues).filter(|pair| same(*pair)).count()
}

/// Questions with their answers.
fn answered<'a>(clues: &Clues<'a>) -> impl Iterator<Item = (&'a Q21Question, Q21Choice)> {
    let questions = clues.questions;
    clues.answers.iter().filter_map(move |given| {
        let question = questions.iter().find(|question| question.number == given.number)?;
        Some((question, given.choice))
    })
}

/// A sentence as it is remembered: some of its words may be gone.
fn remember(sentence: &str, dice: &mut Dice) -> String {
    let memory = MEMORY_MIN + dice.below(100 - MEMORY_MIN);
    if memory >= PERFECT_MEMORY {
        return sentence.into();
    }
    let kept = |_: &&str| dice.below(100) < memory;
    let words: Vec<&str> = sentence.split_whitespace().filter(kept).collect();
    words.join(" ")
}

/// A word of the domain that agrees with the answers about it; the domain itself if none is known.
fn word(clues: &Clues<'_>, dice: &mut Dice) -> String {
    let domain = &clues.book.association_word;
    let of_domain = texts().iter().filter(|text| text.domain == *domain);
    let words =
        of_domain.flat_map(|text| text.decoys.iter().chain([&text.word])).map(|word| &**word);
    let agrees = |word: &&str| {
        answered(clues).all(|(question, choice)| {
            about_the_word(question, word).is_none_or(|expected| expected == choice)
        })
    };
    let mut known: Vec<&str> = words.filter(agrees).collect();
    known.sort();
    dice.pick(&known).map_or_else(|| domain.to_string(), |word| word.to_string())
}

/// 30 to 50 words.
fn sentence_reasons(clues: &Clues<'_>) -> String {
    let hint: Vec<&str> = clues.book.hint.split_whitespace().take(HINT_WORDS_MAX).collect();
    let telling =
        clues.answers.iter().filter(|given| given.choice != Q21Choice::NotRelevant).count();
    format!(
        "The hint speaks of {}, and {telling} of my questions had a telling answer. I compared \
         these answers with every passage that I know of this book, and chose the one which \
         agrees with most of them, because its place and persons fit.",
        hint.join(" ")
    )
}

/// 20 to 30 words.
fn word_reasons(clues: &Clues<'_>, word: &str) -> String {
    format!(
        "The domain is {}, and the answers about the letters leave few words of it; therefore I \
         chose {word}, which fits them all and suits the passage.",
        clues.book.association_word
    )
}
