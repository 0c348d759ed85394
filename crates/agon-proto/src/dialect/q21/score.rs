//! Scores of 0 to 100, counted in hundredths: what is compared and added up must be exact.

use super::codec::wire;
use crate::Score;

/// How much each part of a guess is worth, in hundredths: sentence, its reasons, word, its reasons.
pub const WEIGHTS: [u32; 4] = [50, 20, 20, 10];

wire! {
    /// The four parts of a private score, each 0 to 100, before they are weighed.
    #[derive(Copy, Default)]
    pub struct Breakdown {
        /// How close the sentence is.
        pub opening_sentence: Score = score(["opening_sentence_score", "opening_sentence"]),
        /// How good its reasons are.
        pub sentence_justification: Score =
            score(["sentence_justification_score", "sentence_justification"]),
        /// How close the word is.
        pub associative_word: Score = score(["associative_word_score", "associative_word"]),
        /// How good its reasons are.
        pub word_justification: Score = score(["word_justification_score", "word_justification"]),
    }
}

impl Breakdown {
    /// The private score: the four parts, weighed and rounded to hundredths.
    pub fn private_score(&self) -> Score {
        let parts = [
            self.opening_sentence,
            self.sentence_justification,
            self.associative_word,
            self.word_justification,
        ];
        let sum: u32 =
            parts.iter().zip(WEIGHTS).map(|(part, weight)| part.hundredths() * weight).sum();
        Score::from_hundredths((sum + 50) / 100)
    }
}

#[cfg(test)]
mod tests;
