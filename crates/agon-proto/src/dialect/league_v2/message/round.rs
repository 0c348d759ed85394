//! The season's news: rounds, standings and the end.
//!
//! Spec: docs/protocol/season.md

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    DisplayName, Endpoint, GameType, LeagueId, Listed, MatchId, PlayerId, RefereeId, RoundId,
};

/// ROUND_ANNOUNCEMENT.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundAnnouncement {
    /// The league.
    pub league_id: LeagueId,
    /// The round that begins.
    pub round_id: RoundId,
    /// Its matches; in a large league those of the recipient alone.
    pub matches: Listed<AnnouncedMatch>,
    /// Whether it is said again because the manager was restarted. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeated: bool,
}

/// One match of a round, as it is announced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnnouncedMatch {
    /// The match.
    pub match_id: MatchId,
    /// What is played.
    pub game_type: GameType,
    /// The first player.
    #[serde(rename = "player_A_id")]
    pub player_a_id: PlayerId,
    /// The second player.
    #[serde(rename = "player_B_id")]
    pub player_b_id: PlayerId,
    /// Where its referee can be called.
    pub referee_endpoint: Endpoint,
    /// Its referee. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee_id: Option<RefereeId>,
}

/// ROUND_COMPLETED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundCompleted {
    /// The league.
    pub league_id: LeagueId,
    /// The round that is over.
    pub round_id: RoundId,
    /// How many matches it had.
    pub matches_played: u32,
    /// The same, by its other name.
    #[serde(default)]
    pub matches_completed: u32,
    /// The next round; null after the last.
    pub next_round_id: Option<RoundId>,
    /// How its matches ended.
    #[serde(default)]
    pub summary: RoundSummary,
    /// Whether it is said again because the manager was restarted. Ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeated: bool,
}

/// How the matches of a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundSummary {
    /// All of them.
    pub total_matches: u32,
    /// Those that somebody won by playing.
    pub wins: u32,
    /// Draws.
    pub draws: u32,
    /// Those that ended with a technical loss or were cancelled.
    pub technical_losses: u32,
}

/// LEAGUE_STANDINGS_UPDATE.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeagueStandingsUpdate {
    /// The league.
    pub league_id: LeagueId,
    /// The last round that is counted.
    pub round_id: RoundId,
    /// The table, best first; in a large league its top and the recipient.
    pub standings: Listed<StandingsRow>,
}

/// One row of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StandingsRow {
    /// Place, counted from 1; shared when nothing separates.
    pub rank: u32,
    /// The player.
    pub player_id: PlayerId,
    /// Its name.
    pub display_name: DisplayName,
    /// Matches with a result.
    pub played: u32,
    /// Matches won, by playing or by the other's technical loss.
    pub wins: u32,
    /// Matches drawn.
    pub draws: u32,
    /// Matches lost, technical losses among them.
    pub losses: u32,
    /// League points.
    pub points: u32,
}

/// LEAGUE_COMPLETED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeagueCompleted {
    /// The league.
    pub league_id: LeagueId,
    /// How many rounds it had.
    pub total_rounds: u32,
    /// How many matches it had.
    pub total_matches: u64,
    /// Who won.
    pub champion: Champion,
    /// The final table; in a large league its top and the recipient.
    pub final_standings: Arc<[FinalRow]>,
}

/// Who won.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Champion {
    /// The player.
    pub player_id: PlayerId,
    /// Its name.
    pub display_name: DisplayName,
    /// Its points.
    pub points: u32,
}

/// One row of the final table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FinalRow {
    /// Place, counted from 1.
    pub rank: u32,
    /// The player.
    pub player_id: PlayerId,
    /// Its points.
    pub points: u32,
}
