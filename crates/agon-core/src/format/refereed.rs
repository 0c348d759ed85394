//! Round robin with dedicated referees: everybody meets everybody, and each match has its referee
//! by rotation.
//!
//! A referee gets as many matches as any other, give or take one, and never the same player's for
//! ever. With fewer referees than matches in a round some have several of them. More rounds than a
//! round robin has begin it again with the seats swapped.
//!
//! Spec: docs/decisions.md

use agon_proto::{MatchId, PlayerId, RefereeId, RoundId};

use super::round_robin::{Fixture, RoundRobin};

/// The schedule of `players` players and `referees` referees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refereed {
    pairs: RoundRobin,
    referees: u32,
    rounds: u32,
}

impl Refereed {
    /// `rounds` of 0 are as many as everybody needs to meet everybody.
    pub const fn new(players: u32, referees: u32, rounds: u32) -> Self {
        let pairs = RoundRobin::new(players);
        let rounds = match (pairs.rounds(), rounds) {
            (0, _) => 0,
            (all, 0) => all,
            (_, rounds) => rounds,
        };
        Self { pairs, referees, rounds }
    }

    pub const fn players(self) -> u32 {
        self.pairs.players()
    }

    pub const fn rounds(self) -> u32 {
        self.rounds
    }

    pub const fn matches_per_round(self) -> u32 {
        self.pairs.matches_per_round()
    }

    /// After so many rounds everybody has met everybody.
    pub(super) const fn lap(self) -> u32 {
        self.pairs.rounds()
    }

    /// The same match on the first lap, and whether its seats are swapped.
    fn on_first_lap(self, id: MatchId) -> Option<(MatchId, bool)> {
        if !(1..=self.rounds).contains(&id.round) {
            return None;
        }
        let (lap, round) = ((id.round - 1) / self.lap(), (id.round - 1) % self.lap());
        Some((MatchId::new(round + 1, id.number), lap % 2 == 1))
    }

    /// The fixture of that match.
    pub fn fixture(self, id: MatchId) -> Option<Fixture> {
        let (first, swapped) = self.on_first_lap(id)?;
        let Fixture { a, b } = self.pairs.fixture(first)?;
        Some(if swapped { Fixture { a: b, b: a } } else { Fixture { a, b } })
    }

    /// Who referees that match.
    pub fn referee_of(self, id: MatchId) -> Option<RefereeId> {
        self.fixture(id).filter(|_| self.referees > 0)?;
        let matches = u64::from(self.matches_per_round());
        let referees = u64::from(self.referees);
        // Counting through all matches is fair; but where a round divides evenly everybody would
        // keep the same number, and match 1 is always the same player's: then each moves on by one.
        let step = if matches.is_multiple_of(referees) { matches + 1 } else { matches };
        let turn = u64::from(id.round - 1) * step + u64::from(id.number - 1);
        u32::try_from(turn % referees).ok().map(|turn| RefereeId::new(turn + 1))
    }

    /// The match of that player in that round; `None` is a bye.
    pub fn match_of(self, player: PlayerId, round: RoundId) -> Option<MatchId> {
        let (first, _) = self.on_first_lap(MatchId::new(round, 1))?;
        let MatchId { number, .. } = self.pairs.match_of(player, first.round)?;
        Some(MatchId::new(round, number))
    }

    /// The first match in which these two meet, if the season is long enough.
    pub(super) fn meeting(self, one: PlayerId, other: PlayerId) -> Option<MatchId> {
        self.pairs.meeting(one, other).filter(|id| id.round <= self.rounds)
    }
}
