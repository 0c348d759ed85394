//! What a player made of a match, so that it can be compared without telling it.
//!
//! Both sides know each of them: the player because it made them, the manager because the report
//! tells all that was played, or shows the one move that each seat has in its game.
//!
//! Spec: docs/protocol/season.md

use agon_proto::{LeagueId, MatchId, MovesHash, Played};

/// The moves of one player in one match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MovesMade {
    count: u32,
    /// Each on a line of its own, as JSON; null, if there was none.
    lines: Box<str>,
}

impl MovesMade {
    /// These, oldest first.
    pub(crate) fn new<T: AsRef<str>>(moves: &[T]) -> Self {
        let lines: Vec<&str> = moves.iter().map(AsRef::as_ref).collect();
        let lines = if lines.is_empty() { "null".into() } else { lines.join("\n").into() };
        Self { count: u32::try_from(moves.len()).unwrap_or(u32::MAX), lines }
    }

    /// The same as a hash, which says nothing of any other match.
    pub(crate) fn of(&self, league: &LeagueId, (match_id, attempt): (MatchId, u32)) -> Played {
        let Self { count, lines } = self;
        let text = format!("agon moves\n{league}\n{match_id}\n{attempt}\n{count}\n{lines}");
        let hash = blake3::hash(text.as_bytes());
        let moves = MovesHash(*hash.as_bytes().first_chunk().expect("a hash has 32 bytes"));
        Played { match_id, attempt, moves }
    }
}
