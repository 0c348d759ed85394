//! What a team's own program is asked, and what it may say: the four callbacks of a player and the
//! four of a referee.
//!
//! Here is what is said, typed. [`context`] and [`read`] are how a program in Python sees it.
//!
//! Spec: docs/protocol/q21-callbacks.md

mod context;
mod read;
mod value;

use serde::{Deserialize, Serialize};

pub use context::context;
pub use read::{Heard, read};

use super::{
    Address, Answered, Breakdown, Feedback, GameId, GroupId, Guess, Question, Score, SeasonId,
};
use crate::LeagueId;

/// One call of a team's program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consultation {
    /// Comes back with the answer. Different for every call of one process.
    pub number: u64,
    /// The game that it is about.
    pub game: GameId,
    /// What is asked.
    pub query: Query,
}

/// What a team's program is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// A player's four questions, with where it stands in the league.
    Player(PlayerQuery, PlayerStandings),
    /// A referee's four, with what all of them are told.
    Referee(RefereeQuery, RefereeContext),
}

impl Query {
    /// The method of the program that is called.
    pub const fn method(&self) -> &'static str {
        match self {
            Self::Player(PlayerQuery::Warmup { .. }, _) => "get_warmup_answer",
            Self::Player(PlayerQuery::Questions { .. }, _) => "get_questions",
            Self::Player(PlayerQuery::Guess { .. }, _) => "get_guess",
            Self::Player(PlayerQuery::Score { .. }, _) => "on_score_received",
            Self::Referee(RefereeQuery::WarmupQuestion { .. }, _) => "get_warmup_question",
            Self::Referee(RefereeQuery::RoundStart { .. }, _) => "get_round_start_info",
            Self::Referee(RefereeQuery::Answers { .. }, _) => "get_answers",
            Self::Referee(RefereeQuery::Score { .. }, _) => "get_score_feedback",
        }
    }
}

/// What a player's program is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayerQuery {
    /// `get_warmup_answer`.
    Warmup {
        /// The question.
        question: Box<str>,
    },
    /// `get_questions`.
    Questions {
        /// What is to be found out.
        book: PublicBook,
    },
    /// `get_guess`.
    Guess {
        /// What is to be found out.
        book: PublicBook,
        /// What was answered.
        answers: Vec<Answered>,
        /// What was asked.
        questions: Vec<Question>,
    },
    /// `on_score_received`.
    Score {
        /// 0 to 3.
        league_points: u32,
        /// 0 to 100.
        private_score: Score,
        /// Its parts.
        breakdown: Breakdown,
        /// In words.
        feedback: Option<Feedback>,
    },
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
    /// The secret sentence, if the program has said it.
    pub opening_sentence: Option<Box<str>>,
    /// The secret word, if the program has said it.
    pub associative_word: Option<Box<str>>,
}

/// What all four questions to a referee's program tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefereeContext {
    /// The season.
    pub season: SeasonId,
    /// The league.
    pub league: LeagueId,
    /// The game.
    pub game: GameId,
    /// What the referee calls itself.
    pub referee: Box<str>,
    /// The round's number.
    pub round_number: u32,
    /// The round, in the manager's words.
    pub round: Box<str>,
}

/// A player, as a referee's program hears of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contestant {
    /// Its group.
    pub id: GroupId,
    /// Its address.
    pub address: Address,
    /// What it answered in the warm-up, once it has.
    pub warmup_answer: Option<Box<str>>,
}

/// What a referee's program is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefereeQuery {
    /// `get_warmup_question`.
    WarmupQuestion {
        /// Both.
        players: [Contestant; 2],
    },
    /// `get_round_start_info`.
    RoundStart {
        /// Both.
        players: [Contestant; 2],
    },
    /// `get_answers`, once for each player.
    Answers {
        /// Who asks.
        player: Contestant,
        /// The book.
        book: Book,
        /// What it asks.
        questions: Vec<Question>,
    },
    /// `get_score_feedback`, once for each player.
    Score {
        /// Who guesses.
        player: Contestant,
        /// The book.
        book: Book,
        /// What it guesses.
        guess: Guess,
    },
}

/// What a team's program said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Advice {
    /// The answer to the warm-up.
    Warmup(Box<str>),
    /// Twenty questions.
    Questions(Vec<Question>),
    /// The guess.
    Guess(Guess),
    /// It has taken note of the score.
    Noted,
    /// A question for the warm-up.
    WarmupQuestion(Box<str>),
    /// The book of this game.
    RoundStart(Book),
    /// What the answers are.
    Answers(Vec<Answered>),
    /// What the guess is worth. League points follow from the private score.
    Score(Assessment),
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

/// Why a team's program said nothing that could be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mishap {
    /// What happened.
    pub kind: MishapKind,
    /// For its author: the exception, or what was wrong with the value.
    pub text: Box<str>,
}

/// What happened to a team's program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MishapKind {
    /// It raised an exception.
    Raised,
    /// It did not come to an end in time.
    TimedOut,
    /// It returned something that it must not return.
    WrongValue,
    /// The process is gone, or never came up.
    Gone,
}

/// How a player stands in the league, for its program to use.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PlayerStandings {
    /// The season.
    pub season: Option<SeasonId>,
    /// The round under way.
    pub round_number: u32,
    /// All private scores together, in hundredths.
    pub total_hundredths: u64,
    /// League points, all together.
    pub league_points: u32,
    /// Games that came to their end.
    pub games_played: u32,
    /// Games won, as far as that was told.
    pub games_won: u32,
    /// Its rank, 0 if it was not told yet.
    pub rank: u32,
    /// Every game that came to its end.
    pub history: Vec<RoundResult>,
}

/// One game of a player's history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundResult {
    /// The game.
    pub game: GameId,
    /// The round.
    pub round_number: u32,
    /// 0 to 3.
    pub league_points: u32,
    /// 0 to 100.
    pub private_score: Score,
    /// Whether it was won, if that was told.
    pub won: Option<bool>,
}

#[cfg(test)]
mod testing;
