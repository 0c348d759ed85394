//! MATCH_ASSIGNMENT and HEARTBEAT, our 21st and 22nd message: the manager gives a match to a
//! referee, and the referee is still there.
//!
//! Spec: docs/protocol/assignment.md

use super::game::Record;
use crate::json::objects;
use crate::{
    AuthToken, DisplayName, Endpoint, GameType, LeagueId, MatchId, Payload, PlayerId, RefereeId,
    RoundId,
};

objects! {
    /// MATCH_ASSIGNMENT. Flat, because that is what referees in the wild read.
    pub struct MatchAssignment {
        /// The league.
        required league_id: LeagueId,
        /// The round.
        required round_id: RoundId,
        /// The match.
        required match_id: MatchId,
        /// Which attempt at it, counted from 1.
        required attempt: u32,
        /// What is played.
        required game_type: GameType,
        /// Who referees.
        required referee_id: RefereeId,
        /// The first player.
        required player_a_id "player_A_id": PlayerId,
        /// Where to call it.
        required player_a_endpoint "player_A_endpoint": Endpoint,
        /// Its name.
        required player_a_display_name "player_A_display_name": DisplayName,
        /// The match token for calls to it.
        required player_a_token "player_A_token": AuthToken,
        /// Its record, for `your_standings`.
        required player_a_standings "player_A_standings": Record => Record,
        /// The second player.
        required player_b_id "player_B_id": PlayerId,
        /// Where to call it.
        required player_b_endpoint "player_B_endpoint": Endpoint,
        /// Its name.
        required player_b_display_name "player_B_display_name": DisplayName,
        /// The match token for calls to it.
        required player_b_token "player_B_token": AuthToken,
        /// Its record, for `your_standings`.
        required player_b_standings "player_B_standings": Record => Record,
        /// How long each step may take, and the range of the draw.
        required limits: StepLimits => StepLimits,
        /// The settings of any game but Even/Odd, which has them in `limits`.
        optional game_settings: Option<Payload>,
        /// Whether players are told what they may answer.
        optional hints: bool,
    }

    /// How long each step of a match may take. The league's rule, the same for every referee.
    #[derive(Copy, Eq)]
    pub struct StepLimits {
        /// Time for an answer to the invitation.
        required join_ms: u32,
        /// Time for a choice.
        required choice_ms: u32,
        /// Waits before the second, third and fourth ask.
        required backoff_ms: [u32; 3],
        /// Smallest number that can be drawn.
        required draw_min: u32,
        /// Largest number that can be drawn.
        required draw_max: u32,
        /// Whether a no-show costs the match or cancels it.
        defaulted no_show_cancels: bool,
    }

    /// HEARTBEAT.
    #[derive(Eq)]
    pub struct Heartbeat {
        /// The league.
        required league_id: LeagueId,
        /// How many matches the referee has in its hands.
        defaulted matches_held: u32,
        /// Matches whose end both players have heard, or could not be told.
        optional told: Vec<MatchId>,
    }
}
