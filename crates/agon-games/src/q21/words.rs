//! What is said in a game of Q21, by its players and by its referee.
//!
//! How letters spell them is their dialect's business. A secret is kept out of what players are
//! told: wherever it stands in a text, dots stand instead. One player may have its feedback while
//! the other is still guessing, and a program that writes feedback is quickly tempted to name the
//! answer.

use serde::{Deserialize, Serialize};

/// The best score, in hundredths.
pub const SCORE_MAX: i32 = 10_000;
/// Longest text of a word that is shown, in bytes: a view stays within its bound.
const TEXT_MAX: usize = 1_000;
/// Feedback has up to two hundred words, in some leagues.
const FEEDBACK_MAX: usize = 2_000;
/// What stands in place of a secret.
const DOTS: &str = "…";

/// What a player says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Q21Move {
    /// Whatever it answers: it is there.
    Warmup(Box<str>),
    Questions(Vec<Q21Question>),
    Guess(Box<Q21Guess>),
}

impl Q21Move {
    pub(super) const fn kind(&self) -> u8 {
        match self {
            Self::Warmup(_) => super::WARMUP,
            Self::Questions(_) => super::QUESTIONS,
            Self::Guess(_) => super::GUESS,
        }
    }
}

/// One question, with its four options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Q21Question {
    /// Counted from 1.
    pub number: u32,
    pub text: Box<str>,
    /// What A, B, C and D mean.
    pub options: [Box<str>; 4],
}

/// What a referee chose among the options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Q21Choice {
    A,
    B,
    C,
    D,
    /// None of them.
    #[default]
    NotRelevant,
}

impl Q21Choice {
    /// As people write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::D => "D",
            Self::NotRelevant => "Not Relevant",
        }
    }
}

/// The answer to one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Q21Answer {
    /// Which question.
    pub number: u32,
    pub choice: Q21Choice,
}

/// What a player believes the secret to be.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Q21Guess {
    pub opening_sentence: Box<str>,
    pub sentence_justification: Box<str>,
    pub associative_word: Box<str>,
    pub word_justification: Box<str>,
    /// How sure it is, 0 to 1, in hundredths of one.
    pub confidence: u32,
    /// Nobody has guessed that: the player's program failed, and something had to be said.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stand_in: bool,
}

/// What the referee's own judgement says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Q21Word {
    /// About the match.
    WarmupQuestion(Box<str>),
    /// About the match.
    Book(Q21Book),
    /// About one seat.
    Answers(Vec<Q21Answer>),
    /// About one seat.
    Score(Q21Assessment),
}

impl Q21Word {
    /// Every text of it that a player will see, and how long it may be, in bytes.
    pub(super) fn shown(&mut self) -> Vec<(&mut Box<str>, usize)> {
        match self {
            Self::WarmupQuestion(text) => vec![(text, TEXT_MAX)],
            Self::Book(Q21Book { public, .. }) => {
                let Q21PublicBook { name, hint, association_word } = public;
                [name, hint, association_word].map(|text| (text, TEXT_MAX)).into()
            }
            Self::Answers(_) => vec![],
            Self::Score(Q21Assessment { feedback, .. }) => {
                let Q21Feedback { opening_sentence, associative_word } = feedback;
                [opening_sentence, associative_word].map(|text| (text, FEEDBACK_MAX)).into()
            }
        }
    }

    /// Every text of it that a player will see is cut to its length.
    #[must_use]
    pub(super) fn cut(mut self) -> Self {
        for (text, max) in self.shown() {
            if text.len() > max {
                *text = text[..text.floor_char_boundary(max)].into();
            }
        }
        self
    }
}

/// A book as its referee knows it. The last two never leave the referee.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Q21Book {
    pub public: Q21PublicBook,
    pub opening_sentence: Option<Box<str>>,
    pub associative_word: Option<Box<str>>,
}

/// What players know about the book.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Q21PublicBook {
    pub name: Box<str>,
    pub hint: Box<str>,
    /// The domain of the secret word, not the word.
    pub association_word: Box<str>,
}

