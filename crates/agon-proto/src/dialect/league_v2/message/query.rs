//! LEAGUE_QUERY and its answer.
//!
//! Spec: docs/protocol/query.md

use super::round::{AnnouncedMatch, StandingsRow};
use crate::json::{objects, words};
use crate::{Endpoint, LeagueId, MatchId, PlayerId, RoundId};

objects! {
    /// LEAGUE_QUERY.
    pub struct LeagueQuery {
        /// The league.
        required league_id: LeagueId,
        /// What is asked.
        required query_type: QueryType,
        /// About whom, or what.
        defaulted query_params: QueryParams,
    }

    /// About whom, or what.
    #[derive(Copy, Eq, Default)]
    pub struct QueryParams {
        /// The player; without it the one who asks.
        optional player_id: Option<PlayerId>,
        /// The round, for the schedule of a large league.
        optional round_id: Option<RoundId>,
    }

    /// LEAGUE_QUERY_RESPONSE.
    pub struct LeagueQueryResponse {
        /// What was asked.
        required query_type: QueryType,
        /// Whether there is an answer.
        required success: bool,
        /// The answer.
        optional data: Option<QueryData> => QueryData,
        /// Why there is none.
        optional error: Option<Box<str>>,
    }

    /// The answer: the one field that was asked for.
    #[derive(Default)]
    pub struct QueryData {
        /// The table.
        optional standings: Option<Vec<StandingsRow>> => StandingsRow,
        /// The schedule.
        optional schedule: Option<Vec<ScheduledRound>> => ScheduledRound,
        /// The next match.
        optional next_match: Option<NextMatch> => NextMatch,
        /// A row of the table.
        optional player_stats: Option<StandingsRow> => StandingsRow,
    }

    /// One round of the schedule.
    pub struct ScheduledRound {
        /// The round.
        required round_id: RoundId,
        /// Its matches. Without a referee's endpoint until the round is announced.
        required matches: Vec<AnnouncedMatch> => AnnouncedMatch,
    }

    /// A player's next match.
    #[derive(Eq)]
    pub struct NextMatch {
        /// The match.
        required match_id: MatchId,
        /// Its round.
        required round_id: RoundId,
        /// Whom it meets.
        required opponent_id: PlayerId,
        /// Where its referee is; empty until its round is announced.
        required referee_endpoint: Endpoint,
    }
}

words! {
    /// What can be asked.
    pub enum QueryType {
        /// The table.
        GetStandings = "GET_STANDINGS",
        /// Who meets whom.
        GetSchedule = "GET_SCHEDULE",
        /// A player's next match.
        GetNextMatch = "GET_NEXT_MATCH",
        /// A player's row of the table.
        GetPlayerStats = "GET_PLAYER_STATS",
    }
}
