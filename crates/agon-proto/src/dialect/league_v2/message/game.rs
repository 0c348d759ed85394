//! One match: invitation, the choice of Even/Odd, and the news of its end.
//!
//! Spec: docs/protocol/match.md

use serde::{Deserialize, Serialize};

use super::moves::{Parity, StatedParity};
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

/// CHOOSE_PARITY_CALL.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChooseParityCall {
    /// The match.
    pub match_id: MatchId,
    /// Who is asked.
    pub player_id: PlayerId,
    /// What is played.
    pub game_type: GameType,
    /// What a player may want to know.
    pub context: ParityContext,
    /// When the answer must be in. Whole seconds, and kept to.
    pub deadline: Timestamp,
}

/// What a player may want to know before it chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParityContext {
    /// Whom it meets.
    pub opponent_id: PlayerId,
    /// The round.
    pub round_id: RoundId,
    /// Its record so far.
    #[serde(default)]
    pub your_standings: Record,
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

/// CHOOSE_PARITY_RESPONSE.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChooseParityResponse {
    /// The match.
    pub match_id: MatchId,
    /// Who answers.
    pub player_id: PlayerId,
    /// Its choice, or whatever it sent instead.
    pub parity_choice: StatedParity,
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
