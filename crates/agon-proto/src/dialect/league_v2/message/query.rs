//! LEAGUE_QUERY and its answer.
//!
//! Spec: docs/protocol/query.md

use serde::{Deserialize, Serialize};

use super::round::{AnnouncedMatch, StandingsRow};
use crate::{Endpoint, LeagueId, MatchId, PlayerId, RoundId};

/// LEAGUE_QUERY.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeagueQuery {
    /// The league.
    pub league_id: LeagueId,
    /// What is asked.
    pub query_type: QueryType,
    /// About whom, or what.
    #[serde(default)]
    pub query_params: QueryParams,
}

/// What can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum QueryType {
    /// The table.
    GetStandings,
    /// Who meets whom.
    GetSchedule,
    /// A player's next match.
    GetNextMatch,
    /// A player's row of the table.
    GetPlayerStats,
}

/// About whom, or what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QueryParams {
    /// The player; without it the one who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_id: Option<PlayerId>,
    /// The round, for the schedule of a large league.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_id: Option<RoundId>,
}

/// LEAGUE_QUERY_RESPONSE.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeagueQueryResponse {
    /// What was asked.
    pub query_type: QueryType,
    /// Whether there is an answer.
    pub success: bool,
    /// The answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<QueryData>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Box<str>>,
}

/// The answer: the one field that was asked for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QueryData {
    /// The table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standings: Option<Vec<StandingsRow>>,
    /// The schedule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Vec<ScheduledRound>>,
    /// The next match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_match: Option<NextMatch>,
    /// A row of the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_stats: Option<StandingsRow>,
}

/// One round of the schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScheduledRound {
    /// The round.
    pub round_id: RoundId,
    /// Its matches. Without a referee's endpoint until the round is announced.
    pub matches: Vec<AnnouncedMatch>,
}

/// A player's next match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NextMatch {
    /// The match.
    pub match_id: MatchId,
    /// Its round.
    pub round_id: RoundId,
    /// Whom it meets.
    pub opponent_id: PlayerId,
    /// Where its referee is; empty until its round is announced.
    pub referee_endpoint: Endpoint,
}
