//! What whoever runs a referee should know of an ask, and of the answer to it.

use agon_proto::{MatchId, PlayerId, ShortText};

/// A player was asked, and nothing came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedAsk {
    /// In which match.
    pub match_id: MatchId,
    /// In which attempt at it.
    pub attempt: u32,
    /// Who was asked: a player's id or, by letter, its team.
    pub player: Box<str>,
    /// For which message.
    pub wanted: &'static str,
    /// For the how manieth time.
    pub ask: u8,
    /// What is wrong, and what would be right.
    pub problem: ShortText,
    /// What was received, if anything was.
    pub received: Option<ShortText>,
}

/// An answer says wrongly whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongClaim {
    /// In which match.
    pub match_id: MatchId,
    /// In which attempt at it.
    pub attempt: u32,
    /// Who was asked.
    pub player: PlayerId,
    /// What is wrong with what it says.
    pub said: ShortText,
}
