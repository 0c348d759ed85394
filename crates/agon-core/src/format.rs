//! Formats: who meets whom, and who referees. A fixture is a pairing on paper, computed, never
//! stored.
//!
//! Spec: docs/decisions.md

pub mod refereed;
pub mod round_robin;
pub mod teams;

use agon_proto::{MatchId, PlayerId, RefereeId, RoundId};
use serde::{Deserialize, Serialize};

use crate::league::Lineup;
use crate::league::registry::Registry;
pub use refereed::Refereed;
pub use round_robin::{Fixture, RoundRobin};
pub use teams::Teams;

/// How a league's seasons are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormatKind {
    /// Everybody meets everybody once; whoever has room referees.
    #[default]
    RoundRobin,
    /// Everybody meets everybody twice, the second time with the seats swapped.
    DoubleRoundRobin,
    /// Everybody meets everybody; each match has its referee from the start.
    Refereed,
    /// Teams that both play and referee.
    Teams,
}

impl FormatKind {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::RoundRobin, Self::DoubleRoundRobin, Self::Refereed, Self::Teams];

    /// As it is configured.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::DoubleRoundRobin => "double-round-robin",
            Self::Refereed => "refereed",
            Self::Teams => "teams",
        }
    }

    /// Whether it is settled on paper who referees what. Then everybody can know it from the start.
    pub const fn settles_referees(self) -> bool {
        matches!(self, Self::Refereed | Self::Teams)
    }

    /// Who takes part if the season begins now, or what it still needs. In a season of teams the
    /// n-th player and the n-th referee are one team.
    pub(crate) fn lineup(self, registry: &Registry) -> Result<Lineup, &'static str> {
        let (players, referees) = (registry.player_count(), registry.referee_count());
        match self {
            Self::RoundRobin | Self::DoubleRoundRobin | Self::Refereed if players < 2 => {
                Err("a season needs two players")
            }
            Self::RoundRobin | Self::DoubleRoundRobin | Self::Refereed if referees == 0 => {
                Err("a season needs a referee")
            }
            Self::RoundRobin | Self::DoubleRoundRobin | Self::Refereed => {
                Ok(Lineup::All { players, referees })
            }
            Self::Teams => {
                let (players, referees): (Vec<_>, Vec<_>) = registry.teams().unzip();
                let enough = players.len() >= 3;
                let lineup = Lineup::Listed { players, referees };
                let lack = "a season needs three teams, each with player and referee";
                if enough { Ok(lineup) } else { Err(lack) }
            }
        }
    }

    /// The season of these; `rounds` of 0 are as many as it needs to be fair.
    pub(crate) fn layout(self, lineup: &Lineup, rounds: u32) -> Format {
        let players = lineup.players();
        match self {
            Self::RoundRobin => Format::RoundRobin(RoundRobin::new(players)),
            Self::DoubleRoundRobin => Format::RoundRobin(RoundRobin::laps(players, 2)),
            Self::Refereed => Format::Refereed(Refereed::new(players, lineup.referees(), rounds)),
            Self::Teams => Format::Teams(Teams::new(players, rounds)),
        }
    }
}

/// How one season is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Everybody meets everybody; whoever has room referees.
    RoundRobin(RoundRobin),
    /// Everybody meets everybody; each match has its referee from the start.
    Refereed(Refereed),
    /// Teams that both play and referee.
    Teams(Teams),
}

impl Format {
    pub const fn players(self) -> u32 {
        match self {
            Self::RoundRobin(format) => format.players(),
            Self::Refereed(format) => format.pairs().players(),
            Self::Teams(format) => format.teams(),
        }
    }

    pub const fn rounds(self) -> u32 {
        match self {
            Self::RoundRobin(format) => format.rounds(),
            Self::Refereed(format) => format.pairs().rounds(),
            Self::Teams(format) => format.rounds(),
        }
    }

    pub const fn matches_per_round(self) -> u32 {
        match self {
            Self::RoundRobin(format) => format.matches_per_round(),
            Self::Refereed(format) => format.pairs().matches_per_round(),
            Self::Teams(format) => format.matches_per_round(),
        }
    }

    pub const fn matches(self) -> u64 {
        self.rounds() as u64 * self.matches_per_round() as u64
    }

    /// The fixture of that match.
    pub fn fixture(self, id: MatchId) -> Option<Fixture> {
        match self {
            Self::RoundRobin(format) => format.fixture(id),
            Self::Refereed(format) => format.pairs().fixture(id),
            Self::Teams(format) => format.fixture(id),
        }
    }

    /// Who referees that match; `None` if that is not settled on paper, or if there is none.
    pub fn referee_of(self, id: MatchId) -> Option<RefereeId> {
        match self {
            Self::RoundRobin(_) => None,
            Self::Refereed(format) => format.referee_of(id),
            Self::Teams(format) => format.referee_of(id),
        }
    }

    /// The match that this player plays in that round; `None` if it plays none.
    pub fn match_of(self, player: PlayerId, round: RoundId) -> Option<MatchId> {
        match self {
            Self::RoundRobin(format) => format.match_of(player, round),
            Self::Refereed(format) => format.pairs().match_of(player, round),
            Self::Teams(format) => format.match_of(player, round),
        }
    }

    /// Every match in which these two meet, first one first.
    pub(crate) fn meetings(
        self,
        one: PlayerId,
        other: PlayerId,
    ) -> impl Iterator<Item = MatchId> + use<> {
        // After so many rounds two who have met meet again, in the match of the same number.
        let (first, again_after) = match self {
            Self::RoundRobin(format) => (format.meeting(one, other), format.lap()),
            Self::Refereed(format) => (format.pairs().meeting(one, other), format.pairs().lap()),
            Self::Teams(format) => (format.meeting(one, other), format.lap()),
        };
        let rounds = self.rounds();
        first.into_iter().flat_map(move |first| {
            let step = again_after.max(1) as usize;
            (first.round..=rounds).step_by(step).map(move |round| MatchId::new(round, first.number))
        })
    }
}

#[cfg(test)]
mod tests;
