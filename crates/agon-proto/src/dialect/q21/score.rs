//! Scores of 0 to 100, counted in hundredths: what is compared and added up must be exact.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::codec::wire;

/// How much each part of a guess is worth, in hundredths: sentence, its reasons, word, its reasons.
pub const WEIGHTS: [u32; 4] = [50, 20, 20, 10];

/// A score between 0 and 100, in hundredths.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Score(u32);

impl Score {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// Everything.
    pub const MAX: Self = Self(10_000);

    /// From hundredths; more than 100 is 100.
    pub const fn from_hundredths(hundredths: u32) -> Self {
        if hundredths > Self::MAX.0 { Self::MAX } else { Self(hundredths) }
    }

    /// From a number as a program computes it: rounded, and kept between 0 and 100.
    pub fn from_points(points: f64) -> Self {
        if points.is_nan() {
            return Self::ZERO;
        }
        Self((points.clamp(0.0, 100.0) * 100.0).round() as u32)
    }

    /// In hundredths.
    pub const fn hundredths(self) -> u32 {
        self.0
    }

    /// As a number between 0 and 100.
    pub fn points(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

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
        let sum: u32 = parts.iter().zip(WEIGHTS).map(|(part, weight)| part.0 * weight).sum();
        Score((sum + 50) / 100)
    }
}

#[cfg(test)]
mod tests;
