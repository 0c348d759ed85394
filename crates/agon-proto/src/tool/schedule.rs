//! Who plays whom in a season, and what came of it, as a manager lists it.
//!
//! Spec: docs/protocol/query.md

use crate::json::objects;
use crate::message::{MatchPhase, ResultStatus};
use crate::{DisplayName, LeagueId, MatchId, PerPlayer, PlayerId, RefereeId, RoundId};

objects! {
    /// Some matches of a season, in their order.
    pub struct ScheduleAnswer {
        /// The league.
        required league_id: LeagueId,
        /// The round under way, or the last one; 0 before the first.
        required round: RoundId,
        /// Rounds of the season; 0 before it is scheduled.
        required rounds: u32,
        /// The matches.
        required matches: Vec<ScheduledEntry>,
        /// There are more: ask again with the last one's id.
        optional more: bool,
    }

    /// One match of the schedule.
    pub struct ScheduledEntry {
        /// Which one.
        required match_id: MatchId,
        /// The first player.
        required player_a_id "player_A_id": PlayerId,
        /// The second player.
        required player_b_id "player_B_id": PlayerId,
        /// What the first player is called.
        required player_a_name "player_A_name": DisplayName,
        /// What the second player is called.
        required player_b_name "player_B_name": DisplayName,
        /// Its referee, once it has one.
        optional referee_id: Option<RefereeId>,
        /// Where it stands.
        required state: MatchPhase,
        /// How it ended.
        optional status: Option<ResultStatus>,
        /// Who won.
        optional winner: Option<PlayerId>,
        /// The points that it was worth.
        optional points: PerPlayer<u32>,
    }
}
