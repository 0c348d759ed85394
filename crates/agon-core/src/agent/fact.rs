//! What every agent writes down, whatever its role.

use agon_proto::{Address, AgentId, LeagueId, Letter, SeasonId, Timestamp, micros};
use serde::{Deserialize, Serialize};

use super::Credentials;
use crate::letterbox::LetterboxFact;

/// What became true for an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum AgentFact {
    /// A letter was queued, taken or dealt with.
    Letterbox(LetterboxFact),
    /// It asks by call to be let in, with this number. Until it was answered it repeats that.
    Asked { nonce: u64 },
    /// A season is open. Another one than before: everything of that is forgotten.
    SeasonOpened { season: SeasonId, league: Option<LeagueId> },
    /// The league let it in; where it is called, with what proves it from now on.
    Admitted {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        season: Option<SeasonId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        league: Option<LeagueId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        given: Option<Credentials>,
    },
    /// The league did not, or not any more.
    Rejected { reason: Box<str> },
    /// The season stands still.
    Paused {
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// It goes on.
    Continued {
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The season is forgotten, by the manager's word.
    Reset,
    /// What proved us to the manager, and it to us, went with the season.
    Expired,
    /// The season is over.
    Completed {
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// A letter came before anybody could say whether it is good. From that address, if by mail.
    Kept { from: Option<Address>, letter: Box<Letter> },
    /// All letters that were kept are looked at again; those that are still early are kept anew.
    Reconsidered,
}

impl AgentFact {
    /// Who it is from now on, if the league says so.
    pub fn admitted_as(&self) -> Option<AgentId> {
        if let Self::Admitted { given, .. } = self { given.as_ref()?.agent } else { None }
    }

    /// What it says about letters, if it does.
    pub const fn letterbox(&self) -> Option<&LetterboxFact> {
        if let Self::Letterbox(fact) = self { Some(fact) } else { None }
    }
}
