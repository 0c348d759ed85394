//! Between the manager and a referee: it is given a match, it is still there, and it reports what
//! happened, and who caused it.
//!
//! Spec: docs/protocol/assignment.md, docs/protocol/match.md

use super::super::even_odd::Parity;
use super::game::{PlayedDetails, Record};
use super::transcript::{Transcript, TranscriptEntry};
use crate::json::{objects, words};
use crate::{
    AuthToken, DisplayName, Endpoint, GameType, LeagueId, MatchId, Payload, PerPlayer, PlayerId,
    RefereeId, RoundId,
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
        /// Players whose clock is empty: each question is put to them once.
        optional asked_once: Vec<PlayerId>,
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

objects! {
    /// MATCH_RESULT_REPORT.
    pub struct MatchResultReport {
        /// The league.
        required league_id: LeagueId,
        /// The round.
        required round_id: RoundId,
        /// The match.
        required match_id: MatchId,
        /// What was played.
        required game_type: GameType,
        /// How it ended.
        required result: ReportedResult,
        /// Every message of the match, with its times. Ours.
        #[serde(skip_serializing_if = "Transcript::is_empty")]
        defaulted transcript: Transcript => TranscriptEntry,
        /// Earlier matches whose end both players have heard, or could not be told. Ours.
        optional told: Vec<MatchId>,
        /// How long each player was asked again, in milliseconds. Ours.
        optional charged_ms: PerPlayer<u32>,
    }

    /// How a match ended, as its referee reports it.
    pub struct ReportedResult {
        /// Who won; null if nobody did.
        nullable winner: Option<PlayerId>,
        /// League points as the referee sees them. The manager computes its own.
        defaulted score: PerPlayer<u32>,
        /// The number and the choices.
        defaulted details: ReportDetails,
        /// In one word. Ours; without it a winner means WIN and none means DRAW.
        optional status: Option<ResultStatus>,
        /// What happened. Ours.
        optional reason: Option<Cause>,
        /// Who caused it. Ours.
        optional blame: Option<Blame>,
        /// Which attempt this is the result of. Ours; without it the current one is meant.
        optional attempt: Option<u32>,
    }
}

/// What was played: of Even/Odd the number and the choices.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportDetails {
    /// The number; null if none was drawn.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub drawn_number: Option<u32>,
    /// What was chosen, as far as it was.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub choices: PerPlayer<Parity>,
    /// Of any other game, in place of both: its public view, and what it was worth to each.
    #[cfg_attr(feature = "schema", schemars(flatten))]
    pub played: Option<Box<PlayedDetails>>,
}

words! {
    /// How a match ended, in one word.
    pub enum ResultStatus {
        /// One player won by playing.
        Win = "WIN",
        /// Nobody won.
        Draw = "DRAW",
        /// One player failed, or both did.
        TechnicalLoss = "TECHNICAL_LOSS",
        /// No result; nobody gets points.
        Cancelled = "CANCELLED",
        /// This attempt is void; another one may follow.
        Aborted = "ABORTED",
    }

    /// What happened.
    pub enum Cause {
        /// The match was played to its end.
        Played = "PLAYED",
        /// A player never answered the invitation.
        NoShow = "NO_SHOW",
        /// A player declined the invitation.
        Refused = "REFUSED",
        /// A player joined and then did not choose in time.
        TimedOut = "TIMED_OUT",
        /// A player chose something that cannot be chosen.
        InvalidMove = "INVALID_MOVE",
        /// A player joined and then could not be reached.
        Crashed = "CRASHED",
        /// A player's answer was larger than allowed.
        OversizedAnswer = "OVERSIZED_ANSWER",
        /// A player's answer was no answer.
        MalformedAnswer = "MALFORMED_ANSWER",
        /// The referee did not come to an end.
        RefereeLost = "REFEREE_LOST",
        /// Neither player could be reached.
        Network = "NETWORK",
        /// The referee's own machine was too late.
        HostOverloaded = "HOST_OVERLOADED",
        /// The operator cancelled it.
        CancelledByOperator = "CANCELLED_BY_OPERATOR",
        /// A player had left the league.
        Withdrawn = "WITHDRAWN",
    }

    /// Who caused it.
    pub enum Blame {
        /// The first player.
        PlayerA = "PLAYER_A",
        /// The second player.
        PlayerB = "PLAYER_B",
        /// Both players.
        Both = "BOTH",
        /// The referee.
        Referee = "REFEREE",
        /// The network.
        Network = "NETWORK",
        /// The machine.
        Host = "HOST",
        /// The operator.
        Operator = "OPERATOR",
    }
}
