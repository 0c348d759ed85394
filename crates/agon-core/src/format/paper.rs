//! Seasons on paper: every fixture follows from who takes part. Places are numbered from 1; whose
//! they are the lineup says. Every answer is computed, in constant time.
//!
//! Spec: docs/decisions.md

use agon_proto::{MatchId, PlayerId, RefereeId, RoundId};

use super::{Fixture, Refereed, RoundRobin, Teams};

/// Who meets whom in a season, and perhaps who referees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    /// Everybody meets everybody; whoever has room referees.
    RoundRobin(RoundRobin),
    /// Everybody meets everybody; each match has its referee from the start.
    Refereed(Refereed),
    /// Teams that both play and referee.
    Teams(Teams),
}

impl Paper {
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

    /// How many matches that round has.
    pub(crate) fn size(self, round: RoundId) -> u32 {
        let size = match self {
            Self::RoundRobin(format) => format.matches_per_round(),
            Self::Refereed(format) => format.pairs().matches_per_round(),
            Self::Teams(format) => format.matches_per_round(),
        };
        if (1..=self.rounds()).contains(&round) { size } else { 0 }
    }

    pub fn matches(self) -> u64 {
        u64::from(self.rounds()) * u64::from(self.size(1))
    }

    /// The matches of that round, in order.
    pub fn matches_in(self, round: RoundId) -> impl ExactSizeIterator<Item = MatchId> + Clone {
        numbered(round, self.size(round))
    }

    /// Every match of the season, in order.
    pub fn ids(self) -> impl Iterator<Item = MatchId> + Clone {
        (1..=self.rounds()).flat_map(move |round| self.matches_in(round))
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
    pub(crate) fn meetings(self, one: PlayerId, other: PlayerId) -> impl Iterator<Item = MatchId> {
        // After so many rounds two who have met meet again, in the match of the same number.
        let (first, again_after) = match self {
            Self::RoundRobin(format) => (format.meeting(one, other), format.lap()),
            Self::Refereed(format) => (format.pairs().meeting(one, other), format.pairs().lap()),
            Self::Teams(format) => (format.meeting(one, other), format.lap()),
        };
        let rounds = self.rounds();
        let first = first.filter(|first| first.round <= rounds);
        std::iter::successors(first, move |before| {
            let round = before.round.checked_add(again_after.max(1))?;
            (round <= rounds).then(|| MatchId::new(round, before.number))
        })
    }
}

/// The ids of so many matches of a round.
pub(crate) fn numbered(
    round: RoundId,
    matches: u32,
) -> impl ExactSizeIterator<Item = MatchId> + Clone + use<> {
    (0..matches).map(move |before| MatchId::new(round, before + 1))
}

impl Default for Paper {
    /// A season of nobody.
    fn default() -> Self {
        Self::RoundRobin(RoundRobin::new(0))
    }
}
