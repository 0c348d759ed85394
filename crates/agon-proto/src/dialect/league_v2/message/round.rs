//! The season's news: rounds, standings, who plays no more, and the end; and what of it is answered
//! to a LEAGUE_QUERY.
//!
//! Spec: docs/protocol/season.md, docs/protocol/query.md

use std::sync::Arc;

use crate::json::{objects, words};
use crate::{
    DisplayName, Endpoint, GameType, LeagueId, Listed, MatchId, PlayerId, RefereeId, RoundId,
};

objects! {
    /// ROUND_ANNOUNCEMENT.
    pub struct RoundAnnouncement {
        /// The league.
        required league_id: LeagueId,
        /// The round that begins.
        required round_id: RoundId,
        /// Its matches; in a large league those of the recipient alone.
        required matches: Listed<AnnouncedMatch> => AnnouncedMatch,
        /// Whether it is said again because the manager was restarted. Ours.
        optional repeated: bool,
    }

    /// One match of a round, as it is announced.
    pub struct AnnouncedMatch {
        /// The match.
        required match_id: MatchId,
        /// What is played.
        required game_type: GameType,
        /// The first player.
        required player_a_id "player_A_id": PlayerId,
        /// The second player.
        required player_b_id "player_B_id": PlayerId,
        /// Where its referee can be called.
        required referee_endpoint: Endpoint,
        /// Its referee. Ours.
        optional referee_id: Option<RefereeId>,
    }

    /// ROUND_COMPLETED.
    pub struct RoundCompleted {
        /// The league.
        required league_id: LeagueId,
        /// The round that is over.
        required round_id: RoundId,
        /// How many matches it had.
        required matches_played: u32,
        /// The same, by its other name.
        defaulted matches_completed: u32,
        /// The next round; null after the last.
        nullable next_round_id: Option<RoundId>,
        /// How its matches ended.
        defaulted summary: RoundSummary => RoundSummary,
        /// Whether it is said again because the manager was restarted. Ours.
        optional repeated: bool,
    }

    /// How the matches of a round ended.
    #[derive(Copy, Eq, Default)]
    pub struct RoundSummary {
        /// All of them.
        required total_matches: u32,
        /// Those that somebody won by playing.
        required wins: u32,
        /// Draws.
        required draws: u32,
        /// Those that ended with a technical loss or were cancelled.
        required technical_losses: u32,
    }

    /// LEAGUE_STANDINGS_UPDATE.
    pub struct LeagueStandingsUpdate {
        /// The league.
        required league_id: LeagueId,
        /// The last round that is counted.
        required round_id: RoundId,
        /// The table, best first; in a large league its top and the recipient.
        required standings: Listed<StandingsRow> => StandingsRow,
    }

    /// One row of the table.
    pub struct StandingsRow {
        /// Place, counted from 1; shared when nothing separates.
        required rank: u32,
        /// The player.
        required player_id: PlayerId,
        /// Its name.
        required display_name: DisplayName,
        /// Matches with a result.
        required played: u32,
        /// Matches won, by playing or by the other's technical loss.
        required wins: u32,
        /// Matches drawn.
        required draws: u32,
        /// Matches lost, technical losses among them.
        required losses: u32,
        /// League points.
        required points: u32,
        /// What is left on its clock, once something was charged. Ours.
        optional clock_ms: Option<u64>,
        /// How many of its results nobody could check, if there are such. Ours.
        optional unverified: Option<u32>,
        /// It came again, and nothing but its address showed that it is the same. Ours.
        optional unproved: bool,
    }

    /// LEAGUE_COMPLETED.
    pub struct LeagueCompleted {
        /// The league.
        required league_id: LeagueId,
        /// How many rounds it had.
        required total_rounds: u32,
        /// How many matches it had.
        required total_matches: u64,
        /// Who won.
        required champion: Champion => Champion,
        /// The final table; in a large league its top and the recipient.
        required final_standings: Arc<[FinalRow]> => FinalRow,
    }

    /// Who won.
    pub struct Champion {
        /// The player.
        required player_id: PlayerId,
        /// Its name.
        required display_name: DisplayName,
        /// Its points.
        required points: u32,
    }

    /// One row of the final table.
    #[derive(Copy, Eq)]
    pub struct FinalRow {
        /// Place, counted from 1.
        required rank: u32,
        /// The player.
        required player_id: PlayerId,
        /// Its points.
        required points: u32,
    }

    /// PLAYER_WITHDRAWN.
    #[derive(Eq)]
    pub struct PlayerWithdrawn {
        /// The league.
        required league_id: LeagueId,
        /// Who plays no more.
        required player_id: PlayerId,
        /// Why, in a sentence.
        defaulted reason: Box<str>,
    }
}

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
        /// The table again, if it was asked for: that is where the course puts it.
        optional standings: Option<Vec<StandingsRow>> => StandingsRow,
        /// Why there is none.
        optional error: Option<Box<str>>,
        /// Whether whoever asks could be called at its endpoint. Ours.
        optional reachable: Option<bool>,
        /// The season is over, for whoever asks for its registration. Ours.
        optional completed: Option<bool>,
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
        /// Whether whoever asks can be called. Ours.
        GetRegistration = "GET_REGISTRATION",
    }
}
