//! How letters spell what is played. To everybody but its own players and referees a game's moves,
//! words and views are payloads, as those of any game; here are both sides.
//!
//! Spec: docs/protocol/q21.md

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Score;
use super::{Answered, Breakdown, Feedback, GameId, Guess, QuestionRow};
use crate::{Address, GroupId, LeagueId, Payload, SeasonId};

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

/// What a player knows of its league when it thinks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerContext {
    /// The game, as its table spells it.
    pub game: GameId,
    /// How it stands.
    pub standings: PlayerStandings,
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

/// What a referee knows of its league when it thinks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefereeContext {
    /// The season.
    pub season: SeasonId,
    /// The league.
    pub league: LeagueId,
    /// The game, as its table spells it.
    pub game: GameId,
    /// What the referee calls itself.
    pub referee: Box<str>,
    /// The round's number.
    pub round_number: u32,
    /// The round, in the manager's words.
    pub round: Box<str>,
    /// Both players.
    pub players: [Contestant; 2],
}

/// A player, as a referee's program hears of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contestant {
    /// Its group.
    pub id: GroupId,
    /// Its address.
    pub address: Address,
}

/// What has a payload as its other side.
pub trait AsPayload: Serialize + DeserializeOwned {
    /// The payload.
    fn payload(&self) -> Payload {
        let text = serde_json::to_string(self).expect("text and numbers always fit into JSON");
        Payload::trusted(&text)
    }

    /// What a payload says.
    ///
    /// # Errors
    /// In words, if it says something else.
    fn of(payload: &Payload) -> Result<Self, Box<str>> {
        serde_json::from_str(payload.as_str()).map_err(|problem| problem.to_string().into())
    }
}

impl AsPayload for Said {}
impl AsPayload for Word {}
impl AsPayload for Seen {}
impl AsPayload for Brief {}
impl AsPayload for PlayerContext {}
impl AsPayload for RefereeContext {}
