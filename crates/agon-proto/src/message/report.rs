//! MATCH_RESULT_REPORT: what happened, and who caused it.
//!
//! Spec: docs/protocol/match.md

use serde::{Deserialize, Serialize};

use super::moves::Parity;
use super::played::PlayedDetails;
use super::transcript::Transcript;
use crate::{GameType, LeagueId, MatchId, PerPlayer, PlayerId, RoundId};

/// MATCH_RESULT_REPORT.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchResultReport {
    /// The league.
    pub league_id: LeagueId,
    /// The round.
    pub round_id: RoundId,
    /// The match.
    pub match_id: MatchId,
    /// What was played.
    pub game_type: GameType,
    /// How it ended.
    pub result: ReportedResult,
    /// Every message of the match, with its times. Ours.
    #[serde(default, skip_serializing_if = "Transcript::is_empty")]
    pub transcript: Transcript,
    /// Earlier matches whose end both players have heard, or could not be told. Ours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<MatchId>,
}

/// How a match ended, as its referee reports it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportedResult {
    /// Who won; null if nobody did.
    pub winner: Option<PlayerId>,
    /// League points as the referee sees them. The manager computes its own.
    #[serde(default)]
    pub score: PerPlayer<u32>,
    /// The number and the choices.
    #[serde(default)]
    pub details: ReportDetails,
    /// In one word. Ours; without it a winner means WIN and none means DRAW.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ResultStatus>,
    /// What happened. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cause>,
    /// Who caused it. Ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
    /// Which attempt this is the result of. Ours; without it the current one is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
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

/// How a match ended, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ResultStatus {
    /// One player won by playing.
    Win,
    /// Nobody won.
    Draw,
    /// One player failed, or both did.
    TechnicalLoss,
    /// No result; nobody gets points.
    Cancelled,
    /// This attempt is void; another one may follow.
    Aborted,
}

impl ResultStatus {
    /// As the protocol spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Win => "WIN",
            Self::Draw => "DRAW",
            Self::TechnicalLoss => "TECHNICAL_LOSS",
            Self::Cancelled => "CANCELLED",
            Self::Aborted => "ABORTED",
        }
    }
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Cause {
    /// The match was played to its end.
    Played,
    /// A player never answered the invitation.
    NoShow,
    /// A player declined the invitation.
    Refused,
    /// A player joined and then did not choose in time.
    TimedOut,
    /// A player chose something that cannot be chosen.
    InvalidMove,
    /// A player joined and then could not be reached.
    Crashed,
    /// A player's answer was larger than allowed.
    OversizedAnswer,
    /// A player's answer was no answer.
    MalformedAnswer,
    /// The referee did not come to an end.
    RefereeLost,
    /// Neither player could be reached.
    Network,
    /// The referee's own machine was too late.
    HostOverloaded,
    /// The operator cancelled it.
    CancelledByOperator,
    /// A player had left the league.
    Withdrawn,
}

impl Cause {
    /// As the protocol spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Played => "PLAYED",
            Self::NoShow => "NO_SHOW",
            Self::Refused => "REFUSED",
            Self::TimedOut => "TIMED_OUT",
            Self::InvalidMove => "INVALID_MOVE",
            Self::Crashed => "CRASHED",
            Self::OversizedAnswer => "OVERSIZED_ANSWER",
            Self::MalformedAnswer => "MALFORMED_ANSWER",
            Self::RefereeLost => "REFEREE_LOST",
            Self::Network => "NETWORK",
            Self::HostOverloaded => "HOST_OVERLOADED",
            Self::CancelledByOperator => "CANCELLED_BY_OPERATOR",
            Self::Withdrawn => "WITHDRAWN",
        }
    }
}

/// Who caused it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Blame {
    /// The first player.
    PlayerA,
    /// The second player.
    PlayerB,
    /// Both players.
    Both,
    /// The referee.
    Referee,
    /// The network.
    Network,
    /// The machine.
    Host,
    /// The operator.
    Operator,
}

impl Blame {
    /// As the protocol spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PlayerA => "PLAYER_A",
            Self::PlayerB => "PLAYER_B",
            Self::Both => "BOTH",
            Self::Referee => "REFEREE",
            Self::Network => "NETWORK",
            Self::Host => "HOST",
            Self::Operator => "OPERATOR",
        }
    }
}
