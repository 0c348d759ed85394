//! What referee and players say to each other in one game: warm-up, questions, answers, guess,
//! score.
//!
//! The game and its token stand in every one of them; see [`super::Context`] for the game.

use serde::{Deserialize, Serialize};

use super::{Breakdown, GameId, Score};
use crate::Timestamp;

/// How many questions a player asks.
pub const QUESTIONS: usize = 20;
/// The keys of a question's options.
pub const OPTIONS: [char; 4] = ['A', 'B', 'C', 'D'];

/// Q21WARMUPCALL: are you there?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarmupCall {
    /// The game.
    pub game: GameId,
    /// Something easy.
    pub question: Box<str>,
    /// Until when.
    pub deadline: Option<Timestamp>,
    /// What every further letter of this game carries.
    pub token: Option<Box<str>>,
}

/// Q21WARMUPRESPONSE. Not judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarmupResponse {
    /// The game.
    pub game: GameId,
    /// The answer.
    pub answer: Box<str>,
    /// The game's token, if the player echoes it.
    pub token: Option<Box<str>>,
}

/// Q21ROUNDSTART: what is to be found out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundStart {
    /// The game.
    pub game: GameId,
    /// The book.
    pub book_name: Box<str>,
    /// A dozen words about it.
    pub book_hint: Box<str>,
    /// The domain of the secret word, not the word.
    pub association_word: Box<str>,
    /// How many questions are wanted.
    pub questions_required: u32,
    /// Until when.
    pub deadline: Option<Timestamp>,
    /// The game's token.
    pub token: Option<Box<str>>,
}

/// One question, with its four options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Its number, counted from 1.
    pub number: u32,
    /// The question.
    pub text: Box<str>,
    /// What A, B, C and D mean.
    pub options: [Box<str>; 4],
}

/// Q21QUESTIONSBATCH.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionsBatch {
    /// The game.
    pub game: GameId,
    /// All of them.
    pub questions: Vec<Question>,
    /// The game's token.
    pub token: Option<Box<str>>,
}

/// What a referee chose among the options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Choice {
    /// The first.
    A,
    /// The second.
    B,
    /// The third.
    C,
    /// The fourth.
    D,
    /// None of them.
    NotRelevant,
}

impl Choice {
    /// As it is sent.
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
pub struct Answered {
    /// Which question.
    pub number: u32,
    /// What it is.
    pub choice: Choice,
}

/// Q21ANSWERSBATCH.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswersBatch {
    /// The game.
    pub game: GameId,
    /// One for each question, as far as there are any.
    pub answers: Vec<Answered>,
    /// Until when a guess is awaited.
    pub deadline: Option<Timestamp>,
    /// The game's token.
    pub token: Option<Box<str>>,
}

/// What a player believes the secret to be.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Guess {
    /// The sentence.
    pub opening_sentence: Box<str>,
    /// Why, in 30 to 50 words.
    pub sentence_justification: Box<str>,
    /// The word.
    pub associative_word: Box<str>,
    /// Why, in 20 to 30 words.
    pub word_justification: Box<str>,
    /// How sure it is, 0 to 1, in hundredths of one.
    pub confidence: u32,
}

/// Q21GUESSSUBMISSION.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuessSubmission {
    /// The game.
    pub game: GameId,
    /// The guess.
    pub guess: Guess,
    /// The game's token.
    pub token: Option<Box<str>>,
}

/// What a referee says about a guess.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Feedback {
    /// About the sentence.
    pub opening_sentence: Box<str>,
    /// About the word.
    pub associative_word: Box<str>,
}

/// Q21SCOREFEEDBACK: the end of a game, for one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreFeedback {
    /// The game.
    pub game: GameId,
    /// 0 to 3.
    pub league_points: u32,
    /// 0 to 100.
    pub private_score: Score,
    /// Its parts.
    pub breakdown: Breakdown,
    /// In words.
    pub feedback: Option<Feedback>,
    /// The game's token.
    pub token: Option<Box<str>>,
}
