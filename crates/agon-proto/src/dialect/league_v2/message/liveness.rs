//! Who is still there: HEARTBEAT and PLAYER_WITHDRAWN, the 22nd and 23rd message. Both are ours.
//!
//! Spec: docs/protocol/assignment.md, docs/protocol/season.md

use serde::{Deserialize, Serialize};

use crate::{LeagueId, MatchId, PlayerId};

/// HEARTBEAT.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Heartbeat {
    /// The league.
    pub league_id: LeagueId,
    /// How many matches the referee has in its hands.
    #[serde(default)]
    pub matches_held: u32,
    /// Matches whose end both players have heard, or could not be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<MatchId>,
}

/// PLAYER_WITHDRAWN.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerWithdrawn {
    /// The league.
    pub league_id: LeagueId,
    /// Who plays no more.
    pub player_id: PlayerId,
    /// Why, in a sentence.
    #[serde(default)]
    pub reason: Box<str>,
}
