//! What can be seen of a league: what its agents write down, and what passes between them.

use agon_core::letterbox::LetterboxFact;
use agon_core::{Effect, LeagueFact, Manager, PlayerFact, Question, RefereeFact, RequestId, Tag};
use agon_link::{CallFault, LinkLane, Loss};
use agon_proto::message::StandingsRow;
use agon_proto::{MatchId, Timestamp};

use super::Told;

/// Nodes are known by their number, which comes first; in a simulated season the manager is 0.
pub enum Sight<'a> {
    /// The manager's journal grew. The books do not know it yet.
    LeagueWrote(&'a LeagueFact),
    RefereeWrote(usize, &'a RefereeFact),
    PlayerWrote(usize, &'a PlayerFact),
    /// The manager's log called a result accepted.
    Told(&'a Told),
    /// A table that was shown.
    Table(&'a [StandingsRow]),
    /// A transcript was kept in the same commit.
    Archived(MatchId),
    /// A node died and lost all that its journal does not hold.
    Died(usize),
    /// Its journal was lost as well.
    Forgot(usize),
    /// A node ended with the league, and does not come back.
    Gone(usize),
    /// An effect leaves a node.
    Leaves(usize, &'a Effect),
    /// A request came in; it may be a question, in that match, that needs a thought.
    Opened(usize, RequestId, Option<MatchId>),
    /// A thought that will never come to an end.
    Brooded(usize, MatchId),
    /// A thought that comes to nothing.
    Failed(usize, &'a Question),
    /// What a node's link to another one does.
    Delivers((usize, usize), Delivery, Timestamp),
    /// All that a forged letter led to.
    Forged(&'a [LeagueFact]),
    /// A referee at work, and how many matches it says it plays.
    Playing(usize, u32),
    /// The manager, between two batches: it knows what its journal holds.
    Rests(&'a Manager),
    /// Nobody writes at this moment: what is in several books can be compared.
    Paused,
    /// The season has had all the time it needs.
    Ended,
}

impl<'a> Sight<'a> {
    /// What a fact says about letters, and whose fact that is.
    pub(crate) fn letterbox(&self) -> Option<(usize, &'a LetterboxFact)> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the others are no facts")]
        let (node, said) = match self {
            Self::LeagueWrote(fact) => (0, fact.letterbox()),
            Self::RefereeWrote(node, fact) => (*node, fact.letterbox()),
            Self::PlayerWrote(node, fact) => (*node, fact.letterbox()),
            _ => return None,
        };
        Some((node, said?))
    }
}

/// What happens on a link.
#[derive(Debug, Clone, Copy)]
pub enum Delivery {
    /// It is given something to deliver.
    Given(Sent),
    /// It calls the peer.
    Tried(Sent),
    /// How that went.
    Came(Sent, Result<(), CallFault>),
    /// It says that the peer has it.
    Taken(Sent),
    /// It gives it up.
    Dropped(Sent, Loss),
    /// It does not call the peer, which failed too often.
    FailedFast,
}

/// What was given to a link, counted over all links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    pub number: u64,
    pub lane: LinkLane,
    pub tag: Tag,
}

impl Sent {
    pub(crate) const fn is_news(self) -> bool {
        matches!(self.lane, LinkLane::Notice { .. })
    }

    pub(crate) fn is_letter(self) -> bool {
        self.lane == LinkLane::InOrder
    }
}
