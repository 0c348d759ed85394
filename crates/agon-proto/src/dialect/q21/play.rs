//! How letters spell what is played. To everybody but its own players and referees a game's moves,
//! words and views are payloads, as those of any game; here are both sides.
//!
//! Spec: docs/protocol/q21.md

use serde::{Deserialize, Serialize};

use super::Score;
use super::{Answered, AsPayload, Breakdown, Feedback, Guess, QuestionRow};

/// What a player says in a game: its moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// The answer to the warm-up.
    Warmup(Box<str>),
    /// All questions.
    Questions(Vec<QuestionRow>),
    /// The guess.
    Guess(Guess),
}

/// What a referee's own judgement says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// A question for the warm-up.
    WarmupQuestion(Box<str>),
    /// The book of this game.
    Book(Book),
    /// What the answers to one player are.
    Answers(Vec<Answered>),
    /// What one player's guess is worth. League points follow from the private score.
    Score(Assessment),
}

/// What players know about the book.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PublicBook {
    /// Its name.
    pub name: Box<str>,
    /// A dozen words about it.
    pub hint: Box<str>,
    /// The domain of the secret word.
    pub association_word: Box<str>,
}

/// A book as its referee knows it. The last two never leave the referee.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Book {
    /// What players are told.
    pub public: PublicBook,
    /// The secret sentence, if it was said.
    pub opening_sentence: Option<Box<str>>,
    /// The secret word, if it was said.
    pub associative_word: Option<Box<str>>,
}

/// What a guess is worth.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Assessment {
    /// 0 to 100.
    pub private_score: Score,
    /// Its parts.
    pub breakdown: Breakdown,
    /// In words.
    pub feedback: Feedback,
}

/// What a player may see of its game: what the referee's letters have told it so far.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Seen {
    /// The warm-up.
    pub warmup_question: Option<Box<str>>,
    /// What is to be found out.
    pub book: Option<PublicBook>,
    /// What its questions were answered.
    pub answers: Option<Vec<Answered>>,
    /// What its guess was worth.
    pub score: Option<Assessment>,
}

/// What a referee's own judgement is told: everything.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Brief {
    /// The warm-up.
    pub warmup_question: Option<Box<str>>,
    /// What each player answered to it.
    pub warmup_answers: [Option<Box<str>>; 2],
    /// The book with its secrets.
    pub book: Option<Book>,
    /// What the player asks about whom this is.
    pub questions: Option<Vec<QuestionRow>>,
    /// What it was answered.
    pub answers: Option<Vec<Answered>>,
    /// What it guesses.
    pub guess: Option<Guess>,
}

impl AsPayload for Said {}
impl AsPayload for Word {}
impl AsPayload for Seen {}
impl AsPayload for Brief {}
