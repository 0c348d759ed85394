//! MATCH_ASSIGNMENT, our 21st message: the manager gives a match to a referee.
//!
//! Spec: docs/protocol/assignment.md

use serde::{Deserialize, Serialize};

use super::game::Record;
use crate::{
    AuthToken, DisplayName, Endpoint, GameType, LeagueId, MatchId, Payload, PlayerId, RefereeId,
    RoundId,
};

/// MATCH_ASSIGNMENT. Flat, because that is what referees in the wild read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchAssignment {
    /// The league.
    pub league_id: LeagueId,
    /// The round.
    pub round_id: RoundId,
    /// The match.
    pub match_id: MatchId,
    /// Which attempt at it, counted from 1.
    pub attempt: u32,
    /// What is played.
    pub game_type: GameType,
    /// Who referees.
    pub referee_id: RefereeId,
    /// The first player.
    #[serde(rename = "player_A_id")]
    pub player_a_id: PlayerId,
    /// Where to call it.
    #[serde(rename = "player_A_endpoint")]
    pub player_a_endpoint: Endpoint,
    /// Its name.
    #[serde(rename = "player_A_display_name")]
    pub player_a_display_name: DisplayName,
    /// The match token for calls to it.
    #[serde(rename = "player_A_token")]
    pub player_a_token: AuthToken,
    /// Its record, for `your_standings`.
    #[serde(rename = "player_A_standings")]
    pub player_a_standings: Record,
    /// The second player.
    #[serde(rename = "player_B_id")]
    pub player_b_id: PlayerId,
    /// Where to call it.
    #[serde(rename = "player_B_endpoint")]
    pub player_b_endpoint: Endpoint,
    /// Its name.
    #[serde(rename = "player_B_display_name")]
    pub player_b_display_name: DisplayName,
    /// The match token for calls to it.
    #[serde(rename = "player_B_token")]
    pub player_b_token: AuthToken,
    /// Its record, for `your_standings`.
    #[serde(rename = "player_B_standings")]
    pub player_b_standings: Record,
    /// How long each step may take, and the range of the draw.
    pub limits: StepLimits,
    /// The settings of any game but Even/Odd, which has them in `limits`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_settings: Option<Payload>,
    /// Whether players are told what they may answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hints: bool,
}

/// How long each step of a match may take. The league's rule, the same for every referee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StepLimits {
    /// Time for an answer to the invitation.
    pub join_ms: u32,
    /// Time for a choice.
    pub choice_ms: u32,
    /// Waits before the second, third and fourth ask.
    pub backoff_ms: [u32; 3],
    /// Smallest number that can be drawn.
    pub draw_min: u32,
    /// Largest number that can be drawn.
    pub draw_max: u32,
    /// Whether a no-show costs the match or cancels it.
    #[serde(default)]
    pub no_show_cancels: bool,
}
