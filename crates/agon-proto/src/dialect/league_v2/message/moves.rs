//! Moves of any game but those that have messages of their own: the GAME_MOVE_* pair.
//!
//! Spec: docs/protocol/match.md

use serde::{Deserialize, Serialize};

use super::game::RoleInMatch;
use crate::{DisplayName, GameType, MatchId, Payload, PlayerId, Timestamp};

/// GAME_MOVE_CALL.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameMoveCall {
    /// The match.
    pub match_id: MatchId,
    /// Who is asked.
    pub player_id: PlayerId,
    /// What is played.
    pub game_type: GameType,
    /// What is asked.
    pub move_request: MoveRequest,
    /// When the answer must be in.
    pub deadline: Timestamp,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveRequest {
    /// The kind of move, in the game's own word.
    pub move_type: DisplayName,
    /// What a move looks like, where the game can say it: a JSON Schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Payload>,
    /// What the player may know.
    #[serde(default)]
    pub context: MoveContext,
    /// What may be answered, where the league tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_options: Option<Vec<Payload>>,
}

/// What a player may know before it moves.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveContext {
    /// The game as this player sees it, in the game's own words.
    #[serde(default)]
    pub view: Payload,
    /// Which question of the match this is, counted from 1. A repeat has the same number.
    #[serde(default)]
    pub step: u32,
    /// The player's own seat.
    #[serde(default)]
    pub seat: Option<RoleInMatch>,
}

/// GAME_MOVE_RESPONSE.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameMoveResponse {
    /// The match.
    pub match_id: MatchId,
    /// Who answers.
    pub player_id: PlayerId,
    /// What is played.
    pub game_type: GameType,
    /// The answer.
    pub move_data: MoveData,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveData {
    /// The kind of move that was asked for.
    pub move_type: DisplayName,
    /// The move, in the game's own words.
    pub choice: Payload,
}
