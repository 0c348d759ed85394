//! Who does what: in a league, and at the table of one match.

use serde::{Deserialize, Serialize};

/// The three roles. Whoever does not say which is a player.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub enum Role {
    /// The league manager.
    Manager,
    /// A referee.
    Referee,
    /// A player.
    #[default]
    Player,
}

impl Role {
    /// As it is spelled in subjects and envelopes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Manager => "LEAGUEMANAGER",
            Self::Referee => "REFEREE",
            Self::Player => "PLAYER",
        }
    }

    /// As it is written in logs, metrics and commands.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Manager => "manager",
            Self::Referee => "referee",
            Self::Player => "player",
        }
    }
}

/// A place at one game's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Part {
    /// The first player.
    Player1,
    /// The second player.
    Player2,
    /// The referee.
    Referee,
}
