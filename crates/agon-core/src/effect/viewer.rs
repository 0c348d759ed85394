//! Who looks, and what is for whom.

use agon_proto::message::Transcript;

/// Who looks at a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// Anybody.
    Everybody,
    /// Whoever holds the operator's token.
    Operator,
}

impl Viewer {
    /// What of a transcript is for this one.
    pub fn shown(self, transcript: Transcript) -> Transcript {
        match self {
            Self::Everybody => transcript.without_received(),
            Self::Operator => transcript,
        }
    }
}
