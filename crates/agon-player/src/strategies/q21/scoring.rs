//! What a guess is worth: four parts of 0 to 100, each a pure function of guess and book; and the
//! score in words.
//!
//! The right sentence has 100 and no other has; so has the right word. Reasons are judged by their
//! length and by whether they speak of what the game is about. What is said about it in words
//! changes nothing: it is built from the parts of the score alone, and repeats neither the secret
//! nor the guess, so nothing can be learned from it that the numbers do not tell.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use agon_games::q21::{Q21Assessment, Q21Book, Q21Breakdown, Q21Feedback, Q21Guess, SCORE_MAX};
use agon_node::config::slips;
use serde::Deserialize;

use super::library::{stem, stems, texts, tokens};

/// How many words the reasons for a sentence should have.
pub(crate) const SENTENCE_REASONS: RangeInclusive<usize> = 30..=50;
/// How many words the reasons for a word should have.
pub(crate) const WORD_REASONS: RangeInclusive<usize> = 20..=30;

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

/// So many characters of a text are compared. No secret is as long.
const COMPARED_MAX: usize = 400;
/// The most that a text can reach that is not the same.
const ALMOST: usize = 990;
/// How much of a sentence's likeness is in its words; the rest is in its letters.
const WORDS_SHARE: usize = 600;
/// What another form of the same word is worth.
const VARIATION: usize = 900;
/// The most that a word can reach that is merely spelled alike.
const SPELLING_SHARE: usize = 600;
/// Below this, words are not alike at all.
const SPELLING_MIN: usize = 500;

/// Assesses a guess.
pub(super) fn assess(guess: &Q21Guess, book: &Q21Book) -> Q21Assessment {
    let sentence = book.opening_sentence.as_deref().unwrap_or_default();
    let word = book.associative_word.as_deref().unwrap_or_default();
    let opening_sentence = hundredths(10 * of_sentences(&guess.opening_sentence, sentence));
    let associative_word = hundredths(10 * of_words(&guess.associative_word, word));
    let relevant = relevant(guess, book);
    let (sentence_justification, of_sentence) =
        reasons(&guess.sentence_justification, SENTENCE_REASONS, &relevant);
    let (word_justification, of_word) = reasons(&guess.word_justification, WORD_REASONS, &relevant);
    let breakdown = Q21Breakdown {
        opening_sentence,
        sentence_justification,
        associative_word,
        word_justification,
    };
    let feedback = Q21Feedback {
        opening_sentence: said(&SAYINGS.sentence, opening_sentence, &of_sentence),
        associative_word: said(&SAYINGS.word, associative_word, &of_word),
    };
    Q21Assessment { private_score: breakdown.private_score(), breakdown, feedback }
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

/// What reasons are worth, and what is said of them.
fn reasons(text: &str, limits: RangeInclusive<usize>, topics: &BTreeSet<String>) -> (i32, String) {
    let words = text.split_whitespace().count();
    let (least, most) = (limits.start(), limits.end());
    let (length, verdict) = if words < *least {
        (TOO_SHORT * words / least, &SAYINGS.short)
    } else if words > *most {
        (TOO_LONG, &SAYINGS.long)
    } else {
        (FITTING, &SAYINGS.fitting)
    };
    let spoken = stems(text).intersection(topics).count();
    // A few fitting words alone are no reasons.
    let bonus = (PER_WORD * spoken).min(WORDS_MAX).min(length);
    let score = hundredths(length + bonus);
    let get = shown(score);
    (score, format!("{verdict} They had {words} of {least} to {most} words and get {get} of 100."))
}

/// What is said of a part: from how many hundredths on, the most first.
type Verdicts = Vec<(i32, Box<str>)>;

/// All that is said.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sayings {
    sentence: Verdicts,
    word: Verdicts,
    /// Of reasons, by their length.
    short: Box<str>,
    long: Box<str>,
    fitting: Box<str>,
}

static SAYINGS: LazyLock<Sayings> = LazyLock::new(|| {
    serde_json::from_str(include_str!("feedback.json")).expect("a test reads the same file")
});

/// What is said of a part, and of the reasons for it.
fn said(verdicts: &Verdicts, score: i32, reasons: &str) -> Box<str> {
    let found = verdicts.iter().find(|(least, _)| *least <= score);
    let verdict = found.map_or("", |(_, verdict)| verdict);
    format!("{verdict} For this part you get {} of 100. {reasons}", shown(score)).into()
}

/// A score as people read it.
pub(crate) fn shown(score: i32) -> String {
    format!("{}.{:02}", score / 100, score % 100)
}

/// Of two sentences: which words they share, and how many letters would have to change.
fn of_sentences(one: &str, other: &str) -> usize {
    alike(one, other, |one, other| {
        let letters = ratio(&one.join(" "), &other.join(" "));
        let words = shared(one, other);
        ((words * WORDS_SHARE + letters * (1000 - WORDS_SHARE)) / 1000).min(ALMOST)
    })
}

/// Of two words: the same, another form of the same, or spelled alike.
fn of_words(one: &str, other: &str) -> usize {
    alike(one, other, |one, other| {
        let (one, other) = (one.join(" "), other.join(" "));
        if stem(&one) == stem(&other) {
            return VARIATION;
        }
        match ratio(&one, &other) {
            alike if alike < SPELLING_MIN => 0,
            alike => alike * SPELLING_SHARE / 1000,
        }
    })
}

/// How alike two texts are, in thousandths. The same text is 1000, and nothing else is; of others
/// `unlike` says it.
fn alike(one: &str, other: &str, unlike: impl Fn(&[String], &[String]) -> usize) -> usize {
    match (tokens(one), tokens(other)) {
        (one, other) if one.is_empty() || other.is_empty() => 0,
        (one, other) if one == other => 1000,
        (one, other) => unlike(&one, &other),
    }
}

/// The words that both have, out of those that either has.
fn shared(one: &[String], other: &[String]) -> usize {
    let (one, other): (BTreeSet<_>, BTreeSet<_>) = (one.iter().collect(), other.iter().collect());
    1000 * one.intersection(&other).count() / one.union(&other).count().max(1)
}

/// One less the letters that must change, out of those of the longer text.
fn ratio(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.chars().take(COMPARED_MAX).collect();
    let other: Vec<char> = other.chars().take(COMPARED_MAX).collect();
    let longer = one.len().max(other.len()).max(1);
    1000 - 1000 * slips(&one, &other) / longer
}

#[cfg(test)]
mod tests;
