//! What whoever thinks for an agent is told of its league, besides what is before it.

use serde::{Deserialize, Serialize};

use crate::json::words;
use crate::{Address, GameId, GroupId, LeagueId, Score, SeasonId};

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
    /// Every game that is over for us.
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
    /// How it ended for us.
    pub status: GameStatus,
    /// Why it did not come to its end, if that was told.
    pub error: Option<Box<str>>,
}

words! {
    /// How a game ended for its player.
    #[derive(Default)]
    pub enum GameStatus {
        /// It was played to its end.
        #[default]
        Completed = "COMPLETED",
        /// An answer was no good, or the game was broken off.
        Failed = "FAILED",
        /// An answer came too late, or never.
        Timeout = "TIMEOUT",
    }
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
