//! Formats: who meets whom next, and who referees.
//!
//! A format is asked for a round when the one before is complete, and answers with fixtures or that
//! the season is over. Where all of them follow from the lineup they stand on paper, which is
//! computed and never stored; otherwise they are written down when their round is announced.
//!
//! Spec: docs/decisions.md

mod paper;
mod round_robin;
mod teams;

use agon_proto::{AgentId, PlayerId, RefereeId};
use serde::{Deserialize, Serialize};

use crate::league::registry::Registry;
use crate::season::Season;
pub use paper::Paper;
pub(crate) use paper::numbered;

/// Who meets whom in one match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fixture {
    pub a: PlayerId,
    pub b: PlayerId,
}

/// The fixtures of one round: match 1, 2, …
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fixtures {
    /// Those of the season's paper.
    OnPaper,
    /// These. Nobody is in two of them.
    Listed(Vec<Fixture>),
}

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
    /// Winners meet winners: who meets whom depends on results. No league's yet.
    #[cfg(test)]
    Winners,
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
            #[cfg(test)]
            Self::Winners => "winners",
        }
    }

    /// Whether it is settled on paper who referees what. Then everybody can know it from the start.
    pub const fn settles_referees(self) -> bool {
        matches!(self, Self::Refereed | Self::Teams)
    }

    /// Who takes part if the season begins now, or what it still needs. In a season of teams the
    /// n-th player and the n-th referee are one team.
    pub(crate) fn lineup(self, registry: &Registry) -> Result<Lineup, &'static str> {
        if self == Self::Teams {
            let (players, referees): (Vec<_>, Vec<_>) = registry.teams().unzip();
            let enough = players.len() >= 3;
            let lineup = Lineup::Listed { players, referees, referees_later: false };
            let lack = "a season needs three teams, each with player and referee";
            return if enough { Ok(lineup) } else { Err(lack) };
        }
        match (registry.player_count(), registry.referee_count()) {
            (..2, _) => Err("a season needs two players"),
            (_, 0) => Err("a season needs a referee"),
            (players, referees) if registry.is_without_gaps() => {
                Ok(Lineup::All { players, referees })
            }
            _ => {
                let agents = registry.everybody().map(|agent| agent.id);
                let (mut players, mut referees) = (Vec::new(), Vec::new());
                agents.for_each(|id| match id {
                    AgentId::Player(id) => players.push(id),
                    AgentId::Referee(id) => referees.push(id),
                });
                Ok(Lineup::Listed { players, referees, referees_later: !self.settles_referees() })
            }
        }
    }

    /// The season of these, where it follows from who takes part. `rounds` of 0 are as many as it
    /// needs to be fair.
    pub(crate) fn paper(self, lineup: &Lineup, rounds: u32) -> Option<Paper> {
        let players = lineup.players();
        Some(match self {
            Self::RoundRobin => Paper::round_robin(players, 1),
            Self::DoubleRoundRobin => Paper::round_robin(players, 2),
            Self::Refereed => Paper::refereed(players, lineup.referees(), rounds),
            Self::Teams => Paper::teams(players, rounds),
            #[cfg(test)]
            Self::Winners => return None,
        })
    }

    /// The next round of a season whose last one is complete; `None`: it is over.
    pub(crate) fn next(self, season: &Season) -> Option<Fixtures> {
        match self {
            Self::RoundRobin | Self::DoubleRoundRobin | Self::Refereed | Self::Teams => {
                (season.round() < season.rounds()).then_some(Fixtures::OnPaper)
            }
            #[cfg(test)]
            Self::Winners => tests::winners::next(season),
        }
    }
}

/// Who takes part in a season: the places of its format, 1 to n, and whose they are. Where
/// everybody who is in takes part, a place is an agent's own number, and nothing is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lineup {
    /// Everybody who was in when it began; referees may come later.
    All { players: u32, referees: u32 },
    /// These and nobody else, but for referees that may come later. Players are in the order of
    /// their numbers.
    Listed {
        players: Vec<PlayerId>,
        referees: Vec<RefereeId>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        referees_later: bool,
    },
}

impl Lineup {
    /// How many players take part.
    pub fn players(&self) -> u32 {
        match self {
            Self::All { players, .. } => *players,
            Self::Listed { players, .. } => count(players),
        }
    }

    /// How many referees there were at the start.
    pub fn referees(&self) -> u32 {
        match self {
            Self::All { referees, .. } => *referees,
            Self::Listed { referees, .. } => count(referees),
        }
    }

    /// Whether referees may come after the start.
    pub(crate) fn takes_referees(&self) -> bool {
        match self {
            Self::All { .. } => true,
            Self::Listed { referees_later, .. } => *referees_later,
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
                Some(PlayerId::new(count(&players[..=place])))
            }
        }
    }

    /// Whether that agent takes part.
    pub(crate) fn holds(&self, agent: AgentId) -> bool {
        match (agent, self) {
            (AgentId::Player(player), _) => self.place(player).is_some(),
            (AgentId::Referee(_), Self::All { .. }) => true,
            (AgentId::Referee(referee), Self::Listed { referees, .. }) => {
                self.takes_referees() || referees.contains(&referee)
            }
        }
    }
}

impl Default for Lineup {
    fn default() -> Self {
        Self::All { players: 0, referees: 0 }
    }
}

pub(crate) fn count<T>(all: &[T]) -> u32 {
    u32::try_from(all.len()).expect("agents and matches are numbered in 32 bits")
}

#[cfg(test)]
mod tests;
