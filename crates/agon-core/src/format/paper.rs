//! Seasons on paper: every fixture follows from who takes part. Places are numbered from 1; whose
//! they are the lineup says. Every answer is computed, in constant time.
//!
//! Spec: docs/decisions.md

use agon_proto::{MatchId, PlayerId, RefereeId, RoundId};

use super::Fixture;
use super::round_robin::RoundRobin;
use super::teams::{TABLE, Teams};

/// Who meets whom in a season, and perhaps who referees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paper {
    players: u32,
    rounds: u32,
    layout: Layout,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Everybody meets everybody. So many referees take turns; with none, whoever has room
    /// referees.
    RoundRobin { referees: u32 },
    /// Teams that both play and referee.
    Teams,
}

impl Paper {
    /// Everybody meets everybody so many times; whoever has room referees.
    pub const fn round_robin(players: u32, times: u32) -> Self {
        let once = if players < 2 { 0 } else { RoundRobin { players }.circle() };
        let layout = Layout::RoundRobin { referees: 0 };
        Self { players, rounds: once.saturating_mul(times), layout }
    }

    /// Everybody meets everybody; each match has its referee from the start. `rounds` of 0 are as
    /// many as everybody needs to meet everybody.
    pub const fn refereed(players: u32, referees: u32, rounds: u32) -> Self {
        let once = Self::round_robin(players, 1);
        let rounds = if players < 2 || rounds == 0 { once.rounds } else { rounds };
        Self { rounds, layout: Layout::RoundRobin { referees }, ..once }
    }

    /// Teams that both play and referee. `rounds` of 0 are once around: as many as there are teams.
    pub const fn teams(teams: u32, rounds: u32) -> Self {
        let rounds = match (teams, rounds) {
            (..TABLE, _) => 0,
            (teams, 0) => teams,
            (_, rounds) => rounds,
        };
        Self { players: teams, rounds, layout: Layout::Teams }
    }

    pub const fn players(self) -> u32 {
        self.players
    }

    pub const fn rounds(self) -> u32 {
        self.rounds
    }

    /// How many matches that round has.
    pub(crate) fn size(self, round: RoundId) -> u32 {
        let table = if self.layout == Layout::Teams { TABLE } else { 2 };
        if (1..=self.rounds).contains(&round) { self.players / table } else { 0 }
    }

    pub fn matches(self) -> u64 {
        u64::from(self.rounds) * u64::from(self.size(1))
    }

    /// The matches of that round, in order.
    pub fn matches_in(self, round: RoundId) -> impl ExactSizeIterator<Item = MatchId> {
        numbered(round, self.size(round))
    }

    /// The fixture of that match.
    pub fn fixture(self, id: MatchId) -> Option<Fixture> {
        self.has(id).then(|| match self.layout {
            Layout::RoundRobin { .. } => self.pairs().fixture(id),
            Layout::Teams => self.tables().fixture(id),
        })
    }

    /// Who referees that match; `None` if that is not settled on paper, or if there is none.
    pub fn referee_of(self, id: MatchId) -> Option<RefereeId> {
        match self.layout {
            _ if !self.has(id) => None,
            Layout::RoundRobin { referees: 0 } => None,
            Layout::RoundRobin { referees } => Some(self.pairs().referee_of(id, referees)),
            Layout::Teams => Some(self.tables().referee_of(id)),
        }
    }

    /// The match that this player plays in that round; `None` if it plays none.
    pub fn match_of(self, player: PlayerId, round: RoundId) -> Option<MatchId> {
        let place = self.place(player).filter(|_| (1..=self.rounds).contains(&round))?;
        let number = match self.layout {
            Layout::RoundRobin { .. } => self.pairs().match_of(place, round),
            Layout::Teams => self.tables().match_of(place, round),
        };
        number.map(|number| MatchId::new(round, number))
    }

    /// Every match in which these two meet, first one first.
    pub(crate) fn meetings(self, one: PlayerId, other: PlayerId) -> impl Iterator<Item = MatchId> {
        let places = self.place(one).zip(self.place(other)).filter(|(one, other)| one != other);
        let first = places.and_then(|(one, other)| match self.layout {
            Layout::RoundRobin { .. } => self.pairs().meeting(one, other),
            Layout::Teams => self.tables().meeting(one, other),
        });
        let first = first.filter(|first| first.round <= self.rounds);
        std::iter::successors(first, move |before| {
            let round = before.round.checked_add(self.lap())?;
            (round <= self.rounds).then(|| MatchId::new(round, before.number))
        })
    }

    /// After so many rounds two who have met meet again, in the match of the same number.
    pub(super) fn lap(self) -> u32 {
        match self.layout {
            Layout::RoundRobin { .. } => self.pairs().circle(),
            Layout::Teams => self.tables().lap(),
        }
    }

    fn has(self, id: MatchId) -> bool {
        (1..=self.size(id.round)).contains(&id.number)
    }

    /// The place of that player, counted from 0.
    fn place(self, player: PlayerId) -> Option<u32> {
        player.number().checked_sub(1).filter(|place| *place < self.players)
    }

    const fn pairs(self) -> RoundRobin {
        RoundRobin { players: self.players }
    }

    const fn tables(self) -> Teams {
        Teams { teams: self.players }
    }
}

/// The ids of so many matches of a round.
pub(crate) fn numbered(round: RoundId, matches: u32) -> impl ExactSizeIterator<Item = MatchId> {
    (0..matches).map(move |before| MatchId::new(round, before + 1))
}
