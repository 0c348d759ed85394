//! What a player writes down.
//!
//! Spec: docs/protocol/match.md

use agon_proto::act::{RoundWinner, StandingRow, StopReason};
use agon_proto::tool::PlayedMatch;
use agon_proto::{
    Address, AuthToken, GameId, MatchId, MessageId, Payload, SeasonId, Timestamp, micros,
};
use serde::{Deserialize, Serialize};

use super::parameters::Assignment;
use super::spelling::Heard;
use crate::agent::AgentFact;
use crate::letterbox::LetterboxFact;

/// What became true for a player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum PlayerFact {
    /// What every agent writes down.
    Agent(AgentFact),
    /// Our matches, as the newest table has them.
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
    /// The referee of a match has said something new, in a letter.
    Received {
        game: GameId,
        message: MessageId,
        heard: Box<Heard>,
        /// What proved the referee, where letters travel by call: our answer shows it again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shown: Option<AuthToken>,
    },
    /// It chose; asked the same again, it says the same.
    Chosen {
        match_id: MatchId,
        attempt: u32,
        /// Which question of the match, counted from 1.
        #[serde(default = "first", skip_serializing_if = "is_first")]
        step: u32,
        choice: Payload,
        /// Why something was said in the place of whoever thinks for us.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<Box<str>>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Whoever thinks for us knows the score of that match.
    Noted(MatchId),
    /// The league's own table, and who won.
    Ranked { round: Option<u32>, row: Option<StandingRow>, winners: Vec<RoundWinner> },
    /// A match of its is over.
    Over(PlayedMatch),
}

impl PlayerFact {
    /// What it says about letters, if it does.
    pub const fn letterbox(&self) -> Option<&LetterboxFact> {
        if let Self::Agent(fact) = self { fact.letterbox() } else { None }
    }
}

impl From<AgentFact> for PlayerFact {
    fn from(fact: AgentFact) -> Self {
        Self::Agent(fact)
    }
}

const fn first() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
const fn is_first(step: &u32) -> bool {
    *step == 1
}
