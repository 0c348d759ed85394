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

use agon_proto::PlayerId;
use serde::{Deserialize, Serialize};

use crate::league::Lineup;
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
            let lineup = Lineup::Listed { players, referees };
            let lack = "a season needs three teams, each with player and referee";
            return if enough { Ok(lineup) } else { Err(lack) };
        }
        match (registry.player_count(), registry.referee_count()) {
            (..2, _) => Err("a season needs two players"),
            (_, 0) => Err("a season needs a referee"),
            (players, referees) => Ok(Lineup::All { players, referees }),
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

#[cfg(test)]
mod tests;
