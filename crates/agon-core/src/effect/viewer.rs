//! Who looks, and what is for whom.

use agon_proto::PlayerId;
use agon_proto::message::{Party, Transcript};
use agon_proto::tool::MatchState;

/// Who looks at a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// Anybody.
    Everybody,
    /// Whoever holds that player's token: its own mistakes are for it, too.
    Player(PlayerId),
    /// Whoever holds the operator's token.
    Operator,
}

impl Viewer {
    /// What of that match's transcript is for this one.
    pub fn shown(self, transcript: Transcript, of: &MatchState) -> Transcript {
        match self {
            Self::Everybody => transcript.with_received_from(None),
            Self::Player(id) if id == of.player_a_id => {
                transcript.with_received_from(Some(Party::PlayerA))
            }
            Self::Player(id) if id == of.player_b_id => {
                transcript.with_received_from(Some(Party::PlayerB))
            }
            Self::Player(_) => transcript.with_received_from(None),
            Self::Operator => transcript,
        }
    }
}
