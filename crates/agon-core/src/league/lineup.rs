//! Who takes part in a season: the places of its format, 1 to n, and whose they are.
//!
//! Where everybody who is in takes part, a place is an agent's own number, and nothing is stored.
//!
//! Spec: docs/decisions.md

use agon_proto::{AgentId, PlayerId, RefereeId};
use serde::{Deserialize, Serialize};

/// The places of a season.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lineup {
    /// Everybody who was in when it began; referees may come later.
    All { players: u32, referees: u32 },
    /// These and nobody else. Players are in the order of their numbers.
    Listed { players: Vec<PlayerId>, referees: Vec<RefereeId> },
}

impl Lineup {
    /// How many players take part.
    pub fn players(&self) -> u32 {
        match self {
            Self::All { players, .. } => *players,
            Self::Listed { players, .. } => count(players.len()),
        }
    }

    /// How many referees there were at the start.
    pub fn referees(&self) -> u32 {
        match self {
            Self::All { referees, .. } => *referees,
            Self::Listed { referees, .. } => count(referees.len()),
        }
    }

    /// All players, in the order of their places and of their numbers.
    pub(crate) fn player_ids(&self) -> impl DoubleEndedIterator<Item = PlayerId> {
        (1..=self.players()).map(|place| self.player(PlayerId::new(place)))
    }

    /// Whose place that is; places are numbered from 1.
    pub(crate) fn player(&self, place: PlayerId) -> PlayerId {
        match self {
            Self::All { .. } => place,
            Self::Listed { players, .. } => players[place.number() as usize - 1],
        }
    }

    /// Which referee has that place.
    pub(crate) fn referee(&self, place: RefereeId) -> RefereeId {
        match self {
            Self::All { .. } => place,
            Self::Listed { referees, .. } => referees[place.number() as usize - 1],
        }
    }

    /// The place of that player, if it takes part.
    pub(crate) fn place(&self, player: PlayerId) -> Option<PlayerId> {
        match self {
            Self::All { players, .. } => {
                (1..=*players).contains(&player.number()).then_some(player)
            }
            Self::Listed { players, .. } => {
                let place = players.binary_search(&player).ok()?;
                Some(PlayerId::new(count(place) + 1))
            }
        }
    }

    /// Whether that agent takes part.
    pub(crate) fn holds(&self, agent: AgentId) -> bool {
        match (self, agent) {
            (Self::All { .. }, AgentId::Referee(_)) => true,
            (Self::All { .. } | Self::Listed { .. }, AgentId::Player(player)) => {
                self.place(player).is_some()
            }
            (Self::Listed { referees, .. }, AgentId::Referee(referee)) => {
                referees.contains(&referee)
            }
        }
    }
}

impl Default for Lineup {
    fn default() -> Self {
        Self::All { players: 0, referees: 0 }
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).expect("agents are numbered in 32 bits")
}

#[cfg(test)]
mod tests;