/// What a guess is worth. Scores are 0 to 100, in hundredths.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Q21Assessment {
    pub private_score: i32,
    pub breakdown: Q21Breakdown,
    pub feedback: Q21Feedback,
}

impl Q21Assessment {
    pub(super) fn beyond_bounds(&self) -> bool {
        let beyond = |score: &i32| !(0..=SCORE_MAX).contains(score);
        beyond(&self.private_score) || self.breakdown.parts().iter().any(beyond)
    }
}

/// How much each part of a guess is worth, in hundredths: sentence, its reasons, word, its reasons.
const WEIGHTS: [i32; 4] = [50, 20, 20, 10];

/// The four parts of a private score, before they are weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Q21Breakdown {
    pub opening_sentence: i32,
    pub sentence_justification: i32,
    pub associative_word: i32,
    pub word_justification: i32,
}

impl Q21Breakdown {
    /// The private score: the four parts, weighed and rounded to hundredths.
    pub fn private_score(&self) -> i32 {
        let sum: i32 = self.parts().iter().zip(WEIGHTS).map(|(part, weight)| part * weight).sum();
        (sum + 50) / 100
    }

    fn parts(&self) -> [i32; 4] {
        [
            self.opening_sentence,
            self.sentence_justification,
            self.associative_word,
            self.word_justification,
        ]
    }
}

/// What a referee says about a guess.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Q21Feedback {
    pub opening_sentence: Box<str>,
    pub associative_word: Box<str>,
}

impl Q21Feedback {
    /// The same without the secrets of that book.
    #[must_use]
    pub(super) fn without_secrets(&self, book: Option<&Q21Book>) -> Self {
        let secrets = book.map(|book| [&book.opening_sentence, &book.associative_word]);
        let hide = |text: &str| {
            let secrets = secrets.into_iter().flatten().flatten();
            secrets.fold(text.to_owned(), |text, secret| without(&text, secret)).into()
        };
        Self {
            opening_sentence: hide(&self.opening_sentence),
            associative_word: hide(&self.associative_word),
        }
    }
}

/// The text without that secret, in whatever case it is written; only whole words count.
fn without(text: &str, secret: &str) -> String {
    let secret: Vec<char> = secret.trim().chars().collect();
    let chars: Vec<char> = text.chars().collect();
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        if stands_at(&chars, at, &secret) {
            kept.push_str(DOTS);
            at += secret.len();
        } else {
            kept.push(chars[at]);
            at += 1;
        }
    }
    kept
}

/// Whether that secret stands there in the text. An empty one stands nowhere.
fn stands_at(text: &[char], at: usize, secret: &[char]) -> bool {
    let end = at + secret.len();
    let (Some(part), false) = (text.get(at..end), secret.is_empty()) else {
        return false;
    };
    let same = |(a, b): (&char, &char)| a == b || a.to_lowercase().eq(b.to_lowercase());
    let word = |place: Option<&char>| place.is_some_and(|char| char.is_alphanumeric());
    let begins = at == 0 || !word(text.get(at - 1)) || !word(secret.first());
    let ends = !word(text.get(end)) || !word(secret.last());
    begins && ends && part.iter().zip(secret).all(same)
}

/// What a player may know.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Q21View {
    pub warmup_question: Option<Box<str>>,
    pub book: Option<Q21PublicBook>,
    /// What this player's questions were answered.
    pub answers: Option<Vec<Q21Answer>>,
    /// What this player's guess was worth.
    pub score: Option<Q21Assessment>,
    /// Both private scores, once the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub private_scores: Option<[Option<i32>; 2]>,
}

/// What the referee's own judgement is told: everything, and of whom it is about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Q21Brief {
    pub warmup_question: Option<Box<str>>,
    /// What each player answered to it.
    pub warmup_answers: [Option<Box<str>>; 2],
    /// The book with its secrets.
    pub book: Option<Q21Book>,
    pub questions: Option<Vec<Q21Question>>,
    pub answers: Option<Vec<Q21Answer>>,
    pub guess: Option<Box<Q21Guess>>,
}

#[cfg(test)]
mod tests;
