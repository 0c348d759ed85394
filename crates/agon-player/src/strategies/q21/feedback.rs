//! A score in words. They are built from the parts of the score alone: neither the secret nor the
//! guess is repeated, so nothing can be learned from them that the numbers do not tell.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use agon_games::q21::{Q21Breakdown, Q21Feedback, Q21Guess};
use serde::Deserialize;

use super::scoring::{SENTENCE_REASONS, WORD_REASONS};

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

pub(super) fn write(breakdown: &Q21Breakdown, guess: &Q21Guess) -> Q21Feedback {
    let Sayings { sentence, word, .. } = &*SAYINGS;
    let of_sentence = breakdown.sentence_justification;
    let of_word = breakdown.word_justification;
    Q21Feedback {
        opening_sentence: part(
            (sentence, breakdown.opening_sentence),
            &reasons(&guess.sentence_justification, &SENTENCE_REASONS, of_sentence),
        ),
        associative_word: part(
            (word, breakdown.associative_word),
            &reasons(&guess.word_justification, &WORD_REASONS, of_word),
        ),
    }
}

fn part((verdicts, score): (&Verdicts, i32), reasons: &str) -> Box<str> {
    let found = verdicts.iter().find(|(least, _)| *least <= score);
    let verdict = found.map_or("", |(_, verdict)| verdict);
    format!("{verdict} For this part you get {} of 100. {reasons}", shown(score)).into()
}

fn reasons(text: &str, limits: &RangeInclusive<usize>, score: i32) -> String {
    let words = text.split_whitespace().count();
    let (least, most) = (limits.start(), limits.end());
    let verdict = if words < *least {
        &SAYINGS.short
    } else if words > *most {
        &SAYINGS.long
    } else {
        &SAYINGS.fitting
    };
    let score = shown(score);
    format!("{verdict} They had {words} of {least} to {most} words and get {score} of 100.")
}

/// A score as people read it.
fn shown(score: i32) -> String {
    format!("{}.{:02}", score / 100, score % 100)
}
