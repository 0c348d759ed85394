//! How alike two texts are, in thousandths. The same text is 1000, and nothing else is.

use std::collections::BTreeSet;

use super::vocabulary::{stem, tokens};

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

/// Of two sentences: which words they share, and how many letters would have to change.
pub(super) fn of_sentences(one: &str, other: &str) -> usize {
    let (one, other) = (tokens(one), tokens(other));
    if one.is_empty() || other.is_empty() {
        return 0;
    }
    if one == other {
        return 1000;
    }
    let letters = ratio(&one.join(" "), &other.join(" "));
    let words = shared(&one, &other);
    ((words * WORDS_SHARE + letters * (1000 - WORDS_SHARE)) / 1000).min(ALMOST)
}

/// Of two words: the same, another form of the same, or spelled alike.
pub(super) fn of_words(one: &str, other: &str) -> usize {
    let (one, other) = (tokens(one).join(" "), tokens(other).join(" "));
    if one.is_empty() || other.is_empty() {
        return 0;
    }
    if one == other {
        return 1000;
    }
    if stem(&one) == stem(&other) {
        return VARIATION;
    }
    match ratio(&one, &other) {
        alike if alike < SPELLING_MIN => 0,
        alike => alike * SPELLING_SHARE / 1000,
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
    1000 - 1000 * distance(&one, &other) / longer
}

/// How many letters must be put in, taken out or replaced; one row of the table at a time.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests;
