//! What a guess is worth: four parts of 0 to 100, each a pure function of guess and book.
//!
//! The right sentence has 100 and no other has; so has the right word. Reasons are judged by their
//! length and by whether they speak of what the game is about. What is said about it in words
//! changes nothing.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use agon_games::q21::{Q21Assessment, Q21Book, Q21Breakdown, Q21Guess, SCORE_MAX};

use super::feedback;
use super::library::texts;
use super::likeness::{of_sentences, of_words};
use super::vocabulary::stems;

/// How many words the reasons for a sentence should have.
pub(super) const SENTENCE_REASONS: RangeInclusive<usize> = 30..=50;
/// How many words the reasons for a word should have.
pub(super) const WORD_REASONS: RangeInclusive<usize> = 20..=30;

/// What reasons of the right length are worth, in hundredths.
const FITTING: usize = 7000;
/// What reasons are worth that are too long.
const TOO_LONG: usize = 6000;
/// What reasons are worth at most that are too short.
const TOO_SHORT: usize = 5000;
/// What each word adds that speaks of the game.
const PER_WORD: usize = 500;
/// The most that such words can add.
const WORDS_MAX: usize = 3000;
/// Words that give reasons.
const REASONING: &str =
    "because since therefore answer question hint suggest indicate point rule fit between chose";

/// Assesses a guess.
pub(super) fn assess(guess: &Q21Guess, book: &Q21Book) -> Q21Assessment {
    let sentence = book.opening_sentence.as_deref().unwrap_or_default();
    let word = book.associative_word.as_deref().unwrap_or_default();
    let relevant = relevant(guess, book);
    let breakdown = Q21Breakdown {
        opening_sentence: hundredths(10 * of_sentences(&guess.opening_sentence, sentence)),
        sentence_justification: reasons(&guess.sentence_justification, SENTENCE_REASONS, &relevant),
        associative_word: hundredths(10 * of_words(&guess.associative_word, word)),
        word_justification: reasons(&guess.word_justification, WORD_REASONS, &relevant),
    };
    Q21Assessment {
        private_score: breakdown.private_score(),
        feedback: feedback::write(&breakdown, guess),
        breakdown,
    }
}

fn hundredths(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(SCORE_MAX).min(SCORE_MAX)
}

/// What good reasons speak of: the hint, the domain, the text's themes, and the guess itself.
fn relevant(guess: &Q21Guess, book: &Q21Book) -> BTreeSet<String> {
    let secret = book.opening_sentence.as_deref();
    let text = texts().iter().find(|text| Some(&*text.opening) == secret);
    let topics = text.map_or("", |text| &*text.topics);
    let sources = [
        &*book.public.hint,
        &*book.public.name,
        &*book.public.association_word,
        &*guess.opening_sentence,
        &*guess.associative_word,
        topics,
        REASONING,
    ];
    stems(&sources.join(" "))
}

fn reasons(text: &str, limits: RangeInclusive<usize>, relevant: &BTreeSet<String>) -> i32 {
    let words = text.split_whitespace().count();
    let length = if words < *limits.start() {
        TOO_SHORT * words / limits.start()
    } else if words > *limits.end() {
        TOO_LONG
    } else {
        FITTING
    };
    let spoken = stems(text).intersection(relevant).count();
    // A few fitting words alone are no reasons.
    let bonus = (PER_WORD * spoken).min(WORDS_MAX).min(length);
    hundredths(length + bonus)
}

#[cfg(test)]
mod tests;
