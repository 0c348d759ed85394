//! What a referee writes down. Read again, it gives the same referee.
//!
//! Facts are what a journal holds, so their form is a promise: add variants, never change one. They
//! are outcomes. Of a match that is void after a restart its steps are not among them.

use std::sync::Arc;

use agon_proto::message::{MatchAssignment, Transcript};
use agon_proto::{LeagueId, MatchId, MessageId, Payload, SeasonId};
use serde::{Deserialize, Serialize};

use super::letters::{RoundTold, ScheduledMatch, Start};
use crate::AgentFact;
use crate::letterbox::LetterboxFact;
use crate::matches::MatchProgress;
use crate::verdict::{Seat, Verdict};

/// What a referee writes down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RefereeFact {
    /// What every agent writes down.
    Agent(AgentFact),
    /// It took a match.
    Assigned(Arc<MatchAssignment>),
    /// The season's table came: these matches are its own.
    Scheduled { season: Option<SeasonId>, league: Option<LeagueId>, fixtures: Vec<ScheduledMatch> },
    /// A round has begun.
    RoundBegan(RoundTold),
    /// It is over, by the manager's word.
    RoundEnded { number: u32 },
    /// A match of the table begins, and goes on after a restart.
    Started(Arc<Start>),
    /// A player has answered that question of such a match, in the letter of that id.
    Answered { match_id: MatchId, seat: Seat, step: u16, letter: MessageId },
    /// Something happened in such a match, and so it stands now.
    Stepped { match_id: MatchId, progress: Box<MatchProgress> },
    /// It judged an attempt, and owes the report, if that is not in the post.
    Judged {
        match_id: MatchId,
        attempt: u32,
        verdict: Verdict,
        /// What was played, as its game shows it to everybody.
        #[serde(default, skip_serializing_if = "Payload::is_null")]
        details: Payload,
        transcript: Transcript,
    },
    /// The manager has the result, and its players are owed the news.
    Recorded { match_id: MatchId, attempt: u32 },
    /// Nothing is owed any more: the news was taken or given up, or there is none to tell.
    Settled { match_id: MatchId, attempt: u32 },
}

impl RefereeFact {
    /// What it says about letters, if it does.
    pub const fn letterbox(&self) -> Option<&LetterboxFact> {
        if let Self::Agent(fact) = self { fact.letterbox() } else { None }
    }
}

impl From<AgentFact> for RefereeFact {
    fn from(fact: AgentFact) -> Self {
        Self::Agent(fact)
    }
}
