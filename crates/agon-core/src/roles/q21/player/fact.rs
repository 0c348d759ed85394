//! What a player of a Q21 league writes down. A promise: add variants, never change one.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21::{
    AnswersBatch, Body, GameId, Kind, RoundStart, RoundWinner, Said, ScoreFeedback, StandingRow,
    StopReason, WarmupCall,
};
use agon_proto::{Address, AuthToken, MessageId, SeasonId, Timestamp, micros};
use serde::{Deserialize, Serialize};

use super::gprm::Assignment;
use super::thinking::Callback;
use crate::agent::AgentFact;
use crate::post::PostFact;

/// What became true for a player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Fact {
    /// What every agent writes down.
    Agent(AgentFact),
    /// Our games, as the newest table has them.
    Assigned { season: Option<SeasonId>, games: Vec<Assignment> },
    /// A round has begun; whatever was still open in the one before has stopped.
    RoundStarted {
        round: u32,
        name: Option<Box<str>>,
        present: Option<Vec<Address>>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The round under way has stopped, and no other begins.
    RoundStopped {
        reason: StopReason,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The referee of a game has said something new.
    Received {
        game: GameId,
        message: MessageId,
        heard: Heard,
        /// What proved the referee, where letters travel by call: our answer shows it again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<AuthToken>,
    },
    /// Our program has said something, or we have in its place: then it says why.
    Said {
        game: GameId,
        said: Said,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<Box<str>>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Our program knows the score of that game.
    Noted(GameId),
    /// The league's own table, and who won.
    Ranked { round: Option<u32>, row: Option<StandingRow>, winners: Vec<RoundWinner> },
}

impl Fact {
    /// What it says about letters, if it does.
    pub const fn post(&self) -> Option<&PostFact> {
        if let Self::Agent(fact) = self { fact.post() } else { None }
    }
}

impl From<AgentFact> for Fact {
    fn from(fact: AgentFact) -> Self {
        Self::Agent(fact)
    }
}

/// What a referee says to a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Heard {
    Warmup(WarmupCall),
    Start(RoundStart),
    Answers(AnswersBatch),
    Score(ScoreFeedback),
}

impl Heard {
    /// What a referee says in that letter, if it says anything of a game.
    #[expect(clippy::wildcard_enum_match_arm, reason = "four of 40 letters are a referee's")]
    pub(super) fn of(body: &Body) -> Option<Self> {
        match body {
            Body::WarmupCall(said) => Some(Self::Warmup(said.clone())),
            Body::RoundStart(said) => Some(Self::Start(said.clone())),
            Body::AnswersBatch(said) => Some(Self::Answers(said.clone())),
            Body::ScoreFeedback(said) => Some(Self::Score(said.clone())),
            _ => None,
        }
    }

    pub(super) const fn kind(&self) -> Kind {
        match self {
            Self::Warmup(_) => Kind::WarmupCall,
            Self::Start(_) => Kind::RoundStart,
            Self::Answers(_) => Kind::AnswersBatch,
            Self::Score(_) => Kind::ScoreFeedback,
        }
    }

    /// What our program is asked about it.
    pub(super) const fn callback(&self) -> Callback {
        match self {
            Self::Warmup(_) => Callback::Warmup,
            Self::Start(_) => Callback::Questions,
            Self::Answers(_) => Callback::Guess,
            Self::Score(_) => Callback::Score,
        }
    }

    /// The game's token, if it stands there.
    pub(super) fn token(&self) -> Option<&str> {
        match self {
            Self::Warmup(said) => said.token.as_deref(),
            Self::Start(said) => said.token.as_deref(),
            Self::Answers(said) => said.token.as_deref(),
            Self::Score(said) => said.token.as_deref(),
        }
    }
}
