//! One match: invitation, and the news of its end.
//!
//! Spec: docs/protocol/match.md

use serde::{Deserialize, Serialize};

use super::super::even_odd::Parity;
use super::played::PlayedDetails;
use super::report::ResultStatus;
use crate::{GameType, LeagueId, MatchId, Payload, PerPlayer, PlayerId, RoundId, Timestamp};

/// GAME_INVITATION.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameInvitation {
    /// The league.
    pub league_id: LeagueId,
    /// The round.
    pub round_id: RoundId,
    /// The match.
    pub match_id: MatchId,
    /// What is played.
    pub game_type: GameType,
    /// The recipient's seat.
    pub role_in_match: RoleInMatch,
    /// Whom it meets.
    pub opponent_id: PlayerId,
    /// The settings of the game, where the league has some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_settings: Option<Box<Payload>>,
}

/// A seat at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum RoleInMatch {
    /// The first.
    #[serde(rename = "PLAYER_A", alias = "PLAYER1", alias = "player_a")]
    PlayerA,
    /// The second.
    #[serde(rename = "PLAYER_B", alias = "PLAYER2", alias = "player_b")]
    PlayerB,
}

/// GAME_JOIN_ACK.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameJoinAck {
    /// The match.
    pub match_id: MatchId,
    /// Who answers.
    pub player_id: PlayerId,
    /// When the invitation arrived.
    pub arrival_timestamp: Timestamp,
    /// Whether it plays.
    pub accept: bool,
}

/// Wins, losses and draws so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Record {
    /// Matches won.
    pub wins: u32,
    /// Matches lost.
    pub losses: u32,
    /// Matches drawn.
    pub draws: u32,
}

/// GAME_OVER.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameOver {
    /// The match.
    pub match_id: MatchId,
    /// What was played.
    pub game_type: GameType,
    /// How it ended.
    pub game_result: GameResult,
}

/// How a match ended.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameResult {
    /// In one word.
    pub status: ResultStatus,
    /// Who won; null if nobody did.
    pub winner_player_id: Option<PlayerId>,
    /// The number; null if none was drawn.
    pub drawn_number: Option<u32>,
    /// Its parity.
    pub number_parity: Option<Parity>,
    /// What was chosen, as far as it was.
    #[serde(default)]
    pub choices: PerPlayer<Parity>,
    /// Of any other game, in place of these three: what was played.
    #[serde(default)]
    pub details: Option<Box<PlayedDetails>>,
    /// In a sentence.
    #[serde(default)]
    pub reason: Box<str>,
}
