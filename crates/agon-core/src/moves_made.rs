//! What a player made of a match, so that it can be compared without telling it.
//!
//! Both sides know the number of its moves and the last of them: the player because it made them,
//! the manager because the public view of a game shows no more at its end.
//!
//! Spec: docs/protocol/season.md

use agon_proto::{LeagueId, MatchId, MovesHash, Payload, Played};

/// The moves of one player in one match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MovesMade {
    pub(crate) count: u32,
    /// Nothing, if there was none.
    pub(crate) last: Payload,
}

impl MovesMade {
    /// The same as a hash, which says nothing of any other match.
    pub(crate) fn of(&self, league: &LeagueId, (match_id, attempt): (MatchId, u32)) -> Played {
        let Self { count, last } = self;
        let last = last.as_str();
        let text = format!("agon moves\n{league}\n{match_id}\n{attempt}\n{count}\n{last}");
        let hash = blake3::hash(text.as_bytes());
        let moves = MovesHash(*hash.as_bytes().first_chunk().expect("a hash has 32 bytes"));
        Played { match_id, attempt, moves }
    }
}
