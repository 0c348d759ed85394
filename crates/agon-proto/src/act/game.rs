//! What a referee and a player say to each other in one match, in letters.
//!
//! Questions are counted from 0. What is shown and what is moved only the game reads.

use serde::{Deserialize, Serialize};

use crate::{GameId, Payload, Score, Timestamp};

/// A referee puts a question to a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The match.
    pub game: GameId,
    /// Which question of it.
    pub number: u16,
    /// What the letter shows.
    pub view: Payload,
    /// Until when an answer is awaited.
    pub deadline: Option<Timestamp>,
    /// What every further letter of this match carries.
    pub token: Option<Box<str>>,
}

/// A player answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// The match.
    pub game: GameId,
    /// Which question it answers.
    pub number: u16,
    /// Its move.
    pub said: Payload,
    /// The match's token, if the player echoes it.
    pub token: Option<Box<str>>,
}

/// One player is through: what its play was worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worth {
    /// The match.
    pub game: GameId,
    /// In the league.
    pub league_points: u32,
    /// In the match itself.
    pub private_score: Score,
    /// What the player sees of it.
    pub view: Payload,
    /// The match's token.
    pub token: Option<Box<str>>,
}
